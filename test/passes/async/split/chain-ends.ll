; A task that retires reads what a task that goes on overwrites: the last value
; that was added, not the next one.
;
; RUN: %opt -passes=heddle-async-split,verify -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)

; CHECK-LABEL: define i64 @last_of_many
; CHECK: {{^}}task.resume.lockstep:
; CHECK: [[THREE:%.*]] = mul i64 [[NOW:%.*]], 3
; CHECK: [[NEXT:%.*]] = add i64 [[THREE]], 1
; CHECK: [[GOES_ON:%.*]] = icmp sgt i32
; CHECK: [[LAST:%.*]] = select i1 [[GOES_ON]], i64 0, i64 [[NOW]]
; CHECK: add i64 [[LAST]], %
; CHECK: store i64 [[NEXT]], ptr %
define i64 @last_of_many(ptr readonly %next, ptr readonly %first, ptr readonly %k, i64 %n) nounwind {
entry:
  %cmp15 = icmp sgt i64 %n, 0
  br i1 %cmp15, label %for.body, label %for.cond.cleanup
for.cond.cleanup:
  %sum.0.lcssa = phi i64 [ 0, %entry ], [ %sum.1, %if.end ]
  ret i64 %sum.0.lcssa
for.body:
  %sum.017 = phi i64 [ %sum.1, %if.end ], [ 0, %entry ]
  %i.016 = phi i64 [ %inc, %if.end ], [ 0, %entry ]
  call void (i32, ...) @__heddle_async(i32 1212498944, i32 2, i32 2)
  %arrayidx = getelementptr inbounds nuw i64, ptr %k, i64 %i.016
  %0 = load i64, ptr %arrayidx, align 8
  %arrayidx1 = getelementptr inbounds i32, ptr %first, i64 %0
  %1 = load i32, ptr %arrayidx1, align 4
  %cmp3 = icmp sgt i32 %1, -1
  br i1 %cmp3, label %do.body, label %if.end
do.body:
  %p.0 = phi i32 [ %2, %do.body ], [ %1, %for.body ]
  %d.0 = phi i64 [ %add4, %do.body ], [ %0, %for.body ]
  %mul = mul i64 %d.0, 3
  %add4 = add i64 %mul, 1
  %add = add i64 %d.0, %sum.017
  %idxprom = zext nneg i32 %p.0 to i64
  %arrayidx5 = getelementptr inbounds nuw i32, ptr %next, i64 %idxprom
  %2 = load i32, ptr %arrayidx5, align 4
  %cmp6 = icmp sgt i32 %2, -1
  br i1 %cmp6, label %do.body, label %if.end
if.end:
  %sum.1 = phi i64 [ %add, %do.body ], [ %sum.017, %for.body ]
  %inc = add nuw nsw i64 %i.016, 1
  %exitcond.not = icmp eq i64 %inc, %n
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body
}
