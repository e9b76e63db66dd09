// The marks of a program's loops reach the llvm dialect, whatever replaces the
// loops on the way; but not where nothing is left of a loop.
//
// RUN: %heddle_opt %s --heddle-to-llvm | FileCheck %s
// RUN: %heddle_opt %s --heddle-to-llvm="threads=false async=false" | FileCheck %s

// CHECK-LABEL: llvm.func @merged
// CHECK-DAG: %[[TASKS:.*]] = llvm.mlir.constant(71 : i32)
// CHECK: llvm.call @__heddle_mark(%{{.*}}, %{{.*}}, %[[TASKS]])
// CHECK-NOT: llvm.call @__heddle_mark
func.func @merged(%b: memref<?xindex>, %a: memref<?xindex>,
                  %y: memref<?x?xindex>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%m) step (%c1) {
      %k = memref.load %b[%j] : memref<?xindex>
      %l = memref.load %a[%k] : memref<?xindex>
      memref.store %l, %y[%i, %j] : memref<?x?xindex>
      scf.reduce
    }
    scf.reduce
  } {heddle.async = #heddle.async<tasks = 71>}
  return
}

// CHECK-LABEL: llvm.func @collapsed
// CHECK-DAG: %[[TASKS:.*]] = llvm.mlir.constant(72 : i32)
// CHECK: llvm.call @__heddle_mark(%{{.*}}, %{{.*}}, %[[TASKS]])
func.func @collapsed(%b: memref<?xindex>, %a: memref<?xindex>,
                     %y: memref<?x?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c1) step (%c1, %c1) {
    %k = memref.load %b[%i] : memref<?xindex>
    %l = memref.load %a[%k] : memref<?xindex>
    memref.store %l, %y[%i, %j] : memref<?x?xindex>
    scf.reduce
  } {heddle.async = #heddle.async<tasks = 72>}
  return
}

// CHECK-LABEL: llvm.func @invariantValues
// CHECK-DAG: %[[TASKS:.*]] = llvm.mlir.constant(73 : i32)
// CHECK: llvm.call @__heddle_mark(%{{.*}}, %{{.*}}, %[[TASKS]])
func.func @invariantValues(%b: memref<?xindex>, %y: memref<?xindex>,
                           %from: index, %to: index) -> index {
  %c1 = arith.constant 1 : index
  %r:3 = scf.while (%i = %from, %p = %from, %end = %to)
      : (index, index, index) -> (index, index, index) {
    %more = arith.cmpi ne, %i, %end : index
    scf.condition(%more) %i, %p, %end : index, index, index
  } do {
  ^bb0(%i: index, %p : index, %end : index):
    %k = memref.load %b[%i] : memref<?xindex>
    memref.store %k, %y[%k] : memref<?xindex>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %p, %end : index, index, index
  } attributes {heddle.async = #heddle.async<tasks = 73>}
  return %r#1 : index
}

// CHECK-LABEL: llvm.func @tensor
// CHECK-DAG: %[[TASKS:.*]] = llvm.mlir.constant(74 : i32)
// CHECK: llvm.call @__heddle_mark(%{{.*}}, %{{.*}}, %[[TASKS]])
func.func @tensor(%b: tensor<?xindex>, %a: tensor<?xindex>, %y: tensor<?xindex>,
                  %n: index) -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %y) -> tensor<?xindex> {
    %k = tensor.extract %b[%i] : tensor<?xindex>
    %v = tensor.extract %a[%k] : tensor<?xindex>
    %w = tensor.insert %v into %o[%i] : tensor<?xindex>
    scf.yield %w : tensor<?xindex>
  } {heddle.async = #heddle.async<tasks = 74>}
  return %r : tensor<?xindex>
}

// CHECK-LABEL: llvm.func @tensorWhile
// CHECK-DAG: %[[TASKS:.*]] = llvm.mlir.constant(75 : i32)
// CHECK: llvm.call @__heddle_mark(%{{.*}}, %{{.*}}, %[[TASKS]])
func.func @tensorWhile(%b: tensor<?xindex>, %y: tensor<?xindex>, %n: index)
    -> tensor<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.while (%i = %c0, %o = %y)
      : (index, tensor<?xindex>) -> (index, tensor<?xindex>) {
    %more = arith.cmpi ne, %i, %n : index
    scf.condition(%more) %i, %o : index, tensor<?xindex>
  } do {
  ^bb0(%i: index, %o: tensor<?xindex>):
    %k = tensor.extract %b[%i] : tensor<?xindex>
    %w = tensor.insert %i into %o[%k] : tensor<?xindex>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %w : index, tensor<?xindex>
  } attributes {heddle.async = #heddle.async<tasks = 75>}
  return %r#1 : tensor<?xindex>
}

// The loop around has not been promised to be independent, and is not.
//
// CHECK-LABEL: llvm.func @once
// CHECK-NOT: llvm.call @__heddle_mark
// CHECK: llvm.return
func.func @once(%b: memref<?xindex>, %y: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %once = %c0 to %c1 step %c1 {
      heddle.mark #heddle.async
      %k = memref.load %b[%i] : memref<?xindex>
      %old = memref.load %y[%k] : memref<?xindex>
      %next = arith.addi %i, %c3 : index
      memref.store %old, %y[%next] : memref<?xindex>
    }
  }
  return
}

// CHECK-LABEL: llvm.func @affine
// CHECK-DAG: %[[TASKS:.*]] = llvm.mlir.constant(76 : i32)
// CHECK: llvm.call @__heddle_mark(%{{.*}}, %{{.*}}, %[[TASKS]])
func.func @affine(%b: memref<?xindex>, %a: memref<?xindex>, %y: memref<?xindex>,
                  %n: index) {
  affine.for %i = 2 to %n {
    %k = affine.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    affine.store %v, %y[%i] : memref<?xindex>
  } {heddle.async = #heddle.async<tasks = 76>}
  return
}

// CHECK-LABEL: llvm.func @affineParallel
// CHECK-DAG: %[[TASKS:.*]] = llvm.mlir.constant(77 : i32)
// CHECK: llvm.call @__heddle_mark(%{{.*}}, %{{.*}}, %[[TASKS]])
func.func @affineParallel(%b: memref<?xindex>, %a: memref<?xindex>,
                          %y: memref<?xindex>, %n: index) {
  affine.parallel (%i) = (0) to (%n) {
    %k = affine.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    affine.store %v, %y[%i] : memref<?xindex>
  } {heddle.async = #heddle.async<tasks = 77>}
  return
}

// CHECK-LABEL: llvm.func @affineOnce
// CHECK-NOT: llvm.call @__heddle_mark
// CHECK: llvm.return
func.func @affineOnce(%b: memref<?xindex>, %y: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    affine.parallel (%once) = (0) to (1) {
      %k = affine.load %b[%i] : memref<?xindex>
      %old = memref.load %y[%k] : memref<?xindex>
      affine.store %old, %y[%i + 1] : memref<?xindex>
    } {heddle.async = #heddle.async}
  }
  return
}
