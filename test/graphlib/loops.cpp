// Annotated loops over the edges of a store are interleaved like loops over
// arrays: the iterators leave nothing behind but loads.
//
// RUN: %clangxx -O2 -std=c++20 %fopenmp -Rpass=heddle -Rpass-missed=heddle -c -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-6: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "heddle/graph/Csr.h"
#include "heddle/graph/VectorSparse.h"

using namespace heddle::graph;

template <Graph Store>
std::uint64_t reached(const Store &graph,
                      const typename Store::VertexId *frontier,
                      std::size_t count, const bool *visited) {
  std::uint64_t fresh = 0;
#pragma omp parallel for reduction(+ : fresh)
#pragma heddle async
  for (std::size_t i = 0; i < count; ++i)
    for (auto [target, weight] : graph.outEdges(frontier[i]))
      fresh += !visited[target];
  return fresh;
}
template std::uint64_t reached(const Csr<> &, const std::uint32_t *,
                               std::size_t, const bool *);
template std::uint64_t reached(const Csr<std::uint64_t, float> &,
                               const std::uint64_t *, std::size_t,
                               const bool *);
template std::uint64_t reached(const VectorSparse<> &, const std::uint32_t *,
                               std::size_t, const bool *);
template std::uint64_t reached(const VectorSparse<std::uint64_t, 4, float> &,
                               const std::uint64_t *, std::size_t,
                               const bool *);

template <Graph Store>
void shortest(const Store &graph, const typename Store::VertexId *vertices,
              std::size_t count, const float *distance, float *best) {
#pragma omp parallel for
#pragma heddle async
  for (std::size_t i = 0; i < count; ++i) {
    float least = best[i];
    for (auto [source, weight] : graph.inEdges(vertices[i]))
      if (distance[source] + weight < least)
        least = distance[source] + weight;
    best[i] = least;
  }
}
template void shortest(const Csr<std::uint32_t, float> &, const std::uint32_t *,
                       std::size_t, const float *, float *);
template void shortest(const VectorSparse<std::uint32_t, 16, float> &,
                       const std::uint32_t *, std::size_t, const float *,
                       float *);
