//===- Prepare.h - From edges in any order to a graph on disk --*- C++ -*-===//
//
// An external sort: edges are dealt out to the batches of their targets, and
// each batch's are sorted by source in memory. Batches that are too large for
// that are dealt out again, so that the memory stays within the budget whatever
// the graph.
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

/// Called now and then with what is being done, how much of it is done, and how
/// much there is (0 if nobody knows). What it throws ends the work.
using ProgressFunction = std::function<void(
    const char *phase, std::uint64_t done, std::uint64_t total)>;

struct PrepareOptions {
  /// Of a finished graph that stays directed or undirected as it is, all
  /// parallel edges are kept.
  BuildOptions build = {};

  /// Bytes that preparation may take, and that a run is expected to have.
  std::uint64_t memoryBytes = std::uint64_t(1) << 30;
  /// How many threads a run is expected to have.
  unsigned threads = 1;
  /// How many machines the graph is for.
  unsigned partitions = 1;

  /// The weight of a vertex against that of an edge where partitions are made
  /// equal; by default one less than twice the partitions (section 2.2).
  std::optional<double> alpha = {};
  /// Vertices in a batch, rounded up to a BatchUnit. By default as many as
  /// section 2.2 says: the vertex data of a batch for each thread take half of
  /// the memory at most, and a partition has one and a half for each thread and
  /// eight at least.
  std::optional<std::uint64_t> batchVertices = {};
  /// Bytes of vertex data that a run is expected to have for each vertex.
  std::uint64_t vertexBytes = 16;
  /// A chunk has the beginnings of all vertices' edges, and not only of those
  /// that have any, if it has at least one edge for so many vertices ("CSR
  /// inflate ratio", section 4.1).
  double inflateRatio = 32;

  ProgressFunction progress = {};
};

/// Writes the graph of these edges to a directory, which is made if it does not
/// exist, and returns what readLayout() would. Throws Error for what is wrong
/// with the edges or the options, and if there is a graph already; WriteError;
/// and std::bad_alloc. After a failure there is no graph in the directory.
/// Instantiated for weights of Unweighted, int32_t and float.
///
///   prepare(*openEdgeSource<Unweighted>("web.el.zst"), "web", {.partitions =
///   4});
template <EdgeWeight Weight>
GraphLayout prepare(EdgeSource<Weight> &edges, const std::string &directory,
                    const PrepareOptions &options = {});

} // namespace heddle::graph::ooc

#endif
