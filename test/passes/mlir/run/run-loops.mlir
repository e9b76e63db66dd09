// Marked loops of all kinds do what they do without marks.
//
// REQUIRES: mlir-translate
// RUN: %same_results | FileCheck %s
// CHECK-COUNT-10: interleaved the loop's iterations

#async = #heddle.async

func.func private @record(i64)

// A sum, and the last of the values.
func.func @loop_0(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%s = %zero, %last = %zero) -> (i64, i64) {
    %key = memref.load %keys[%i] : memref<?xi64>
    %k = arith.index_cast %key : i64 to index
    %link = memref.load %values[%k] : memref<?xi64>
    %l = arith.index_cast %link : i64 to index
    %v = memref.load %values[%l] : memref<?xi64>
    %t = arith.addi %s, %v : i64
    scf.yield %t, %v : i64, i64
  } {heddle.async = #async}
  %both = arith.xori %r#0, %r#1 : i64
  return %both : i64
}

// The order of updates to a carried value counts.
func.func @loop_1(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i64
  %many = arith.constant 31 : i64
  %hash = scf.for %i = %c0 to %n step %c2 iter_args(%s = %one) -> i64 {
    %key = memref.load %keys[%i] : memref<?xi64>
    %k = arith.index_cast %key : i64 to index
    %link = memref.load %values[%k] : memref<?xi64>
    %l = arith.index_cast %link : i64 to index
    %v = memref.load %values[%l] : memref<?xi64>
    %m = arith.muli %s, %many : i64
    %t = arith.addi %m, %v : i64
    scf.yield %t : i64
  } {heddle.async = #async}
  return %hash : i64
}

// Elements of an iteration's own, and one that many may add to.
func.func @loop_2(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c256 = arith.constant 256 : index
  %y = memref.alloc() : memref<256xi64>
  %counts = memref.alloc() : memref<256xi64>
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %zero, %y[%i] : memref<256xi64>
    memref.store %zero, %counts[%i] : memref<256xi64>
  }
  scf.for %i = %c0 to %n step %c1 {
    %key = memref.load %keys[%i] : memref<?xi64>
    %k = arith.index_cast %key : i64 to index
    %link = memref.load %values[%k] : memref<?xi64>
    %l = arith.index_cast %link : i64 to index
    %v = memref.load %values[%l] : memref<?xi64>
    memref.store %v, %y[%i] : memref<256xi64>
    %m = arith.index_cast %v : i64 to index
    %old = memref.load %counts[%m] : memref<256xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %counts[%m] : memref<256xi64>
  } {heddle.async = #async}
  %sum = func.call @sum(%y, %counts) : (memref<256xi64>, memref<256xi64>) -> i64
  memref.dealloc %y : memref<256xi64>
  memref.dealloc %counts : memref<256xi64>
  return %sum : i64
}

func.func private @sum(%y: memref<256xi64>, %z: memref<256xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i64
  %many = arith.constant 31 : i64
  %sum = scf.for %i = %c0 to %c256 step %c1 iter_args(%s = %zero) -> i64 {
    %v = memref.load %y[%i] : memref<256xi64>
    %w = memref.load %z[%i] : memref<256xi64>
    %m = arith.muli %s, %many : i64
    %t = arith.addi %m, %v : i64
    %u = arith.xori %t, %w : i64
    scf.yield %u : i64
  }
  return %sum : i64
}

// The same on threads, if there are any: elements of its own, and a sum.
func.func @loop_3(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i64
  %y = memref.alloc() : memref<256xi64>
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %zero, %y[%i] : memref<256xi64>
  }
  %all = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> i64 {
    %key = memref.load %keys[%i] : memref<?xi64>
    %k = arith.index_cast %key : i64 to index
    %link = memref.load %values[%k] : memref<?xi64>
    %l = arith.index_cast %link : i64 to index
    %v = memref.load %values[%l] : memref<?xi64>
    memref.store %v, %y[%i] : memref<256xi64>
    scf.reduce(%v : i64) {
    ^bb0(%a: i64, %b: i64):
      %t = arith.addi %a, %b : i64
      scf.reduce.return %t : i64
    }
  } {heddle.async = #async}
  %sum = func.call @sum(%y, %y) : (memref<256xi64>, memref<256xi64>) -> i64
  %both = arith.addi %sum, %all : i64
  memref.dealloc %y : memref<256xi64>
  return %both : i64
}

// Rows whose ends have been loaded, in two dimensions.
func.func @loop_4(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i64
  %y = memref.alloc() : memref<256xi64>
  %z = memref.alloc() : memref<256xi64>
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %zero, %y[%i] : memref<256xi64>
    memref.store %zero, %z[%i] : memref<256xi64>
  }
  %half = arith.divui %n, %c2 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%half, %c2) step (%c1, %c1) {
    %double = arith.muli %i, %c2 : index
    %place = arith.addi %double, %j : index
    %key = memref.load %keys[%place] : memref<?xi64>
    %few = arith.andi %key, %seven : i64
    %end = arith.index_cast %few : i64 to index
    %sum = scf.for %e = %c0 to %end step %c1 iter_args(%s = %key) -> i64 {
      %k = arith.index_cast %s : i64 to index
      %v = memref.load %values[%k] : memref<?xi64>
      scf.yield %v : i64
    }
    memref.store %sum, %y[%place] : memref<256xi64>
    scf.reduce
  } {heddle.async = #async}
  %sum = func.call @sum(%y, %z) : (memref<256xi64>, memref<256xi64>) -> i64
  memref.dealloc %y : memref<256xi64>
  memref.dealloc %z : memref<256xi64>
  return %sum : i64
}

