; A loop that is not interleaved in the end is the code that it was, to the name,
; but for its marks: nothing stays requested, computed ahead or moved.
;
; RUN: %opt -passes=heddle-async-split,verify -S < %s > %t.after
; RUN: grep -v 'call void .* @__heddle_async' %s | %opt -S > %t.before
; RUN: diff %t.before %t.after
;
; Analyses know what is there now.
; RUN: %opt -passes='heddle-async-split,print<assumptions>' -disable-output < %s 2>&1 | FileCheck %s
; CHECK-LABEL: Cached assumptions for function: nothing_to_hide
; CHECK-NEXT: %positive = icmp

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)

; Its addresses are predictable.
define i64 @nothing_to_hide(ptr %values, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi i64 [ 0, %entry ], [ %new.sum, %loop ]
  call void (i32, ...) @__heddle_async(i32 1212498944)
  %place = getelementptr i64, ptr %values, i64 %i
  %value = load i64, ptr %place
  %positive = icmp sgt i64 %value, 0
  call void @llvm.assume(i1 %positive)
  %new.sum = add i64 %sum, %value
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %result = phi i64 [ %new.sum, %loop ]
  ret i64 %result
}

; The product would be taken later, in the task's turn, but each iteration has
; too large a variable.
define i64 @in_order(ptr %values, ptr %indices, i64 %n) {
entry:
  %buffer = alloca [65536 x i8]
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %hash = phi i64 [ 0, %entry ], [ %new.hash, %loop ]
  call void (i32, ...) @__heddle_async(i32 1212498944)
  call void @llvm.lifetime.start.p0(ptr %buffer)
  %product = mul i64 %hash, 31
  %index.place = getelementptr i64, ptr %indices, i64 %i
  %index = load i64, ptr %index.place
  %place = getelementptr i64, ptr %values, i64 %index
  %value = load i64, ptr %place
  %entry.place = getelementptr i64, ptr %values, i64 %value
  %last = load i64, ptr %entry.place
  store i64 %last, ptr %buffer
  %new.hash = xor i64 %product, %last
  call void @llvm.lifetime.end.p0(ptr %buffer)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %result = phi i64 [ %new.hash, %loop ]
  ret i64 %result
}

; The next node of a list would be requested with the link in the node before,
; but each iteration has too large a variable.
define i64 @large_variable(ptr %lists, ptr %indices, i64 %n) {
entry:
  %buffer = alloca [65536 x i8]
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i64 [ 0, %entry ], [ %new.sum, %latch ]
  call void (i32, ...) @__heddle_async(i32 1212498944)
  call void @llvm.lifetime.start.p0(ptr %buffer)
  %index.place = getelementptr i64, ptr %indices, i64 %i
  %index = load i64, ptr %index.place
  %list = getelementptr ptr, ptr %lists, i64 %index
  %head = load ptr, ptr %list
  %first = load i64, ptr %buffer
  br label %walk

walk:
  %node = phi ptr [ %head, %loop ], [ %node.next, %walk ]
  %found = phi i64 [ %first, %loop ], [ %new.found, %walk ]
  %key.place = getelementptr i64, ptr %node, i64 1
  %key = load i64, ptr %key.place
  %item = load i64, ptr %node
  %data.place = getelementptr i64, ptr %indices, i64 %item
  %data = load i64, ptr %data.place
  %both = add i64 %key, %data
  %new.found = add i64 %found, %both
  %link = getelementptr i64, ptr %node, i64 2
  %node.next = load ptr, ptr %link
  %end = icmp eq ptr %node.next, null
  br i1 %end, label %latch, label %walk

latch:
  %found.last = phi i64 [ %new.found, %walk ]
  store i64 %found.last, ptr %buffer
  %new.sum = add i64 %sum, %found.last
  call void @llvm.lifetime.end.p0(ptr %buffer)
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %result = phi i64 [ %new.sum, %latch ]
  ret i64 %result
}

declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.assume(i1)
