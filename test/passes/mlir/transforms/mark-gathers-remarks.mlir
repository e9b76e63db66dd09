// The remarks on loops that wait for memory: that they are marked, or why not.
//
// RUN: %heddle_opt %s --heddle-mark-gathers --remarks-filter='heddle.*' \
// RUN:   -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='] MarkGathers'

func.func private @tell(index)

func.func @loops(%n: index, %b: memref<?xindex>, %a: memref<?xf64>,
                 %y: memref<?xf64>, %edges: memref<?x8xi32>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  // CHECK-DAG: remarks.mlir:[[@LINE+1]]:3: remark: [Passed] {{.*}}"waits for memory, and is marked"
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
    scf.reduce
  }
  // CHECK-DAG: remarks.mlir:[[@LINE+1]]:3: remark: [Missed] {{.*}}Next="mark the loop if its iterations are independent, or make it parallel", Refusal=IterationsMeet, Remark="waits for memory, and cannot be interleaved: an iteration may write what another one reads or writes"
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
  }
  // CHECK-DAG: remarks.mlir:[[@LINE+1]]:10: remark: [Missed] {{.*}}"waits for memory, and cannot be interleaved: floating point numbers would be combined in another order"
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xf64>
    %t = arith.addf %s, %v : f64
    scf.yield %t : f64
  }
  // CHECK-DAG: remarks.mlir:[[@LINE+1]]:3: remark: [Missed] {{.*}}"waits for memory, and cannot be interleaved: it does more than compute, load and store"
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %next = memref.load %b[%k] : memref<?xindex>
    func.call @tell(%next) : (index) -> ()
  }
  // Nothing is said of loops that do not wait, which what they have in a
  // heddle.pull_parallel is no reason for.
  scf.for %i = %c0 to %n step %c1 {
    heddle.pull_parallel <add> %b, %edges chunk(%n) init(%zero : f64)
        captures(%a, %y : memref<?xf64>, memref<?xf64>)
        into(%y : memref<?xf64>) : memref<?xindex>, memref<?x8xi32> {
    ^bb0(%u: i32, %values: memref<?xf64>, %old: memref<?xf64>):
      %value = heddle.gather %values[%u] : memref<?xf64>, i32
      heddle.yield %value : f64
    } apply {
    ^bb0(%v: index, %all: f64, %values: memref<?xf64>, %old: memref<?xf64>):
      %own = memref.load %old[%v] : memref<?xf64>
      %place = arith.fptosi %own : f64 to i32
      %at = arith.index_cast %place : i32 to index
      %there = memref.load %values[%at] : memref<?xf64>
      heddle.yield %there : f64
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %a[%i] : memref<?xf64>
    memref.store %v, %y[%i] : memref<?xf64>
  }
  return %sum : f64
}
