//===- Prepare.h - From edges in any order to a graph on disk --*- C++ -*-===//
//
// An external sort: edges are distributed to the batches of their targets on
// disk, and the edges of each batch are sorted by source in memory. The edges
// of a batch that is too large for that are distributed again, so that any
// graph can be prepared within the memory budget.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_OOC_PREPARE_H
#define HEDDLE_GRAPH_OOC_PREPARE_H

#include "heddle/graph/detail/Build.h"
#include "heddle/graph/ooc/EdgeSource.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace heddle::graph::ooc {

/// Called repeatedly with the current phase, the amount of work that is done,
/// and the total (0 if that is unknown). An exception from it ends the work.
using ProgressFunction = std::function<void(
    const char *phase, std::uint64_t done, std::uint64_t total)>;

struct PrepareOptions {
  /// A finished graph that stays directed or undirected keeps all parallel
  /// edges.
  BuildOptions build = {};

  /// The memory budget of the preparation, and of the runs that are expected.
  std::uint64_t memoryBytes = std::uint64_t(1) << 30;
  /// The threads of the runs that are expected.
  unsigned threads = 1;
  /// The number of partitions, which is the maximal number of ranks.
  unsigned partitions = 1;

  /// Partitions are balanced by the number of their edges plus alpha for each
  /// vertex. By default, alpha is one less than twice the number of partitions
  /// (section 2.2).
  std::optional<double> alpha = {};
  /// Vertices in a batch, rounded up to a BatchUnit. By default, batches are as
  /// large as possible under two limits (section 2.2): the vertex data of one
  /// batch for each thread take at most half of the memory, and a partition has
  /// at least eight batches, and one and a half for each thread.
  std::optional<std::uint64_t> batchVertices = {};
  /// The bytes of vertex data for each vertex in the runs that are expected.
  std::uint64_t vertexBytes = 16;
  /// A chunk indexes the edges of all vertices, not only of its sources, if it
  /// has at least one edge for this number of vertices ("CSR inflate ratio",
  /// section 4.1).
  double inflateRatio = 32;

  ProgressFunction progress = {};
};

/// Writes the graph of these edges to a directory, which is made if it does not
/// exist, and returns its layout. Throws Error if the edges or the options are
/// wrong, or if the directory has a graph already; WriteError; and
/// std::bad_alloc. After a failure there is no graph in the directory.
/// Instantiated for weights of Unweighted, int32_t and float.
///
///   prepare(*openEdgeSource<Unweighted>("web.el.zst"), "web", {.partitions =
///   4});
template <EdgeWeight Weight>
GraphLayout prepare(EdgeSource<Weight> &edges, const std::string &directory,
                    const PrepareOptions &options = {});

} // namespace heddle::graph::ooc

#endif
