// Stack memory that a scope takes is given back at its end, and loops inside it
// become branches.
//
// RUN: %heddle_opt %s --heddle-lower-alloca-scopes | FileCheck %s
// RUN: %heddle_opt %s --heddle-to-llvm | FileCheck %s --check-prefix=LLVM \
// RUN:   --implicit-check-not=memref. --implicit-check-not=scf.

// CHECK-LABEL: @scopes
// CHECK: %[[OUTER:.*]] = llvm.intr.stacksave : !llvm.ptr
// CHECK-NEXT: %[[ARRAY:.*]] = memref.alloca()
// CHECK-NEXT: %[[INNER:.*]] = llvm.intr.stacksave : !llvm.ptr
// CHECK: %[[INNERS:.*]] = memref.load
// CHECK-NEXT: llvm.intr.stackrestore %[[INNER]] : !llvm.ptr
// CHECK-NEXT: memref.store %[[INNERS]], %[[ARRAY]]
// CHECK-NEXT: %[[OUTERS:.*]] = memref.load %[[ARRAY]]
// CHECK-NEXT: llvm.intr.stackrestore %[[OUTER]] : !llvm.ptr
// CHECK-NEXT: return %[[OUTERS]]
func.func @scopes(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %r = memref.alloca_scope -> (index) {
    %a = memref.alloca() : memref<4xindex>
    %s = memref.alloca_scope -> (index) {
      %b = memref.alloca(%n) : memref<?xindex>
      %v = memref.load %b[%c0] : memref<?xindex>
      memref.alloca_scope.return %v : index
    }
    memref.store %s, %a[%n] : memref<4xindex>
    %v = memref.load %a[%c0] : memref<4xindex>
    memref.alloca_scope.return %v : index
  }
  return %r : index
}

// OpenMP's loops give back in each iteration what the iteration takes.
//
// LLVM-LABEL: @loop
// LLVM: omp.loop_nest
// LLVM: llvm.intr.stacksave
// LLVM: llvm.alloca
// LLVM: llvm.cond_br
// LLVM: llvm.intr.stackrestore
// LLVM: omp.yield
func.func @loop(%n: index, %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %s = memref.alloca() : memref<4xindex>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %j, %s[%j] : memref<4xindex>
    }
    %e = memref.load %s[%i] : memref<4xindex>
    memref.store %e, %y[%i] : memref<?xindex>
    scf.reduce
  }
  return
}
