// The name of the function may be taken.
//
// RUN: %heddle_opt %s -split-input-file -verify-diagnostics --heddle-lower-marks \
// RUN:   | FileCheck %s

// A declaration that is there already, with this type, is used.
//
// CHECK: llvm.func @__heddle_mark(i32, ...)
// CHECK-NOT: llvm.func @__heddle_mark
// CHECK: llvm.call @__heddle_mark
llvm.func @__heddle_mark(i32, ...)
func.func @declared() {
  heddle.mark #heddle.async
  return
}

// -----

func.func private @__heddle_mark()
func.func @function() {
  // expected-error @+2 {{needs the name '__heddle_mark', which something else has}}
  // expected-error @+1 {{failed to legalize}}
  heddle.mark #heddle.async
  return
}

// -----

llvm.mlir.global @__heddle_mark() : i32
func.func @variable() {
  // expected-error @+2 {{needs the name '__heddle_mark', which something else has}}
  // expected-error @+1 {{failed to legalize}}
  heddle.mark #heddle.async
  return
}

// -----

llvm.func @__heddle_mark(i64, ...)
func.func @otherType() {
  // expected-error @+2 {{needs the name '__heddle_mark', which something else has}}
  // expected-error @+1 {{failed to legalize}}
  heddle.mark #heddle.async
  return
}

// -----

llvm.func @__heddle_mark(%number: i32, ...) {
  llvm.return
}
func.func @definition() {
  // expected-error @+2 {{needs the name '__heddle_mark', which something else has}}
  // expected-error @+1 {{failed to legalize}}
  heddle.mark #heddle.async
  return
}
