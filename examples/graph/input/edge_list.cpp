//===- edge_list.cpp - Reads edge lists as SNAP publishes them ------------===//

#include "input.h"

#include "graphlib/files/FileError.h"
#include "graphlib/files/GrowingArray.h"
#include "graphlib/formats/Formats.h"
#include "graphlib/formats/lines/EdgeLineParser.h"
#include "graphlib/generate/EdgeWeights.h"
#include "heddle/graph/detail/Bitmap.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace {

using heddle::graph::EdgeLineParser, heddle::graph::LineContent;

/// Collects the edges of a file, line by line.
class EdgeReader {
public:
  explicit EdgeReader(const std::string &file) : file(file) {}

  void addLine(std::string_view line, uint64_t number) {
    const char *begin = line.data(), *end = begin + line.size();
    heddle::graph::Edge<uint32_t, double> edge;
    const LineContent content = parser.parse(begin, end, edge);
    if (content == LineContent::Nothing)
      return;
    const bool hasWeight = content == LineContent::Edge;
    if (hasWeight)
      checkWeight(edge.weight, number);
    else if (hasWeights.value_or(false) || !parser.endedBeforeWeight())
      fail(number, parser.mistake());
    else
      edge.weight =
          heddle::graph::randomWeight<double>(random, edge.from, edge.to);
    hasWeights = hasWeight;
    // So that no decimal is lost to rounding.
    constexpr double Little = 1e-6;
    *edges.extend(1, 2 * edges.size()) = {
        edge.from, edge.to, static_cast<int32_t>(edge.weight * scale + Little)};
  }

  Graph build(bool undirected) {
    if (edges.size() == 0)
      throw InputError(fmt::format("{}: there are no edges in it", file));
    EdgeList list;
    list.edges = edges.take();
    const auto [numbers, firstOfWord] = numbersIn(list.edges);
    const auto vertexOf = [&](uint32_t number) {
      const size_t word = number / heddle::graph::Bitmap::WordBits;
      return static_cast<uint32_t>(
          std::lower_bound(numbers.begin() + firstOfWord[word],
                           numbers.begin() + firstOfWord[word + 1], number) -
          numbers.begin());
    };
    list.vertexCount = static_cast<uint32_t>(numbers.size());
#pragma omp parallel for
    for (Edge &edge : list.edges) {
      edge.from = vertexOf(edge.from);
      edge.to = vertexOf(edge.to);
    }
    Graph graph =
        buildGraph(std::filesystem::path(file).filename(), list, undirected);
    graph.numbers = numbers;
    graph.weightScale = scale;
    return graph;
  }

private:
  [[noreturn]] void fail(uint64_t line, const std::string &problem) const {
    heddle::graph::failAtLine(file, line, problem);
  }

  /// Weights with decimals are kept in thousandths.
  void checkWeight(double weight, uint64_t line) {
    if (hasWeights == false)
      fail(line, fmt::format("expected no weight after lines without, found {}",
                             weight));
    const bool isFirstWithDecimals = scale == 1 && weight != std::floor(weight);
    if (isFirstWithDecimals)
      scale = 1000;
    heaviest = std::max(heaviest, weight);
    const int32_t limit = INT32_MAX / scale;
    if (weight < 0 || heaviest >= limit)
      fail(line,
           fmt::format("expected a weight of at least 0 and below {}{}, found "
                       "{:.15g}",
                       limit, scale == 1 ? "" : ", as some have decimals",
                       weight < 0 ? weight : heaviest));
    if (isFirstWithDecimals)
      for (size_t i = 0; i < edges.size(); ++i)
        edges[i].weight *= scale;
  }

  /// The vertex numbers of the file, in ascending order, and the place of the
  /// first of each 64 that may be there, so that searches are short.
  static std::pair<std::vector<uint32_t>, std::vector<uint32_t>>
  numbersIn(const Array<Edge> &edges) {
    uint32_t highest = 0;
    for (const Edge &edge : edges)
      highest = std::max({highest, edge.from, edge.to});
    heddle::graph::Bitmap occurs(size_t(highest) + 1);
    occurs.clear();
    for (const Edge &edge : edges) {
      occurs.set(edge.from);
      occurs.set(edge.to);
    }
    std::vector<uint32_t> numbers, firstOfWord = {0};
    for (size_t word = 0; word < occurs.wordCount(); ++word) {
      occurs.forEachInWord(word, [&](size_t number) {
        numbers.push_back(static_cast<uint32_t>(number));
      });
      firstOfWord.push_back(static_cast<uint32_t>(numbers.size()));
    }
    return {numbers, firstOfWord};
  }

  const std::string &file;
  EdgeLineParser<uint32_t, double> parser{
      {.vertexLimit = INT32_MAX, .mayHaveTime = true}};
  const heddle::graph::RandomSequence random{Seed};
  std::optional<bool> hasWeights; // nothing before the first edge
  double heaviest = 0;
  int32_t scale = 1;
  heddle::graph::GrowingArray<Edge> edges; // weights multiplied by the scale
};

/// Refuses files of another format, some of which could be read as edge lists.
/// A pipe is read once.
void expectEdgeList(const std::string &file) {
  using namespace heddle::graph;
  if (!std::filesystem::is_regular_file(file))
    return;
  const GraphFormat format = formatOfFile(file);
  if (format == GraphFormat::EdgeList)
    return;
  const FormatDescription &found = descriptionOf(format);
  throw InputError(
      fmt::format("{}: expected an edge list, found {}", file,
                  found.inWords.empty() ? found.name : found.inWords));
}

} // namespace

Graph readEdgeList(const std::string &file, bool undirected) {
  expectEdgeList(file);
  EdgeReader reader(file);
  forEachLine(file, file, [&](std::string_view line, uint64_t number) {
    reader.addLine(line, number);
  });
  return reader.build(undirected);
}
