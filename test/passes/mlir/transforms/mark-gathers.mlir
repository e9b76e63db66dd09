// Which loops wait for memory, and which loop of a nest is marked for it. That
// iterations may interleave at all is for mark-gathers-independence.mlir.
//
// RUN: %heddle_opt %s --heddle-mark-gathers \
// RUN:   | FileCheck %s --implicit-check-not=heddle.async
// RUN: %heddle_opt %s --heddle-mark-gathers=tasks=48 \
// RUN:   | FileCheck %s --check-prefix=TASKS

// CHECK-LABEL: @indirect
// CHECK: } {heddle.async = #heddle.async}
// TASKS-LABEL: @indirect
// TASKS: } {heddle.async = #heddle.async<tasks = 48>}
func.func @indirect(%n: index, %b: memref<?xindex>, %a: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  return %sum : i64
}

// The name of each case is an attribute of its loop.
//
// CHECK-LABEL: @loops
func.func @loops(%n: index, %b: memref<?xindex>, %b32: memref<?xi32>,
                 %mask: i32, %a: memref<?xi64>, %a2: memref<?x?xi64>,
                 %after: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i64

  // The address may be computed in several steps from a loaded value.
  //
  // CHECK: } {case = "hashed", heddle.async = #heddle.async}
  scf.for %i = %c0 to %n step %c3 iter_args(%s = %zero) -> i64 {
    %key = memref.load %b32[%i] : memref<?xi32>
    %hash = arith.andi %key, %mask : i32
    %k = arith.index_cast %hash : i32 to index
    %v = memref.load %a2[%c0, %k] : memref<?x?xi64>
    %t = arith.xori %s, %v : i64
    scf.yield %t : i64
  } {case = "hashed"}

  // CHECK: } {case = "direct"}
  scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %j = arith.muli %i, %n : index
    %v = memref.load %a[%j] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  } {case = "direct"}

  // An index that has been loaded in front of the loop is the same for all.
  //
  // CHECK: } {case = "loadedOutside"}
  %loaded = memref.load %b[%n] : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %v = memref.load %a2[%loaded, %i] : memref<?x?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  } {case = "loadedOutside"}

  // Only loops whose iterations are known before they begin.
  //
  // CHECK: } attributes {case = "while"}
  scf.while (%p = %n) : (index) -> index {
    %more = arith.cmpi ne, %p, %c0 : index
    scf.condition(%more) %p : index
  } do {
  ^bb0(%p: index):
    %k = memref.load %after[%p] : memref<?xindex>
    %q = memref.load %after[%k] : memref<?xindex>
    scf.yield %q : index
  } attributes {case = "while"}

  // A single walk has nothing to interleave with.
  //
  // CHECK: } {case = "walk"}
  scf.for %t = %c0 to %n step %c1 iter_args(%at = %n) -> index {
    %next = memref.load %after[%at] : memref<?xindex>
    scf.yield %next : index
  } {case = "walk"}
  return
}

