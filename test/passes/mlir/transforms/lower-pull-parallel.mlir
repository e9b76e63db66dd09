// How heddle.pull_parallel iterates over chunks and combines their results.
//
// RUN: %heddle_opt %s --heddle-lower-pull-parallel | FileCheck %s
// RUN: %heddle_opt %s --heddle-lower-pull-parallel=threads=false \
// RUN:   | FileCheck %s --check-prefix=ONE --implicit-check-not=omp.
// RUN: %heddle_opt %s --heddle-lower-pull-parallel=scalable \
// RUN:   | FileCheck %s --check-prefix=SCALABLE --implicit-check-not=memref.prefetch
// RUN: %heddle_opt %s --heddle-lower-pull-parallel --heddle-lower-pull --canonicalize \
// RUN:   | FileCheck %s --check-prefix=VECTORS
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
// CHECK-NEXT: memref.alloc() : memref<1024xf32>
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

// The edge vectors of a block of rows are read in one loop, and what a
// later one gathers is prefetched. Of each edge vector the row is put together
// from its lanes' pieces. Nothing is prefetched that fits in a second cache. Rows
// have loops of their own if they are long, and where the lanes are one array.
// Which row a chunk begins with stands in its first edge vector as well; rows
// without edges come before it.
//
// VECTORS-LABEL: @blocks
// VECTORS-SAME: %{{[^:]*}}: index, %[[INIT:[^:]*]]: f64
// VECTORS-DAG: %[[PLACES:.*]] = arith.constant dense<[0, 4, 8, 12, 16, 20, 24, 28]> : vector<8xi32>
// VECTORS-DAG: %[[BEHIND:.*]] = arith.constant dense<27> : vector<8xi32>
// VECTORS-DAG: %[[PIECE:.*]] = arith.constant dense<15> : vector<8xi32>
// VECTORS: omp.loop_nest
// VECTORS: vector.reduction <or>
// VECTORS: scf.while (%[[FIRST:.*]] = %{{.*}}) : (index) -> index
// VECTORS: arith.cmpi ne, %[[FIRST]], %c0
// VECTORS: arith.muli %{{.*}}, %c3{{.*}} : index
// VECTORS-NEXT: %[[LONG:.*]] = arith.cmpi ugt, %{{.*}}, %{{.*}} : index
// VECTORS: scf.if %[[LONG]] {
// VECTORS: } else {
// VECTORS: %[[SIZE:.*]] = memref.dim
// VECTORS: %[[NEAR:.*]] = arith.cmpi ule, %[[SIZE]], %c262144
// VECTORS: scf.for %[[E:.*]] = {{.*}} iter_args(%[[LAST:.*]] = %c-1, %[[SUM:.*]] = %[[INIT]])
// VECTORS: scf.if %[[NEAR]] {
// VECTORS-NEXT: } else {
// VECTORS-COUNT-8: memref.prefetch %{{.*}}, read, locality<3>, data : memref<?xf64>
// VECTORS: %[[LANES:.*]] = vector.load %{{.*}}[%[[E]],
// VECTORS: %[[DOWN:.*]] = arith.shrui %[[LANES]], %[[BEHIND]]
// VECTORS: %[[PIECES:.*]] = arith.andi %[[DOWN]], %[[PIECE]]
// VECTORS: %[[PLACED:.*]] = arith.shli %[[PIECES]], %[[PLACES]]
// VECTORS: %[[ROW:.*]] = vector.reduction <or>, %[[PLACED]]
// VECTORS: %[[AT:.*]] = arith.subi
// VECTORS: %[[SAME:.*]] = arith.cmpi eq, %[[AT]], %[[LAST]]
// VECTORS: %[[BEFORE:.*]] = arith.select %[[SAME]], %[[SUM]], %[[INIT]]
// VECTORS-NOT: scf.for
// VECTORS: %[[NEXT:.*]] = vector.reduction <add>, %{{.*}}, %[[BEFORE]]
// VECTORS-NEXT: memref.store %[[NEXT]], %{{.*}}[%[[AT]]]
// VECTORS-NEXT: scf.yield %[[AT]], %[[NEXT]]
//
// SCALABLE-LABEL: @blocks
// SCALABLE: heddle.pull
func.func @blocks(%rows: memref<?xindex>, %edges: memref<?x8xi32>,
                  %chunk: index, %zero: f64, %x: memref<?xf64>,
                  %y: memref<?xf64>) {
  heddle.pull_parallel <add> %rows, %edges chunk(%chunk) init(%zero : f64)
      captures(%x : memref<?xf64>) into(%y : memref<?xf64>)
      : memref<?xindex>, memref<?x8xi32> {
  ^bb0(%u: i32, %values: memref<?xf64>):
    %value = heddle.gather %values[%u] : memref<?xf64>, i32
    heddle.yield %value : f64
  }
  return
}
