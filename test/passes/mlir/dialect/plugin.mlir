// The dialect and its passes in a stock mlir-opt, one by one and as a whole.
//
// REQUIRES: mlir-opt, mlir-translate
// RUN: %mlir_opt %s --load-dialect-plugin=%mlir_plugin | FileCheck %s
// RUN: %mlir_opt %s --load-dialect-plugin=%mlir_plugin \
// RUN:   --load-pass-plugin=%mlir_plugin --pass-pipeline="builtin.module( \
// RUN:     heddle-mark-gathers{tasks=5}, heddle-materialize-marks, convert-scf-to-cf, \
// RUN:     heddle-lower-marks, heddle-lower-pull)" \
// RUN:   | FileCheck %s --check-prefix=PASSES
// RUN: %mlir_opt %s --load-dialect-plugin=%mlir_plugin \
// RUN:   --load-pass-plugin=%mlir_plugin \
// RUN:   --pass-pipeline="builtin.module(heddle-to-llvm{tasks=5 threads=false})" \
// RUN:   | %mlir_translate --mlir-to-llvmir | FileCheck %s --check-prefix=IR
// RUN: not %mlir_opt %s 2>&1 | FileCheck %s --check-prefix=WITHOUT

// WITHOUT: heddle

// CHECK-LABEL: @marked
// CHECK: } {heddle.async = #heddle.async<tasks = 7>}
// PASSES-LABEL: @marked
// PASSES: llvm.call @__heddle_mark
// IR-LABEL: @marked
// IR: call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 7)
func.func @marked(%n: index, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %i, %a[%i] : memref<?xindex>
  } {heddle.async = #heddle.async<tasks = 7>}
  return
}

// PASSES-LABEL: @found
// PASSES: llvm.call @__heddle_mark
// IR-LABEL: @found
// IR: call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 5)
func.func @found(%n: index, %b: memref<?xindex>, %a: memref<?xindex>)
    -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %t = arith.addi %s, %v : index
    scf.yield %t : index
  }
  return %sum : index
}

// CHECK-LABEL: @pull
// CHECK: heddle.pull
// PASSES-LABEL: @pull
// PASSES: vector.gather
func.func @pull(%edges: memref<?x16xi32>, %n: index, %old: f32,
                %x: memref<?xf32>) -> f32 {
  %sum = heddle.pull <add> %edges[%n to %n] init(%old : f32)
      captures(%x : memref<?xf32>) : memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    heddle.yield %value : f32
  }
  return %sum : f32
}
