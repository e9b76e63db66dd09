//===- EdgeLineParser.h - One line of an edge list -------------*- C++ -*-===//
//
// There is a fast parser for the form of nearly all lines, and one for the
// whole format. The text for an error message is looked up only once a line is
// known to be wrong.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_LINES_EDGELINEPARSER_H
#define HEDDLE_GRAPHLIB_FORMATS_LINES_EDGELINEPARSER_H

#include "../../files/Digits.h"
#include "../../files/NumberCursor.h"
#include "../../files/Quote.h"
#include "../../files/Words.h"
#include "heddle/graph/EdgeList.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <system_error>

namespace heddle::graph {

enum class LineContent { Edge, Nothing, Mistake };

template <VertexIdentifier VertexId, EdgeWeight Weight> class EdgeLineParser {
public:
  /// Allows `vertexLimit` vertices, numbered in the file from `firstVertex`, 0
  /// or 1.
  explicit EdgeLineParser(VertexId vertexLimit, VertexId firstVertex = 0)
      : vertexLimit(vertexLimit), firstVertex(firstVertex) {}

  /// The number of numbers in a usual line.
  static constexpr std::size_t Columns =
      std::same_as<Weight, Unweighted> ? 2 : 3;

  /// Parses the usual line, of numbers with one separator between them and an
  /// LF, at `cursor`, and moves it to the next one. Returns false, having moved
  /// nothing, if the line has another form; then use parse().
  bool parseUsual(NumberCursor &cursor, Edge<VertexId, Weight> &edge) {
    if constexpr (!CanParseWords)
      return false;
    NumberCursor next = cursor;
    if (!next.hasEnds(Columns) || !parseUsualVertices(next, edge))
      return false;
    if constexpr (!std::same_as<Weight, Unweighted>)
      if (!parseUsualWeight(next, edge.weight))
        return false;
    if (!next.passLineEnd())
      return false;
    cursor = next;
    return true;
  }

  /// Parses a line without its LF; stores an edge in `edge`.
  LineContent parse(const char *begin, const char *end,
                    Edge<VertexId, Weight> &edge) {
    if (begin != end && end[-1] == '\r')
      --end;
    position = begin;
    lineEnd = end;
    skipBlanks();
    if (position == end || *position == '#' || *position == '%')
      return LineContent::Nothing;
    const bool isEdge = parseVertex(edge.from) && parseVertex(edge.to) &&
                        parseWeight(edge.weight) && parseEnd();
    return isEdge ? LineContent::Edge : LineContent::Mistake;
  }

  /// Whether the mistake in the last line is only that it has no weight.
  bool endedBeforeWeight() const {
    return part == Part::SomeWeight && position == lineEnd && !endsInComma;
  }

  /// Returns the error in the last line, as "expected ..., found ...".
  std::string mistake() const {
    const char *wordEnd = position;
    while (wordEnd != lineEnd && !isSeparator(*wordEnd))
      ++wordEnd;
    std::string found = "the end of the line";
    if (wordEnd != position)
      found = quoted({position, wordEnd});
    else if (position != lineEnd)
      found = quoted({position, 1});
    return "expected " + expected() + ", found " + found;
  }

private:
  enum class Part { SomeVertex, SomeWeight, LineEnd };

  static bool isBlank(char byte) { return byte == ' ' || byte == '\t'; }
  static bool isSeparator(char byte) { return isBlank(byte) || byte == ','; }

  bool parseUsualVertices(NumberCursor &next, Edge<VertexId, Weight> &edge) {
    std::uint64_t from, to;
    const char firstEnd = next.endOf(0), secondEnd = next.endOf(1);
    if (!next.parseTwo(from, to) || !isUsualSeparator(firstEnd))
      return false;
    if constexpr (!std::same_as<Weight, Unweighted>)
      if (!isUsualSeparator(secondEnd))
        return false;
    // Below the first vertex there are only numbers far too high.
    from -= firstVertex;
    to -= firstVertex;
    if (std::max(from, to) >= vertexLimit)
      return false;
    edge.from = static_cast<VertexId>(from);
    edge.to = static_cast<VertexId>(to);
    return true;
  }

  bool parseUsualWeight(NumberCursor &next, Weight &weight) {
    if constexpr (std::is_integral_v<Weight>) {
      std::uint64_t number;
      if (!next.parseOne(number) ||
          number > std::uint64_t(std::numeric_limits<Weight>::max()))
        return false;
      weight = static_cast<Weight>(number);
      return true;
    } else {
      return next.parseFloat(weight);
    }
  }

  /// Nearly always that of the line before.
  bool isUsualSeparator(char byte) {
    if (byte == usualSeparator) [[likely]]
      return true;
    if (!isSeparator(byte))
      return false;
    usualSeparator = byte;
    return true;
  }

  void skipBlanks() {
    while (position != lineEnd && isBlank(*position))
      ++position;
  }

  /// Steps past a number that ends at `end`, and the comma that may follow,
  /// unless something is stuck to the number.
  bool finishColumn(const char *end) {
    if (end != lineEnd && !isSeparator(*end))
      return false;
    position = end;
    skipBlanks();
    endsInComma = position != lineEnd && *position == ',';
    if (endsInComma) {
      ++position;
      skipBlanks();
    }
    return true;
  }

  bool parseVertex(VertexId &vertex) {
    part = Part::SomeVertex;
    const auto [end, error] = std::from_chars(position, lineEnd, vertex);
    if (error != std::errc() || vertex < firstVertex ||
        vertex - firstVertex >= vertexLimit)
      return false;
    vertex -= firstVertex;
    return finishColumn(end);
  }

  /// A weight that is not asked for may be missing.
  bool parseWeight(Weight &weight) {
    part = Part::SomeWeight;
    if (std::same_as<Weight, Unweighted> && position == lineEnd && !endsInComma)
      return true;
    const char *end = position;
    return graph::parseWeight(end, lineEnd, weight) && finishColumn(end);
  }

  bool parseEnd() {
    part = Part::LineEnd;
    return position == lineEnd && !endsInComma;
  }

  std::string expected() const {
    switch (part) {
    case Part::SomeVertex:
      return firstVertex == 0
                 ? "a vertex below " + std::to_string(vertexLimit)
                 : "a row or column from 1 to " + std::to_string(vertexLimit);
    case Part::SomeWeight:
      return expectedWeight();
    case Part::LineEnd:
      return "nothing more";
    }
    __builtin_unreachable();
  }

  static std::string expectedWeight() {
    if constexpr (std::same_as<Weight, Unweighted>)
      return "a weight or nothing more";
    else if constexpr (std::is_floating_point_v<Weight>)
      return "a weight that a floating-point number of " +
             std::to_string(8 * sizeof(Weight)) + " bits can hold";
    else
      return "an integer weight from " +
             std::to_string(std::numeric_limits<Weight>::min()) + " to " +
             std::to_string(std::numeric_limits<Weight>::max());
  }

  const VertexId vertexLimit, firstVertex;
  const char *position = nullptr, *lineEnd = nullptr;
  Part part = Part::SomeVertex;
  bool endsInComma = false;
  char usualSeparator = ' ';
};

} // namespace heddle::graph

#endif
