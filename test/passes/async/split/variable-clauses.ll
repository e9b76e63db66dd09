; Variables of clauses are kept in memory by the marker alone, and are in
; registers when it is gone, also where the loop is left alone.
;
; RUN: %opt -passes=heddle-async-split -S %s | FileCheck %s

; CHECK-LABEL: define i64 @left_alone
; CHECK-NOT: alloca
; CHECK: phi i64
; CHECK: ret i64
define i64 @left_alone(ptr %values, i64 %n) {
entry:
  %sum = alloca i64
  store i64 0, ptr %sum
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (i32, ...) @__heddle_async(i32 1212498944, i32 6, ptr %sum)
  %place = getelementptr i64, ptr %values, i64 %i
  %value = load i64, ptr %place
  %old = load i64, ptr %sum
  %new = add i64 %old, %value
  store i64 %new, ptr %sum
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  %result = load i64, ptr %sum
  ret i64 %result
}

declare void @__heddle_async(i32, ...) nounwind willreturn memory(inaccessiblemem: readwrite)
