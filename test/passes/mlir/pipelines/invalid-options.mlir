// Options that no pass could do anything with are refused, once.
//
// RUN: not %heddle_opt %s --heddle-mark-gathers=tasks=4294967295 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MARK --implicit-check-not=error:
// MARK: error: heddle-mark-gathers: expected from 1 to 1024 tasks, or 0 for as many as suit the host, not 4294967295
// RUN: %heddle_opt %s --heddle-mark-gathers=tasks=1024 | FileCheck %s
// CHECK: heddle.async = #heddle.async<tasks = 1024>
//
// RUN: not %heddle_opt %s --heddle-to-llvm=tasks=1025 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TASKS --implicit-check-not=error:
// RUN: not %heddle_opt %s --heddle-to-llvm="async=false tasks=1025" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TASKS --implicit-check-not=error:
// TASKS: error: heddle-to-llvm: expected from 1 to 1024 tasks, or 0 for as many as suit the host, not 1025
//
// RUN: not %heddle_opt %s --heddle-to-llvm=lanes=7 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LANES --implicit-check-not=error:
// RUN: not %heddle_opt %s --heddle-to-llvm="vectorsparse lanes=7" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LANES --implicit-check-not=error:
// LANES: error: heddle-to-llvm: edge vectors have 4 or 8 lanes of 64 bits, or 8 or 16 of 32, not 7 of 32

func.func @found(%n: index, %b: memref<?xindex>, %a: memref<?xindex>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %t = arith.addi %s, %v : index
    scf.yield %t : index
  }
  return %sum : index
}
