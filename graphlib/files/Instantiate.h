//===- Instantiate.h - The graphs that the library is built for -*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FILES_INSTANTIATE_H
#define HEDDLE_GRAPHLIB_FILES_INSTANTIATE_H

#include "heddle/graph/Graph.h"

#include <cstdint>

/// Expands `Macro(VertexId, Weight)` for all vertices and weights that files
/// can be read and written with.
#define HEDDLE_FOR_ALL_GRAPHS(Macro)                                           \
  HEDDLE_FOR_ALL_WEIGHTS(Macro, std::uint32_t)                                 \
  HEDDLE_FOR_ALL_WEIGHTS(Macro, std::uint64_t)

#define HEDDLE_FOR_ALL_WEIGHTS(Macro, VertexId)                                \
  Macro(VertexId, ::heddle::graph::Unweighted) Macro(VertexId, std::int32_t)   \
      Macro(VertexId, std::int64_t) Macro(VertexId, float)                     \
          Macro(VertexId, double)

#endif
