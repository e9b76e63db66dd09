// Lanes that are not valid, and neighbours that are not in the frontier, are not
// read for, whatever their indices come from, and nothing is divided by what
// stands there, whether the target gathers under a mask or not.
//
// RUN: for bits in 0 8 32 64; do \
// RUN:   %heddle_opt %s --heddle-to-llvm=narrowest-gather=$bits \
// RUN:     | mlir-translate --mlir-to-llvmir -o %t.ll && \
// RUN:   %plain_clang -O2 -Wno-override-module %t.ll %S/../Inputs/check-lanes.c -o %t && \
// RUN:   %t | FileCheck %s || exit 1; \
// RUN: done
//
// CHECK: divided: 125
// CHECK: by weight: 70
// CHECK: in two steps: 70
// CHECK: limited: 50

func.func @divided(%edges: memref<?x8xi32>, %in: memref<?xi32>,
                   %x: memref<?xi32>) -> i32
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %sum = heddle.pull <add> %edges[%c0 to %c1] frontier(%in : memref<?xi32>)
      init(%zero : i32) captures(%x : memref<?xi32>) : memref<?x8xi32> {
  ^bb0(%u: i32, %values: memref<?xi32>):
    %value = heddle.gather %values[%u] : memref<?xi32>, i32
    %many = arith.constant 1000 : i32
    %part = arith.divui %many, %value : i32
    heddle.yield %part : i32
  }
  return %sum : i32
}

func.func @by_weight(%edges: memref<?x8xi32>, %weights: memref<?x8xi32>,
                     %x: memref<?xi32>) -> i32
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %sum = heddle.pull <add> %edges[%c0 to %c1]
      weights(%weights : memref<?x8xi32>) init(%zero : i32)
      captures(%x : memref<?xi32>) : memref<?x8xi32> {
  ^bb0(%u: i32, %k: i32, %values: memref<?xi32>):
    %value = heddle.gather %values[%k] : memref<?xi32>, i32
    heddle.yield %value : i32
  }
  return %sum : i32
}

func.func @in_two_steps(%edges: memref<?x8xi32>, %places: memref<?xi32>,
                        %x: memref<?xi8>) -> i8
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %sum = heddle.pull <add> %edges[%c0 to %c1] init(%zero : i8)
      captures(%places, %x : memref<?xi32>, memref<?xi8>) : memref<?x8xi32> {
  ^bb0(%u: i32, %p: memref<?xi32>, %values: memref<?xi8>):
    %k = heddle.gather %p[%u] : memref<?xi32>, i32
    %start = arith.constant 100000000 : i32
    %i = arith.subi %k, %start : i32
    %value = heddle.gather %values[%i] : memref<?xi8>, i32
    heddle.yield %value : i8
  }
  return %sum : i8
}

func.func @limited(%edges: memref<?x8xi32>, %in: memref<?xi32>,
                   %weights: memref<?x8xi32>, %x: memref<?xi32>) -> i32
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %sum = heddle.pull <add> %edges[%c0 to %c1]
      weights(%weights : memref<?x8xi32>) frontier(%in : memref<?xi32>)
      init(%zero : i32) captures(%x : memref<?xi32>) : memref<?x8xi32> {
  ^bb0(%u: i32, %k: i32, %values: memref<?xi32>):
    %value = heddle.gather %values[%k] : memref<?xi32>, i32
    heddle.yield %value : i32
  }
  return %sum : i32
}
