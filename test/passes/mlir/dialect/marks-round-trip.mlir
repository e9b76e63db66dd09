// Printed marks can be read again and mean the same.
//
// RUN: %heddle_opt %s | %heddle_opt | FileCheck %s
// RUN: %heddle_opt %s --mlir-print-op-generic | %heddle_opt | FileCheck %s
// RUN: %heddle_opt %s --emit-bytecode | %heddle_opt | FileCheck %s

// CHECK-LABEL: @loops
func.func @loops(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: } {heddle.async = #heddle.async}
  scf.for %i = %c0 to %n step %c1 {
  } {heddle.async = #heddle.async}
  // CHECK: } {heddle.async = #heddle.async<tasks = 64>}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
  } {heddle.async = #heddle.async<tasks = 64>}
  // The other name of fifo is read, but not printed.
  // CHECK: } {heddle.async = #heddle.async<scheduler = fifo>}
  scf.forall (%i) in (%n) {
  } {heddle.async = #heddle.async<scheduler = static>}
  // CHECK: heddle.async = #heddle.async<tasks = 1024, scheduler = lockstep, coalesce = 4, suspensions = 3>
  scf.while : () -> () {
    %more = arith.cmpi eq, %n, %c0 : index
    scf.condition(%more)
  } do {
    scf.yield
  } attributes {heddle.async = #heddle.async<suspensions = 3, coalesce = 4,
                                             scheduler = lockstep,
                                             tasks = 1024>}
  // CHECK: } {heddle.async = #heddle.async<scheduler = dynamic>}
  affine.for %i = 0 to %n {
  } {heddle.async = #heddle.async<scheduler = dynamic>}
  // Defaults are not printed.
  //
  // CHECK: omp.loop_nest
  // CHECK: } {heddle.async = #heddle.async<coalesce = 2>}
  omp.wsloop {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      omp.yield
    }
  } {heddle.async = #heddle.async<coalesce = 2, tasks = 0, scheduler = auto,
                                  suspensions = 0>}
  return
}

// CHECK-LABEL: @marks
// CHECK-SAME: (%[[N:.*]]: index, %[[LARGE:.*]]: i1, %[[A:.*]]: memref<?xf64>, %[[P:.*]]: !llvm.ptr, %[[Q:.*]]: !llvm.ptr<1>)
// CHECK: %[[ZERO:.*]] = arith.constant 0
func.func @marks(%n: index, %large: i1, %a: memref<?xf64>, %p: !llvm.ptr,
                 %q: !llvm.ptr<1>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: scf.for %[[I:.*]] = %[[ZERO]]
  scf.for %i = %c0 to %n step %c1 {
    // CHECK-NEXT: heddle.mark #heddle.async{{$}}
    heddle.mark #heddle.async
    // CHECK-NEXT: heddle.mark #heddle.async<tasks = 7, scheduler = dynamic> {note}
    heddle.mark #heddle.async<tasks = 7, scheduler = dynamic> {note}
    // CHECK-NEXT: heddle.mark #heddle.async if(%[[LARGE]])
    heddle.mark #heddle.async if(%large)
    // CHECK-NEXT: heddle.mark #heddle.async counts(%[[I]] from %[[ZERO]] : index)
    heddle.mark #heddle.async counts(%i from %c0 : index)
    // CHECK-NEXT: heddle.mark #heddle.async counts(%[[I]], %[[N]] from %[[ZERO]], %[[ZERO]] : index, index)
    heddle.mark #heddle.async counts(%i, %n from %c0, %c0 : index, index)
    // CHECK-NEXT: heddle.mark #heddle.async private(%[[P]] : !llvm.ptr)
    heddle.mark #heddle.async private(%p : !llvm.ptr)
    // CHECK-NEXT: heddle.mark #heddle.async shared(%[[P]] : !llvm.ptr)
    heddle.mark #heddle.async shared(%p : !llvm.ptr)
    // CHECK-NEXT: heddle.mark #heddle.async sequential(%[[P]] : !llvm.ptr)
    heddle.mark #heddle.async sequential(%p : !llvm.ptr)
    // CHECK-NEXT: heddle.mark #heddle.async remote(%[[A]], %[[Q]] : memref<?xf64>, !llvm.ptr<1>)
    heddle.mark #heddle.async remote(%a, %q : memref<?xf64>, !llvm.ptr<1>)
    // CHECK-NEXT: heddle.mark #heddle.async near(%[[A]] : memref<?xf64>)
    heddle.mark #heddle.async near(%a : memref<?xf64>)
    // CHECK-NEXT: heddle.mark #heddle.async<tasks = 2> if(%[[LARGE]]) counts(%[[I]] from %[[ZERO]] : index)
    // CHECK-SAME: private(%[[P]] : !llvm.ptr) shared(%[[A]] : memref<?xf64>) sequential(%[[Q]] : !llvm.ptr<1>)
    // CHECK-SAME: remote(%[[P]] : !llvm.ptr) near(%[[A]] : memref<?xf64>) {note = 1 : i64}
    heddle.mark #heddle.async<tasks = 2> if(%large)
        counts(%i from %c0 : index) private(%p : !llvm.ptr)
        shared(%a : memref<?xf64>) sequential(%q : !llvm.ptr<1>)
        remote(%p : !llvm.ptr) near(%a : memref<?xf64>) {note = 1}
  }
  return
}
