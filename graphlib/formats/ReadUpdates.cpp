//===- ReadUpdates.cpp - Streams of updates ------------------------------===//

#include "heddle/graph/ReadUpdates.h"

#include "../files/Instantiate.h"
#include "../files/Quote.h"
#include "../files/TextFile.h"
#include "../files/Words.h"
#include "lines/EdgeLineParser.h"
#include "lines/EdgeText.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace heddle::graph {
namespace {

template <VertexIdentifier VertexId, EdgeWeight Weight> class StreamReader {
public:
  StreamReader(const std::string &path, const ReadOptions &options)
      : limit(vertexLimit<VertexId>(path, options)), text(path, options),
        endsParser({.vertexLimit = limit}), edgeParser({.vertexLimit = limit}) {
  }

  UpdateStream<VertexId, Weight> read() {
    constexpr std::uint64_t linesBetweenReports = 1 << 14;
    while (const auto line = text.nextLine()) {
      readLine(*line);
      if (text.linesRead() % linesBetweenReports == 0)
        text.reportProgress();
    }
    text.reportProgress();
    return std::move(stream);
  }

private:
  void readLine(std::string_view line) {
    std::string_view rest = line;
    const std::string_view first = takeWord(rest);
    if (first.empty() || first.front() == '#' || first.front() == '%')
      return;
    std::string_view behind = rest;
    const std::optional<UpdateMode> mode = modeOf(takeWord(behind));
    if (mode)
      add(timeOf(first), *mode, behind);
    else
      addTemporal(line, rest);
  }

  static std::optional<UpdateMode> modeOf(std::string_view word) {
    if (word == "+")
      return UpdateMode::Add;
    if (word == "-")
      return UpdateMode::Delete;
    if (word == "=")
      return UpdateMode::Modify;
    return std::nullopt;
  }

  std::int64_t timeOf(std::string_view word) {
    std::int64_t time;
    const char *end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, time);
    if (error != std::errc() || stop != end)
      fail("a time, as an integer of 64 bits", word);
    if (!stream.times.empty() && time < stream.times.back())
      fail("a time of at least " + std::to_string(stream.times.back()), word);
    return time;
  }

  /// Adds an update of the edge in `columns`.
  void add(std::int64_t time, UpdateMode mode, std::string_view columns) {
    if (mode == UpdateMode::Delete)
      return append({endsIn(columns), mode}, time);
    if constexpr (std::same_as<Weight, Unweighted>)
      if (mode == UpdateMode::Modify)
        fail("'+' or '-', as edges have no weights", "=");
    EdgeUpdate<VertexId, Weight> update = {.edge = {}, .mode = mode};
    parse(edgeParser, columns, update.edge);
    append(update, time);
  }

  /// An edge and when it is added.
  void addTemporal(std::string_view line, std::string_view behindSource) {
    std::string_view rest = behindSource;
    const std::string_view second = takeWord(rest);
    if constexpr (!std::same_as<Weight, Unweighted>)
      fail("'+', '-' or '='", second);
    const char *endsOfEdge = second.data() + second.size();
    const auto edge = endsIn({line.data(), endsOfEdge});
    const std::int64_t time = timeOf(takeWord(rest));
    if (const std::string_view more = takeWord(rest); !more.empty())
      fail("nothing more", more);
    append({edge, UpdateMode::Add}, time);
  }

  /// The edge between the ends that `columns` say.
  Edge<VertexId, Weight> endsIn(std::string_view columns) {
    Edge<VertexId, Unweighted> ends;
    parse(endsParser, columns, ends);
    return {ends.from, ends.to, {}};
  }

  template <typename Parser, typename ParsedEdge>
  void parse(Parser &parser, std::string_view columns, ParsedEdge &edge) {
    const LineContent content =
        parser.parse(columns.data(), columns.data() + columns.size(), edge);
    if (content == LineContent::Mistake)
      text.fail(text.linesRead(), parser.mistake());
    if (content == LineContent::Nothing)
      fail("a vertex below " + std::to_string(limit), takeWord(columns));
  }

  void append(const EdgeUpdate<VertexId, Weight> &update, std::int64_t time) {
    stream.updates.push_back(update);
    stream.times.push_back(time);
  }

  [[noreturn]] void fail(const std::string &expected, std::string_view found) {
    text.fail(text.linesRead(),
              "expected " + expected + ", found " +
                  (found.empty() ? "the end of the line" : quoted(found)));
  }

  const VertexId limit;
  TextFile text;
  EdgeLineParser<VertexId, Unweighted> endsParser;
  EdgeLineParser<VertexId, Weight> edgeParser;
  UpdateStream<VertexId, Weight> stream;
};

} // namespace

template <VertexIdentifier VertexId, EdgeWeight Weight>
UpdateStream<VertexId, Weight> readUpdates(const std::string &path,
                                           const ReadOptions &options) {
  return StreamReader<VertexId, Weight>(path, options).read();
}

#define HEDDLE_INSTANTIATE(VertexId, Weight)                                   \
  template UpdateStream<VertexId, Weight> readUpdates<VertexId, Weight>(       \
      const std::string &, const ReadOptions &);
HEDDLE_FOR_ALL_GRAPHS(HEDDLE_INSTANTIATE)
#undef HEDDLE_INSTANTIATE

} // namespace heddle::graph
