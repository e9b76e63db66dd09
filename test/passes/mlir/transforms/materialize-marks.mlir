// Attributes of loops become marks in what the loops repeat. A mark whose loop
// has become its body is gone, rather than speak for the loop around.
//
// RUN: %heddle_opt %s --heddle-materialize-marks \
// RUN:   | FileCheck %s --implicit-check-not="heddle.async ="
// RUN: %heddle_opt %s --heddle-materialize-marks --canonicalize \
// RUN:   | FileCheck %s --check-prefix=CANONICAL
// RUN: %heddle_opt %s --heddle-materialize-marks --convert-scf-to-openmp \
// RUN:   --canonicalize | FileCheck %s --check-prefix=OPENMP

// CHECK-LABEL: @loops
// CHECK-SAME: (%[[LO:[^:]*]]: index, %[[HI:[^:]*]]: index, %[[LO32:[^:]*]]: i32,
// OPENMP-LABEL: @loops
// OPENMP-SAME: (%[[LO:[^:]*]]: index, %[[HI:[^:]*]]: index,
func.func @loops(%lo: index, %hi: index, %lo32: i32, %hi32: i32, %if: i1,
                 %a: memref<?xindex>, %a2: memref<?x?xindex>,
                 %a32: memref<?xi32>, %a1: memref<i1>) {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32

  // CHECK: scf.for %[[I:.*]] =
  // CHECK-NEXT: heddle.mark #heddle.async<tasks = 3> counts(%[[I]] from %[[LO]] : index)
  // CHECK-NEXT: memref.store
  scf.for %i = %lo to %hi step %c1 {
    memref.store %i, %a[%i] : memref<?xindex>
  } {heddle.async = #heddle.async<tasks = 3>}

  // CHECK: scf.for %[[I:.*]] = %[[LO32]] to
  // CHECK-NEXT: heddle.mark #heddle.async counts(%[[I]] from %[[LO32]] : i32)
  scf.for %i = %lo32 to %hi32 step %one : i32 {
    memref.store %i, %a32[%lo] : memref<?xi32>
  } {heddle.async = #heddle.async}

  // CHECK: scf.parallel (%[[I:.*]], %[[J:.*]]) = (%[[LO]], %[[HI]]) to
  // CHECK-NEXT: heddle.mark #heddle.async counts(%[[I]], %[[J]] from %[[LO]], %[[HI]] : index, index)
  // OPENMP: omp.loop_nest (%[[I:.*]], %[[J:.*]]) : index = (%[[LO]], %[[HI]]) to
  // OPENMP-NEXT: heddle.mark #heddle.async counts(%[[I]], %[[J]] from %[[LO]], %[[HI]] : index, index)
  scf.parallel (%i, %j) = (%lo, %hi) to (%hi, %hi) step (%c1, %c1) {
    memref.store %i, %a2[%i, %j] : memref<?x?xindex>
    scf.reduce
  } {heddle.async = #heddle.async}

  // CHECK: scf.forall (%[[I:.*]]) in
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0
  // CHECK-NEXT: heddle.mark #heddle.async counts(%[[I]] from %[[ZERO]] : index)
  scf.forall (%i) in (%hi) {
    memref.store %i, %a[%i] : memref<?xindex>
  } {heddle.async = #heddle.async}

  // CHECK: affine.for %[[I:.*]] = 4 to
  // CHECK-NEXT: %[[FOUR:.*]] = arith.constant 4
  // CHECK-NEXT: heddle.mark #heddle.async counts(%[[I]] from %[[FOUR]] : index)
  affine.for %i = 4 to %hi {
    affine.store %i, %a[%i] : memref<?xindex>
  } {heddle.async = #heddle.async}

  // A while loop repeats the region after its condition. It counts nothing.
  //
  // CHECK: scf.condition
  // CHECK-NEXT: } do {
  // CHECK-NEXT: heddle.mark #heddle.async{{$}}
  scf.while : () -> () {
    %more = memref.load %a1[] : memref<i1>
    scf.condition(%more)
  } do {
    scf.yield
  } attributes {heddle.async = #heddle.async}

  // CHECK: omp.wsloop {
  // CHECK-NEXT: omp.loop_nest (%[[I:.*]]) : i32 = (%[[LO32]]) to
  // CHECK-NEXT: heddle.mark #heddle.async counts(%[[I]] from %[[LO32]] : i32)
  omp.wsloop {
    omp.loop_nest (%i) : i32 = (%lo32) to (%hi32) step (%one) {
      memref.store %i, %a32[%lo] : memref<?xi32>
      omp.yield
    }
  } {heddle.async = #heddle.async}

  // A loop around another construct.
  //
  // CHECK: omp.wsloop {
  // CHECK-NEXT: omp.simd {
  // CHECK-NEXT: omp.loop_nest
  // CHECK-NEXT: heddle.mark
  omp.wsloop {
    omp.simd {
      omp.loop_nest (%i) : i32 = (%lo32) to (%hi32) step (%one) {
        memref.store %i, %a32[%lo] : memref<?xi32>
        omp.yield
      }
    } {omp.composite}
  } {omp.composite, heddle.async = #heddle.async}

  // A mark that the program has is told what its loop counts.
  //
  // CHECK: scf.for %[[I:.*]] = %[[LO]] to
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: heddle.mark #heddle.async<tasks = 3> counts(%[[I]] from %[[LO]] : index)
  scf.for %i = %lo to %hi step %c1 {
    scf.if %if {
      heddle.mark #heddle.async<tasks = 3>
      memref.store %i, %a[%i] : memref<?xindex>
    }
  }

  // CHECK: } do {
  // CHECK-NEXT: heddle.mark #heddle.async{{$}}
  scf.for %i = %lo to %hi step %c1 {
    scf.while : () -> () {
      %more = memref.load %a1[] : memref<i1>
      scf.condition(%more)
    } do {
      heddle.mark #heddle.async
      scf.yield
    }
  }
  return
}

// CANONICAL-LABEL: @runsOnce
// CANONICAL: scf.for
// CANONICAL-NOT: heddle.mark
// CANONICAL: return
func.func @runsOnce(%n: index, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c1 step %c1 {
      %old = memref.load %a[%i] : memref<?xindex>
      %new = arith.muli %old, %t : index
      memref.store %new, %a[%i] : memref<?xindex>
    } {heddle.async = #heddle.async}
  }
  return
}

// CANONICAL-LABEL: @parallelOnce
// CANONICAL: scf.for
// CANONICAL-NOT: heddle.mark
// CANONICAL: return
func.func @parallelOnce(%n: index, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %c1) step (%c1, %c1) {
      memref.store %t, %a[%i] : memref<?xindex>
      scf.reduce
    } {heddle.async = #heddle.async}
  }
  return
}

// One of two numbers is left.
//
// CANONICAL-LABEL: @parallelRow
// CANONICAL: scf.parallel
// CANONICAL-NEXT: heddle.mark
func.func @parallelRow(%n: index, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c1, %n) step (%c1, %c1) {
    memref.store %i, %a[%j] : memref<?xindex>
    scf.reduce
  } {heddle.async = #heddle.async}
  return
}

// CANONICAL-LABEL: @markedOnce
// CANONICAL: scf.for
// CANONICAL-NOT: heddle.mark
// CANONICAL: return
func.func @markedOnce(%n: index, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %t = %c0 to %n step %c1 {
    scf.for %i = %c0 to %c1 step %c1 {
      heddle.mark #heddle.async
      %old = memref.load %a[%t] : memref<?xindex>
      %next = arith.addi %t, %c1 : index
      memref.store %old, %a[%next] : memref<?xindex>
    }
  }
  return
}

// Parallel loops that become one have one mark.
//
// CHECK-LABEL: @nest
// CHECK: scf.parallel (%[[I:.*]]) = (%[[ZERO:.*]]) to
// CHECK-NEXT: scf.parallel (%[[J:.*]]) = (%[[ONE:.*]]) to
// CHECK-NEXT: heddle.mark #heddle.async<tasks = 7> counts(%[[I]], %[[J]] from %[[ZERO]], %[[ONE]] : index, index)
// CANONICAL-LABEL: @nest
// CANONICAL: scf.parallel (%{{.*}}, %{{.*}}) =
// CANONICAL-NEXT: heddle.mark #heddle.async<tasks = 7>
func.func @nest(%n: index, %a: memref<?x?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c1) to (%n) step (%c1) {
      memref.store %i, %a[%i, %j] : memref<?x?xindex>
      scf.reduce
    }
    scf.reduce
  } {heddle.async = #heddle.async<tasks = 7>}
  return
}

// The inner loop's mark survives that, too.
//
// CANONICAL-LABEL: @nestMarkedInside
// CANONICAL: scf.parallel (%{{.*}}, %[[J:.*]]) =
// CANONICAL-NEXT: heddle.mark #heddle.async<tasks = 7> counts(%[[J]] from
func.func @nestMarkedInside(%n: index, %a: memref<?x?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c1) to (%n) step (%c1) {
      memref.store %i, %a[%i, %j] : memref<?x?xindex>
      scf.reduce
    } {heddle.async = #heddle.async<tasks = 7>}
    scf.reduce
  }
  return
}

// Each of these has a mark of its own.
//
// CHECK-LABEL: @nestMarkedTwice
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK-NEXT: heddle.mark #heddle.async<tasks = 7> counts(%[[I]] from
// CHECK-NEXT: scf.parallel (%[[J:.*]]) =
// CHECK-NEXT: heddle.mark #heddle.async<tasks = 8> counts(%[[J]] from
func.func @nestMarkedTwice(%n: index, %a: memref<?x?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c1) to (%n) step (%c1) {
      memref.store %i, %a[%i, %j] : memref<?x?xindex>
      scf.reduce
    } {heddle.async = #heddle.async<tasks = 8>}
    scf.reduce
  } {heddle.async = #heddle.async<tasks = 7>}
  return
}

// The inner loop's end depends on the outer one's iteration.
//
// CHECK-LABEL: @triangle
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK-NEXT: heddle.mark #heddle.async counts(%[[I]] from
func.func @triangle(%n: index, %a: memref<?x?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%i) step (%c1) {
      memref.store %i, %a[%i, %j] : memref<?x?xindex>
      scf.reduce
    }
    scf.reduce
  } {heddle.async = #heddle.async}
  return
}