// CHECK-LABEL: @nests
func.func @nests(%n: index, %b: memref<?xindex>, %a: memref<?xi64>,
                 %y: memref<?xi64>, %a2: memref<?x?xi64>, %y2: memref<?x?xi64>,
                 %positions: memref<?xindex>, %x: memref<?xf64>,
                 %sums: memref<?xf64>, %head: memref<?xi32>,
                 %after: memref<?xi32>, %steps: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %none = arith.constant 0.0 : f64
  %end = arith.constant -1 : i32

  // The loop over short rows is not the one to interleave: that over all rows.
  //
  // CHECK: } {case = "row"}
  // CHECK: } {case = "rows", heddle.async = #heddle.async}
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %next = arith.addi %v, %c1 : index
    %lo = memref.load %positions[%v] : memref<?xindex>
    %hi = memref.load %positions[%next] : memref<?xindex>
    %sum = scf.for %e = %lo to %hi step %c1 iter_args(%s = %none) -> f64 {
      %u = memref.load %b[%e] : memref<?xindex>
      %value = memref.load %x[%u] : memref<?xf64>
      %t = arith.addf %s, %value : f64
      scf.yield %t : f64
    } {case = "row"}
    memref.store %sum, %sums[%v] : memref<?xf64>
    scf.reduce
  } {case = "rows"}

  // A loop of known length inside another one is interleaved itself.
  //
  // CHECK: } {case = "column", heddle.async = #heddle.async}
  // CHECK: } {case = "columns"}
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
      %k = memref.load %b[%i] : memref<?xindex>
      %value = memref.load %a[%k] : memref<?xi64>
      %t = arith.addi %s, %value : i64
      scf.yield %t : i64
    } {case = "column"}
    memref.store %sum, %y[%v] : memref<?xi64>
    scf.reduce
  } {case = "columns"}

  // Of two loops in a nest that have indirect accesses, the innermost.
  //
  // CHECK: } {case = "innerOfBoth", heddle.async = #heddle.async}
  // CHECK: } {case = "outerOfBoth"}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = memref.load %b[%i] : memref<?xindex>
    %value = memref.load %a2[%k, %c0] : memref<?x?xi64>
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      %l = memref.load %b[%j] : memref<?xindex>
      %w = memref.load %a2[%c0, %l] : memref<?x?xi64>
      %t = arith.addi %value, %w : i64
      memref.store %t, %y2[%i, %j] : memref<?x?xi64>
      scf.reduce
    } {case = "innerOfBoth"}
    scf.reduce
  } {case = "outerOfBoth"}

  // Nodes of a list follow from one another: it is the lists that wait.
  //
  // CHECK: } attributes {case = "list"}
  // CHECK: } {case = "lists", heddle.async = #heddle.async}
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %first = memref.load %head[%v] : memref<?xi32>
    %sum:2 = scf.while (%node = %first, %s = %zero) : (i32, i64) -> (i32, i64) {
      %more = arith.cmpi ne, %node, %end : i32
      scf.condition(%more) %node, %s : i32, i64
    } do {
    ^bb0(%node: i32, %s: i64):
      %at = arith.index_castui %node : i32 to index
      %value = memref.load %a[%at] : memref<?xi64>
      %t = arith.addi %s, %value : i64
      %next = memref.load %after[%at] : memref<?xi32>
      scf.yield %next, %t : i32, i64
    } attributes {case = "list"}
    memref.store %sum#1, %y[%v] : memref<?xi64>
    scf.reduce
  } {case = "lists"}

  // So do the steps of a walk of known length.
  //
  // CHECK: } {case = "steps"}
  // CHECK: } {case = "walks", heddle.async = #heddle.async}
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %last = scf.for %t = %c0 to %n step %c1 iter_args(%at = %v) -> index {
      %next = memref.load %steps[%at] : memref<?xindex>
      scf.yield %next : index
    } {case = "steps"}
    memref.store %last, %b[%v] : memref<?xindex>
    scf.reduce
  } {case = "walks"}
  return
}

// CHECK-LABEL: @noLoop
func.func @noLoop(%b: memref<?xindex>, %a: memref<?xi64>, %i: index) -> i64 {
  %k = memref.load %b[%i] : memref<?xindex>
  %v = memref.load %a[%k] : memref<?xi64>
  return %v : i64
}

// A mark of the user's takes precedence, also for the loops around and inside.
//
// CHECK-LABEL: @markedOutside
// CHECK: {heddle.async = #heddle.async<tasks = 7>}
// TASKS-LABEL: @markedOutside
// TASKS-NOT: tasks = 48
func.func @markedOutside(%n: index, %b: memref<?xindex>, %a: memref<?xi64>,
                         %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    scf.parallel (%i) = (%c0) to (%n) step (%c1) {
      %k = memref.load %b[%i] : memref<?xindex>
      %value = memref.load %a[%k] : memref<?xi64>
      memref.store %value, %y[%v] : memref<?xi64>
      scf.reduce
    }
    scf.reduce
  } {heddle.async = #heddle.async<tasks = 7>}
  return
}

// CHECK-LABEL: @markedInside
// CHECK: scf.parallel
// CHECK: heddle.mark #heddle.async<tasks = 7>
// TASKS-LABEL: @markedInside
// TASKS-NOT: tasks = 48
func.func @markedInside(%n: index, %b: memref<?xindex>, %a: memref<?xi64>,
                        %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %k = memref.load %b[%v] : memref<?xindex>
    %value = memref.load %a[%k] : memref<?xi64>
    scf.for %i = %c0 to %n step %c1 {
      heddle.mark #heddle.async<tasks = 7>
      memref.store %value, %y[%i] : memref<?xi64>
    }
    scf.reduce
  }
  return
}

// Beside a marked loop, there is nothing to keep another one from being marked.
//
// CHECK-LABEL: @markedBeside
// CHECK: {heddle.async = #heddle.async<tasks = 7>}
// CHECK: {heddle.async = #heddle.async}
// TASKS-LABEL: @markedBeside
// TASKS: tasks = 7
// TASKS: tasks = 48
func.func @markedBeside(%n: index, %b: memref<?xindex>, %a: memref<?xi64>,
                        %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %c0, %b[%i] : memref<?xindex>
  } {heddle.async = #heddle.async<tasks = 7>}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = memref.load %b[%i] : memref<?xindex>
    %value = memref.load %a[%k] : memref<?xi64>
    memref.store %value, %y[%i] : memref<?xi64>
    scf.reduce
  }
  return
}
