// Loops over a part of a row's lanes, or over arrays that do not lie like them,
// do what they say: vectors would take whole rows.
//
// RUN: %clangxx -O2 -std=c++20 %fopenmp -Rpass=heddle -Rpass-missed=heddle %s %runtime -o %t 2>&1 | FileCheck %s --implicit-check-not="edges at once"
// RUN: env OMP_NUM_THREADS=1 %t
// RUN: env OMP_NUM_THREADS=3 %t

#include "heddle/graph/Csr.h"
#include "heddle/graph/ToVectorSparse.h"
#include <algorithm>
#include <cstdio>
#include <vector>

using Store = heddle::graph::VectorSparse<std::uint32_t, 8>;

constexpr std::uint32_t Vertices = 1000;
static std::vector<int> values(Vertices);

/// Sets y[v] to what `ofRow` makes of the row of each vertex v.
template <typename OfRow>
[[gnu::noinline]] void forRows(const Store &graph, const int *x, long *y,
                               OfRow ofRow) {
#pragma omp parallel for
#pragma heddle vectorsparse edges(16)
  for (std::uint32_t v = 0; v < Vertices; ++v)
    y[v] = ofRow(graph.inEdges(v), x);
}

// CHECK-COUNT-3: not balanced by edges: the loop over a row's edges is not known to run over all lanes
static void capped(const Store &graph, const int *x, long *y) {
  forRows(graph, x, y, [](auto row, const int *x) [[gnu::always_inline]] {
    long sum = 0;
    auto edge = row.begin();
    const std::size_t most = std::min<std::size_t>(row.size(), 5);
    for (std::size_t i = 0; i < most; ++i, ++edge)
      sum += x[(*edge).target];
    return sum;
  });
}

static void withoutFirst(const Store &graph, const int *x, long *y) {
  forRows(graph, x, y, [](auto row, const int *x) [[gnu::always_inline]] {
    long sum = 0;
    if (!row.empty())
      for (auto edge = ++row.begin(); edge != row.end(); ++edge)
        sum += x[(*edge).target];
    return sum;
  });
}

static void everySecond(const Store &graph, const int *x, long *y) {
  forRows(graph, x, y, [](auto row, const int *x) [[gnu::always_inline]] {
    long sum = 0;
    auto edge = row.begin();
    for (std::size_t i = 0; i < row.size() / 2; ++i, ++edge, ++edge)
      sum += x[(*edge).target];
    return sum;
  });
}

// CHECK: not turned into vector code: it reads values of its edges that are not stored lane by lane, as the edges are
// CHECK: balanced the loop by edges
static void ranked(const Store &graph, const int *x, long *y) {
  forRows(graph, x, y, [](auto row, const int *x) [[gnu::always_inline]] {
    long sum = 0;
    std::size_t number = 0;
    for (auto [source, none] : row)
      sum += x[source] * x[number++];
    return sum;
  });
}

// The same without edge vectors.
template <typename Count>
static long sumOf(const heddle::graph::Csr<> &graph, std::uint32_t v,
                  Count count) {
  long sum = 0, number = 0;
  for (auto [source, none] : graph.inEdges(v))
    sum += values[source] * count(number++, graph.inDegree(v));
  return sum;
}

template <typename Loop, typename Count>
static bool differs(const char *name, const heddle::graph::Csr<> &csr,
                    const Store &graph, Loop loop, Count count) {
  std::vector<long> y(Vertices, -1);
  loop(graph, values.data(), y.data());
  for (std::uint32_t v = 0; v < Vertices; ++v)
    if (long expected = sumOf(csr, v, count); y[v] != expected) {
      std::printf("%s, vertex %u: expected %ld, found %ld\n", name, v, expected,
                  y[v]);
      return true;
    }
  return false;
}

int main() {
  // Vertex v has the v % 37 vertices before it as neighbours.
  heddle::graph::CsrRows<std::uint32_t, heddle::graph::Unweighted> rows;
  rows.offsets = heddle::graph::Array<std::uint64_t>(Vertices + 1);
  rows.offsets[0] = 0;
  for (std::uint32_t v = 0; v < Vertices; ++v)
    rows.offsets[v + 1] = rows.offsets[v] + std::min(v % 37, v);
  rows.targets = heddle::graph::Array<std::uint32_t>(rows.offsets[Vertices]);
  for (std::uint32_t v = 0; v < Vertices; ++v)
    for (std::uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; ++e)
      rows.targets[e] =
          static_cast<std::uint32_t>(v - (rows.offsets[v + 1] - e));
  const heddle::graph::Csr<> csr(std::move(rows));
  const Store graph = heddle::graph::toVectorSparse<Store>(csr);
  for (std::uint32_t v = 0; v < Vertices; ++v)
    values[v] = static_cast<int>(v % 64);
  const auto number = [](long i) { return values[static_cast<size_t>(i)]; };
  return differs("capped", csr, graph, capped,
                 [](long i, auto) { return i < 5; }) ||
         differs("without first", csr, graph, withoutFirst,
                 [](long i, auto) { return i > 0; }) ||
         differs("every second", csr, graph, everySecond,
                 [](long i, auto degree) {
                   return i % 2 == 0 && i + 1 < static_cast<long>(degree);
                 }) ||
         differs("ranked", csr, graph, ranked,
                 [&](long i, auto) { return number(i); });
}
