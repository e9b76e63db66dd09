; A callee that calls itself from within a loop takes the place of its call, once,
; with a stack: all jumps that its code does not make itself lead over a dispatch.
;
; RUN: %opt -passes=heddle-nested-calls,verify -S %s | FileCheck %s
; RUN: %opt -passes='heddle-nested-calls,function(heddle-async-split,heddle-far-lower),verify' -S %s | FileCheck --check-prefix=SPLIT %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)

define internal i64 @walk(ptr addrspace(100) %table, i64 %at) noinline nounwind {
entry:
  %place = getelementptr inbounds i64, ptr addrspace(100) %table, i64 %at
  %key = load i64, ptr addrspace(100) %place, align 8
  %ends = icmp slt i64 %key, 100
  br i1 %ends, label %done, label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i64 [ %key, %entry ], [ %more, %latch ]
  %bit = and i64 %k, 1
  %odd = icmp ne i64 %bit, 0
  br i1 %odd, label %deeper, label %latch
deeper:
  %below = sub i64 %key, %k
  %found = call i64 @walk(ptr addrspace(100) %table, i64 %below)
  %added = add i64 %sum, %found
  br label %latch
latch:
  %more = phi i64 [ %sum, %loop ], [ %added, %deeper ]
  %next = add i64 %k, 1
  %last = icmp eq i64 %next, 4
  br i1 %last, label %done, label %loop
done:
  %result = phi i64 [ 0, %entry ], [ %more, %latch ]
  ret i64 %result
}

; CHECK-LABEL: define i64 @sum(
; CHECK: %[[STACK:.*]] = alloca [2048 x i8], align 8
; CHECK: call void (i32, ...) @__heddle_async(i32 1212498944, i32 2, i32 3), !heddle.nested ![[NESTED:[0-9]+]]
; CHECK: br label %[[DISPATCH:.*]]
; CHECK: [[DISPATCH]]:
; CHECK-DAG: %[[RESULT:.*]] = phi i64 [ poison, %body ], [ %[[RETURNED:.*]], %[[POP:.*]] ], [ poison, %[[LOOP:.*]] ], [ poison, %[[PUSH:.*]] ]
; CHECK-DAG: %[[AT:.*]] = phi i64 [ %at, %body ], [ poison, %[[POP]] ], [ poison, %[[LOOP]] ], [ %[[BELOW:.*]], %[[PUSH]] ]
; CHECK-DAG: %[[TOP:.*]] = phi i64 [ 0, %body ], [ %{{.*}}, %[[POP]] ], [ %[[TOP]], %[[LOOP]] ], [ %{{.*}}, %[[PUSH]] ]
; CHECK: switch i32
; CHECK-DAG: i32 0, label %[[WALK:.*]]
; CHECK-DAG: i32 1, label %[[BACK:.*]]
; CHECK-DAG: i32 2, label %[[HEADER:.*]]
; CHECK: ]
; The table is the same in all calls.
; CHECK: [[WALK]]:
; CHECK-NEXT: getelementptr inbounds i64, ptr addrspace(100) %table, i64 %[[AT]]
; CHECK: [[HEADER]]: {{ *}}; preds = %[[DISPATCH]]
; The call that finds no room.
; CHECK: %[[FULL:.*]] = icmp eq i64 %[[TOP]], 2016
; CHECK-NEXT: br i1 %[[FULL]], label %[[WAIT:.*]], label %[[PUSH]]
; CHECK: [[WAIT]]:
; CHECK: %[[FOUND:.*]] = call i64 @walk(ptr addrspace(100) %table, i64 %[[BELOW]]), !heddle.overflow
; CHECK: phi i64 [ %[[RESULT]], %[[BACK]] ], [ %[[FOUND]], %[[WAIT]] ]
; The return, either to the loop or to a call.
; CHECK: %[[LAST:.*]] = icmp eq i64 %[[TOP]], 0
; CHECK-NEXT: br i1 %[[LAST]], label %[[EXIT:.*]], label %[[POP]]
; CHECK: [[PUSH]]:
; CHECK: %[[FRAME:.*]] = getelementptr inbounds i8, ptr %[[STACK]], i64 %[[TOP]]
; CHECK-NEXT: store i32 1, ptr %[[FRAME]], align 4
; CHECK-NEXT: %[[SLOT:.*]] = getelementptr inbounds nuw i8, ptr %[[FRAME]], i64 8
; CHECK-NEXT: store i64 %{{.*}}, ptr %[[SLOT]], align 8, !heddle.frame ![[KEY:[0-9]+]]
; CHECK: add i64 %[[TOP]], 32
; CHECK: [[BACK]]:
; CHECK: load i64, ptr %{{.*}}, align 8, !heddle.frame ![[KEY]]
; CHECK: [[POP]]:
; CHECK: %[[CALLER:.*]] = add i64 %[[TOP]], -32
; CHECK-NEXT: %[[SAVED:.*]] = getelementptr inbounds i8, ptr %[[STACK]], i64 %[[CALLER]]
; CHECK-NEXT: load i32, ptr %[[SAVED]], align 4
; CHECK: ![[NESTED]] = !{![[WALKED:[0-9]+]]}
; CHECK: ![[WALKED]] = !{!"walk", i64 64, null}

; Each task has a stack of its own, and is suspended in the callee.
; SPLIT-LABEL: define i64 @sum(
; SPLIT: call {{.*}} ptr @heddle.contexts.begin(
; SPLIT: call void @heddle_amu_aload(
; SPLIT: call zeroext i1 @heddle_amu_await(
define i64 @sum(ptr addrspace(100) %table, ptr %index, i64 %n) nounwind {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %total = phi i64 [ 0, %entry ], [ %total.next, %body ]
  call void (i32, ...) @__heddle_async(i32 1212498944, i32 2, i32 3)
  %place = getelementptr inbounds i64, ptr %index, i64 %i
  %at = load i64, ptr %place, align 8
  %walked = call i64 @walk(ptr addrspace(100) %table, i64 %at)
  %total.next = add i64 %total, %walked
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %body, label %exit
exit:
  ret i64 %total.next
}
