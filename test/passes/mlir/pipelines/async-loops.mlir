// Loops of scf and OpenMP, with what their attributes and marks say, down to
// interleaved loops.
//
// REQUIRES: mlir-translate
// RUN: %heddle_opt %s --heddle-to-llvm --mlir-print-debuginfo \
// RUN:   | %mlir_translate --mlir-to-llvmir -o %t.ll
// RUN: %opt -passes=heddle-async-mark -S %t.ll | FileCheck %s
// RUN: %opt -passes='default<O2>' -S %t.ll -o %t.opt.ll -pass-remarks=heddle \
// RUN:   -pass-remarks-missed=heddle 2>%t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS <%t.remarks
// RUN: FileCheck %s --check-prefix=FINAL --implicit-check-not=__heddle_a \
// RUN:   --implicit-check-not=__heddle_m <%t.opt.ll

// CHECK-LABEL: define i64 @found(
// CHECK: call void (i32, ...) @__heddle_async(i32 [[FOUND:[0-9]+]])
// CHECK: !llvm.loop
// REMARKS: interleaved the loop's iterations (lockstep and FIFO schedules): 1 suspension point, 2 requests (1 early), {{.*}} the runtime chooses
// FINAL-LABEL: define i64 @found(
// FINAL: call void @llvm.prefetch
func.func @found(%n: index, %b: memref<?xindex>, %c: memref<?xindex>,
                 %a: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %l = memref.load %c[%k] : memref<?xindex>
    %v = memref.load %a[%l] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  }
  return %sum : i64
}

// CHECK-LABEL: define i64 @asked(
// CHECK: call void (i32, ...) @__heddle_async(i32 {{[0-9]+}}, i32 1, i32 24, i32 2, i32 1)
// REMARKS: interleaved the loop's iterations (FIFO schedule): 1 suspension point, 1 request, {{.*}}, 24 tasks in flight
// FINAL-LABEL: define i64 @asked(
// FINAL: call void @llvm.prefetch
func.func @asked(%n: index, %b: memref<?xindex>, %a: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t : i64
  } {heddle.async = #heddle.async<tasks = 24, scheduler = fifo>}
  return %sum : i64
}

// CHECK-LABEL: define i64 @remote(
// CHECK: call void (i32, ...) @__heddle_async(i32 {{[0-9]+}}, i32 2, i32 2, i32 4, i32 %{{[0-9]+}})
// CHECK: load i64, {{.*}}, !heddle.near
// CHECK: load i64, {{.*}}, !heddle.remote
// REMARKS: interleaved the loop's iterations (lockstep schedule): 1 suspension point, 1 request,
// FINAL-LABEL: define i64 @remote(
func.func @remote(%n: index, %b: memref<?xi64>, %a: memref<?xi64>, %if: i1)
    -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    heddle.mark #heddle.async<scheduler = lockstep> if(%if)
        remote(%a : memref<?xi64>) near(%b : memref<?xi64>)
    %w = memref.load %b[%i] : memref<?xi64>
    %v = memref.load %a[%i] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    %u = arith.addi %t, %w : i64
    scf.yield %u : i64
  }
  return %sum : i64
}

// CHECK-LABEL: define i64 @nothing(
// CHECK: call void (i32, ...) @__heddle_async
// REMARKS: loop not interleaved: it has no long-latency access
// FINAL-LABEL: define i64 @nothing(
func.func @nothing(%n: index, %b: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %w = memref.load %b[%i] : memref<?xi64>
    %t = arith.addi %s, %w : i64
    scf.yield %t : i64
  } {heddle.async = #heddle.async}
  return %sum : i64
}

// REMARKS: interleaved the loop's iterations (lockstep and FIFO schedules): 1 suspension point, 2 requests (1 early)
// FINAL-LABEL: define internal void @worksharing..omp_par(
// FINAL: call void @llvm.prefetch
func.func @worksharing(%n: index, %b: memref<?xindex>, %c: memref<?xindex>,
                       %a: memref<?xi64>, %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %l = memref.load %c[%k] : memref<?xindex>
        %v = memref.load %a[%l] : memref<?xi64>
        memref.store %v, %y[%i] : memref<?xi64>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// REMARKS: interleaved the loop's iterations (lockstep schedule): 1 suspension point, 1 request,
// FINAL-LABEL: define internal void @worksharingAsked..omp_par(
// FINAL: call void @llvm.prefetch
func.func @worksharingAsked(%n: index, %b: memref<?xindex>, %a: memref<?xi64>,
                            %y: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xi64>
        memref.store %v, %y[%i] : memref<?xi64>
        omp.yield
      }
    } {heddle.async = #heddle.async<scheduler = lockstep>}
    omp.terminator
  }
  return
}

// Loops of affine are found as those of scf are.
//
// CHECK-LABEL: define {{.*}} @affine(
// CHECK: call void (i32, ...) @__heddle_async
// REMARKS: interleaved the loop's iterations (lockstep and FIFO schedules): 1 suspension point, 2 requests (1 early)
// FINAL-LABEL: define {{.*}} @affine(
// FINAL: call void @llvm.prefetch
func.func @affine(%n: index, %b: memref<?xindex>, %c: memref<?xindex>,
                  %a: memref<?xi64>) -> memref<?xi64> {
  %y = memref.alloc(%n) : memref<?xi64>
  affine.for %i = 0 to %n {
    %k = affine.load %b[%i] : memref<?xindex>
    %l = memref.load %c[%k] : memref<?xindex>
    %v = memref.load %a[%l] : memref<?xi64>
    affine.store %v, %y[%i] : memref<?xi64>
  }
  return %y : memref<?xi64>
}
