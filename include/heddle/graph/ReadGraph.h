//===- ReadGraph.h - Graphs from files of any format -----------*- C++ -*-===//
//
// One way in for all formats. What a file is, its name says: .el, .wel, .csv,
// .tsv and .edges are edge lists (see ReadEdgeList.h), .pairs has two binary
// numbers for each edge, .mtx is Matrix Market, .adj and .wadj are adjacency
// graphs of Ligra, .sg and .wsg are serialised graphs of the GAP benchmark
// suite, .hgraph is the format of Heddle. Behind that, .gz and .zst are
// decompressed. Where the name does not say, the first word of the file tells
// Matrix Market, Ligra and .hgraph from an edge list.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_READGRAPH_H
#define HEDDLE_GRAPH_READGRAPH_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/ReadEdgeList.h"
#include "heddle/graph/detail/Build.h"
#include "heddle/graph/detail/Format.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::graph {

struct ReadGraphOptions {
  /// By default what the name or the content says.
  std::optional<GraphFormat> format = {};

  /// For text, but that `progress` is for all formats other than .hgraph.
  ReadOptions text = {};

  /// For formats that list edges; a finished graph is taken as it is. Where a
  /// file says whether its edges have a direction, that holds.
  BuildOptions build = {};

  /// Weights that withRandomWeights() makes from this seed, instead of those of
  /// the file, if it has any.
  std::optional<std::uint64_t> randomWeightSeed = {};

  /// Of .hgraph: compare checksums and look at every edge. A damaged file that
  /// is not verified is a damaged graph.
  bool verify = true;

  /// Of .hgraph: leave the graph in the file and map it, so that pages are read
  /// when they are first used. What the program writes to the arrays does not
  /// reach the file; another program that shortens the file meanwhile makes the
  /// loss of pages a SIGBUS here. False: copy it to memory with huge pages,
  /// which algorithms that access a large graph at random repay.
  bool map = true;
};

/// What readGraph() takes a file for: what its name says, or else its first
/// word. Throws Error if it cannot be read.
GraphFormat formatOfFile(const std::string &path);

/// Reads the graph in `path`. Takes what readEdgeList() and buildCsr() take;
/// for a finished graph, the memory of the result, and none if it is mapped.
///
/// Throws std::bad_alloc, and Error if the file cannot be read, for the first
/// line of text that is wrong, and for a byte of a binary file:
///
///   web.mtx:3: expected a row or column from 1 to 5, found '6'
///   kron.sg: byte 17: expected 1025 offsets of 8 bytes, found 4096 bytes
///
/// If Weight is a number then the file must have weights, or randomWeightSeed
/// be given; .hgraph files must have weights and vertices of the very types. If
/// it is Unweighted, weights are ignored. Instantiated for the graphs that
/// readEdgeList() is instantiated for.
///
///   Csr<> graph = readGraph("twitter.sg");
///   auto roads = readGraph<uint32_t, int32_t>("USA.mtx.gz");
template <VertexIdentifier VertexId = std::uint32_t,
          EdgeWeight Weight = Unweighted>
Csr<VertexId, Weight> readGraph(const std::string &path,
                                const ReadGraphOptions &options = {});

} // namespace heddle::graph

#endif
