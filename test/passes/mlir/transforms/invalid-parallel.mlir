// Operands that heddle.pack, heddle.pull_parallel and the parts of heddle.pull
// that these share do not take.
//
// RUN: %heddle_opt %s -split-input-file -verify-diagnostics

func.func @lanes(%p: memref<?xi64>, %c: memref<?xi32>) {
  // expected-error @+1 {{needs edge vectors of 4 or 8 lanes of i64, or of 8 or 16 lanes of i32, not 'memref<?x5xi32>'}}
  %r:2 = heddle.pack %p, %c : (memref<?xi64>, memref<?xi32>)
      -> (memref<?xindex>, memref<?x5xi32>)
  return
}

// -----

func.func @missingWeights(%p: memref<?xi64>, %c: memref<?xi32>,
                          %w: memref<?xf32>) {
  // expected-error @+1 {{returns weights if and only if it has an operand weights}}
  %r:2 = heddle.pack %p, %c weights(%w)
      : (memref<?xi64>, memref<?xi32>, memref<?xf32>)
      -> (memref<?xindex>, memref<?x8xi32>)
  return
}

// -----

func.func @otherWeights(%p: memref<?xi64>, %c: memref<?xi32>,
                        %w: memref<?xf32>) {
  // expected-error @+1 {{needs a weight of type 'f32' for each lane, not 'memref<?x8xf64>'}}
  %r:3 = heddle.pack %p, %c weights(%w)
      : (memref<?xi64>, memref<?xi32>, memref<?xf32>)
      -> (memref<?xindex>, memref<?x8xi32>, memref<?x8xf64>)
  return
}

// -----

func.func @staticSize(%p: memref<?xi64>, %c: memref<?xi32>) {
  // expected-error @+1 {{returns arrays of dynamic length and identity layout, not 'memref<7xindex>'}}
  %r:2 = heddle.pack %p, %c : (memref<?xi64>, memref<?xi32>)
      -> (memref<7xindex>, memref<?x8xi32>)
  return
}

// -----

func.func @otherResult(%rows: memref<?xindex>, %edges: memref<?x16xi32>,
                       %x: memref<?xf32>, %y: memref<?xf64>, %chunk: index,
                       %zero: f32) {
  // expected-error @+1 {{cannot store values of type 'f32' in 'memref<?xf64>'}}
  heddle.pull_parallel <add> %rows, %edges chunk(%chunk) init(%zero : f32)
      captures(%x : memref<?xf32>) into(%y : memref<?xf64>)
      : memref<?xindex>, memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    heddle.yield %value : f32
  }
  return
}

// -----

func.func @applyArguments(%rows: memref<?xindex>, %edges: memref<?x16xi32>,
                          %y: memref<?xf32>, %chunk: index, %zero: f32) {
  // expected-error @+1 {{needs an apply region with arguments of types 'index', 'f32'}}
  heddle.pull_parallel <add> %rows, %edges chunk(%chunk) init(%zero : f32)
      into(%y : memref<?xf32>) : memref<?xindex>, memref<?x16xi32> {
  ^bb0(%u: i32):
    %one = arith.constant 1.0 : f32
    heddle.yield %one : f32
  } apply {
  ^bb0(%sum: f32):
    heddle.yield %sum : f32
  }
  return
}

// -----

func.func @applyType(%rows: memref<?xindex>, %edges: memref<?x16xi32>,
                     %y: memref<?xf64>, %chunk: index, %zero: f32) {
  // expected-error @+1 {{needs an apply region that ends in heddle.yield, without a condition, of a value of type 'f64'}}
  heddle.pull_parallel <add> %rows, %edges chunk(%chunk) init(%zero : f32)
      into(%y : memref<?xf64>) : memref<?xindex>, memref<?x16xi32> {
  ^bb0(%u: i32):
    %one = arith.constant 1.0 : f32
    heddle.yield %one : f32
  } apply {
  ^bb0(%v: index, %sum: f32):
    heddle.yield %sum : f32
  }
  return
}

// -----

func.func @applyCondition(%edges: memref<?x16xi32>, %lo: index, %hi: index,
                          %zero: f32, %is: i1) -> f32 {
  // expected-error @+1 {{needs an apply region that ends in heddle.yield, without a condition, of a value of type 'f32'}}
  %r = heddle.pull <add> %edges[%lo to %hi] init(%zero : f32)
      captures(%is : i1) : memref<?x16xi32> {
  ^bb0(%u: i32, %c: i1):
    %one = arith.constant 1.0 : f32
    heddle.yield %one : f32
  } apply {
  ^bb0(%sum: f32, %c: i1):
    heddle.yield %sum if %c : f32
  }
  return %r : f32
}

// -----

func.func @gatherInApply(%edges: memref<?x16xi32>, %lo: index, %hi: index,
                         %zero: f32, %x: memref<?xf32>) -> f32 {
  %r = heddle.pull <add> %edges[%lo to %hi] init(%zero : f32)
      captures(%x : memref<?xf32>) : memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    heddle.yield %value : f32
  } apply {
  ^bb0(%sum: f32, %values: memref<?xf32>):
    %zero64 = arith.constant 0 : i64
    // expected-error @+1 {{belongs in the body; memref.load reads arrays here}}
    %value = heddle.gather %values[%zero64] : memref<?xf32>, i64
    heddle.yield %value : f32
  }
  return %r : f32
}

// -----

func.func @stridedFrontier(%edges: memref<?x16xi32>, %lo: index, %hi: index,
                           %zero: f32, %f: memref<?xi32, strided<[2]>>) -> f32 {
  // expected-error @+1 {{needs a frontier whose words follow one another in memory}}
  %r = heddle.pull <add> %edges[%lo to %hi]
      frontier(%f : memref<?xi32, strided<[2]>>) init(%zero : f32)
      : memref<?x16xi32> {
  ^bb0(%u: i32):
    %one = arith.constant 1.0 : f32
    heddle.yield %one : f32
  }
  return %r : f32
}
