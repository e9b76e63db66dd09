; Data that a mark says to be remote or near: accesses are told by their
; addresses, which are computed from the data's, or from where that has been
; loaded from.
;
; RUN: %opt -passes=heddle-async-mark -S %s \
; RUN:   | FileCheck %s --implicit-check-not=heddle.remote --implicit-check-not=heddle.near

target triple = "x86_64-pc-linux-gnu"

declare void @__heddle_mark(i32, ...)

; CHECK-LABEL: define void @arguments
; CHECK: call void (i32, ...) @__heddle_async(i32 1216348160)
; CHECK: load i64, ptr %k.place, align 8, !heddle.near [[TAG:![0-9]+]]
; CHECK: load i64, ptr %v.place, align 8, !heddle.remote [[TAG]]
; CHECK: load i64, ptr %other.place, align 8{{$}}
; CHECK: store i64 %sum, ptr %v.place, align 8, !heddle.remote [[TAG]]
; CHECK: atomicrmw add ptr %v.second, i64 1 monotonic, align 8, !heddle.remote [[TAG]]
; CHECK: cmpxchg ptr %v.second, i64 1, i64 2 monotonic monotonic, align 8, !heddle.remote [[TAG]]
define void @arguments(ptr %keys, ptr %values, ptr %others, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 13, ptr %values, i32 14, ptr %keys)
  %k.place = getelementptr i64, ptr %keys, i64 %i
  %k = load i64, ptr %k.place
  %v.place = getelementptr i64, ptr %values, i64 %k
  %v = load i64, ptr %v.place
  %other.place = getelementptr i64, ptr %others, i64 %v
  %other = load i64, ptr %other.place
  %sum = add i64 %v, %other
  store i64 %sum, ptr %v.place
  %v.second = getelementptr i8, ptr %v.place, i64 8
  %old = atomicrmw add ptr %v.second, i64 1 monotonic
  %pair = cmpxchg ptr %v.second, i64 1, i64 2 monotonic monotonic
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; The mark speaks for its loop, and data have more than one name.
;
; CHECK-LABEL: define void @only_in_the_loop
; CHECK: load i64, ptr %values, align 8{{$}}
; CHECK: load i64, ptr %pointer, align 8, !heddle.remote [[TAG]]
; CHECK: load i64, ptr %values, align 8{{$}}
define void @only_in_the_loop(ptr %values, ptr %others, i64 %n) {
entry:
  %before = load i64, ptr %values
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %moving = phi ptr [ %values, %entry ], [ %moved, %loop ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 13, ptr %values)
  %odd = trunc i64 %i to i1
  %pointer = select i1 %odd, ptr %values, ptr %others
  %v = load i64, ptr %pointer
  %moved = getelementptr i64, ptr %moving, i64 %v
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %after = load i64, ptr %values
  ret void
}

; In an outlined function the data's address is loaded, maybe again at each use.
;
; CHECK-LABEL: define void @outlined
; CHECK: load i64, ptr %place, align 8, !heddle.remote [[TAG]]
; CHECK: load i64, ptr %other.place, align 8{{$}}
define void @outlined(ptr %context, i64 %n) {
entry:
  %values.context = getelementptr { ptr, ptr }, ptr %context, i32 0, i32 0
  %others.context = getelementptr { ptr, ptr }, ptr %context, i32 0, i32 1
  %values = load ptr, ptr %values.context
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 13, ptr %values)
  %again = load ptr, ptr %values.context
  %place = getelementptr i64, ptr %again, i64 %i
  %v = load i64, ptr %place
  %others = load ptr, ptr %others.context
  %other.place = getelementptr i64, ptr %others, i64 %v
  %other = load i64, ptr %other.place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; A call of a variable's data is one of data, where remote(p) of the directive
; is one of the variable p.
;
; CHECK-LABEL: define void @array_of_its_own
; CHECK: load i64, ptr %place, align 8, !heddle.near [[TAG]]
define void @array_of_its_own(i64 %n) {
entry:
  %array = alloca i64, i64 1024
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_mark(i32 0, i32 14, ptr %array)
  %place = getelementptr i64, ptr %array, i64 %i
  %v = load i64, ptr %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
