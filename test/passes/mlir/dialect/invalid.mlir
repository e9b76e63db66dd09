// The invalid forms of heddle.pull, and their errors.
//
// RUN: %heddle_opt %s -split-input-file -verify-diagnostics

func.func @lanes(%edges: memref<?x6xi64>, %n: index, %old: f64) {
  // expected-error @+1 {{needs edge vectors of 4 or 8 lanes of i64, or of 8 or 16 lanes of i32, not 'memref<?x6xi64>'}}
  %r = heddle.pull <add> %edges[%n to %n] init(%old : f64) : memref<?x6xi64> {
  ^bb0(%u: i64):
    %one = arith.constant 1.0 : f64
    heddle.yield %one : f64
  }
  return
}

// -----

func.func @dynamicLanes(%edges: memref<?x?xi64>, %n: index, %old: f64) {
  // expected-error @+1 {{needs edge vectors of 4 or 8 lanes of i64}}
  %r = heddle.pull <add> %edges[%n to %n] init(%old : f64) : memref<?x?xi64> {
  ^bb0(%u: i64):
    %one = arith.constant 1.0 : f64
    heddle.yield %one : f64
  }
  return
}

// -----

func.func @strided(%edges: memref<?x8xi64, strided<[16, 1]>>, %n: index,
                   %old: f64) {
  // expected-error @+1 {{needs edge vectors that follow one another in memory}}
  %r = heddle.pull <add> %edges[%n to %n] init(%old : f64)
      : memref<?x8xi64, strided<[16, 1]>> {
  ^bb0(%u: i64):
    %one = arith.constant 1.0 : f64
    heddle.yield %one : f64
  }
  return
}

// -----

func.func @weights(%edges: memref<?x8xi64>, %weights: memref<?x4xf64>,
                   %n: index, %old: f64) {
  // expected-error @+1 {{needs 8 weights for each edge vector, one after the other, not 'memref<?x4xf64>'}}
  %r = heddle.pull <add> %edges[%n to %n] weights(%weights : memref<?x4xf64>)
      init(%old : f64) : memref<?x8xi64> {
  ^bb0(%u: i64, %w: f64):
    heddle.yield %w : f64
  }
  return
}

// -----

func.func @kind(%edges: memref<?x8xi64>, %n: index, %old: f64) {
  // expected-error @+1 {{cannot combine values of type 'f64' by <minui>}}
  %r = heddle.pull <minui> %edges[%n to %n] init(%old : f64)
      : memref<?x8xi64> {
  ^bb0(%u: i64):
    %one = arith.constant 1.0 : f64
    heddle.yield %one : f64
  }
  return
}

// -----

func.func @arguments(%edges: memref<?x8xi64>, %n: index, %old: f64) {
  // expected-error @+1 {{needs a body with arguments of types 'i64', 'f64': the neighbour, the weight if there are weights, and the captures}}
  %r = heddle.pull <add> %edges[%n to %n] init(%old : f64)
      captures(%old : f64) : memref<?x8xi64> {
  ^bb0(%u: i64):
    %one = arith.constant 1.0 : f64
    heddle.yield %one : f64
  }
  return
}

// -----

func.func @message(%edges: memref<?x8xi64>, %n: index, %old: f64) {
  %r = heddle.pull <add> %edges[%n to %n] init(%old : f64) : memref<?x8xi64> {
  ^bb0(%u: i64):
    // expected-error @+1 {{gives a message of type 'i64', where 'f64' are combined}}
    heddle.yield %u : i64
  }
  return
}

// -----

func.func @noYield(%edges: memref<?x8xi64>, %n: index, %old: f64) {
  // expected-error @+1 {{needs a body that ends in heddle.yield}}
  %r = heddle.pull <add> %edges[%n to %n] init(%old : f64) : memref<?x8xi64> {
  ^bb0(%u: i64):
    llvm.unreachable
  }
  return
}

// -----

func.func @notElementwise(%edges: memref<?x8xi64>, %n: index, %old: f64,
                          %x: memref<?xf64>) {
  %r = heddle.pull <add> %edges[%n to %n] init(%old : f64)
      captures(%x : memref<?xf64>) : memref<?x8xi64> {
  ^bb0(%u: i64, %values: memref<?xf64>):
    %i = arith.index_cast %u : i64 to index
    // expected-error @+1 {{cannot be done for all lanes of an edge vector at once: the body of heddle.pull takes elementwise operations on scalars, constants and heddle.gather}}
    %value = memref.load %values[%i] : memref<?xf64>
    heddle.yield %value : f64
  }
  return
}

// -----

func.func @gatherStrided(%edges: memref<?x8xi64>, %n: index, %old: f64,
                         %x: memref<?xf64, strided<[2]>>) {
  %r = heddle.pull <add> %edges[%n to %n] init(%old : f64)
      captures(%x : memref<?xf64, strided<[2]>>) : memref<?x8xi64> {
  ^bb0(%u: i64, %values: memref<?xf64, strided<[2]>>):
    // expected-error @+1 {{needs an array whose elements follow one another in memory, not 'memref<?xf64, strided<[2]>>'}}
    %value = heddle.gather %values[%u] : memref<?xf64, strided<[2]>>, i64
    heddle.yield %value : f64
  }
  return
}

// -----

func.func @outside(%x: memref<?xf64>, %u: i64) {
  // expected-error @+1 {{expects parent op to be one of 'heddle.pull, heddle.pull_parallel'}}
  %value = heddle.gather %x[%u] : memref<?xf64>, i64
  return
}

// -----

func.func @fastIntegers(%edges: memref<?x8xi64>, %n: index, %old: i64) {
  // expected-error @+1 {{has fastmath flags, but combines values of type 'i64'}}
  %r = heddle.pull <add> %edges[%n to %n] init(%old : i64) fastmath<reassoc>
      : memref<?x8xi64> {
  ^bb0(%u: i64):
    heddle.yield %u : i64
  }
  return
}
