// A frontier is a condition on all that is gathered and combined, and `apply`
// is done to what is combined.
//
// RUN: %heddle_opt %s | %heddle_opt | FileCheck %s --check-prefix=SAME
// RUN: %heddle_opt %s --heddle-lower-pull --canonicalize | FileCheck %s
//
// SAME: heddle.pull <add> %{{.*}}[%{{.*}} to %{{.*}}] frontier(%{{.*}} : memref<?xi32>) init(%{{.*}} : f32) captures(%{{.*}}, %{{.*}} : memref<?xf32>, f32) : memref<?x16xi32> {
// SAME: } apply {
// SAME-NEXT: ^bb0(%{{.*}}: f32, %{{.*}}: memref<?xf32>, %{{.*}}: f32):

// CHECK-LABEL: @damped
// CHECK-SAME: %[[FRONTIER:[^:]*]]: memref<?xi32>, %[[OLD:[^:]*]]: f32, %[[X:[^:]*]]: memref<?xf32>, %[[D:[^:]*]]: f32
// CHECK: scf.for
// CHECK: %[[VALID:.*]] = arith.cmpi slt
// CHECK: %[[U:.*]] = arith.andi
// CHECK: %[[AT:.*]] = arith.shrui %[[U]]
// CHECK: %[[WORDS:.*]] = vector.gather %[[FRONTIER]]{{.*}} [%[[AT]]], %[[VALID]]
// CHECK: %[[PLACE:.*]] = arith.andi %[[U]]
// CHECK: arith.shrui %[[WORDS]], %[[PLACE]]
// CHECK: %[[IN:.*]] = arith.cmpi ne
// CHECK: %[[BOTH:.*]] = arith.{{andi|select}} %[[VALID]], %[[IN]]
// CHECK: vector.gather %[[X]]{{.*}} [%[[U]]], %[[BOTH]]
// CHECK: %[[SUM:.*]] = vector.reduction <add>, %{{.*}}, %[[OLD]]
// CHECK: %[[PRODUCT:.*]] = arith.mulf %[[SUM]], %[[D]]
// CHECK: return %[[PRODUCT]]
func.func @damped(%edges: memref<?x16xi32>, %lo: index, %hi: index,
                  %frontier: memref<?xi32>, %old: f32, %x: memref<?xf32>,
                  %d: f32) -> f32 {
  %r = heddle.pull <add> %edges[%lo to %hi]
      frontier(%frontier : memref<?xi32>) init(%old : f32)
      captures(%x, %d : memref<?xf32>, f32) : memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xf32>, %damping: f32):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    heddle.yield %value : f32
  } apply {
  ^bb0(%sum: f32, %values: memref<?xf32>, %damping: f32):
    %product = arith.mulf %sum, %damping : f32
    heddle.yield %product : f32
  }
  return %r : f32
}
