// The call that AsyncMark looks for: numbers as in MarkProtocol.h.
//
// REQUIRES: mlir-translate
//
// RUN: %heddle_opt %s --heddle-lower-marks | FileCheck %s
// RUN: %heddle_opt %s --heddle-to-llvm | %mlir_translate --mlir-to-llvmir \
// RUN:   | FileCheck %s --check-prefix=IR

// CHECK-COUNT-1: llvm.func @__heddle_mark(i32, ...) attributes {no_unwind, will_return}
// IR: declare void @__heddle_mark(i32, ...)

// CHECK-LABEL: func.func @plain
// CHECK: %[[INNERMOST:.*]] = llvm.mlir.constant(0 : i32)
// CHECK: llvm.call @__heddle_mark(%[[INNERMOST]]) vararg(!llvm.func<void (i32, ...)>) : (i32) -> ()
// IR-LABEL: @plain
// IR: call void (i32, ...) @__heddle_mark(i32 0)
func.func @plain() {
  heddle.mark #heddle.async
  return
}

// CHECK-LABEL: func.func @numbers
// CHECK: llvm.call @__heddle_mark(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) vararg
// CHECK-SAME: (i32, i32, i32, i32, i32, i32, i32, i32, i32) -> ()
// IR-LABEL: @numbers
// IR: call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 64, i32 2, i32 2, i32 3, i32 4, i32 12, i32 5)
func.func @numbers() {
  heddle.mark #heddle.async<tasks = 64, scheduler = lockstep, coalesce = 4,
                            suspensions = 5>
  return
}

// IR-LABEL: @schedulers
// IR: @__heddle_mark(i32 0, i32 2, i32 1)
// IR: @__heddle_mark(i32 0, i32 2, i32 2)
// IR: @__heddle_mark(i32 0, i32 2, i32 3)
// IR: @__heddle_mark(i32 0)
func.func @schedulers() {
  heddle.mark #heddle.async<scheduler = fifo>
  heddle.mark #heddle.async<scheduler = lockstep>
  heddle.mark #heddle.async<scheduler = dynamic>
  heddle.mark #heddle.async<scheduler = auto>
  return
}

// IR-LABEL: @condition
// IR-SAME: (i1 %[[LARGE:.*]])
// IR: %[[WIDE:.*]] = zext i1 %[[LARGE]] to i32
// IR: call void (i32, ...) @__heddle_mark(i32 0, i32 4, i32 %[[WIDE]])
func.func @condition(%large: i1) {
  heddle.mark #heddle.async if(%large)
  return
}

// IR-LABEL: @pointers
// IR-SAME: (ptr %[[A:.*]], ptr %[[B:.*]], ptr addrspace(1) %[[C:.*]])
// IR: @__heddle_mark(i32 0, i32 5, ptr %[[A]], i32 6, ptr %[[B]], i32 7, ptr addrspace(1) %[[C]], i32 13, ptr %[[B]], i32 13, ptr %[[A]], i32 14, ptr addrspace(1) %[[C]])
func.func @pointers(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr<1>) {
  heddle.mark #heddle.async private(%a : !llvm.ptr) shared(%b : !llvm.ptr)
      sequential(%c : !llvm.ptr<1>) remote(%b, %a : !llvm.ptr, !llvm.ptr)
      near(%c : !llvm.ptr<1>)
  return
}

// A memref is the address of its elements, which is the second of two.
//
// CHECK-LABEL: func.func @memrefs
// CHECK-SAME: (%[[A:.*]]: memref<?xf64>,
// CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %[[A]] : memref<?xf64> to !llvm.struct
// CHECK: %[[P:.*]] = llvm.extractvalue %[[D]][1]
// CHECK: llvm.call @__heddle_mark({{.*}}%[[P]]
// IR-LABEL: @memrefs
// IR-SAME: (ptr %{{[0-9]+}}, ptr %[[A:[0-9]+]], i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, ptr %{{[0-9]+}}, ptr %[[B:[0-9]+]], i64
// IR: @__heddle_mark(i32 0, i32 13, ptr %[[A]], i32 14, ptr %[[B]])
func.func @memrefs(%a: memref<?xf64>, %b: memref<f32, strided<[], offset: ?>>) {
  heddle.mark #heddle.async remote(%a : memref<?xf64>)
      near(%b : memref<f32, strided<[], offset: ?>>)
  return
}

// IR-LABEL: @variables
// IR: @__heddle_mark(i32 0, i32 5, ptr %{{[0-9]+}}, i32 6, ptr %{{[0-9]+}}, i32 7, ptr %{{[0-9]+}})
func.func @variables() {
  %a = memref.alloca() : memref<i64>
  %b = memref.alloca() : memref<4xi64>
  %c = memref.alloca() : memref<i64>
  heddle.mark #heddle.async private(%a : memref<i64>) shared(%b : memref<4xi64>)
      sequential(%c : memref<i64>)
  return
}

// Copies of the body of a loop that has been unrolled have no loop to speak of.
//
// CHECK-LABEL: func.func @withoutLoop
// CHECK-NOT: __heddle_mark
// CHECK-LABEL: func.func @withLoop
// CHECK: __heddle_mark
func.func @withoutLoop(%i: index) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  heddle.mark #heddle.async counts(%i, %c3 from %i, %c2 : index, index)
  return
}
func.func @withLoop(%i: index) {
  %c2 = arith.constant 2 : index
  heddle.mark #heddle.async counts(%i, %c2 from %c2, %c2 : index, index)
  return
}
