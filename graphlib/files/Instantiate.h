//===- Instantiate.h - The graphs that the library is built for -*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FILES_INSTANTIATE_H
#define HEDDLE_GRAPHLIB_FILES_INSTANTIATE_H

#include "heddle/graph/Graph.h"

#include <cstdint>

/// Expands `Macro(VertexId, Weight)` for all vertices and weights that files
/// can be read and written with. Further arguments are appended to those of
/// `Macro`.
#define HEDDLE_FOR_ALL_GRAPHS(Macro, ...)                                      \
  HEDDLE_FOR_ALL_WEIGHTS(Macro, std::uint32_t __VA_OPT__(, ) __VA_ARGS__)      \
  HEDDLE_FOR_ALL_WEIGHTS(Macro, std::uint64_t __VA_OPT__(, ) __VA_ARGS__)

#define HEDDLE_FOR_ALL_WEIGHTS(Macro, VertexId, ...)                           \
  Macro(VertexId, ::heddle::graph::Unweighted __VA_OPT__(, ) __VA_ARGS__)      \
      Macro(VertexId, std::int32_t __VA_OPT__(, ) __VA_ARGS__)                 \
          Macro(VertexId, std::int64_t __VA_OPT__(, ) __VA_ARGS__)             \
              Macro(VertexId, float __VA_OPT__(, ) __VA_ARGS__)                \
                  Macro(VertexId, double __VA_OPT__(, ) __VA_ARGS__)

/// Expands `Macro(Weight)` for all weights of graphs larger than memory.
#define HEDDLE_FOR_ALL_SOURCES(Macro, ...)                                     \
  Macro(::heddle::graph::Unweighted __VA_OPT__(, ) __VA_ARGS__)                \
      Macro(std::int32_t __VA_OPT__(, ) __VA_ARGS__)                           \
          Macro(float __VA_OPT__(, ) __VA_ARGS__)

#endif
