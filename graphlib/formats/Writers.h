//===- Writers.h - A writer for each format --------------------*- C++ -*-===//
//
// What writeGraph() chooses from. All throw Error if the file cannot be
// written, and std::bad_alloc.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FORMATS_WRITERS_H
#define HEDDLE_GRAPHLIB_FORMATS_WRITERS_H

#include "../files/OutputFile.h"
#include "GraphLines.h"
#include "heddle/graph/Csr.h"

#include <string>

namespace heddle::graph {

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeEdgeList(OutputFile &file, const Csr<VertexId, Weight> &graph,
                   EdgeLineForm form);

/// Weights must be of 32 bits. `path` is for errors.
template <VertexIdentifier VertexId, EdgeWeight Weight>
void writePairs(OutputFile &file, const Csr<VertexId, Weight> &graph,
                const std::string &path);

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeMatrixMarket(OutputFile &file, const Csr<VertexId, Weight> &graph);

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeLigra(OutputFile &file, const Csr<VertexId, Weight> &graph);

/// With weights, which must be int32_t, if `withWeights`. `path` is for errors.
template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeGap(OutputFile &file, const Csr<VertexId, Weight> &graph,
              bool withWeights, const std::string &path);

template <VertexIdentifier VertexId, EdgeWeight Weight>
void writeNative(OutputFile &file, const Csr<VertexId, Weight> &graph);

} // namespace heddle::graph

#endif
