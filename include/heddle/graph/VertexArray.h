//===- VertexArray.h - A value for every vertex ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERTEXARRAY_H
#define HEDDLE_GRAPH_VERTEXARRAY_H

#include "heddle/graph/detail/Array.h"

#include <cstddef>

namespace heddle::graph {

/// Whether a step over `count` vertices or edges takes longer than waking up
/// other threads for it:
///
///   #pragma omp parallel if (worthThreads(edges))
inline bool worthThreads(std::size_t count) { return count >= 2048; }

/// An Array that all threads fill, so that each page is first touched by a
/// thread that will use it. Algorithms return their results in it. The
/// constructors throw std::bad_alloc.
///
///   VertexArray<float> rank(graph.vertexCount(), 1.0f);
template <typename T> class VertexArray : public Array<T> {
public:
  VertexArray() = default;

  /// Elements of undefined value.
  explicit VertexArray(std::size_t vertices) : Array<T>(vertices) {}

  VertexArray(std::size_t vertices, T value) : Array<T>(vertices) {
    fill(value);
  }

  /// Sets all elements, on the threads of OpenMP.
  void fill(T value) {
#pragma omp parallel for if (worthThreads(this->size()))
    for (std::size_t vertex = 0; vertex < this->size(); ++vertex)
      (*this)[vertex] = value;
  }
};

} // namespace heddle::graph

#endif
