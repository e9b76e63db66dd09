// Gathers under a mask: an edge vector is loaded once, and its lanes are both
// neighbours and mask.
//
// RUN: %heddle_opt %s --heddle-lower-pull --canonicalize | FileCheck %s

// The gather yields the identity of the sum for invalid lanes. The edge vectors
// 2 KiB behind are prefetched.
//
// CHECK-LABEL: @plain
// CHECK-SAME: (%[[EDGES:.*]]: memref<?x16xi32>, %[[LO:.*]]: index, %[[HI:.*]]: index, %[[OLD:.*]]: f32, %[[X:.*]]: memref<?xf32>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[FAR:.*]] = arith.constant 32 : index
// CHECK-DAG: %[[IDENTITY:.*]] = arith.constant dense<-0.000000e+00> : vector<16xf32>
// CHECK-DAG: %[[NONE:.*]] = arith.constant dense<0> : vector<16xi32>
// CHECK-DAG: %[[MASK:.*]] = arith.constant dense<536870911> : vector<16xi32>
// CHECK: %[[ALL:.*]] = scf.for %[[I:.*]] = %[[LO]] to %[[HI]] {{.*}} iter_args(%[[SUM:.*]] = %[[IDENTITY]])
// CHECK-NEXT: %[[LATER:.*]] = arith.addi %[[I]], %[[FAR]]
// CHECK-NEXT: memref.prefetch %[[EDGES]][%[[LATER]], %[[ZERO]]], read, locality<3>, data
// CHECK-NEXT: %[[LANES:.*]] = vector.load %[[EDGES]][%[[I]], %[[ZERO]]] {alignment = 64 : i64}
// CHECK-NEXT: %[[VALID:.*]] = arith.cmpi slt, %[[LANES]], %[[NONE]]
// CHECK-NEXT: %[[U:.*]] = arith.andi %[[LANES]], %[[MASK]]
// CHECK-NEXT: %[[V:.*]] = vector.gather %[[X]][%[[ZERO]]] [%[[U]]], %[[VALID]], %[[IDENTITY]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[V]], %[[SUM]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: vector.reduction <add>, %[[ALL]], %[[OLD]] fastmath<reassoc>
func.func @plain(%edges: memref<?x16xi32>, %lo: index, %hi: index, %old: f32,
                 %x: memref<?xf32>) -> f32 {
  %sum = heddle.pull <add> %edges[%lo to %hi] init(%old : f32)
      captures(%x : memref<?xf32>) : memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    heddle.yield %value : f32
  }
  return %sum : f32
}

// Neighbours have 27 bits where there are 8 lanes of 32 bits, otherwise 48.
//
// CHECK-LABEL: @narrow
// CHECK: dense<134217727> : vector<8xi32>
func.func @narrow(%edges: memref<?x8xi32>, %lo: index, %hi: index, %old: i32)
    -> i32 {
  %r = heddle.pull <maxui> %edges[%lo to %hi] init(%old : i32)
      : memref<?x8xi32> {
  ^bb0(%u: i32):
    heddle.yield %u : i32
  }
  return %r : i32
}

// CHECK-LABEL: @wide
// CHECK: dense<281474976710655> : vector<4xi64>
func.func @wide(%edges: memref<?x4xi64>, %lo: index, %hi: index, %old: i64)
    -> i64 {
  %r = heddle.pull <maxui> %edges[%lo to %hi] init(%old : i64)
      : memref<?x4xi64> {
  ^bb0(%u: i64):
    heddle.yield %u : i64
  }
  return %r : i64
}

