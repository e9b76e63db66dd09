//===- Formats.h - A reader for each format --------------------*- C++ -*-===//
//
// What readGraph() chooses from. All throw Error for files that are not as they
// should be, and std::bad_alloc; all are instantiated for the graphs that
// readGraph() is instantiated for.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_FORMATS_H
#define HEDDLE_GRAPHLIB_FORMATS_FORMATS_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/EdgeList.h"
#include "heddle/graph/ReadGraph.h"

#include <optional>
#include <string>

namespace heddle::graph {

/// The edges of a file, and whether they have a direction, if it says so.
template <VertexIdentifier VertexId, EdgeWeight Weight> struct EdgesOfFile {
  EdgeList<VertexId, Weight> list;
  std::optional<bool> directed = {};
};

/// A matrix in coordinates. The entry in row i and column j is an edge from i
/// to j, of which a symmetric matrix lists one direction.
template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgesOfFile<VertexId, Weight> readMatrixMarket(const std::string &path,
                                               const ReadOptions &options);

/// An adjacency graph of Ligra. It lists both directions of undirected edges.
template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgesOfFile<VertexId, Weight> readLigra(const std::string &path,
                                        const ReadOptions &options);

/// A serialised graph of the GAP benchmark suite, with weights if `hasWeights`.
template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> readGap(const std::string &path, bool hasWeights,
                              const ReadOptions &options);

/// The edges of a .pairs file, which must have weights if they are wanted.
template <VertexIdentifier VertexId, EdgeWeight Weight>
EdgeList<VertexId, Weight> readPairs(const std::string &path,
                                     const ReadOptions &options);

/// A graph that writeGraph() has written in the format of its own.
template <VertexIdentifier VertexId, EdgeWeight Weight>
Csr<VertexId, Weight> readNative(const std::string &path,
                                 const ReadGraphOptions &options);

} // namespace heddle::graph

#endif
