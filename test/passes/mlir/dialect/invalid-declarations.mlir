// Something else may not have the name of a function that heddle.pack calls.
//
// RUN: not %heddle_opt %s --heddle-lower-pack -split-input-file 2>&1 \
// RUN:   | FileCheck %s

// CHECK: error: 'func.func' op takes the name of the C library's 'abort', which heddle.pack calls, without declaring it as '!llvm.func<void ()>'
func.func private @abort(i32)
func.func @otherType(%p: memref<?xi64>, %c: memref<?xi32>)
    -> (memref<?xindex>, memref<?x16xi32>) {
  %r:2 = heddle.pack %p, %c
      : (memref<?xi64>, memref<?xi32>) -> (memref<?xindex>, memref<?x16xi32>)
  return %r#0, %r#1 : memref<?xindex>, memref<?x16xi32>
}

// -----

// CHECK: error: 'llvm.func' op takes the name of the C library's 'abort'
llvm.func @abort() {
  llvm.return
}
func.func @defined(%p: memref<?xi64>, %c: memref<?xi32>)
    -> (memref<?xindex>, memref<?x16xi32>) {
  %r:2 = heddle.pack %p, %c
      : (memref<?xi64>, memref<?xi32>) -> (memref<?xindex>, memref<?x16xi32>)
  return %r#0, %r#1 : memref<?xindex>, memref<?x16xi32>
}

// -----

// CHECK: error: 'llvm.mlir.global' op takes the name of the C library's 'abort'
llvm.mlir.global external @abort() : i32
func.func @variable(%p: memref<?xi64>, %c: memref<?xi32>)
    -> (memref<?xindex>, memref<?x16xi32>) {
  %r:2 = heddle.pack %p, %c
      : (memref<?xi64>, memref<?xi32>) -> (memref<?xindex>, memref<?x16xi32>)
  return %r#0, %r#1 : memref<?xindex>, memref<?x16xi32>
}
