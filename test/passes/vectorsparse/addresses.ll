; Forms of addresses, and the index that is gathered at.
;
; RUN: %pull_opt -passes='heddle-pull-kernel,default<O1>' \
; RUN:   -pass-remarks-missed=heddle -S %s 2>%t.remarks | FileCheck %s
; RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

target datalayout = "e-p:64:64-i64:64-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; Bytes that are a shifted number are counted in elements.
;
; CHECK-LABEL: define double @bytes
; CHECK: and <16 x i32> %{{.*}}, splat (i32 536870911)
; CHECK-NOT: {{shl|ashr}}
; CHECK: getelementptr double, ptr %x, <16 x i64>
; CHECK: call <16 x double> @llvm.masked.gather
define double @bytes(ptr %edges, i64 %n, ptr %x) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = getelementptr i32, ptr %edges, i64 %i
  %lane = load i32, ptr %at, align 4
  %neighbour = and i32 %lane, 536870911
  %u = zext i32 %neighbour to i64
  %byte = shl i64 %u, 3
  %place = getelementptr i8, ptr %x, i64 %byte
  %value = load double, ptr %place, align 8
  %sum.next = fadd double %sum, %value
  %i.next = add nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  ret double %sum.next
}

; A value with cleared low bits is divisible, but may not fit into 32 bits.
;
; CHECK-LABEL: define double @cleared
; CHECK: call <16 x double> @llvm.masked.gather
define double @cleared(ptr %edges, i64 %n, ptr %x) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = getelementptr i32, ptr %edges, i64 %i
  %lane = load i32, ptr %at, align 4
  %neighbour = and i32 %lane, 536870911
  %u = zext i32 %neighbour to i64
  %twice = mul i64 %u, 20
  %byte = and i64 %twice, -8
  %place = getelementptr i8, ptr %x, i64 %byte
  %value = load double, ptr %place, align 8
  %sum.next = fadd double %sum, %value
  %i.next = add nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  ret double %sum.next
}

; REMARK: loop in odd loads values whose distance is not a multiple of their size
define double @odd(ptr %edges, i64 %n, ptr %x) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum.next, %loop ]
  %at = getelementptr i32, ptr %edges, i64 %i
  %lane = load i32, ptr %at, align 4
  %neighbour = and i32 %lane, 536870911
  %place = getelementptr <{ i32, double }>, ptr %x, i32 %neighbour, i32 1
  %value = load double, ptr %place, align 8
  %sum.next = fadd double %sum, %value
  %i.next = add nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  ret double %sum.next
}

attributes #0 = { "target-cpu"="znver4" }

!0 = distinct !{!0, !1}
!1 = !{!"heddle.vectorsparse", i32 32, i32 16}
