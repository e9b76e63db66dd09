//===- bfs.cpp - Top-down breadth-first search ----------------------------===//
//
// Level by level: every vertex of the frontier claims its unvisited neighbours
// by compare-and-swap on their parent, and those form the next frontier.
//
//===----------------------------------------------------------------------===//

#include "algorithms.h"

#include <utility>

static void expand(const Csr &graph, int32_t *parent, const Frontier &frontier,
                   Frontier &next) {
  LoopTimer timer;
#pragma omp parallel
  {
    const int64_t *rowStart = graph.rowStart;
    const int32_t *column = graph.column;
    LocalFrontier local(next);
#pragma omp for schedule(dynamic, 256) nowait
#pragma heddle async
    for (int64_t i = 0; i < frontier.size; ++i) {
      int32_t u = frontier.vertex[i];
      for (int64_t e = rowStart[u]; e < rowStart[u + 1]; ++e) {
        int32_t v = column[e];
        if (load(&parent[v]) < 0 && compareAndSwap(&parent[v], -1, u))
          local.push(v);
      }
    }
    local.flush();
  }
}

void GRAPH_BUILD::bfs(const Csr &graph, int32_t source, int32_t *parent,
                      Frontier frontier, Frontier next) {
#pragma omp parallel for
  for (int32_t v = 0; v < graph.vertices; ++v)
    parent[v] = -1;

  parent[source] = source;
  frontier.vertex[0] = source;
  frontier.size = 1;
  while (frontier.size > 0) {
    next.size = 0;
    expand(graph, parent, frontier, next);
    std::swap(frontier, next);
  }
}
