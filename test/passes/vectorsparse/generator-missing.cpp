// Vector code that is missing because its generator cannot be loaded is a
// warning, whatever else becomes of the loop.
//
// RUN: rm -rf %t && mkdir %t && cp %plugin %t
// RUN: compile() { %plain_clangxx -O2 -std=c++20 %fopenmp -c %s -o %t/out.o "$@" 2>&1; }
// RUN: compile -fplugin=%t/HeddlePlugin.so | FileCheck %s
// RUN: ! compile -fplugin=%t/HeddlePlugin.so -Werror > %t/log && FileCheck %s < %t/log
// RUN: compile -fplugin=%plugin -Werror
// RUN: compile -fplugin=%t/HeddlePlugin.so -Werror -Wno-pass-failed
// RUN: compile -fplugin=%t/HeddlePlugin.so -Werror -O0
// RUN: echo > %t/HeddleVectorSparse.so && compile -fplugin=%t/HeddlePlugin.so | FileCheck %s
// CHECK: [[#@LINE+7]]:{{.*}}: loop over edges not turned into vector code: the generator cannot be loaded: {{.*}}HeddleVectorSparse.so{{.*}}-Wpass-failed=heddle
// CHECK-NOT: not turned into vector code

#include "heddle/graph/VectorSparse.h"

void sums(const heddle::graph::VectorSparse<std::uint32_t, 8> &graph,
          const int *x, long *y, std::uint32_t vertices) {
#pragma omp parallel for
#pragma heddle vectorsparse edges(64)
  for (std::uint32_t v = 0; v < vertices; ++v) {
    long sum = 0;
    for (auto edge : graph.inEdges(v))
      sum += x[edge.target];
    y[v] = sum;
  }
}
