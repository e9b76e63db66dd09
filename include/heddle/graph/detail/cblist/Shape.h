//===- Shape.h - How large the pieces of a CBList are ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_CBLIST_SHAPE_H
#define HEDDLE_GRAPH_DETAIL_CBLIST_SHAPE_H

#include <limits>

namespace heddle::graph {

/// The storage of the weights of edges (GastCoCo, figure 4).
enum class EdgeProperties {
  InChunk, ///< array of edge: behind the targets, in the same cache lines
  Beside   ///< adjacency of array: in blocks of their own, so that loops that
           ///< need no weights pass over nothing but targets
};

/// The sizes of the pieces of a CBList; part of its type. The defaults are the
/// paper's. The limits on edges and children are for tests, which need trees
/// with few edges: without them, a piece holds as much as fits its cache lines.
///
///   CBList<std::uint32_t, float, {.properties = EdgeProperties::Beside}>
struct CBListShape {
  static constexpr unsigned NoLimit = std::numeric_limits<unsigned>::max();

  EdgeProperties properties = EdgeProperties::InChunk;
  unsigned chunkLines = 4;            ///< of the largest small chunk, 1 to 4
  unsigned nodeLines = 4;             ///< of a tree node, 1 to 4
  unsigned mostInlineEdges = NoLimit; ///< in a vertex record
  unsigned mostChunkEdges = NoLimit;
  unsigned mostLeafEdges = NoLimit; ///< at least 2
  unsigned mostChildren = NoLimit;  ///< at least 3
};

} // namespace heddle::graph

#endif
