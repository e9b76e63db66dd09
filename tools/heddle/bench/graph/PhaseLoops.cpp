//===- PhaseLoops.cpp - PageRank's phases as plain loops ------------------===//
//
// HEDDLE_BENCH_CODE is the Code that this compilation is for.
//
//===----------------------------------------------------------------------===//

#include "PhaseLoops.h"

// Threads take chunks of edges, and, for vector code, edge vectors become
// vector operations.
#define HEDDLE_BENCH_PULL_Scalar _Pragma("heddle pull edges(edgesPerChunk)")
#define HEDDLE_BENCH_PULL_Vector                                               \
  _Pragma("heddle vectorsparse edges(edgesPerChunk)")
#define HEDDLE_BENCH_JOIN_(left, right) left##right
#define HEDDLE_BENCH_JOIN(left, right) HEDDLE_BENCH_JOIN_(left, right)
#define HEDDLE_BENCH_PULL                                                      \
  HEDDLE_BENCH_JOIN(HEDDLE_BENCH_PULL_, HEDDLE_BENCH_CODE)

namespace heddle::bench {

using namespace graph;

template <Code, Graph Store, typename Value>
void pull(const Store &graph, const Value *contributions, Value *sums,
          [[maybe_unused]] std::int64_t edgesPerChunk) {
  using VertexId = typename Store::VertexId;
  const VertexId vertices = graph.vertexCount();
#pragma omp parallel for schedule(dynamic)
  HEDDLE_BENCH_PULL
  for (VertexId v = 0; v < vertices; ++v) {
    Value sum = 0;
    for (auto [source, weight] : graph.inEdges(v))
      sum += contributions[source];
    sums[v] = sum;
  }
}

template <Code, Graph Store, typename Value>
void push(const Store &graph, const Value *contributions, Value *sums) {
  using VertexId = typename Store::VertexId;
  const VertexId vertices = graph.vertexCount();
#pragma omp parallel for schedule(dynamic, 1024)
  for (VertexId v = 0; v < vertices; ++v) {
    const Value contribution = contributions[v];
    for (auto [target, weight] : graph.outEdges(v)) {
#pragma omp atomic
      sums[target] += contribution;
    }
  }
}

template <Code, typename Value>
void updateVertices(std::size_t vertices, const Value *sums,
                    const Value *inverseDegrees, Value *ranks,
                    Value *contributions) {
  constexpr auto Damping = static_cast<Value>(0.85);
  const Value base = (1 - Damping) / static_cast<Value>(vertices);
#pragma omp parallel for
  for (std::size_t v = 0; v < vertices; ++v) {
    const Value rank = base + Damping * sums[v];
    ranks[v] = rank;
    contributions[v] = rank * inverseDegrees[v];
  }
}

constexpr Code ThisCode = Code::HEDDLE_BENCH_CODE;

template void pull<ThisCode>(const Csr<> &, const float *, float *,
                             std::int64_t);
template void pull<ThisCode>(const VectorSparse<std::uint32_t, 8> &,
                             const float *, float *, std::int64_t);
template void pull<ThisCode>(const VectorSparse<std::uint32_t, 16> &,
                             const float *, float *, std::int64_t);
template void pull<ThisCode>(const VectorSparse<std::uint64_t, 4> &,
                             const double *, double *, std::int64_t);
template void pull<ThisCode>(const VectorSparse<std::uint64_t, 8> &,
                             const double *, double *, std::int64_t);

template void push<ThisCode>(const VectorSparse<std::uint32_t, 8> &,
                             const float *, float *);
template void push<ThisCode>(const VectorSparse<std::uint32_t, 16> &,
                             const float *, float *);
template void push<ThisCode>(const VectorSparse<std::uint64_t, 4> &,
                             const double *, double *);
template void push<ThisCode>(const VectorSparse<std::uint64_t, 8> &,
                             const double *, double *);

template void updateVertices<ThisCode>(std::size_t, const float *,
                                       const float *, float *, float *);
template void updateVertices<ThisCode>(std::size_t, const double *,
                                       const double *, double *, double *);

} // namespace heddle::bench
