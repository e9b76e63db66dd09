// The checks of heddle.pack call functions of the C library, which a program may
// declare as well, as functions of either dialect.
//
// RUN: %heddle_opt %s --heddle-lower-pack -split-input-file \
// RUN:   | FileCheck %s
// RUN: %heddle_opt %s --heddle-lower-pack -split-input-file \
// RUN:   | FileCheck %s --check-prefix=ONCE
// ONCE-COUNT-3: func{{.*}} @abort(

// CHECK: llvm.func @abort()
// CHECK: llvm.func @write(i32, !llvm.ptr, i64) -> i64
// CHECK: llvm.call @write
// CHECK-NEXT: llvm.call @abort
func.func @none(%p: memref<?xi64>, %c: memref<?xi32>)
    -> (memref<?xindex>, memref<?x16xi32>) {
  %r:2 = heddle.pack %p, %c
      : (memref<?xi64>, memref<?xi32>) -> (memref<?xindex>, memref<?x16xi32>)
  return %r#0, %r#1 : memref<?xindex>, memref<?x16xi32>
}

// -----

// CHECK-LABEL: @func(
// CHECK: %{{.*}} = {{.*}}call @write
// CHECK-NEXT: call @abort
func.func private @abort()
func.func private @write(i32, !llvm.ptr, i64) -> i64
func.func @func(%p: memref<?xi64>, %c: memref<?xi32>)
    -> (memref<?xindex>, memref<?x16xi32>) {
  %r:2 = heddle.pack %p, %c
      : (memref<?xi64>, memref<?xi32>) -> (memref<?xindex>, memref<?x16xi32>)
  return %r#0, %r#1 : memref<?xindex>, memref<?x16xi32>
}

// -----

// CHECK-LABEL: @llvm(
// CHECK: llvm.call @write
// CHECK-NEXT: llvm.call @abort
llvm.func @abort()
llvm.func @write(i32, !llvm.ptr, i64) -> i64
func.func @llvm(%p: memref<?xi64>, %c: memref<?xi32>)
    -> (memref<?xindex>, memref<?x16xi32>) {
  %r:2 = heddle.pack %p, %c
      : (memref<?xi64>, memref<?xi32>) -> (memref<?xindex>, memref<?x16xi32>)
  return %r#0, %r#1 : memref<?xindex>, memref<?x16xi32>
}
