// How heddle.pull_parallel goes over chunks and combines what they have.
//
// RUN: %heddle_opt %s --heddle-lower-pull-parallel | FileCheck %s
// RUN: %heddle_opt %s --heddle-lower-pull-parallel=threads=false \
// RUN:   | FileCheck %s --check-prefix=ONE --implicit-check-not=omp.
// RUN: %heddle_opt %s --heddle-to-llvm=threads=false \
// RUN:   | FileCheck %s --check-prefix=LLVM --implicit-check-not=omp.

// The row before which a chunk begins may have nothing in it, which is combined
// as an infinity, whatever is known about the messages.
//
// CHECK-LABEL: @noInfinities
// CHECK: %[[INFINITY:.*]] = arith.constant 0x7F800000 : f32
// CHECK: heddle.pull <minimumf> {{.*}} init(%[[INFINITY]] : f32) {{.*}} fastmath<ninf>
// CHECK: arith.minimumf %{{[^ ]*}}, %{{[^ ]*}} : f32
func.func @noInfinities(%rows: memref<?xindex>, %edges: memref<?x16xi32>,
                        %chunk: index, %most: f32, %x: memref<?xf32>,
                        %y: memref<?xf32>) {
  heddle.pull_parallel <minimumf> %rows, %edges chunk(%chunk) init(%most : f32)
      captures(%x : memref<?xf32>) into(%y : memref<?xf32>) fastmath<ninf>
      : memref<?xindex>, memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    heddle.yield %value : f32
  }
  return
}

// The threads of a team take one chunk after the other.
//
// CHECK-LABEL: @sum
// CHECK: omp.parallel {
// CHECK-NEXT: omp.wsloop schedule(dynamic) {
// CHECK-NEXT: omp.loop_nest
// CHECK: heddle.pull
// ONE-LABEL: @sum
// ONE: scf.for
// ONE: heddle.pull
// LLVM-LABEL: @sum
// CHECK: arith.addf %{{.*}}, %{{.*}} fastmath<ninf> : f32
func.func @sum(%rows: memref<?xindex>, %edges: memref<?x16xi32>, %chunk: index,
               %zero: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  heddle.pull_parallel <add> %rows, %edges chunk(%chunk) init(%zero : f32)
      captures(%x : memref<?xf32>) into(%y : memref<?xf32>) fastmath<ninf>
      : memref<?xindex>, memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    heddle.yield %value : f32
  }
  return
}
