; A mark without a number, from a front end that cannot put hints on loops, is
; for the innermost loop around it, which gets a number of its own.
;
; RUN: %opt -passes=heddle-async-mark -S %s \
; RUN:   -pass-remarks-missed=heddle 2>%t.remarks \
; RUN:   | FileCheck %s --implicit-check-not=__heddle_mark \
; RUN:     --implicit-check-not=initiationinterval
; RUN: FileCheck %s --check-prefix=REMARKS <%t.remarks

target triple = "x86_64-pc-linux-gnu"

declare void @__heddle_mark(i32, ...)

; CHECK-LABEL: define void @clauses
; CHECK: loop:
; CHECK: call void (i32, ...) @__heddle_async(i32 1216348160, i32 1, i32 64, i32 2, i32 3, i32 3, i32 4, i32 12, i32 5, i32 4, i32 %condition, i32 5, ptr captures(none) %p, i32 6, ptr captures(none) %q, i32 7, ptr captures(none) %r)
; CHECK: br i1 %more, label %loop, label %exit, !llvm.loop [[CLAUSES:![0-9]+]]
define void @clauses(i64 %n, i32 %condition, ptr %p, ptr %q, ptr %r) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 64, i32 2, i32 3, i32 3, i32 4, i32 12, i32 5, i32 4, i32 %condition, i32 5, ptr %p, i32 6, ptr %q, i32 7, ptr %r)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; Every loop has its own number, in whatever order they come.
;
; CHECK-LABEL: define void @nest
; CHECK: outer:
; CHECK: call void (i32, ...) @__heddle_async(i32 1216348161, i32 1, i32 2)
; CHECK: inner:
; CHECK: call void (i32, ...) @__heddle_async(i32 1216348162, i32 1, i32 3)
; CHECK: br i1 %inner.more, label %inner, label %outer.end, !llvm.loop [[INNER:![0-9]+]]
; CHECK: br i1 %outer.more, label %outer, label %beside, !llvm.loop [[OUTER:![0-9]+]]
; CHECK: beside:
; CHECK: call void (i32, ...) @__heddle_async(i32 1216348163, i32 1, i32 4)
; CHECK: br i1 %beside.more, label %beside, label %exit, !llvm.loop [[BESIDE:![0-9]+]]
define void @nest(i64 %n) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %outer.next, %outer.end ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 2)
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %inner.next, %inner ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 3)
  %inner.next = add i64 %j, 1
  %inner.more = icmp ult i64 %inner.next, %n
  br i1 %inner.more, label %inner, label %outer.end

outer.end:
  %outer.next = add i64 %i, 1
  %outer.more = icmp ult i64 %outer.next, %n
  br i1 %outer.more, label %outer, label %beside

beside:
  %k = phi i64 [ 0, %outer.end ], [ %beside.next, %beside ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 4)
  %beside.next = add i64 %k, 1
  %beside.more = icmp ult i64 %beside.next, %n
  br i1 %beside.more, label %beside, label %exit

exit:
  ret void
}

; A mark in one branch of the body, and a loop with two ways back.
;
; CHECK-LABEL: define void @continues
; CHECK: then:
; CHECK-NEXT: call void (i32, ...) @__heddle_async(i32 1216348164)
; CHECK-NEXT: br label %loop, !llvm.loop [[CONTINUES:![0-9]+]]
; CHECK: br i1 %more, label %loop, label %exit, !llvm.loop [[CONTINUES]]
define void @continues(i64 %n, i1 %b) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %then ], [ %next, %else ]
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  %both = and i1 %more, %b
  br i1 %both, label %then, label %else

then:
  call void (i32, ...) @__heddle_mark(i32 0)
  br label %loop

else:
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; The loop's other properties stay, and a hint of the user's, too.
;
; CHECK-LABEL: define void @otherProperties
; CHECK: call void (i32, ...) @__heddle_async(i32 1216348165)
; CHECK: !llvm.loop [[OTHERS:![0-9]+]]
define void @otherProperties(i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_mark(i32 0)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  ret void
}

; REMARKS: loop not interleaved: its body never runs twice, or code outside jumps into it
; CHECK-LABEL: define void @noLoop
; CHECK-NEXT: ret void
define void @noLoop() {
  call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 64)
  ret void
}

; In a loop that can be entered at two places.
;
; REMARKS: loop not interleaved: its body never runs twice, or code outside jumps into it
; CHECK-LABEL: define void @twoEntries
; CHECK-NOT: __heddle
; CHECK-NOT: !llvm.loop
define void @twoEntries(i1 %b) {
entry:
  br i1 %b, label %one, label %other

one:
  call void (i32, ...) @__heddle_mark(i32 0)
  br label %other

other:
  br i1 %b, label %one, label %exit

exit:
  ret void
}

; One of two marks speaks for a loop.
;
; REMARKS: loop not interleaved: another mark in its body is used instead
; REMARKS-NOT: remark
; CHECK-LABEL: define void @markedTwice
; CHECK: call void (i32, ...) @__heddle_async(i32 1216348168, i32 1, i32 2)
; CHECK-NOT: @__heddle_async
; CHECK: !llvm.loop [[TWICE:![0-9]+]]
define void @markedTwice(i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 2)
  call void (i32, ...) @__heddle_mark(i32 0, i32 1, i32 3)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK: [[CLAUSES]] = distinct !{[[CLAUSES]], [[NUMBER:![0-9]+]], [[DISABLE:![0-9]+]]}
; CHECK: [[NUMBER]] = !{!"heddle.async", i32 1216348160}
; CHECK: [[DISABLE]] = !{!"llvm.loop.disable_nonforced"}
; CHECK: [[INNER]] = distinct !{[[INNER]], [[NUMBER:![0-9]+]], [[DISABLE]]}
; CHECK: [[NUMBER]] = !{!"heddle.async", i32 1216348162}
; CHECK: [[OUTER]] = distinct !{[[OUTER]], [[NUMBER:![0-9]+]], [[DISABLE]]}
; CHECK: [[NUMBER]] = !{!"heddle.async", i32 1216348161}
; CHECK: [[BESIDE]] = distinct !{[[BESIDE]], [[NUMBER:![0-9]+]], [[DISABLE]]}
; CHECK: [[NUMBER]] = !{!"heddle.async", i32 1216348163}
; CHECK: [[CONTINUES]] = distinct !{[[CONTINUES]], [[NUMBER:![0-9]+]], [[DISABLE]]}
; CHECK: [[NUMBER]] = !{!"heddle.async", i32 1216348164}
; CHECK: [[OTHERS]] = distinct !{[[OTHERS]], [[PROGRESS:![0-9]+]], [[COUNT:![0-9]+]], [[NUMBER:![0-9]+]], [[DISABLE]]}
; CHECK: [[PROGRESS]] = !{!"llvm.loop.mustprogress"}
; CHECK: [[COUNT]] = !{!"llvm.loop.interleave.count", i32 3}
; CHECK: [[NUMBER]] = !{!"heddle.async", i32 1216348165}
; CHECK: [[TWICE]] = distinct !{[[TWICE]], [[NUMBER:![0-9]+]], [[DISABLE]]}
; CHECK: [[NUMBER]] = !{!"heddle.async", i32 1216348168}
!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.interleave.count", i32 3}
