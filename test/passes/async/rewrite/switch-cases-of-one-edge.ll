; Two cases of a switch lead to one block, where a variable that tasks share has
; been assigned: it is assigned once on the way there.
;
; RUN: %opt -passes=heddle-async-split,verify -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)

; CHECK-LABEL: define i64 @last_of_kind
; CHECK: {{^}}low.task.phase:
; CHECK-NEXT: phi i64 [ %kind.shared.{{[0-9]+}}, %task.resume.phase ], [ 5, %[[EDGE:task.edge.*]] ]
; CHECK-NEXT: phi i64 [ 7, %[[EDGE]] ], [ 3, %task.resume.phase ]
; CHECK: switch i64 %value.task.phase, label %latch.task.phase [
; CHECK-NEXT: i64 0, label %[[EDGE]]
; CHECK-NEXT: i64 2, label %[[EDGE]]
define i64 @last_of_kind(ptr readonly %keys, ptr readonly %values, ptr %sums, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %kind = phi i64 [ 1, %entry ], [ %new.kind, %latch ]
  call void (i32, ...) @__heddle_async(i32 1212498944, i32 2, i32 2)
  %key.place = getelementptr i64, ptr %keys, i64 %i
  %key = load i64, ptr %key.place
  %value.place = getelementptr i64, ptr %values, i64 %key
  %value = load i64, ptr %value.place
  %is.odd = trunc i64 %value to i1
  br i1 %is.odd, label %low, label %even

even:
  switch i64 %value, label %latch [
    i64 0, label %low
    i64 2, label %low
  ]

low:
  %low.kind = phi i64 [ 5, %even ], [ 5, %even ], [ %kind, %loop ]
  %low.sum = phi i64 [ 7, %even ], [ 7, %even ], [ 3, %loop ]
  %sum.place = getelementptr i64, ptr %sums, i64 %i
  store i64 %low.sum, ptr %sum.place
  br label %latch

latch:
  %new.kind = phi i64 [ %low.kind, %low ], [ %kind, %even ]
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %new.kind
}
