//===- longest_chain.cpp - Longest chain of an acyclic graph --------------===//
//
// Topological peeling: a vertex joins the next frontier when the last edge that
// leads to it has been removed. That round is the length of the longest chain
// that ends there, and the vertex that removed the edge precedes it on such a
// chain.
//
//===----------------------------------------------------------------------===//

#include "algorithms.h"

#include <utility>

static void peel(const Csr &graph, int32_t *inDegree, int32_t *predecessor,
                 const Frontier &frontier, Frontier &next) {
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
        if (fetchAdd(&inDegree[v], -1) == 1) {
          predecessor[v] = u;
          local.push(v);
        }
      }
    }
    local.flush();
  }
}

int32_t GRAPH_BUILD::longestChain(const Csr &graph, int32_t *inDegree,
                                  int32_t *predecessor, Frontier frontier,
                                  Frontier next) {
  Frontier result = frontier;
  frontier.size = 0;
#pragma omp parallel
  {
    LocalFrontier local(frontier);
#pragma omp for nowait
    for (int32_t v = 0; v < graph.vertices; ++v) {
      predecessor[v] = -1;
      if (inDegree[v] == 0)
        local.push(v);
    }
    local.flush();
  }

  int32_t length = 0, last = -1;
  while (frontier.size > 0) {
    ++length;
    last = frontier.vertex[0];
    next.size = 0;
    peel(graph, inDegree, predecessor, frontier, next);
    std::swap(frontier, next);
  }
  result.vertex[0] = last;
  return length;
}
