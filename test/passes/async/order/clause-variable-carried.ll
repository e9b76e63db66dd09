; An optimizer may make a loop-carried pointer of the address of a variable that
; a clause names. That the mark of the directive is handed it is no use.
;
; RUN: %opt -passes=heddle-async-split,verify -S %s -o /dev/null \
; RUN:     -pass-remarks-missed=heddle 2>&1 | FileCheck %s
; CHECK: not interleaved: the loop-carried variable 'place' is used inside

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)

define i64 @sum_of_values(ptr readonly %keys, ptr readonly %values, i64 %n) {
entry:
  %sum = alloca i64
  store i64 0, ptr %sum
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %place = phi ptr [ %sum, %entry ], [ %same, %loop ]
  call void (i32, ...) @__heddle_async(i32 1212498944, i32 2, i32 2, i32 6, ptr %place)
  %key.place = getelementptr i64, ptr %keys, i64 %i
  %key = load i64, ptr %key.place
  %value.place = getelementptr i64, ptr %values, i64 %key
  %value = load i64, ptr %value.place
  %again.place = getelementptr i64, ptr %values, i64 %value
  %again = load i64, ptr %again.place
  %is.odd = trunc i64 %again to i1
  %same = select i1 %is.odd, ptr %place, ptr %sum
  %old = load i64, ptr %same
  %new = add i64 %old, %again
  store i64 %new, ptr %same
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %result = load i64, ptr %sum
  ret i64 %result
}
