//===- shortest_paths.cpp - Single-source shortest paths ------------------===//
//
// Delta stepping with two piles: vertices whose distance is below a limit are
// relaxed at once, round by round; the others wait in the far pile until the
// near one is empty and the limit rises by delta.
//
//===----------------------------------------------------------------------===//

#include "algorithms.h"

#include <utility>

/// Relaxes the edges of all near vertices; collects the vertices that came
/// closer, each once.
static void relax(const Csr &graph, int64_t *distance, const Frontier &near,
                  Frontier &changed, uint8_t *isChanged) {
  LoopTimer timer;
#pragma omp parallel
  {
    const int64_t *rowStart = graph.rowStart;
    const int32_t *column = graph.column;
    const int32_t *weight = graph.weight;
    LocalFrontier local(changed);
#pragma omp for schedule(dynamic, 256) nowait
#pragma heddle async
    for (int64_t i = 0; i < near.size; ++i) {
      int32_t u = near.vertex[i];
      int64_t reached = load(&distance[u]);
      for (int64_t e = rowStart[u]; e < rowStart[u + 1]; ++e) {
        int32_t v = column[e];
        if (atomicMin(&distance[v], reached + weight[e]) &&
            setFlag(&isChanged[v]))
          local.push(v);
      }
    }
    local.flush();
  }
}

/// Moves the changed vertices to the near or the far pile.
static void sortIn(const int64_t *distance, int64_t limit,
                   const Frontier &changed, ShortestPathLists &lists) {
#pragma omp parallel
  {
    LocalFrontier near(lists.near), far(lists.far);
#pragma omp for nowait
    for (int64_t i = 0; i < changed.size; ++i) {
      int32_t v = changed.vertex[i];
      lists.isChanged[v] = 0;
      if (distance[v] < limit) {
        near.push(v);
      } else if (!lists.isFar[v]) {
        lists.isFar[v] = 1;
        far.push(v);
      }
    }
    near.flush();
    far.flush();
  }
}

/// Moves the far vertices below the new limit to the near pile. Those below the
/// old limit were near in the meantime and are done.
static void advance(const int64_t *distance, int64_t oldLimit, int64_t limit,
                    ShortestPathLists &lists) {
  lists.nextFar.size = 0;
#pragma omp parallel
  {
    LocalFrontier near(lists.near), far(lists.nextFar);
#pragma omp for nowait
    for (int64_t i = 0; i < lists.far.size; ++i) {
      int32_t v = lists.far.vertex[i];
      if (distance[v] >= limit) {
        far.push(v);
      } else {
        lists.isFar[v] = 0;
        if (distance[v] >= oldLimit)
          near.push(v);
      }
    }
    near.flush();
    far.flush();
  }
  std::swap(lists.far, lists.nextFar);
}

/// The least distance in the far pile that is not below `limit`.
static int64_t nearestFar(const int64_t *distance, int64_t limit,
                          const Frontier &far) {
  int64_t nearest = Unreachable;
#pragma omp parallel for reduction(min : nearest)
  for (int64_t i = 0; i < far.size; ++i)
    if (distance[far.vertex[i]] >= limit)
      nearest = std::min(nearest, distance[far.vertex[i]]);
  return nearest;
}

void GRAPH_BUILD::shortestPaths(const Csr &graph, int32_t source, int64_t delta,
                                int64_t *distance, ShortestPathLists lists) {
#pragma omp parallel for
  for (int32_t v = 0; v < graph.vertices; ++v)
    distance[v] = Unreachable;

  distance[source] = 0;
  lists.near.vertex[0] = source;
  lists.near.size = 1;
  lists.far.size = 0;
  int64_t limit = delta;
  while (lists.near.size > 0 || lists.far.size > 0) {
    while (lists.near.size > 0) {
      lists.changed.size = 0;
      relax(graph, distance, lists.near, lists.changed, lists.isChanged);
      lists.near.size = 0;
      sortIn(distance, limit, lists.changed, lists);
    }
    int64_t nearest = nearestFar(distance, limit, lists.far);
    int64_t oldLimit = limit;
    limit = nearest == Unreachable ? Unreachable : nearest + delta;
    advance(distance, oldLimit, limit, lists);
  }
}
