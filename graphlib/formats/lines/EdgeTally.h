//===- EdgeTally.h - The totals of parsed lines -----------------*- C++ -*-===//
//
// Threads parse chunks of lines in any order. Errors in a file, and its numbers
// of edges and vertices, are found in the order of the file.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_LINES_EDGETALLY_H
#define HEDDLE_GRAPHLIB_FORMATS_LINES_EDGETALLY_H

#include "EdgeText.h"
#include "ParsedChunk.h"

#include <cstdint>
#include <exception>
#include <string>

namespace heddle::graph {

template <VertexIdentifier VertexId, EdgeWeight Weight> class EdgeTally {
public:
  EdgeTally(TextFile &text, const EdgeTextForm<VertexId> &form)
      : text(text), form(form), lineParser(form.line) {}

  /// Parses the lines of chunks.
  const EdgeLineParser<VertexId, Weight> &parser() const { return lineParser; }

  std::uint64_t edges() const { return edgeCount; }
  VertexId vertices() const { return vertexCount; }
  std::uint64_t lineOfHighestVertex() const { return lineOfHighest; }

  /// Counts the next chunk of the file. Throws the error in it, if any.
  void add(ParsedChunk<VertexId, Weight> &chunk) {
    if (chunk.failure)
      std::rethrow_exception(chunk.failure);
    const std::uint64_t linesBefore = text.linesRead();
    if (!chunk.text.problem.empty())
      text.fail(linesBefore + 1, chunk.text.problem);
    if (form.edgeCount && chunk.edgeCount > *form.edgeCount - edgeCount) {
      chunk.parse(lineParser, *form.edgeCount - edgeCount + 1);
      text.fail(linesBefore + chunk.lines(),
                "expected no more than " + std::to_string(*form.edgeCount) +
                    " entries, found another");
    }
    text.countLines(chunk.lines());
    if (!chunk.mistake.empty())
      text.fail(text.linesRead(), chunk.mistake);
    edgeCount += chunk.edgeCount;
    if (chunk.vertexCount > vertexCount) {
      vertexCount = chunk.vertexCount;
      lineOfHighest = linesBefore + chunk.lineOfHighestVertex;
    }
  }

  /// Throws Error if a header has promised more edges.
  void expectAll() const {
    if (form.edgeCount && edgeCount < *form.edgeCount)
      text.fail(text.linesRead() + 1,
                "expected " + std::to_string(*form.edgeCount) +
                    " entries, found the end of the file after " +
                    std::to_string(edgeCount));
  }

private:
  TextFile &text;
  const EdgeTextForm<VertexId> form;
  const EdgeLineParser<VertexId, Weight> lineParser;
  std::uint64_t edgeCount = 0, lineOfHighest = 0;
  VertexId vertexCount = 0;
};

} // namespace heddle::graph

#endif
