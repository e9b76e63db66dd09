; A loop becomes a function for a row of edge vectors, and a call of it.
;
; RUN: %pull_opt -passes=heddle-pull-kernel -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; The invariants follow in the order in which they are met. The function is
; compiled for the same target as the one that had the loop.
;
; CHECK-LABEL: define float @ranks
; CHECK: preheader:
; CHECK: call float @heddle.pull.0(ptr %edges, i64 0, i64 %{{.*}}, float %init, ptr %vertices, float %scale)
; CHECK: ret float
define float @ranks(ptr %edges, i64 %n, ptr %vertices, float %scale, float %init) #0 {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %preheader, label %exit

preheader:
  br label %loop

loop:
  %i = phi i64 [ 0, %preheader ], [ %i.next, %loop ]
  %sum = phi float [ %init, %preheader ], [ %sum.next, %loop ]
  %at = getelementptr i32, ptr %edges, i64 %i
  %lane = load i32, ptr %at, align 4
  %neighbour = and i32 %lane, 536870911
  %u = zext i32 %neighbour to i64
  %field = getelementptr { float, float, i32 }, ptr %vertices, i64 %u, i32 1
  %rank = load float, ptr %field, align 4
  %message = fmul nnan float %rank, %scale
  %sum.next = fadd float %sum, %message
  %i.next = add nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  %result = phi float [ %init, %entry ], [ %sum.next, %loop ]
  ret float %result
}

; CHECK: define internal float @heddle.pull.0(ptr %{{.*}}, i64 %{{.*}}, i64 %{{.*}}, float %{{.*}}, ptr %{{.*}}, float %{{.*}}) #[[ATTRIBUTES:[0-9]+]]
; CHECK: load <16 x i32>, ptr %{{.*}}, align 64
; CHECK: call <16 x float> @llvm.masked.gather.v16f32
; CHECK: fmul nnan <16 x float>
; CHECK: call reassoc float @llvm.vector.reduce.fadd.v16f32
; CHECK: attributes #[[ATTRIBUTES]] = { alwaysinline nounwind "target-cpu"="znver4" }

attributes #0 = { "target-cpu"="znver4" }

!0 = distinct !{!0, !1}
!1 = !{!"heddle.vectorsparse", i32 32, i32 16}
