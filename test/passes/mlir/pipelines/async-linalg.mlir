// Programs of linalg on tensors, down to interleaved loops.
//
// REQUIRES: mlir-translate
// RUN: %heddle_opt %s --heddle-to-llvm | %mlir_translate --mlir-to-llvmir -o %t.ll
// RUN: FileCheck %s --check-prefix=IR <%t.ll
// RUN: %opt -passes='default<O2>' -S %t.ll -pass-remarks=heddle \
// RUN:   -pass-remarks-missed=heddle -o %t.opt.ll 2>%t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS <%t.remarks
// RUN: FileCheck %s --implicit-check-not=__heddle_a --implicit-check-not=__heddle_m \
// RUN:   <%t.opt.ll
//
// RUN: %heddle_opt %s --heddle-to-llvm=async=false | %mlir_translate --mlir-to-llvmir \
// RUN:   | FileCheck %s --check-prefix=OFF --implicit-check-not=heddle
// RUN: %heddle_opt %s --heddle-to-llvm="tasks=48 threads=false" \
// RUN:   | %mlir_translate --mlir-to-llvmir | FileCheck %s --check-prefix=SERIAL

#same = affine_map<(i) -> (i)>

// IR-LABEL: define {{.*}} @twoLevels(
// IR-NOT: @__heddle_mark
// IR-LABEL: define internal void @twoLevels..omp_par(
// IR-NOT: define
// IR: call void (i32, ...) @__heddle_mark(i32 0)
//
// REMARKS: interleaved the loop's iterations (lockstep and FIFO schedules): 1 suspension point, 2 requests (1 early)
// REMARKS: requested ahead what the loop{{.}}s iterations access
// REMARKS-NOT: remark
//
// CHECK-LABEL: define internal void @twoLevels..omp_par(
// CHECK: call void @llvm.prefetch
//
// OFF: @twoLevels
//
// SERIAL-LABEL: define {{.*}} @twoLevels(
// SERIAL-NOT: define
// SERIAL: call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 48)
func.func @twoLevels(%a: tensor<?xindex>, %b: tensor<?xindex>,
                     %c: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {indexing_maps = [#same, #same],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<?xindex>) outs(%y : tensor<?xf64>) {
  ^bb0(%i: index, %old: f64):
    %j = tensor.extract %b[%i] : tensor<?xindex>
    %v = tensor.extract %c[%j] : tensor<?xf64>
    linalg.yield %v : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// A loop that does not wait is left alone.
//
// IR-LABEL: define {{.*}} @direct(
// IR-NOT: @__heddle_mark
func.func @direct(%a: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
  %r = linalg.generic {indexing_maps = [#same, #same],
                       iterator_types = ["parallel"]}
      ins(%a : tensor<?xf64>) outs(%y : tensor<?xf64>) {
  ^bb0(%v: f64, %old: f64):
    %sum = arith.addf %v, %old : f64
    linalg.yield %sum : f64
  } -> tensor<?xf64>
  return %r : tensor<?xf64>
}

// There need not be any tensors.
//
// IR-LABEL: define internal void @arrays..omp_par(
// IR-NOT: define
// IR: call void (i32, ...) @__heddle_mark(i32 0)
func.func @arrays(%a: memref<?xindex>, %c: memref<?xf64>, %y: memref<?xf64>) {
  linalg.generic {indexing_maps = [#same, #same], iterator_types = ["parallel"]}
      ins(%a : memref<?xindex>) outs(%y : memref<?xf64>) {
  ^bb0(%i: index, %old: f64):
    %v = memref.load %c[%i] : memref<?xf64>
    linalg.yield %v : f64
  }
  return
}
