//===- edge_list.cpp - Reads edge lists as SNAP publishes them ------------===//

#include "input.h"
#include "text.h"

#include "graphlib/files/FileError.h"
#include "graphlib/files/Quote.h"
#include "graphlib/files/Words.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

namespace {

using heddle::graph::quoted, heddle::graph::takeWord;

/// Weights with decimals are kept in thousandths.
constexpr int64_t Thousand = 1000;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Collects the edges of a file, line by line.
class EdgeReader {
public:
  explicit EdgeReader(const std::string &file) : file(file) {}

  void addLine(std::string_view line, int64_t number) {
    lineNumber = number;
    std::string_view first = takeWord(line);
    if (first.empty() || first.starts_with('#'))
      return;
    std::string_view second = takeWord(line), third = takeWord(line);
    std::string_view rest = takeWord(line);
    Edge edge = {uint32_t(vertex(first)), uint32_t(vertex(second)), 0};
    if (!rest.empty())
      fail("{} follows the weight", quoted(rest));
    bool weighted = !third.empty();
    if (edges.empty())
      hasWeights = weighted;
    if (weighted != hasWeights)
      fail("a line {} a weight follows lines {}", weighted ? "with" : "without",
           weighted ? "without" : "with");
    edge.weight =
        weighted ? weight(third) : generatedWeight(edge.from, edge.to);
    edges.push_back(edge);
  }

  Graph build(bool undirected) {
    if (edges.empty())
      throw InputError(fmt::format("{}: there are no edges in it", file));
    std::vector<int32_t> numbers = renumber();
    Array<Edge> list(edges.size());
    std::copy(edges.begin(), edges.end(), list.begin());
    Graph graph = buildGraph(std::filesystem::path(file).filename(),
                             static_cast<int32_t>(numbers.size()),
                             std::move(list), undirected);
    graph.numbers = std::move(numbers);
    graph.weightScale = scale;
    return graph;
  }

private:
  template <typename... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> text,
                         Values &&...values) {
    heddle::graph::failAtLine(
        file, static_cast<uint64_t>(lineNumber),
        fmt::format(text, std::forward<Values>(values)...));
  }

  int32_t vertex(std::string_view word) {
    constexpr int32_t Highest = INT32_MAX - 1;
    if (word.empty())
      fail("the line ends where a vertex number should follow");
    if (word[0] == '-' && word.size() > 1 && isDigit(word[1]))
      fail("vertex number {} is negative", quoted(word));
    int32_t number = 0;
    auto [end, error] =
        std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc::result_out_of_range || number > Highest)
      fail("vertex number {} is higher than {}", quoted(word), Highest);
    if (error != std::errc() || end != word.data() + word.size())
      fail("{} is not a vertex number", quoted(word));
    return number;
  }

  int32_t weight(std::string_view word) {
    if (word[0] == '-')
      fail("weight {} is negative", quoted(word));
    std::string_view whole = word.substr(0, word.find('.'));
    std::string_view decimals =
        word.substr(std::min(word.size(), whole.size() + 1));
    bool hasPoint = whole.size() < word.size();
    if (whole.empty() || !std::all_of(whole.begin(), whole.end(), isDigit) ||
        !std::all_of(decimals.begin(), decimals.end(), isDigit) ||
        (hasPoint && decimals.empty()))
      fail("{} is not a weight", quoted(word));
    if (hasPoint)
      startDecimals();
    int64_t value = 0;
    auto [end, error] =
        std::from_chars(whole.data(), whole.data() + whole.size(), value);
    int64_t fraction = 0;
    for (int digit = 0; digit < 3; ++digit)
      fraction = fraction * 10 +
                 (digit < std::ssize(decimals) ? decimals[digit] - '0' : 0);
    if (error != std::errc() || value > INT32_MAX / scale - 1)
      fail("weight {} is too high", quoted(word));
    return static_cast<int32_t>(value * scale + (scale > 1 ? fraction : 0));
  }

  /// The first weight with decimals: brings those before it to thousandths.
  void startDecimals() {
    if (scale == Thousand)
      return;
    scale = Thousand;
    for (Edge &edge : edges) {
      if (edge.weight > INT32_MAX / Thousand - 1)
        fail("after weights with decimals, weight {} is too high", edge.weight);
      edge.weight *= Thousand;
    }
  }

  /// Replaces the vertex numbers of the file by 0, 1, 2... in the same order;
  /// returns the old number of each.
  std::vector<int32_t> renumber() {
    uint32_t highest = 0;
    for (const Edge &edge : edges)
      highest = std::max({highest, edge.from, edge.to});

    // One bit a number that occurs, and how many occur below each word.
    std::vector<uint64_t> occurs(highest / 64 + 1);
    for (const Edge &edge : edges)
      for (uint32_t v : {edge.from, edge.to})
        occurs[v / 64] |= uint64_t(1) << v % 64;
    std::vector<int32_t> below(occurs.size() + 1);
    for (size_t word = 0; word < occurs.size(); ++word)
      below[word + 1] = below[word] + std::popcount(occurs[word]);

    auto rank = [&](uint32_t v) {
      uint64_t lower = occurs[v / 64] & ((uint64_t(1) << v % 64) - 1);
      return below[v / 64] + std::popcount(lower);
    };
    std::vector<int32_t> numbers(below.back());
    for (Edge &edge : edges) {
      for (uint32_t *v : {&edge.from, &edge.to}) {
        uint32_t number = *v;
        *v = rank(number);
        numbers[*v] = static_cast<int32_t>(number);
      }
    }
    return numbers;
  }

  const std::string &file;
  int64_t lineNumber = 0;
  bool hasWeights = false;
  int64_t scale = 1;
  std::vector<Edge> edges;
};

} // namespace

Graph readEdgeList(const std::string &file, bool undirected) {
  EdgeReader reader(file);
  forEachLine(file, [&](std::string_view line, int64_t number) {
    reader.addLine(line, number);
  });
  return reader.build(undirected);
}
