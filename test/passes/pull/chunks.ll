; The code for a nest of rows and edges.
;
; RUN: %opt -passes=heddle-pull,verify -S %s | FileCheck %s \
; RUN:   --implicit-check-not="call void @__kmpc_for_static"

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@place = external global i8

declare void @__heddle_pull(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @__kmpc_for_static_init_8(ptr, i32, i32, ptr, ptr, ptr, ptr, i64, i64) nounwind
declare void @__kmpc_for_static_fini(ptr, i32) nounwind

; Parts of sums start from nothing.
; CHECK: @heddle.pull.identity = private constant { i32 } zeroinitializer

; All threads run the loop from its first to its last row: the schedule is gone.
; CHECK-LABEL: define void @sums
; CHECK: store i64 %n, ptr %upper
; CHECK: [[UPPER:%.*]] = load i64, ptr %upper
; CHECK: [[PAST:%.*]] = add i64 [[UPPER]], 1
; CHECK: store i64 [[PAST]], ptr %stride
; CHECK: call void @heddle_pull_begin(
; CHECK: {{^}}pull.next:
; CHECK: [[MORE:%.*]] = call i32 @heddle_pull_next(

; Whole rows have a copy of the nest, and where there are few edges another.
; CHECK: {{^}}pull.kind:
; CHECK: [[FROM_FIRST:%.*]] = icmp eq i64 [[LOW:%.*]], 0
; CHECK: [[TO_LAST:%.*]] = icmp eq i64 [[HIGH:%.*]], -1
; CHECK: [[WHOLE:%.*]] = and i1 [[FROM_FIRST]], [[TO_LAST]]
; CHECK: br i1 [[WHOLE]], label %pull.degree, label %rows
; CHECK: {{^}}pull.degree:
; CHECK: [[MORE_ROWS:%.*]] = sub i64 [[LAST_ROW:%.*]], [[FIRST_ROW:%.*]]
; CHECK: [[COUNT:%.*]] = add i64 [[MORE_ROWS]], 1
; CHECK: [[LEAST:%.*]] = mul i64 [[COUNT]], 8
; CHECK: [[FEW:%.*]] = icmp ult i64 [[EDGE_COUNT:%.*]], [[LEAST]]
; CHECK: br i1 [[FEW]], label %rows.short, label %rows.whole

; A store before the edges is the first part's.
; CHECK: {{^}}rows:
; CHECK: [[LATER:%.*]] = icmp eq i64 [[ROW:%.*]], [[CONTINUED:%.*]]
; CHECK: [[FIRST:%.*]] = xor i1 [[LATER]], true
; CHECK: br i1 [[FIRST]], label %[[THEN:[0-9]+]], label
; CHECK: {{^}}[[THEN]]:
; CHECK-NEXT: store i64 %{{.*}}, ptr %mine

; A part takes what other parts have combined, and runs its own edges.
; CHECK: {{^}}before:
; CHECK: [[FROM:%.*]] = call i64 @llvm.umax.i64(i64 %begin, i64 [[LOW]])
; CHECK: [[TO:%.*]] = call i64 @llvm.umin.i64(i64 %end, i64 [[HIGH]])
; CHECK: [[LEFT:%.*]] = sub i64 %end, [[TO]]
; CHECK: [[BACK:%.*]] = mul i64 [[LEFT]], -1
; CHECK: [[BOUND:%.*]] = add i64 %end, [[BACK]]
; CHECK: [[START:%.*]] = select i1 {{%.*}}, i32 {{%.*}}, i32 7
; CHECK: [[ANY:%.*]] = icmp ult i64 [[FROM]], [[TO]]
; CHECK: br i1 [[ANY]], label %edges, label %pull.ended

; Sums of parts may overflow where the row's does not, and a part's last edge is
; not the row's.
; CHECK: {{^}}edges:
; CHECK: phi i32 [ [[START]], {{.*}} ]
; CHECK: [[IS_LAST:%.*]] = icmp eq i64 %e.next, %end
; CHECK: %brought = select i1 [[IS_LAST]], i32 1000, i32 %value
; CHECK: %sum.next = add i32 %sum, %brought
; CHECK: [[ENDS:%.*]] = icmp eq i64 %e.next, [[BOUND]]
; CHECK: br i1 [[ENDS]], label %pull.ended, label %edges

; A part's sum goes to a slot, and the rest of the row is not run.
; CHECK: {{^}}pull.ended:
; CHECK: [[SUM:%.*]] = phi i32 [ %sum.next, %edges ], [ [[START]], {{.*}} ]
; CHECK: br i1 {{%.*}}, label %pull.defer, label %ended
; CHECK: {{^}}pull.defer:
; CHECK: store i32 [[SUM]], ptr
; CHECK-NEXT: br label %pull.advance

; Rows without edges are the first part's too.
; CHECK: {{^}}pull.past:
; CHECK: br i1 {{%.*}}, label %pull.advance, label %rest

; The copy runs whole rows as they were, but counts edges.
; CHECK: {{^}}rows.whole:
; CHECK-NOT: umax
; CHECK-NOT: %pull.defer
; CHECK: [[EDGES:%.*]] = sub i64 %end.whole, %begin.whole
; CHECK: {{^}}edges.whole:
; CHECK-NEXT: [[DONE:%.*]] = phi i64 [ 0, %before.whole ], [ [[NEXT:%.*]], %edges.whole ]
; CHECK: phi i32 [ 7, {{.*}} ]
; CHECK: add nsw i32
; CHECK: [[NEXT]] = add nuw i64 [[DONE]], 1
; CHECK-NEXT: [[LAST:%.*]] = icmp eq i64 [[NEXT]], [[EDGES]]
; CHECK-NEXT: br i1 [[LAST]], label %ended.whole, label %edges.whole
; CHECK-NOT: %pull.defer

; Short rows do not, as LLVM is not to unroll their loop.
; CHECK: {{^}}rows.short:
; CHECK-NOT: umax
; CHECK-NOT: %pull.defer
; CHECK: {{^}}edges.short:
; CHECK-NEXT: phi i32 [ 7, {{.*}} ]
; CHECK: add nsw i32
; CHECK: br i1 {{%.*}}, label %ended.short, label %edges.short, !llvm.loop [[ROLLED:![0-9]+]]
; CHECK-NOT: %pull.defer
; CHECK: {{^}}exit

; CHECK: define internal void @heddle.pull.combine(
; CHECK: add i32

; CHECK: [[DISABLE:![0-9]+]] = !{!"llvm.loop.unroll.disable"}
; CHECK: [[ROLLED]] = distinct !{[[ROLLED]], {{.*}}[[DISABLE]]}

define void @sums(i64 %n, ptr %ends, ptr noalias %x, ptr noalias %y, ptr noalias %degrees) {
entry:
  %last = alloca i32
  %lower = alloca i64
  %upper = alloca i64
  %stride = alloca i64
  store i32 0, ptr %last
  store i64 0, ptr %lower
  store i64 %n, ptr %upper
  store i64 1, ptr %stride
  call void @__kmpc_for_static_init_8(ptr @place, i32 0, i32 34, ptr %last, ptr %lower, ptr %upper, ptr %stride, i64 1, i64 1)
  %first = load i64, ptr %lower
  %final = load i64, ptr %upper
  %some = icmp sle i64 %first, %final
  br i1 %some, label %preheader, label %exit
preheader:
  br label %rows
rows:
  %v = phi i64 [ %first, %preheader ], [ %v.next, %rest ]
  call void (i32, ...) @__heddle_pull(i32 1212498944, i32 11, i32 0, i32 10, i64 1000)
  %ends.v = getelementptr inbounds i64, ptr %ends, i64 %v
  %begin = load i64, ptr %ends.v
  %ends.next = getelementptr i8, ptr %ends.v, i64 8
  %end = load i64, ptr %ends.next
  %mine = getelementptr inbounds i64, ptr %degrees, i64 %v
  store i64 %v, ptr %mine
  %some.edges = icmp slt i64 %begin, %end
  br i1 %some.edges, label %before, label %rest
before:
  br label %edges
edges:
  %sum = phi i32 [ 7, %before ], [ %sum.next, %edges ]
  %e = phi i64 [ %begin, %before ], [ %e.next, %edges ]
  %place.x = getelementptr inbounds i32, ptr %x, i64 %e
  %value = load i32, ptr %place.x
  %e.next = add nsw i64 %e, 1
  %is.last = icmp eq i64 %e.next, %end
  %brought = select i1 %is.last, i32 1000, i32 %value
  %sum.next = add nsw i32 %sum, %brought
  br i1 %is.last, label %ended, label %edges
ended:
  %sum.all = phi i32 [ %sum.next, %edges ]
  br label %rest
rest:
  %result = phi i32 [ 7, %rows ], [ %sum.all, %ended ]
  %place.y = getelementptr inbounds i32, ptr %y, i64 %v
  store i32 %result, ptr %place.y
  %v.next = add nsw i64 %v, 1
  %done = icmp sgt i64 %v.next, %final
  br i1 %done, label %exit, label %rows
exit:
  call void @__kmpc_for_static_fini(ptr @place, i32 0)
  ret void
}
