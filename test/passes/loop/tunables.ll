; The numbers that the passes decide by are options with a range.
;
; RUN: %opt -passes=heddle-async-split -disable-output %s -heddle-block-iterations=1 -heddle-tasks-room=1024
; RUN: %opt -passes=heddle-async-split -disable-output %s -heddle-block-iterations=0x40 -heddle-slice-instructions=0
;
; RUN: not %opt -heddle-block-iterations=12 %s 2>&1 | FileCheck %s --check-prefix=POWER
; RUN: not %opt -heddle-block-iterations=0 %s 2>&1 | FileCheck %s --check-prefix=NOPOWER
; POWER: for the --heddle-block-iterations option: expected a power of two from 1 to 1024, not '12'
; NOPOWER: for the --heddle-block-iterations option: expected a power of two from 1 to 1024, not '0'
;
; RUN: not %opt -heddle-tasks-room=0 %s 2>&1 | FileCheck %s --check-prefix=ZERO
; RUN: not %opt -heddle-tasks-room=1025 %s 2>&1 | FileCheck %s --check-prefix=MANY
; RUN: not %opt -heddle-tasks-room=-1 %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
; RUN: not %opt -heddle-tasks-room=few %s 2>&1 | FileCheck %s --check-prefix=TEXT
; RUN: not %opt -heddle-tasks-room= %s 2>&1 | FileCheck %s --check-prefix=EMPTY
; RUN: not %opt -heddle-tasks-room=18446744073709551617 %s 2>&1 | FileCheck %s --check-prefix=LONG
; ZERO: for the --heddle-tasks-room option: expected a number from 1 to 1024, not '0'
; MANY: for the --heddle-tasks-room option: expected a number from 1 to 1024, not '1025'
; NEGATIVE: for the --heddle-tasks-room option: expected a number from 1 to 1024, not '-1'
; TEXT: for the --heddle-tasks-room option: expected a number from 1 to 1024, not 'few'
; EMPTY: for the --heddle-tasks-room option: expected a number from 1 to 1024, not ''
; LONG: for the --heddle-tasks-room option: expected a number from 1 to 1024, not '18446744073709551617'
;
; RUN: not %opt -heddle-requests=2 %s 2>&1 | FileCheck %s --check-prefix=SWITCH
; SWITCH: for the --heddle-requests option: '2' is invalid value for boolean argument!

define void @nothing() {
  ret void
}
