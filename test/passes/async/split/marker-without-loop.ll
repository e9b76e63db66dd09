; A marker that no loop is around any more, because the loop was peeled or
; unrolled, goes without a trace.
;
; RUN: %opt -passes=heddle-async-split -S %s | FileCheck --implicit-check-not="call void" %s

; CHECK-LABEL: define i64 @once
; CHECK-NEXT: entry:
; CHECK-NEXT: %value = load i64, ptr %table
; CHECK-NEXT: ret i64 %value
define i64 @once(ptr %table) {
entry:
  call void (i32, ...) @__heddle_async(i32 1212498944, i32 1, i32 16)
  %value = load i64, ptr %table
  ret i64 %value
}

declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)
