//===- EdgeReaders.h - A source of edges for each format -------*- C++ -*-===//
//
// What openEdgeSource() chooses from. All throw Error for files that are not as
// they should be, when they are opened or later, and are instantiated for the
// weights that it is instantiated for.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_OOC_EDGES_EDGEREADERS_H
#define HEDDLE_GRAPHLIB_OOC_EDGES_EDGEREADERS_H

#include "heddle/graph/ooc/EdgeSource.h"

#include <cstdint>
#include <memory>
#include <string>

/// Expands `Macro(Weight)` for all weights that edges can be read with.
#define HEDDLE_FOR_ALL_SOURCES(Macro)                                          \
  Macro(::heddle::graph::Unweighted) Macro(std::int32_t) Macro(float)

namespace heddle::graph::ooc {

template <EdgeWeight Weight>
using EdgeSourcePointer = std::unique_ptr<EdgeSource<Weight>>;

/// A line for each edge.
template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openEdgeList(const std::string &path,
                                       const ReadOptions &options);

/// A matrix in coordinates. What a symmetric or skew-symmetric one leaves out
/// follows each of its entries.
template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openMatrixMarket(const std::string &path,
                                           const ReadOptions &options);

/// Pairs of binary numbers.
template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openPairs(const std::string &path,
                                    const ReadOptions &options);

/// An adjacency graph of Ligra.
template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openLigra(const std::string &path,
                                    const ReadOptions &options);

/// A serialised graph of the GAP benchmark suite.
template <EdgeWeight Weight>
EdgeSourcePointer<Weight> openGap(const std::string &path, bool hasWeights,
                                  const ReadOptions &options);

} // namespace heddle::graph::ooc

#endif
