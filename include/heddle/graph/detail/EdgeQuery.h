//===- EdgeQuery.h - Which edge is asked for -------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_EDGEQUERY_H
#define HEDDLE_GRAPH_DETAIL_EDGEQUERY_H

#include "heddle/graph/Graph.h"

namespace heddle::graph {

/// An edge that is asked for.
template <VertexIdentifier VertexId> struct EdgeQuery {
  VertexId from, to;
};

} // namespace heddle::graph

#endif
