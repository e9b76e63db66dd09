//===- Format.h - How graphs are written to files --------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_FORMAT_H
#define HEDDLE_GRAPH_DETAIL_FORMAT_H

#include <optional>
#include <string>

namespace heddle::graph {

enum class GraphFormat {
  EdgeList,     ///< a line for each edge
  Pairs,        ///< two binary numbers for each edge
  MatrixMarket, ///< a sparse matrix in coordinates
  Ligra,        ///< AdjacencyGraph and WeightedAdjacencyGraph
  Gap,          ///< .sg of the GAP benchmark suite
  GapWeighted,  ///< .wsg
  Native        ///< .hgraph, which can be mapped
};

/// What the end of a file's name says, after .gz or .zst is taken off; nothing
/// if it says nothing.
std::optional<GraphFormat> formatOfName(const std::string &path);

} // namespace heddle::graph

#endif
