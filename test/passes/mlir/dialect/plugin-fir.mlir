// Loops of Flang's own dialect carry the attribute and the mark, in a stock
// fir-opt, down to AsyncMark.
//
// REQUIRES: fir-opt
// RUN: %fir_opt %s --load-dialect-plugin=%mlir_plugin \
// RUN:   --load-pass-plugin=%mlir_plugin \
// RUN:   --pass-pipeline="builtin.module(heddle-materialize-marks)" \
// RUN:   | FileCheck %s
// RUN: %fir_opt %s --load-dialect-plugin=%mlir_plugin \
// RUN:   --load-pass-plugin=%mlir_plugin --pass-pipeline="builtin.module( \
// RUN:     heddle-materialize-marks, cfg-conversion, heddle-lower-marks, \
// RUN:     fir-to-llvm-ir)" \
// RUN:   | FileCheck %s --check-prefix=LLVM

// CHECK-LABEL: @loop
// CHECK: fir.do_loop
// CHECK-NEXT: heddle.mark #heddle.async<tasks = 9>
// LLVM-LABEL: llvm.func @loop
// LLVM: llvm.cond_br
// LLVM: llvm.call @__heddle_mark(
// LLVM: llvm.br
func.func @loop(%lo: index, %hi: index, %keys: !fir.ref<!fir.array<100xi64>>,
                %values: !fir.ref<!fir.array<100xi64>>) {
  %c1 = arith.constant 1 : index
  fir.do_loop %i = %lo to %hi step %c1
      attributes {heddle.async = #heddle.async<tasks = 9>} {
    %place = fir.coordinate_of %keys, %i
        : (!fir.ref<!fir.array<100xi64>>, index) -> !fir.ref<i64>
    %key = fir.load %place : !fir.ref<i64>
    %other = fir.coordinate_of %values, %key
        : (!fir.ref<!fir.array<100xi64>>, i64) -> !fir.ref<i64>
    %value = fir.load %other : !fir.ref<i64>
    fir.store %value to %place : !fir.ref<i64>
  }
  return
}

// CHECK-LABEL: @worksharing
// CHECK: omp.loop_nest (%[[I:.*]]) : i32 = (%[[LO:.*]]) to
// CHECK-NEXT: heddle.mark #heddle.async<scheduler = lockstep> counts(%[[I]] from %[[LO]] : i32)
// LLVM-LABEL: llvm.func @worksharing
// LLVM: omp.loop_nest
// LLVM: llvm.call @__heddle_mark(
func.func @worksharing(%lo: i32, %hi: i32, %p: !fir.ref<i32>) {
  %c1 = arith.constant 1 : i32
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : i32 = (%lo) to (%hi) inclusive step (%c1) {
        fir.store %i to %p : !fir.ref<i32>
        omp.yield
      }
    } {heddle.async = #heddle.async<scheduler = lockstep>}
    omp.terminator
  }
  return
}
