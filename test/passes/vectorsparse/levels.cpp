// A function with a loop over edge vectors is kept for AVX-512, for AVX2 and as
// it was, unless it is compiled for AVX-512 anyway; remarks speak of it once.
//
// RUN: %clangxx -O2 -std=c++20 %fopenmp -Rpass=heddle -S -emit-llvm -o %t.ll %s 2> %t.remarks
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=REMARKS < %t.remarks
// CHECK-LABEL: define {{.*}}@_Z4sums
// CHECK:       call i32 @heddle_vector_level()
// CHECK:       switch i32
// CHECK-DAG:   call void @_Z4sums[[TYPES:.*]].portable(
// CHECK-DAG:   call void @_Z4sums{{.*}}.avx2(
// CHECK-DAG:   call void @_Z4sums{{.*}}.avx512(
// CHECK-LABEL: define internal void @_Z4sums{{.*}}.avx512(
// CHECK:       call <8 x float> @llvm.masked.gather
// REMARKS-COUNT-1: takes 8 edges at once
// REMARKS-NOT:     takes 8 edges at once
//
// RUN: %clangxx -O2 -std=c++20 %fopenmp -march=x86-64-v4 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NATIVE
// NATIVE-NOT: heddle_vector_level
//
// A level that the function has anyway needs no copy, and one that it must not
// have gets none: -march=native rules out what the host has not. Vector code is
// inlined wherever rows run.
// RUN: %clangxx -O2 -std=c++20 %fopenmp -march=x86-64-v3 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=AVX2 --implicit-check-not="@heddle.pull."
// AVX2-LABEL: define {{.*}}@_Z4sums
// AVX2:       [[LEVEL:%.*]] = {{.*}}call i32 @heddle_vector_level()
// AVX2-NEXT:  [[HAS_AVX512:%.*]] = icmp eq i32 [[LEVEL]], 2
// AVX2-NEXT:  br i1 [[HAS_AVX512]], label %[[AVX512:[0-9]+]], label
// AVX2:       {{^}}[[AVX512]]:
// AVX2-NEXT:  call void @_Z4sums{{.*}}.avx512(
// AVX2-NOT:   .avx2(
// RUN: %clangxx -O2 -std=c++20 %fopenmp -march=x86-64-v3 -mno-avx512f -S -emit-llvm -o - %s | FileCheck %s --check-prefix=NATIVE
// RUN: %clangxx -O2 -std=c++20 %fopenmp -mno-avx512f -Rpass=heddle -S -emit-llvm -o %t.ll %s 2>&1 | FileCheck %s --check-prefix=REMARKS
// RUN: FileCheck %s --check-prefix=NO-AVX512 --implicit-check-not=.avx512 < %t.ll
// NO-AVX512:  call void @_Z4sums{{.*}}.avx2(
//
// The level that the runtime chooses, and those that it is told to use.
// RUN: %clangxx -O2 -std=c++20 %fopenmp -DMAIN -o %t %s %runtime
// RUN: %t
// RUN: for level in portable avx2 avx512; do HEDDLE_VECTORS=$level %t || exit 1; done
// RUN: HEDDLE_VECTORS=fast %t 2>&1 > /dev/null | FileCheck %s --check-prefix=WARNING
// WARNING: heddle: warning: HEDDLE_VECTORS='fast' ignored: expected 'portable', 'avx2' or 'avx512'

#include "heddle/graph/VectorSparse.h"

using Store = heddle::graph::VectorSparse<std::uint32_t, 8>;

// Passed by value, in memory.
struct Weights {
  float factor;
  float unused[15];
};

__attribute__((noinline)) void sums(const Store &graph, const float *values,
                                    float *sums, Weights weights) {
  const std::uint32_t vertices = graph.vertexCount();
#pragma heddle vectorsparse
  for (std::uint32_t v = 0; v < vertices; ++v) {
    float sum = 0;
    for (auto [source, none] : graph.inEdges(v))
      sum += values[source] * weights.factor;
    sums[v] = sum;
  }
}

#ifdef MAIN
#include "heddle/graph/Csr.h"
#include "heddle/graph/ToVectorSparse.h"
#include <cstdio>
#include <vector>

int main() {
  // Vertex v has the v % 37 vertices before it as neighbours.
  constexpr std::uint32_t Vertices = 1000;
  heddle::graph::CsrRows<std::uint32_t, heddle::graph::Unweighted> rows;
  rows.offsets = heddle::graph::Array<std::uint64_t>(Vertices + 1);
  std::uint64_t edges = 0;
  for (std::uint32_t v = 0; v < Vertices; ++v) {
    rows.offsets[v] = edges;
    edges += v % 37 < v ? v % 37 : v;
  }
  rows.offsets[Vertices] = edges;
  rows.targets = heddle::graph::Array<std::uint32_t>(edges);
  for (std::uint32_t v = 0; v < Vertices; ++v)
    for (std::uint64_t e = rows.offsets[v]; e < rows.offsets[v + 1]; ++e)
      rows.targets[e] =
          static_cast<std::uint32_t>(v - (rows.offsets[v + 1] - e));
  const Store graph = heddle::graph::toVectorSparse<Store>(
      heddle::graph::Csr<>(std::move(rows)));
  std::vector<float> values(Vertices), result(Vertices);
  for (std::uint32_t v = 0; v < Vertices; ++v)
    values[v] = static_cast<float>(v % 64);
  sums(graph, values.data(), result.data(), {2, {}});
  for (std::uint32_t v = 0; v < Vertices; ++v) {
    float expected = 0;
    for (auto [source, none] : graph.inEdges(v))
      expected += 2 * values[source];
    if (result[v] != expected) {
      std::printf("vertex %u: expected %.0f, found %.0f\n", v, expected,
                  result[v]);
      return 1;
    }
  }
}
#endif
