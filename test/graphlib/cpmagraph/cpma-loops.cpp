// The annotated loops of a CpmaGraph become what their directives ask for:
// those inside it, which search, and those of algorithms, which decode rows.
//
// RUN: %clangxx -O3 -std=c++20 %fopenmp -Rpass=heddle -Rpass-missed=heddle -c -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s
//
// CHECK-NOT: not interleaved
// CHECK-DAG: Edit.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: Query.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: Groups.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: BreadthFirstSearch.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: ShortestPaths.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: TriangleCount.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: TriangleCount.h:{{.*}} interleaved the loop's iterations
// CHECK-NOT: not interleaved

#include "heddle/graph/CpmaGraph.h"
#include "heddle/graph/algorithms/BreadthFirstSearch.h"
#include "heddle/graph/algorithms/ShortestPaths.h"
#include "heddle/graph/algorithms/TriangleCount.h"

using namespace heddle::graph;

using Store = CpmaGraph<std::uint32_t, float>;

std::size_t change(Store &graph,
                   std::span<const EdgeUpdate<std::uint32_t, float>> updates) {
  return graph.updateEdges(updates);
}

std::size_t query(const Store &graph,
                  std::span<const EdgeQuery<std::uint32_t>> queries,
                  std::span<bool> found, std::span<float> weights) {
  return graph.findEdges(queries, found, weights);
}

std::size_t compute(const Store &graph) {
  return breadthFirstSearch(graph, 0).size() + triangleCount(graph) +
         shortestPaths(graph, 0).size();
}
