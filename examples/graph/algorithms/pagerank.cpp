//===- pagerank.cpp - PageRank by pulling ---------------------------------===//
//
// Every vertex gathers the shares of the vertices that point to it. The ranks
// of vertices without an outgoing edge are distributed among all.
//
//===----------------------------------------------------------------------===//

#include "algorithms.h"

#include <cmath>

constexpr double Damping = 0.85;

/// One round; returns the sum of the changes.
static double pull(const Csr &in, double base, const double *share,
                   double *rank) {
  LoopTimer timer;
  double change = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : change)
#pragma heddle async
  for (int32_t v = 0; v < in.vertices; ++v) {
    double sum = 0;
    for (int64_t e = in.rowStart[v]; e < in.rowStart[v + 1]; ++e)
      sum += share[in.column[e]];
    double updated = base + Damping * sum;
    change += std::fabs(updated - rank[v]);
    rank[v] = updated;
  }
  return change;
}

int GRAPH_BUILD::pageRank(const Csr &graph, const Csr &in, double tolerance,
                          int maxRounds, double *rank, double *share) {
  int32_t n = graph.vertices;
#pragma omp parallel for
  for (int32_t v = 0; v < n; ++v)
    rank[v] = 1.0 / n;

  int round = 0;
  double change = tolerance;
  while (round < maxRounds && change >= tolerance) {
    double dangling = 0;
#pragma omp parallel for reduction(+ : dangling)
    for (int32_t v = 0; v < n; ++v) {
      int64_t degree = graph.degree(v);
      share[v] = degree ? rank[v] / degree : 0;
      dangling += degree ? 0 : rank[v];
    }
    double base = (1 - Damping + Damping * dangling) / n;
    change = pull(in, base, share, rank);
    ++round;
  }
  return round;
}
