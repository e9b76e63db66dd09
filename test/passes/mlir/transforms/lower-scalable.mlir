// Scalable vectors take the lanes of a row as one array, the end of which is
// masked.
//
// RUN: %heddle_opt %s --heddle-lower-pull=scalable=true --canonicalize \
// RUN:   | FileCheck %s

// CHECK-LABEL: @weighted
// CHECK-SAME: (%[[EDGES:.*]]: memref<?x16xi32>, %[[WEIGHTS:.*]]: memref<?x16xf32>, %[[LO:.*]]: index, %[[HI:.*]]: index
// CHECK: %[[FROM:.*]] = arith.muli %[[LO]], %c16
// CHECK: %[[TO:.*]] = arith.muli %[[HI]], %c16
// CHECK: %[[SCALE:.*]] = vector.vscale
// CHECK: %[[STEP:.*]] = arith.muli %[[SCALE]], %c4
// CHECK: %[[E:.*]] = memref.reinterpret_cast %[[EDGES]]
// CHECK: %[[W:.*]] = memref.reinterpret_cast %[[WEIGHTS]]
// CHECK: scf.for %[[I:.*]] = %[[FROM]] to %[[TO]] step %[[STEP]]
// CHECK: %[[MASK:.*]] = llvm.intr.get.active.lane.mask
// CHECK: %[[LANES:.*]] = vector.maskedload %[[E]][%[[I]]], %[[MASK]]
// CHECK: vector.maskedload %[[W]][%[[I]]], %[[MASK]]
// CHECK: %[[VALID:.*]] = arith.cmpi slt, %[[LANES]]
// CHECK: vector.gather {{.*}}, %[[VALID]], {{.*}} into vector<[4]xf32>
// CHECK: arith.mulf {{.*}} : vector<[4]xf32>
func.func @weighted(%edges: memref<?x16xi32>, %weights: memref<?x16xf32>,
                    %lo: index, %hi: index, %old: f32, %x: memref<?xf32>)
    -> f32 {
  %r = heddle.pull <add> %edges[%lo to %hi]
      weights(%weights : memref<?x16xf32>) init(%old : f32)
      captures(%x : memref<?xf32>) : memref<?x16xi32> {
  ^bb0(%u: i32, %w: f32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    %message = arith.mulf %value, %w : f32
    heddle.yield %message : f32
  }
  return %r : f32
}

// CHECK-LABEL: @wide
// CHECK: vector.gather {{.*}} into vector<[2]xf64>
func.func @wide(%edges: memref<?x4xi64>, %lo: index, %hi: index, %old: f64,
                %x: memref<?xf64>) -> f64 {
  %r = heddle.pull <maximumf> %edges[%lo to %hi] init(%old : f64)
      captures(%x : memref<?xf64>) : memref<?x4xi64> {
  ^bb0(%u: i64, %values: memref<?xf64>):
    %value = heddle.gather %values[%u] : memref<?xf64>, i64
    heddle.yield %value : f64
  }
  return %r : f64
}
