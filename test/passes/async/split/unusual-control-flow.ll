; Loops that do not come from structured source are left alone, and stay sound.
;
; RUN: %opt -passes=heddle-async-split -pass-remarks-missed=heddle -S -o /dev/null %s 2>&1 | FileCheck --check-prefix=REMARK %s
; RUN: %opt -passes=heddle-async-split,verify -S %s | FileCheck --implicit-check-not=heddle.site %s

; Entered by a computed jump, so that there can be no block in front.
; REMARK: loop not interleaved: its control flow cannot be followed; do without computed `goto`, and without jumps into loops{{$}}
; CHECK-LABEL: define void @entered_by_computed_jump
define void @entered_by_computed_jump(ptr %keys, ptr %table, i64 %n, ptr %to) {
entry:
  indirectbr ptr %to, [label %loop, label %exit]

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_async(i32 1212498944)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; Something that belongs together across instructions.
; REMARK: loop not interleaved: it contains a construct that cannot be split, such as a coroutine
; CHECK-LABEL: define void @token
define void @token(ptr %keys, ptr %table, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_async(i32 1212498944)
  %token = call token @llvm.experimental.convergence.anchor()
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

declare token @llvm.experimental.convergence.anchor()
declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)
