// Printed operations can be read again and mean the same.
//
// RUN: %heddle_opt %s | %heddle_opt | FileCheck %s
// RUN: %heddle_opt %s --mlir-print-op-generic | %heddle_opt | FileCheck %s

// CHECK-LABEL: @plain
// CHECK: heddle.pull <add> %{{.*}}[%{{.*}} to %{{.*}}] init(%{{.*}} : f32) captures(%{{.*}} : memref<?xf32>) : memref<?x16xi32> {
// CHECK-NEXT: ^bb0(%[[U:.*]]: i32, %[[X:.*]]: memref<?xf32>):
// CHECK-NEXT: %[[V:.*]] = heddle.gather %[[X]][%[[U]]] : memref<?xf32>, i32
// CHECK-NEXT: heddle.yield %[[V]] : f32
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

// CHECK-LABEL: @everything
// CHECK: heddle.pull <minnumf> %{{.*}}[%{{.*}} to %{{.*}}] weights(%{{.*}} : memref<?x4xf64>)
// CHECK-SAME: init(%{{.*}} : f64) captures(%{{.*}}, %{{.*}} : memref<?xf64>, f64) fastmath<nnan,nsz> attributes {note} : memref<?x4xi64>
// CHECK: ^bb0(%{{.*}}: i64, %{{.*}}: f64, %{{.*}}: memref<?xf64>, %{{.*}}: f64):
// CHECK: heddle.gather %{{.*}}[%{{.*}}] if %{{.*}} : memref<?xf64>, i64
// CHECK: heddle.yield %{{.*}} if %{{.*}} : f64
func.func @everything(%edges: memref<?x4xi64>, %lo: index, %hi: index,
                      %weights: memref<?x4xf64>, %old: f64,
                      %x: memref<?xf64>, %scale: f64) -> f64 {
  %least = heddle.pull <minnumf> %edges[%lo to %hi]
      weights(%weights : memref<?x4xf64>) init(%old : f64)
      captures(%x, %scale : memref<?xf64>, f64) fastmath<nnan,nsz>
      attributes {note} : memref<?x4xi64> {
  ^bb0(%u: i64, %w: f64, %values: memref<?xf64>, %s: f64):
    %zero = arith.constant 0.0 : f64
    %positive = arith.cmpf ogt, %w, %zero : f64
    %value = heddle.gather %values[%u] if %positive : memref<?xf64>, i64
    %far = arith.mulf %w, %s : f64
    %sum = arith.addf %value, %far : f64
    heddle.yield %sum if %positive : f64
  }
  return %least : f64
}
