//===- VertexArray.h - A value for every vertex ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_VERTEXARRAY_H
#define HEDDLE_GRAPH_VERTEXARRAY_H

#include "heddle/graph/Array.h"

namespace heddle::graph {

/// An Array that is filled by all threads, so that each page is first touched
/// by one that will use it. It is what algorithms return.
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
#pragma omp parallel for
    for (std::size_t vertex = 0; vertex < this->size(); ++vertex)
      (*this)[vertex] = value;
  }
};

} // namespace heddle::graph

#endif
