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
#include <string_view>
#include <system_error>

namespace heddle::graph {

enum class LineContent { Edge, Nothing, Mistake };

/// The form of the lines of a format, but for the separators, which are the
/// same in all.
template <VertexIdentifier VertexId> struct EdgeLineRules {
  /// Allows that many vertices, numbered in the file from `firstVertex`, 0
  /// or 1.
  VertexId vertexLimit = MostVertices<VertexId>;
  VertexId firstVertex = 0;
  const char *vertexName = "vertex";

  /// The letter and blank before each edge, if not 0.
  char mark = 0;
  /// The first characters of lines that are no edges.
  std::string_view otherMarks = "#%";

  /// Whether a time may follow the weight. It is ignored.
  bool mayHaveTime = false;
  /// Whether a plus may precede vertices, and values that are not wanted may be
  /// infinite or no numbers, as in matrices that other programs write.
  bool hasAnyNumbers = false;
};

template <VertexIdentifier VertexId, EdgeWeight Weight> class EdgeLineParser {
public:
  explicit EdgeLineParser(const EdgeLineRules<VertexId> &rules)
      : rules(rules) {}

  /// The number of bytes in a usual line that are no digits.
  std::size_t endsInLine() const { return Columns + (rules.mark ? 2 : 0); }

  /// Parses the usual line, of numbers with one separator between them and an
  /// LF, at `cursor`, and moves it to the next one. Returns false, having moved
  /// nothing, if the line has another form; then use parse().
  bool parseUsual(NumberCursor &cursor, Edge<VertexId, Weight> &edge) {
    if constexpr (!CanParseWords)
      return false;
    NumberCursor next = cursor;
    if (!next.hasEnds(endsInLine()) || (rules.mark && !next.pass(rules.mark)) ||
        !parseUsualVertices(next, edge))
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
    if (position == end ||
        rules.otherMarks.find(*position) != std::string_view::npos)
      return LineContent::Nothing;
    const bool isEdge = parseMark() && parseVertex(edge.from) &&
                        parseVertex(edge.to) && parseWeight(edge.weight) &&
                        parseTime() && parseEnd();
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
  /// The number of numbers in a usual line.
  static constexpr std::size_t Columns =
      std::same_as<Weight, Unweighted> ? 2 : 3;

  enum class Part { Mark, SomeVertex, SomeWeight, SomeTime, LineEnd };

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
    from -= rules.firstVertex;
    to -= rules.firstVertex;
    if (std::max(from, to) >= rules.vertexLimit)
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

  bool parseMark() {
    part = Part::Mark;
    if (!rules.mark)
      return true;
    if (*position != rules.mark || position + 1 == lineEnd ||
        !isBlank(position[1]))
      return false;
    ++position;
    skipBlanks();
    return true;
  }

  bool parseVertex(VertexId &vertex) {
    part = Part::SomeVertex;
    const auto [end, error] = rules.hasAnyNumbers
                                  ? parseNumber(position, lineEnd, vertex)
                                  : std::from_chars(position, lineEnd, vertex);
    if (error != std::errc() || vertex < rules.firstVertex ||
        vertex - rules.firstVertex >= rules.vertexLimit)
      return false;
    vertex -= rules.firstVertex;
    return finishColumn(end);
  }

  /// A weight that is not asked for may be missing.
  bool parseWeight(Weight &weight) {
    part = Part::SomeWeight;
    if (std::same_as<Weight, Unweighted> && position == lineEnd && !endsInComma)
      return true;
    const char *end = position;
    return graph::parseWeight(end, lineEnd, weight,
                              rules.hasAnyNumbers ? UnwantedValues::Any
                                                  : UnwantedValues::Finite) &&
           finishColumn(end);
  }

  bool parseTime() {
    if (!rules.mayHaveTime || position == lineEnd)
      return true;
    part = Part::SomeTime;
    const char *end = position;
    Unweighted ignored;
    return graph::parseWeight(end, lineEnd, ignored) && finishColumn(end);
  }

  bool parseEnd() {
    part = Part::LineEnd;
    return position == lineEnd && !endsInComma;
  }

  std::string expected() const {
    switch (part) {
    case Part::Mark:
      return std::string("a line that begins with '") + rules.mark + "'";
    case Part::SomeVertex:
      return std::string("a ") + rules.vertexName +
             (rules.firstVertex == 0 ? " below " : " from 1 to ") +
             std::to_string(rules.vertexLimit);
    case Part::SomeWeight:
      return expectedWeight();
    case Part::SomeTime:
      return "a time or nothing more";
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

  const EdgeLineRules<VertexId> rules;
  const char *position = nullptr, *lineEnd = nullptr;
  Part part = Part::SomeVertex;
  bool endsInComma = false;
  char usualSeparator = ' ';
};

} // namespace heddle::graph

#endif
