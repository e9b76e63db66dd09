//===- ParsedChunk.h - The edges of some lines -----------------*- C++ -*-===//
//
// Lines are parsed without knowledge of earlier ones: they are numbered from
// the first of the chunk, up to the first error.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_LINES_PARSEDCHUNK_H
#define HEDDLE_GRAPHLIB_FORMATS_LINES_PARSEDCHUNK_H

#include "../../files/NumberCursor.h"
#include "../../files/NumberEnds.h"
#include "../../files/TextFile.h"
#include "EdgeLineParser.h"
#include "heddle/graph/EdgeList.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <string>

namespace heddle::graph {

/// Some lines and the edges that a thread has parsed from them. It is reused
/// for other lines, to keep its memory.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct ParsedChunk {
  TextBuffer text;
  Array<Edge<VertexId, Weight>> edges;
  std::size_t edgeCount = 0;
  VertexId vertexCount = 0;              ///< one more than the highest vertex
  std::uint64_t lineOfHighestVertex = 0; ///< within the chunk, from 1
  std::uint64_t otherLines = 0;          ///< that are no edges
  std::string mistake;
  std::exception_ptr failure;

  /// Parses at most `mostEdges` of the edges.
  void parse(EdgeLineParser<VertexId, Weight> parser,
             std::size_t mostEdges = std::numeric_limits<std::size_t>::max()) {
    makeRoom(text.lines.size());
    mistake.clear();
    edgeCount = otherLines = lineOfHighestVertex = 0;
    vertexCount = 0;
    const char *position = text.lines.data(),
               *end = position + text.lines.size();
    while (position != end && mistake.empty() && edgeCount < mostEdges)
      position = parseWindow(position, end, parser, mostEdges);
  }

  /// Up to and including that of the mistake.
  std::uint64_t lines() const { return edgeCount + otherLines; }

private:
  void makeRoom(std::size_t textBytes) {
    constexpr std::size_t fewestBytesOfLine = 4; // two digits, blank, LF
    const std::size_t mostEdges = textBytes / fewestBytesOfLine + 1;
    if (edges.size() < mostEdges)
      edges = Array<Edge<VertexId, Weight>>(mostEdges);
  }

  /// Parses the lines that end within a window, or at least one line, and
  /// returns the beginning of the next one.
  const char *parseWindow(const char *begin, const char *end,
                          EdgeLineParser<VertexId, Weight> &parser,
                          std::size_t mostEdges) {
    NumberEnds ends;
    const char *windowEnd =
        begin + ends.find(begin, static_cast<std::size_t>(end - begin));
    NumberCursor cursor(begin, ends);
    while (true) {
      parseUsualLines(cursor, parser, mostEdges);
      const char *line = cursor.position();
      const bool isCutOff = windowEnd != end && line != begin &&
                            !cursor.hasEnds(parser.endsInLine() + 1);
      if (edgeCount == mostEdges || line >= windowEnd || isCutOff)
        return line;
      const char *next = parseLine(line, end, parser);
      if (next == end)
        return end;
      cursor.skipTo(next);
    }
  }

  void parseUsualLines(NumberCursor &cursor,
                       EdgeLineParser<VertexId, Weight> &parser,
                       std::size_t mostEdges) {
    // Variables that other functions see are in memory, these in registers.
    NumberCursor next = cursor;
    for (Edge<VertexId, Weight> edge;
         edgeCount < mostEdges && parser.parseUsual(next, edge);)
      add(edge);
    cursor = next;
  }

  /// Parses any line and returns the beginning of the next one, which does not
  /// exist after an error.
  const char *parseLine(const char *line, const char *end,
                        EdgeLineParser<VertexId, Weight> &parser) {
    const void *found =
        std::memchr(line, '\n', static_cast<std::size_t>(end - line));
    const char *lineEnd = found ? static_cast<const char *>(found) : end;
    Edge<VertexId, Weight> edge;
    const LineContent content = parser.parse(line, lineEnd, edge);
    if (content == LineContent::Edge)
      add(edge);
    else
      ++otherLines;
    if (content == LineContent::Mistake) {
      mistake = parser.mistake();
      return end;
    }
    return lineEnd == end ? end : lineEnd + 1;
  }

  void add(const Edge<VertexId, Weight> &edge) {
    edges[edgeCount++] = edge;
    const VertexId highest = std::max(edge.from, edge.to);
    if (highest >= vertexCount) {
      vertexCount = highest + 1;
      lineOfHighestVertex = lines();
    }
  }
};

} // namespace heddle::graph

#endif
