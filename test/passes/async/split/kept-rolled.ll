; A chain of 32 steps in a function that an annotated loop calls is not to be
; unrolled; one whose loads do not wait for each other, one of few steps and one
; of too many to be unrolled stay as they are, and so do those of others. Once
; tasks have been made, it is free.
;
; RUN: %opt -passes='loop(heddle-keep-rolled)' -S %s | FileCheck %s
; RUN: %opt -passes='loop(heddle-keep-rolled),heddle-async-split' -S %s \
; RUN:   | FileCheck %s --check-prefix=FREED --implicit-check-not=unroll.disable
; RUN: sed 's/%%more, 32/%%more, 8/' %s | %opt -passes='loop(heddle-keep-rolled)' -S \
; RUN:   | FileCheck %s --check-prefix=SAME
; RUN: sed 's/%%more, 32/%%more, 5000/' %s | %opt -passes='loop(heddle-keep-rolled)' -S \
; RUN:   | FileCheck %s --check-prefix=SAME
; RUN: sed 's/"heddle-async-callee"//' %s | %opt -passes='loop(heddle-keep-rolled)' -S \
; RUN:   | FileCheck %s --check-prefix=SAME

; CHECK-LABEL: define i64 @chain
; CHECK: br i1 %done, label %exit, label %loop, !llvm.loop [[KEPT:![0-9]+]]
; FREED-LABEL: define i64 @chain
; SAME-LABEL: define i64 @chain
; SAME: br i1 %done, label %exit, label %loop{{$}}
define i64 @chain(ptr %next, i64 %first) "heddle-async-callee" {
entry:
  br label %loop
loop:
  %at = phi i64 [ %first, %entry ], [ %to, %loop ]
  %step = phi i32 [ 0, %entry ], [ %more, %loop ]
  %address = getelementptr i64, ptr %next, i64 %at
  %to = load i64, ptr %address
  %more = add nuw nsw i32 %step, 1
  %done = icmp eq i32 %more, 32
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %to
}

; CHECK-LABEL: define i64 @group
; CHECK: br i1 %done, label %exit, label %loop{{$}}
define i64 @group(ptr %table, ptr %keys) "heddle-async-callee" {
entry:
  br label %loop
loop:
  %sum = phi i64 [ 0, %entry ], [ %added, %loop ]
  %step = phi i64 [ 0, %entry ], [ %more, %loop ]
  %place = getelementptr i64, ptr %keys, i64 %step
  %key = load i64, ptr %place
  %address = getelementptr i64, ptr %table, i64 %key
  %value = load i64, ptr %address
  %added = add i64 %sum, %value
  %more = add nuw nsw i64 %step, 1
  %done = icmp eq i64 %more, 32
  br i1 %done, label %exit, label %loop
exit:
  ret i64 %added
}

; CHECK: [[KEPT]] = distinct !{[[KEPT]], [[DISABLE:![0-9]+]], [[ROLLED:![0-9]+]]}
; CHECK: [[DISABLE]] = !{!"llvm.loop.unroll.disable"}
; CHECK: [[ROLLED]] = !{!"heddle.rolled",