// Conditions, and lists that end somewhere.
func.func @loop_5(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %least = arith.constant 40 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %key = memref.load %keys[%i] : memref<?xi64>
    %odd = arith.trunci %key : i64 to i1
    %t = scf.if %odd -> i64 {
      %end:2 = scf.while (%p = %key, %steps = %zero)
          : (i64, i64) -> (i64, i64) {
        %far = arith.cmpi sgt, %p, %least : i64
        %few = arith.cmpi slt, %steps, %least : i64
        %more = arith.andi %far, %few : i1
        scf.condition(%more) %p, %steps : i64, i64
      } do {
      ^bb0(%p: i64, %steps: i64):
        %k = arith.index_cast %p : i64 to index
        %next = memref.load %values[%k] : memref<?xi64>
        %one = arith.constant 1 : i64
        %more = arith.addi %steps, %one : i64
        scf.yield %next, %more : i64, i64
      }
      %found = arith.addi %end#0, %end#1 : i64
      %u = arith.addi %s, %found : i64
      scf.yield %u : i64
    } else {
      scf.yield %s : i64
    }
    scf.yield %t : i64
  } {heddle.async = #async}
  return %sum : i64
}

// A loop of OpenMP, with a reduction, in a team.
omp.declare_reduction @add : i64 init {
^bb0(%x: i64):
  %zero = llvm.mlir.constant(0 : i64) : i64
  omp.yield(%zero : i64)
} combiner {
^bb0(%x: i64, %y: i64):
  %sum = llvm.add %x, %y : i64
  omp.yield(%sum : i64)
}

func.func @loop_6(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = llvm.mlir.constant(1 : i64) : i64
  %zero = llvm.mlir.constant(0 : i64) : i64
  %total = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
  llvm.store %zero, %total : i64, !llvm.ptr
  omp.parallel {
    omp.wsloop reduction(@add %total -> %mine : !llvm.ptr) {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %key = memref.load %keys[%i] : memref<?xi64>
        %k = arith.index_cast %key : i64 to index
        %link = memref.load %values[%k] : memref<?xi64>
        %l = arith.index_cast %link : i64 to index
        %v = memref.load %values[%l] : memref<?xi64>
        %old = llvm.load %mine : !llvm.ptr -> i64
        %new = llvm.add %old, %v : i64
        llvm.store %new, %mine : i64, !llvm.ptr
        omp.yield
      }
    } {heddle.async = #async}
    omp.terminator
  }
  %sum = llvm.load %total : !llvm.ptr -> i64
  return %sum : i64
}

// The greatest value.
func.func @loop_7(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %key = memref.load %keys[%i] : memref<?xi64>
    %k = arith.index_cast %key : i64 to index
    %link = memref.load %values[%k] : memref<?xi64>
    %l = arith.index_cast %link : i64 to index
    %v = memref.load %values[%l] : memref<?xi64>
    %b = arith.maxsi %s, %v : i64
    scf.yield %b : i64
  } {heddle.async = #async}
  func.call @record(%sum) : (i64) -> ()
  return %sum : i64
}

// The greatest of the sums on the way, and of some of them.
func.func @loop_8(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%most = %zero, %s = %zero) -> (i64, i64) {
    %key = memref.load %keys[%i] : memref<?xi64>
    %k = arith.index_cast %key : i64 to index
    %link = memref.load %values[%k] : memref<?xi64>
    %l = arith.index_cast %link : i64 to index
    %v = memref.load %others[%l] : memref<?xi64>
    %b = arith.maxsi %most, %s : i64
    %t = arith.subi %s, %v : i64
    scf.yield %b, %t : i64, i64
  } {heddle.async = #async}
  %both = arith.xori %r#0, %r#1 : i64
  return %both : i64
}

func.func @loop_9(%n: index, %keys: memref<?xi64>, %values: memref<?xi64>,
                  %others: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %r:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%most = %one, %s = %one) -> (i64, i64) {
    %key = memref.load %keys[%i] : memref<?xi64>
    %k = arith.index_cast %key : i64 to index
    %link = memref.load %values[%k] : memref<?xi64>
    %l = arith.index_cast %link : i64 to index
    %v = memref.load %values[%l] : memref<?xi64>
    %odd = arith.trunci %v : i64 to i1
    %b = scf.if %odd -> i64 {
      %more = arith.addi %most, %s : i64
      scf.yield %more : i64
    } else {
      scf.yield %most : i64
    }
    %t = arith.addi %s, %v : i64
    scf.yield %b, %t : i64, i64
  } {heddle.async = #async}
  %both = arith.xori %r#0, %r#1 : i64
  return %both : i64
}
