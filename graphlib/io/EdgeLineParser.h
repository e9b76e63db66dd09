//===- EdgeLineParser.h - One line of an edge list -------------*- C++ -*-===//
//
// Parses in one pass over the bytes: a fast one that knows only what nearly all
// lines look like, and one that knows all of the format. What a wrong line has
// in place of what was expected is looked up only once it is known to be wrong.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_IO_EDGELINEPARSER_H
#define HEDDLE_GRAPHLIB_IO_EDGELINEPARSER_H

#include "Digits.h"
#include "Quote.h"
#include "heddle/graph/EdgeList.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

namespace heddle::graph {

enum class LineContent { Edge, Nothing, Mistake };

template <VertexIdentifier VertexId, EdgeWeight Weight> class EdgeLineParser {
public:
  /// `vertexLimit` vertices are allowed, of which the file calls the first
  /// `firstVertex`, 0 or 1.
  explicit EdgeLineParser(VertexId vertexLimit, VertexId firstVertex = 0)
      : vertexLimit(vertexLimit), firstVertex(firstVertex) {}

  /// Parses the usual line, of numbers with one separator between them and an
  /// LF before `end`, from `position` on. Returns false, having moved nothing,
  /// if the line is another; parse() says more. Up to 16 bytes from `end` on
  /// must be readable, whatever they are.
  bool parseUsual(const char *&position, const char *end,
                  Edge<VertexId, Weight> &edge) const {
    if constexpr (!CanParseWords)
      return false;
    const char *next = position;
    // What lies behind the end may look like more of the line.
    if (!parseUsualVertex(next, edge.from) || next >= end ||
        !isSeparator(*next++) || !parseUsualVertex(next, edge.to))
      return false;
    if constexpr (!std::same_as<Weight, Unweighted>)
      if (next >= end || !isSeparator(*next++) ||
          !parseUsualWeight(next, end, edge.weight))
        return false;
    next += next < end && *next == '\r';
    if (next >= end || *next != '\n')
      return false;
    position = next + 1;
    return true;
  }

  /// Parses a line without its LF; an edge goes to `edge`.
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

  /// What was wrong with the last line, as "expected ..., found ...".
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

  bool parseUsualVertex(const char *&next, VertexId &vertex) const {
    std::uint64_t number;
    if (!parseDigits(next, number) || number - firstVertex >= vertexLimit)
      return false;
    vertex = static_cast<VertexId>(number - firstVertex);
    return true;
  }

  static bool parseUsualWeight(const char *&next, const char *end,
                               Weight &weight) {
    if constexpr (std::is_integral_v<Weight>) {
      std::uint64_t number;
      if (!parseDigits(next, number) ||
          number > std::uint64_t(std::numeric_limits<Weight>::max()))
        return false;
      weight = static_cast<Weight>(number);
      return true;
    } else {
      const auto [stop, error] = std::from_chars(next, end, weight);
      next = stop;
      return error == std::errc() && std::isfinite(weight);
    }
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

  bool parseWeight(Weight &weight) {
    part = Part::SomeWeight;
    if constexpr (std::same_as<Weight, Unweighted>)
      return parseUnwantedWeight();
    else
      return parseWantedWeight(weight);
  }

  bool parseWantedWeight(Weight &weight) {
    const auto [end, error] = std::from_chars(position, lineEnd, weight);
    if constexpr (std::is_floating_point_v<Weight>)
      if (error == std::errc() && !std::isfinite(weight))
        return false;
    return error == std::errc() && finishColumn(end);
  }

  /// A weight that nobody wants may be missing, or too high for any type.
  bool parseUnwantedWeight() {
    if (position == lineEnd && !endsInComma)
      return true;
    double ignored = 0;
    const auto [end, error] = std::from_chars(position, lineEnd, ignored);
    return error != std::errc::invalid_argument && std::isfinite(ignored) &&
           finishColumn(end);
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
};

} // namespace heddle::graph

#endif
