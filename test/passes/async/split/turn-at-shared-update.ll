; The first use of a variable that is updated in order may be an update of one
; that is shared: tasks wait for their turn in front of it, where it has been.
;
; RUN: %opt -passes=heddle-async-split,verify -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)

; CHECK-LABEL: define i64 @greatest_sum
; CHECK: {{^}}task.turn.turn:
; CHECK-NEXT: [[MOST:%.*]] = call i64 @llvm.smax.i64(i64 %most.{{.*}}, i64 [[SUM:%sum.*]])
; CHECK-NEXT: add i64 [[SUM]], %
define i64 @greatest_sum(ptr readonly %keys, ptr readonly %values, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %most = phi i64 [ 1, %entry ], [ %new.most, %loop ]
  %sum = phi i64 [ 1, %entry ], [ %new.sum, %loop ]
  call void (i32, ...) @__heddle_async(i32 1212498944, i32 2, i32 2)
  %key.place = getelementptr i64, ptr %keys, i64 %i
  %key = load i64, ptr %key.place
  %value.place = getelementptr i64, ptr %values, i64 %key
  %value = load i64, ptr %value.place
  %new.most = call i64 @llvm.smax.i64(i64 %most, i64 %sum)
  %new.sum = add i64 %sum, %value
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %result = xor i64 %new.most, %new.sum
  ret i64 %result
}