// A message that is computed is selected.
//
// CHECK-LABEL: @weighted
// CHECK-SAME: %[[WEIGHTS:[^:]*]]: memref<?x8xf64>
// CHECK-DAG: %[[IDENTITY:.*]] = arith.constant dense<0x7FF0000000000000> : vector<8xf64>
// CHECK: %[[W:.*]] = vector.load %[[WEIGHTS]]
// CHECK: %[[VALID:.*]] = arith.cmpi slt
// CHECK: %[[V:.*]] = vector.gather
// CHECK: %[[M:.*]] = arith.addf %[[V]], %[[W]] : vector<8xf64>
// CHECK: %[[S:.*]] = arith.select %[[VALID]], %[[M]], %[[IDENTITY]]
// CHECK: arith.minnumf %[[S]], %{{.*}} fastmath<nnan,nsz>
// CHECK: vector.reduction <minnumf>{{.*}} fastmath<reassoc,nnan,nsz>
func.func @weighted(%edges: memref<?x8xi64>, %weights: memref<?x8xf64>,
                    %lo: index, %hi: index, %old: f64, %x: memref<?xf64>)
    -> f64 {
  %r = heddle.pull <minnumf> %edges[%lo to %hi]
      weights(%weights : memref<?x8xf64>) init(%old : f64)
      captures(%x : memref<?xf64>) fastmath<nnan,ninf,nsz>
      : memref<?x8xi64> {
  ^bb0(%u: i64, %w: f64, %values: memref<?xf64>):
    %value = heddle.gather %values[%u] : memref<?xf64>, i64
    %sum = arith.addf %value, %w : f64
    heddle.yield %sum : f64
  }
  return %r : f64
}

// Under the same condition, the gather's mask does for the message, too. It is
// not `and`: the condition may be undefined in invalid lanes.
//
// CHECK-LABEL: @conditional
// CHECK: %[[VALID:.*]] = arith.cmpi slt
// CHECK: %[[ODD:.*]] = arith.trunci %{{.*}} : vector<16xi32> to vector<16xi1>
// CHECK: %[[MASK:.*]] = arith.select %[[VALID]], %[[ODD]], %{{.*}} : vector<16xi1>, vector<16xi1>
// CHECK: %[[V:.*]] = vector.gather %{{.*}}[%{{.*}}] [%{{.*}}], %[[MASK]], %[[IDENTITY:.*]] :
// CHECK-NEXT: arith.minsi %[[V]],
func.func @conditional(%edges: memref<?x16xi32>, %lo: index, %hi: index,
                       %old: i32, %x: memref<?xi32>) -> i32 {
  %r = heddle.pull <minsi> %edges[%lo to %hi] init(%old : i32)
      captures(%x : memref<?xi32>) : memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xi32>):
    %odd = arith.trunci %u : i32 to i1
    %value = heddle.gather %values[%u] if %odd : memref<?xi32>, i32
    heddle.yield %value if %odd : i32
  }
  return %r : i32
}

// Invalid lanes, whose neighbour is 0, divide by one. Values that do not change
// from edge to edge are broadcast once.
//
// CHECK-LABEL: @division
// CHECK-SAME: %[[N:[^:]*]]: i32)
// CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1> : vector<8xi32>
// CHECK: %[[ALL:.*]] = vector.broadcast %[[N]]
// CHECK: scf.for
// CHECK: %[[VALID:.*]] = arith.cmpi slt
// CHECK: %[[U:.*]] = arith.andi
// CHECK: %[[D:.*]] = arith.select %[[VALID]], %[[U]], %[[ONE]]
// CHECK: arith.divui %[[ALL]], %[[D]]
func.func @division(%edges: memref<?x8xi32>, %lo: index, %hi: index, %old: i32,
                    %n: i32) -> i32 {
  %r = heddle.pull <add> %edges[%lo to %hi] init(%old : i32)
      captures(%n : i32) : memref<?x8xi32> {
  ^bb0(%u: i32, %m: i32):
    %share = arith.divui %m, %u : i32
    heddle.yield %share : i32
  }
  return %r : i32
}

// Poison and an undefined value.
//
// CHECK-LABEL: @poison
// CHECK: %[[NONE:.*]] = llvm.mlir.undef : i32
// CHECK: vector.broadcast %[[NONE]] : i32 to vector<8xi32>
func.func @poison(%edges: memref<?x8xi32>, %lo: index, %hi: index, %old: i32)
    -> i32 {
  %r = heddle.pull <add> %edges[%lo to %hi] init(%old : i32)
      : memref<?x8xi32> {
  ^bb0(%u: i32):
    %p = ub.poison : i32
    %q = llvm.mlir.undef : i32
    %odd = arith.trunci %u : i32 to i1
    %either = arith.select %odd, %p, %q : i32
    heddle.yield %either : i32
  }
  return %r : i32
}
