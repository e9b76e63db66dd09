//===- EdgeLines.h - Lines that are edges, parsed in parallel --*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_LINES_EDGELINES_H
#define HEDDLE_GRAPHLIB_FORMATS_LINES_EDGELINES_H

#include "EdgeTally.h"

#include <cstddef>
#include <span>
#include <vector>

namespace heddle::graph {

/// The remaining lines of a text, which must outlive this object. Functions
/// throw Error for the first line that is wrong, or if there are fewer or more
/// edges than expected.
template <VertexIdentifier VertexId, EdgeWeight Weight> class EdgeLines {
public:
  using Edges = std::span<const Edge<VertexId, Weight>>;

  EdgeLines(TextFile &text, const EdgeTextForm<VertexId> &form)
      : text(text), tally(text, form) {}

  /// Returns the edges of the next lines, valid until the next call; none after
  /// the last.
  Edges next();

  /// Returns the edges of all lines; used instead of next(): threads continue
  /// to read while others parse.
  Array<Edge<VertexId, Weight>> all();

  /// The highest vertex so far plus one.
  VertexId vertices() const { return tally.vertices(); }

  /// Throws Error if there are more vertices than so few edges are believed to
  /// have.
  void checkCredible() const {
    graph::checkCredible(text, tally.vertices(), tally.edges(),
                         tally.lineOfHighestVertex());
  }

private:
  using Chunk = ParsedChunk<VertexId, Weight>;

  bool parseMore();

  TextFile &text;
  EdgeTally<VertexId, Weight> tally;
  std::vector<Chunk> chunks; ///< the chunks that next() has parsed
  std::size_t current = 0, filled = 0;
  bool isAtEnd = false;
};

} // namespace heddle::graph

#endif
