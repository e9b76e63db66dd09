//===- ReadGraph.h - Graphs from files of any format -----------*- C++ -*-===//
//
// Reads graphs of all formats. The name of a file tells its format: .el, .wel,
// .csv, .tsv and .edges are edge lists (see ReadEdgeList.h), .pairs has two
// binary numbers for each edge, .mtx is Matrix Market, .adj and .wadj are
// adjacency graphs of Ligra, .graph and .metis rows of METIS, .gr, .col and
// .dimacs problems of DIMACS, .sg and .wsg serialised graphs of the GAP
// benchmark suite, .hgraph is the format of Heddle. If the name does not tell
// the format, or is that of an edge list, the first bytes of the file do. Bytes
// compressed with gzip or zstd are decompressed, also under another name,
// except for .pairs, whose name must end in .gz or .zst. "-" is standard input.
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
  /// By default found from the name or the content.
  std::optional<GraphFormat> format = {};

  /// Options of text formats; `progress` applies to all formats but .hgraph.
  ReadOptions text = {};

  /// Options of formats that list edges; .sg, .wsg and .hgraph files are read
  /// without changes, but must have each edge in both directions. If a file
  /// tells whether its edges are directed, this takes precedence.
  BuildOptions build = {};

  /// Weights that withRandomWeights() makes from this seed, instead of those of
  /// the file, if it has any.
  std::optional<std::uint64_t> randomWeightSeed = {};

  /// For .hgraph: compare checksums and check every edge. Without verification,
  /// a damaged file gives a damaged graph.
  bool verify = true;

  /// For .hgraph: map the file, so that pages are read when they are first
  /// used. Writes to the arrays do not reach the file. If another program
  /// truncates the file meanwhile, accesses to lost pages raise SIGBUS. If
  /// false, the graph is copied to memory with huge pages, which pays off for
  /// algorithms that access a large graph at random.
  bool map = true;
};

/// The format as which readGraph() reads a file, from its name or first bytes.
/// A pipe can be read afterwards as if nothing had been. Throws Error if the
/// file cannot be opened, or has a format that is not read.
GraphFormat formatOfFile(const std::string &path);

/// Reads the graph in `path`. Takes the time and memory of readEdgeList() and
/// buildCsr(); for .sg, .wsg and .hgraph files, the memory of the result, and
/// none if the file is mapped.
///
/// Throws std::bad_alloc, and Error if the file cannot be read, for the first
/// line of text that is wrong, and for a byte of a binary file:
///
///   web.mtx:3: expected a row or column from 1 to 5, found '6'
///   kron.sg: byte 17: expected 1025 offsets of 8 bytes, found 4096 bytes
///
/// If Weight is a number, the file must have weights, unless randomWeightSeed
/// is given; a .hgraph file must have exactly these types of weights and
/// vertices. If Weight is Unweighted, weights are ignored. Instantiated for the
/// graphs that readEdgeList() is instantiated for.
///
///   Csr<> graph = readGraph("twitter.sg");
///   auto roads = readGraph<uint32_t, int32_t>("USA.mtx.gz");
template <VertexIdentifier VertexId = std::uint32_t,
          EdgeWeight Weight = Unweighted>
Csr<VertexId, Weight> readGraph(const std::string &path,
                                const ReadGraphOptions &options = {});

} // namespace heddle::graph

#endif
