//===- components.cpp - Connected components ------------------------------===//
//
// Concurrent union-find: labels form trees in which parents have lower numbers.
// Joining two vertices hooks the higher of their roots below the lower one.
// Joining every vertex with its first neighbours and pointing all vertices
// straight at their roots makes most of the trees flat before the bulk of the
// edges is visited.
//
//===----------------------------------------------------------------------===//

#include "algorithms.h"

/// Joins the trees of `u` and `v`.
static void join(int32_t *label, int32_t u, int32_t v) {
  int32_t a = load(&label[u]), b = load(&label[v]);
  while (a != b) {
    int32_t high = std::max(a, b), low = std::min(a, b);
    int32_t above = load(&label[high]);
    bool hooked = above == low ||
                  (above == high && compareAndSwap(&label[high], high, low));
    a = hooked ? low : load(&label[above]);
    b = hooked ? low : load(&label[low]);
  }
}

/// Joins every vertex with its neighbours number `first` to `last` - 1.
static void hook(const Csr &graph, int64_t first, int64_t last,
                 int32_t *label) {
  LoopTimer timer;
#pragma omp parallel
  {
    const int64_t *rowStart = graph.rowStart;
    const int32_t *column = graph.column;
#pragma omp for schedule(dynamic, 1024)
#pragma heddle async
    for (int32_t u = 0; u < graph.vertices; ++u) {
      int64_t begin = rowStart[u], end = rowStart[u + 1];
      int64_t stop = last < end - begin ? begin + last : end;
      for (int64_t e = begin + first; e < stop; ++e)
        join(label, u, column[e]);
    }
  }
}

/// Points every vertex straight at its root.
static void compress(int32_t vertices, int32_t *label) {
  LoopTimer timer;
#pragma omp parallel for schedule(dynamic, 4096)
#pragma heddle async
  for (int32_t v = 0; v < vertices; ++v) {
    int32_t root = load(&label[v]);
    while (root != load(&label[root]))
      root = load(&label[root]);
    store(&label[v], root);
  }
}

void GRAPH_BUILD::components(const Csr &graph, int32_t *label) {
  constexpr int64_t Sample = 2;
#pragma omp parallel for
  for (int32_t v = 0; v < graph.vertices; ++v)
    label[v] = v;
  hook(graph, 0, Sample, label);
  compress(graph.vertices, label);
  hook(graph, Sample, INT64_MAX, label);
  compress(graph.vertices, label);
}
