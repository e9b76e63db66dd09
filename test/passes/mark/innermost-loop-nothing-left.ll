; Marks without numbers leave no trace in what is compiled without optimisation,
; nor in the final code with it.
;
; RUN: %opt -passes='default<O0>' -S %s -pass-remarks-missed=heddle 2>%t.remarks \
; RUN:   | FileCheck %s --check-prefixes=CHECK,O0 --implicit-check-not=heddle. \
; RUN:     --implicit-check-not=__heddle --implicit-check-not=initiationinterval
; RUN: FileCheck %s --check-prefix=REMARKS <%t.remarks
; RUN: %opt -passes='default<O1>' -S %s \
; RUN:   | FileCheck %s --implicit-check-not=heddle.async \
; RUN:     --implicit-check-not=__heddle_a --implicit-check-not=__heddle_m \
; RUN:     --implicit-check-not=initiationinterval
; RUN: %opt -passes='default<O3>' -S %s \
; RUN:   | FileCheck %s --implicit-check-not=heddle.async \
; RUN:     --implicit-check-not=__heddle_a --implicit-check-not=__heddle_m \
; RUN:     --implicit-check-not=initiationinterval

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; REMARKS-COUNT-3: loop not interleaved: optimization is off

declare void @__heddle_mark(i32, ...)

; CHECK-LABEL: define {{.*}}i64 @gathers
; O0: br i1 %more, label %loop, label %exit{{$}}
define i64 @gathers(ptr %keys, ptr %values, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi i64 [ 0, %entry ], [ %t, %loop ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 8, i32 2, i32 2, i32 13, ptr %values, i32 14, ptr %keys)
  %k.place = getelementptr i64, ptr %keys, i64 %i
  %k = load i64, ptr %k.place
  %v.place = getelementptr i64, ptr %values, i64 %k
  %v = load i64, ptr %v.place
  %t = add i64 %s, %v
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret i64 %t
}

; CHECK-LABEL: define {{.*}}void @withProperties
; O0: br i1 %more, label %loop, label %exit, !llvm.loop [[LOOP:![0-9]+]]
define void @withProperties(ptr %values, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_mark(i32 0)
  %place = getelementptr i64, ptr %values, i64 %i
  store i64 %i, ptr %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  ret void
}

; CHECK-LABEL: define {{.*}}void @noLoop
define void @noLoop() {
  call void (i32, ...) @__heddle_mark(i32 0)
  ret void
}

; O0: [[LOOP]] = distinct !{[[LOOP]], [[PROGRESS:![0-9]+]]}
; O0: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.mustprogress"}
