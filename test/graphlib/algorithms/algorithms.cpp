// The annotated loops of the algorithms become what their directives ask for,
// whatever the store.
//
// RUN: %clangxx -O3 -std=c++20 %fopenmp -DSTORE=Rows -Rpass=heddle -Rpass-missed=heddle -c -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s
// RUN: %clangxx -O3 -std=c++20 %fopenmp -DSTORE=Edges -Rpass=heddle -Rpass-missed=heddle -c -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s --check-prefixes=CHECK,EDGES
//
// CHECK-DAG: Frontier.h:{{.*}} requested ahead what the loop's iterations access
// CHECK-DAG: BetweennessCentrality.h:{{.*}} requested ahead what
// CHECK-DAG: BetweennessCentrality.h:{{.*}} interleaved the loop's
// CHECK-DAG: BetweennessCentrality.h:{{.*}} interleaved the loop's
// CHECK-DAG: BetweennessCentrality.h:{{.*}} requested ahead what
// CHECK-DAG: BreadthFirstSearch.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: CoreNumbers.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: CoreNumbers.h:{{.*}} requested ahead what
// CHECK-DAG: PageRank.h:{{.*}} balanced the loop by edges
// CHECK-DAG: ShortestPaths.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: TriangleCount.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: TriangleCount.h:{{.*}} interleaved the loop's iterations
// EDGES-DAG: PageRank.h:{{.*}} the loop over a row's edges takes 8 edges at once

#include "heddle/graph/Csr.h"
#include "heddle/graph/VectorSparse.h"
#include "heddle/graph/algorithms/BetweennessCentrality.h"
#include "heddle/graph/algorithms/BreadthFirstSearch.h"
#include "heddle/graph/algorithms/ConnectedComponents.h"
#include "heddle/graph/algorithms/CoreNumbers.h"
#include "heddle/graph/algorithms/LabelPropagation.h"
#include "heddle/graph/algorithms/PageRank.h"
#include "heddle/graph/algorithms/ShortestPaths.h"
#include "heddle/graph/algorithms/TriangleCount.h"

using namespace heddle::graph;

template <EdgeWeight Weight>
using Edges = VectorSparse<std::uint32_t, 8, Weight>;
template <EdgeWeight Weight> using Rows = Csr<std::uint32_t, Weight>;

std::size_t runAll(const STORE<Unweighted> &graph,
                   const STORE<std::int32_t> &intGraph,
                   const STORE<float> &floatGraph) {
  const std::uint32_t sources[] = {0, 1};
  return breadthFirstSearch(graph, 0).size() +
         betweennessCentrality(graph, sources).size() +
         connectedComponents(graph).size() + coreNumbers(graph).size() +
         labelPropagation(graph).size() + pageRank(graph).rank.size() +
         triangleCount(graph) + shortestPaths(intGraph, 0).size() +
         shortestPaths(floatGraph, 0).size();
}
