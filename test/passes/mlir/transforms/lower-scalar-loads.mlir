// Where the target cannot gather under a mask, every lane reads something.
//
// RUN: %heddle_opt %s --heddle-lower-pull=narrowest-gather=0 --canonicalize \
// RUN:   | FileCheck %s
// RUN: %heddle_opt %s --heddle-lower-pull --canonicalize \
// RUN:   | FileCheck %s --check-prefix=NARROW

// The neighbours' numbers are loaded once more, also those of invalid lanes.
//
// CHECK-LABEL: @plain
// CHECK-SAME: (%[[EDGES:.*]]: memref<?x8xi64>, {{.*}} %[[X:[^:]*]]: memref<?xf64>)
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[BITS:.*]] = arith.constant 281474976710655 : i64
// CHECK-DAG: %[[IDENTITY:.*]] = arith.constant dense<-0.000000e+00> : vector<8xf64>
// CHECK: %[[LANES:.*]] = vector.load %[[EDGES]][%[[I:.*]], %[[ZERO]]]
// CHECK-NEXT: %[[VALID:.*]] = arith.cmpi slt, %[[LANES]]
// CHECK: %[[LANE:.*]] = memref.load %[[EDGES]][%[[I]], %[[ZERO]]]
// CHECK-NEXT: %[[U:.*]] = arith.andi %[[LANE]], %[[BITS]] : i64
// CHECK-NEXT: %[[AT:.*]] = arith.index_castui %[[U]]
// CHECK-NEXT: %[[FIRST:.*]] = memref.load %[[X]][%[[AT]]]
// CHECK-NEXT: memref.load %[[EDGES]][%[[I]], %[[ONE]]]
// CHECK-COUNT-7: memref.load %[[X]]
// CHECK-NOT: vector.extract
// CHECK: %[[V:.*]] = vector.from_elements %[[FIRST]],
// CHECK-NEXT: arith.select %[[VALID]], %[[V]], %[[IDENTITY]]
// CHECK-NOT: vector.gather
//
// NARROW-LABEL: @plain
// NARROW: vector.gather
func.func @plain(%edges: memref<?x8xi64>, %lo: index, %hi: index, %old: f64,
                 %x: memref<?xf64>) -> f64 {
  %sum = heddle.pull <add> %edges[%lo to %hi] init(%old : f64)
      captures(%x : memref<?xf64>) : memref<?x8xi64> {
  ^bb0(%u: i64, %values: memref<?xf64>):
    %value = heddle.gather %values[%u] : memref<?xf64>, i64
    heddle.yield %value : f64
  }
  return %sum : f64
}

// Lanes whose condition does not hold read the edge vector.
//
// CHECK-LABEL: @conditional
// CHECK-SAME: (%[[EDGES:.*]]: memref<?x8xi64>, {{.*}} %[[X:[^:]*]]: memref<?xi64>)
// CHECK: memref.extract_aligned_pointer_as_index %[[X]]
// CHECK: %[[WANTED:.*]] = arith.addi
// CHECK: memref.extract_aligned_pointer_as_index %[[EDGES]]
// CHECK: %[[READABLE:.*]] = vector.broadcast
// CHECK: %[[ADDRESS:.*]] = arith.select %{{.*}}, %[[WANTED]], %[[READABLE]]
// CHECK: %[[P:.*]] = llvm.inttoptr %[[ADDRESS]]
// CHECK: llvm.intr.masked.gather %[[P]], %[[TRUE:.*]] {
func.func @conditional(%edges: memref<?x8xi64>, %lo: index, %hi: index,
                       %old: i64, %x: memref<?xi64>) -> i64 {
  %r = heddle.pull <maxsi> %edges[%lo to %hi] init(%old : i64)
      captures(%x : memref<?xi64>) : memref<?x8xi64> {
  ^bb0(%u: i64, %values: memref<?xi64>):
    %odd = arith.trunci %u : i64 to i1
    %value = heddle.gather %values[%u] if %odd : memref<?xi64>, i64
    heddle.yield %value if %odd : i64
  }
  return %r : i64
}

// A target may be able to gather some elements and not others.
//
// NARROW-LABEL: @bytes
// NARROW: %[[U:.*]] = arith.andi %{{.*}} : vector<8xi64>
// NARROW-COUNT-8: memref.load %{{.*}} : memref<?xi8>
// NARROW: vector.gather %{{.*}}[%{{.*}}] [%[[U]]]
func.func @bytes(%edges: memref<?x8xi64>, %lo: index, %hi: index, %old: f64,
                 %visited: memref<?xi8>, %x: memref<?xf64>) -> f64 {
  %sum = heddle.pull <add> %edges[%lo to %hi] init(%old : f64)
      captures(%visited, %x : memref<?xi8>, memref<?xf64>) : memref<?x8xi64> {
  ^bb0(%u: i64, %flags: memref<?xi8>, %values: memref<?xf64>):
    %flag = heddle.gather %flags[%u] : memref<?xi8>, i64
    %value = heddle.gather %values[%u] : memref<?xf64>, i64
    %bit = arith.trunci %flag : i8 to i1
    heddle.yield %value if %bit : f64
  }
  return %sum : f64
}

// Gathers at other indices may read anywhere, and so invalid lanes read what
// the first lane reads.
//
// CHECK-LABEL: @elsewhere
// CHECK: %[[VALID:.*]] = arith.cmpi slt
// CHECK: %[[TWICE:.*]] = arith.addi %[[U:.*]], %[[U]] : vector<8xi64>
// CHECK-NEXT: %[[FIRST:.*]] = vector.extract %[[TWICE]][0]
// CHECK-NEXT: %[[ALL:.*]] = vector.broadcast %[[FIRST]]
// CHECK-NEXT: %[[SAFE:.*]] = arith.select %[[VALID]], %[[TWICE]], %[[ALL]]
// CHECK-NEXT: vector.extract %[[SAFE]][0]
// CHECK-COUNT-8: memref.load
// CHECK: vector.from_elements
func.func @elsewhere(%edges: memref<?x8xi64>, %lo: index, %hi: index,
                     %old: f64, %x: memref<?xf64>) -> f64 {
  %sum = heddle.pull <add> %edges[%lo to %hi] init(%old : f64)
      captures(%x : memref<?xf64>) : memref<?x8xi64> {
  ^bb0(%u: i64, %values: memref<?xf64>):
    %twice = arith.addi %u, %u : i64
    %value = heddle.gather %values[%twice] : memref<?xf64>, i64
    heddle.yield %value : f64
  }
  return %sum : f64
}
