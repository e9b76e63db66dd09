//===- WriteGraph.h - Graphs to files of any format ------------*- C++ -*-===//
//
// The formats and the names are those of ReadGraph.h; .txt is an edge list.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_WRITEGRAPH_H
#define HEDDLE_GRAPH_WRITEGRAPH_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Format.h"

#include <cstdint>
#include <optional>
#include <string>

namespace heddle::graph {

struct WriteGraphOptions {
  /// By default found from the name.
  std::optional<GraphFormat> format = {};
};

/// Writes a graph to `path`, and compresses all but .hgraph if the name ends in
/// .gz or .zst. An edge list, pairs and a matrix have each edge of an
/// undirected graph once. Properties that a format cannot store are lost: an
/// edge list does not tell whether edges are directed, nor which vertices have
/// no edges; .el and .sg have no weights. A directed graph in .gr without
/// weights gets weights of 1.
///
/// Throws std::bad_alloc, Error if the name says no format or the format cannot
/// hold the graph (.pairs takes less than 2^32 vertices and weights of 32 bits,
/// .sg and .wsg take less than 2^31 vertices, .wsg needs weights of int32_t,
/// .graph takes undirected graphs with integer weights or none),
/// and WriteError if the file cannot be written. An existing file is then
/// unchanged, and no new file remains. Runs on the threads of OpenMP and takes
/// some MiB of memory. Instantiated for the graphs that readGraph() is
/// instantiated for.
///
///   writeGraph("twitter.hgraph", graph);
template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeGraph(const std::string &path, const Csr<VertexId, Weight> &graph,
                const WriteGraphOptions &options = {});

/// Throws what writeGraph() would throw for every graph with this Weight, so
/// that a program can fail before it computes the graph: Error if the name has
/// no format or the format cannot store the weights, WriteError if the file
/// cannot be created. Changes nothing, and does not open devices and pipes.
template <EdgeWeight Weight>
void checkWritable(const std::string &path,
                   const WriteGraphOptions &options = {});

} // namespace heddle::graph

#endif
