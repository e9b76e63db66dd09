// A product of a sparse matrix and a vector, down to AsyncSplit: the loop over
// all rows is marked, not that over the elements of a row. As a row's accesses
// do not wait for each other, it takes a scheduler to have it interleaved.
//
// REQUIRES: mlir-translate
// RUN: %heddle_opt %s --heddle-to-llvm | %mlir_translate --mlir-to-llvmir -o %t.ll
// RUN: FileCheck %s <%t.ll
// RUN: %opt -passes='default<O2>' -disable-output %t.ll -pass-remarks=heddle \
// RUN:   -pass-remarks-missed=heddle 2>&1 | FileCheck %s --check-prefix=REMARKS
//
// RUN: sed 's/@__heddle_mark(i32 0)/@__heddle_mark(i32 0, i32 2, i32 2)/' %t.ll \
// RUN:   | %opt -passes='default<O2>' -disable-output -pass-remarks=heddle 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FORCED

#csr = #sparse_tensor.encoding<{map = (i, j) -> (i : dense, j : compressed)}>

// CHECK-LABEL: define {{.*}} @product(
// CHECK-LABEL: define internal void @product..omp_par(
// CHECK: omp_loop.body:
// CHECK-COUNT-1: call void (i32, ...) @__heddle_mark(i32 0)
// CHECK-NOT: @__heddle_mark
// CHECK: declare
//
// REMARKS: loop not interleaved: its long-latency accesses do not depend on each other
// FORCED: interleaved the loop's iterations (lockstep schedule): {{.*}} suspension point
func.func @product(%a: tensor<?x?xf64, #csr>, %x: tensor<?xf64>,
                   %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.matvec ins(%a, %x : tensor<?x?xf64, #csr>, tensor<?xf64>)
      outs(%y : tensor<?xf64>) -> tensor<?xf64>
  return %r : tensor<?xf64>
}
