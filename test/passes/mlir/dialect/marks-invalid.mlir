// How a mark can be misused, and what is said about it.
//
// RUN: %heddle_opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{expected a number from 1 to 1024 for 'tasks', or 0 for the default, not 1025}}
heddle.mark #heddle.async<tasks = 1025>

// -----

// expected-error @+1 {{expected a number from 1 to 1024 for 'tasks', or 0 for the default, not -1}}
heddle.mark #heddle.async<tasks = -1>

// -----

// expected-error @+1 {{expected a number from 1 to 2147483647 for 'coalesce', or 0 for the default, not -3}}
heddle.mark #heddle.async<coalesce = -3>

// -----

// expected-error @+1 {{expected a number from 1 to 2147483647 for 'suspensions', or 0 for the default, not -1}}
heddle.mark #heddle.async<suspensions = -1>

// -----

// expected-error @+2 {{expected one of [auto, fifo, lockstep, dynamic] for how the iterations in flight are interleaved, got: fast}}
// expected-error @+1 {{failed to parse Heddle_AsyncAttr parameter 'scheduler'}}
heddle.mark #heddle.async<scheduler = fast>

// -----

// expected-error @+1 {{duplicate or unknown struct parameter name: tax}}
heddle.mark #heddle.async<tax = 1>

// -----

// expected-error @+1 {{duplicate or unknown struct parameter name: tasks}}
heddle.mark #heddle.async<tasks = 1, tasks = 1>

// -----

// expected-note @+1 {{prior use here}}
func.func @condition(%n: index) {
  // expected-error @+1 {{expects different type than prior uses: 'i1' vs 'index'}}
  heddle.mark #heddle.async if(%n)
  return
}

// -----

func.func @variable(%n: i64) {
  // expected-error @+1 {{takes memrefs and pointers of the llvm dialect in 'private', not 'i64'}}
  heddle.mark #heddle.async private(%n : i64)
  return
}

// -----

func.func @tensor(%t: tensor<4xf64>) {
  // expected-error @+1 {{takes memrefs and pointers of the llvm dialect in 'remote', not 'tensor<4xf64>'}}
  heddle.mark #heddle.async remote(%t : tensor<4xf64>)
  return
}

// -----

func.func @rank(%a: memref<*xf64>) {
  // expected-error @+1 {{takes memrefs and pointers of the llvm dialect in 'near', not 'memref<*xf64>'}}
  heddle.mark #heddle.async near(%a : memref<*xf64>)
  return
}

// -----

func.func @twoClasses(%p: !llvm.ptr) {
  // expected-error @+1 {{names the same variable in 'private' and in 'sequential'}}
  heddle.mark #heddle.async private(%p : !llvm.ptr) sequential(%p : !llvm.ptr)
  return
}

// -----

func.func @sharedToo(%p: !llvm.ptr) {
  // expected-error @+1 {{names the same variable in 'shared' and in 'sequential'}}
  heddle.mark #heddle.async shared(%p : !llvm.ptr) sequential(%p : !llvm.ptr)
  return
}

// -----

func.func @farAndNear(%a: memref<?xf64>) {
  // expected-error @+1 {{names the same variable in 'remote' and in 'near'}}
  heddle.mark #heddle.async remote(%a : memref<?xf64>) near(%a : memref<?xf64>)
  return
}

// -----

func.func @counterWithoutStart(%n: index) {
  // expected-error @+1 {{a loop counts in the type that it starts in}}
  "heddle.mark"(%n) <{async = #heddle.async, operandSegmentSizes = array<i32: 0, 1, 0, 0, 0, 0, 0, 0>}> : (index) -> ()
  return
}

// -----

func.func @counter(%x: f64) {
  // expected-error @+1 {{must be variadic of signless integer or index, but got 'f64'}}
  heddle.mark #heddle.async counts(%x from %x : f64)
  return
}

// -----

func.func @notALoop(%b: i1) {
  // expected-error @+1 {{'scf.if' op is not a loop and cannot have the attribute 'heddle.async'}}
  scf.if %b {
  } {heddle.async = #heddle.async}
  return
}

// -----

// expected-error @+1 {{'func.func' op is not a loop and cannot have the attribute 'heddle.async'}}
func.func @notEvenCode() attributes {heddle.async = #heddle.async} {
  return
}

// -----

func.func @otherAttribute(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{needs #heddle.async<...> as its attribute 'heddle.async', not 64 : i64}}
  scf.for %i = %c1 to %n step %c1 {
  } {heddle.async = 64}
  return
}

// -----

func.func @unknownAttribute(%n: index) {
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{has an attribute 'heddle.asink' that the heddle dialect does not know}}
  scf.for %i = %c1 to %n step %c1 {
  } {heddle.asink = #heddle.async}
  return
}

// -----

// omp.loop_nest is printed without its attributes.

func.func @nest(%n: index) {
  %c1 = arith.constant 1 : index
  omp.wsloop {
    // expected-error @+1 {{loses its attributes where it is printed: 'heddle.async' belongs to the operation around it, such as omp.wsloop}}
    "omp.loop_nest"(%c1, %n, %c1) <{collapse_num_loops = 1 : i64}> ({
    ^bb0(%i: index):
      omp.yield
    }) {heddle.async = #heddle.async} : (index, index, index) -> ()
  }
  return
}
