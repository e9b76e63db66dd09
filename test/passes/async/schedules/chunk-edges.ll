; Between two chunks of OpenMP, a switch leads to a phi by two edges. Both bring
; the same value, also where it has been computed by the copy of a schedule. The
; serial version counts iterations from the first one on, also where a later
; chunk precedes the first, so that their number does not wrap.
;
; RUN: %opt -passes=heddle-async-split,verify -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @__kmpc_dispatch_init_8(ptr, i32, i32, i64, i64, i64, i64) nounwind
declare i32 @__kmpc_dispatch_next_8(ptr, i32, ptr captures(none), ptr captures(none), ptr captures(none), ptr captures(none)) nounwind memory(argmem: readwrite, inaccessiblemem: readwrite)
declare void @__kmpc_dispatch_deinit(ptr, i32) nounwind
declare void @llvm.assume(i1)

@place = external global i8

; CHECK-LABEL: define void @edges
; CHECK: {{^}}body:
; CHECK: {{^}}join:
; CHECK: phi i64 [ [[NOW:%.*]], %body ], [ [[NOW]], %body ], [ 7, %some ]
; CHECK: {{^}}loop:
; CHECK: [[NUMBER:%heddle.iteration.*]] = phi i64
; CHECK: add nuw i64 [[NUMBER]], 1
; CHECK: {{^}}join.refill:
; CHECK: phi i64 [ [[COPIED:%.*]], %body.refill ], [ [[COPIED]], %body.refill ], [ 7, %some.refill ]
define void @edges(ptr noalias %lists, ptr noalias %out, i64 %n) {
entry:
  %lower = alloca i64, align 8
  %upper = alloca i64, align 8
  %stride = alloca i64, align 8
  %is_last = alloca i32, align 4
  call void @__kmpc_dispatch_init_8(ptr @place, i32 0, i32 1073741859, i64 0, i64 %n, i64 1, i64 16)
  br label %around
around:
  %more = call i32 @__kmpc_dispatch_next_8(ptr @place, i32 0, ptr %is_last, ptr %lower, ptr %upper, ptr %stride)
  %none = icmp eq i32 %more, 0
  br i1 %none, label %end, label %body
body:
  %first = load i64, ptr %lower, align 8
  %last = load i64, ptr %upper, align 8
  %size = sub i64 %last, %first
  switch i64 %size, label %some [
    i64 0, label %join
    i64 1, label %join
  ]
some:
  br label %join
join:
  %which = phi i64 [ %size, %body ], [ %size, %body ], [ 7, %some ]
  %few = icmp ult i64 %which, 8
  call void @llvm.assume(i1 %few)
  %empty = icmp sgt i64 %first, %last
  br i1 %empty, label %around, label %ahead
ahead:
  br label %loop
loop:
  %i = phi i64 [ %first, %ahead ], [ %next, %loop ]
  call void (i32, ...) @__heddle_async(i32 1212498944)
  %place = getelementptr inbounds ptr, ptr %lists, i64 %i
  %list = load ptr, ptr %place, align 8
  %value = load i64, ptr %list, align 8
  %to = getelementptr inbounds i64, ptr %out, i64 %i
  store i64 %value, ptr %to, align 8
  %next = add i64 %i, 1
  %over = icmp eq i64 %i, %last
  br i1 %over, label %exit, label %loop
exit:
  br label %around
end:
  call void @__kmpc_dispatch_deinit(ptr @place, i32 0)
  ret void
}
