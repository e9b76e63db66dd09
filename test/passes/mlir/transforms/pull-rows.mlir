// Which loops over compressed rows become heddle.pull, and where the rows are
// packed.
//
// RUN: %heddle_opt %s --heddle-pull-rows | FileCheck %s
// RUN: %heddle_opt %s --heddle-pull-rows='lane-bits=64 lanes=4' | FileCheck %s --check-prefix=LONG
// RUN: %heddle_opt %s --heddle-pull-rows --remarks-filter='heddle.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: not %heddle_opt %s --heddle-pull-rows=lanes=5 2>&1 | FileCheck %s --check-prefix=LANES
// LANES: error: heddle-pull-rows: edge vectors have 4 or 8 lanes of 64 bits, or 8 or 16 of 32, not 5 of 32

// A parallel loop may write to what its own iterations have read before. A value
// loaded at a nonzero that is no neighbour is a weight. Where the loop does not
// run, no positions are read.
//
// CHECK-LABEL: @weighted
// CHECK-SAME: (%[[ALL:.*]]: memref<?xi64>, %[[CRD:.*]]: memref<?xi32>, %[[VAL:.*]]: memref<?xf64>, %[[X:.*]]: memref<?xf64>, %[[Y:.*]]: memref<?xf64>, %[[N:.*]]: index)
// CHECK: %[[MORE:.*]] = arith.addi %[[N]], %{{.*}} : index
// CHECK: %[[NONE:.*]] = arith.constant 0 : index
// CHECK: %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : index
// CHECK: %[[COUNT:.*]] = arith.select %[[RUNS]], %[[MORE]], %[[NONE]]
// CHECK: %[[POS:.*]] = memref.subview %[[ALL]][0] [%[[COUNT]]] [1]
// CHECK: %[[ROWS:.*]], %[[EDGES:.*]], %[[WEIGHTS:.*]] = heddle.pack %[[POS]], %[[CRD]] weights(%[[VAL]])
// CHECK-SAME: -> (memref<?xindex>, memref<?x8xi32>, memref<?x8xf64>)
// CHECK: scf.parallel (%[[V:.*]]) =
// CHECK: %[[OLD:.*]] = memref.load %[[Y]][%[[V]]]
// CHECK: %[[LO:.*]] = memref.load %[[ROWS]][%[[V]]]
// CHECK: %[[HI:.*]] = memref.load %[[ROWS]]
// CHECK: %[[SUM:.*]] = heddle.pull <add> %[[EDGES]][%[[LO]] to %[[HI]]] weights(%[[WEIGHTS]] : memref<?x8xf64>) init(%[[OLD]] : f64) captures(%[[X]] : memref<?xf64>)
// CHECK: ^bb0(%[[U:.*]]: i32, %[[WEIGHT:.*]]: f64, %[[VALUES:.*]]: memref<?xf64>):
// CHECK: %[[VALUE:.*]] = heddle.gather %[[VALUES]][%[[U]]] : memref<?xf64>, i32
// CHECK: %[[MESSAGE:.*]] = arith.mulf %[[WEIGHT]], %[[VALUE]]
// CHECK: heddle.yield %[[MESSAGE]]
// CHECK: memref.store %[[SUM]], %[[Y]][%[[V]]]
// CHECK: memref.dealloc %[[ROWS]]
// CHECK: memref.dealloc %[[EDGES]]
// CHECK: memref.dealloc %[[WEIGHTS]]
//
// LONG-LABEL: @weighted
// LONG: -> (memref<?xindex>, memref<?x4xi64>, memref<?x4xf64>)
// LONG: heddle.gather %{{.*}}[%{{.*}}] : memref<?xf64>, i64
func.func @weighted(%pos: memref<?xi64>, %crd: memref<?xi32>,
                    %val: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>,
                    %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %old = memref.load %y[%v] : memref<?xf64>
    %b = memref.load %pos[%v] : memref<?xi64>
    %begin = arith.index_cast %b : i64 to index
    %next = arith.addi %v, %c1 : index
    %e = memref.load %pos[%next] : memref<?xi64>
    %end = arith.index_cast %e : i64 to index
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %old) -> f64 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %wide = arith.extui %c : i32 to i64
      %u = arith.index_cast %wide : i64 to index
      %w = memref.load %val[%k] : memref<?xf64>
      %value = memref.load %x[%u] : memref<?xf64>
      %message = arith.mulf %w, %value : f64
      %more = arith.addf %all, %message : f64
      scf.yield %more : f64
    }
    memref.store %sum, %y[%v] : memref<?xf64>
    scf.reduce
  }
  return
}

// Packed once, in front of all iterations, where these write to other memory;
// what is combined under a condition is yielded under it.
//
// CHECK-LABEL: @iterated
// CHECK-SAME: %[[N:[^:]*]]: index, %[[TIMES:[^:]*]]: index
// CHECK-DAG: %[[ROWS:.*]] = arith.cmpi slt, %{{.*}}, %[[N]] : index
// CHECK-DAG: %[[AGAIN:.*]] = arith.cmpi slt, %{{.*}}, %[[TIMES]] : index
// CHECK: arith.select %[[AGAIN]]
// CHECK: heddle.pack %{{.*}}, %{{.*}} : (memref<?xindex>, memref<?xi32>)
// CHECK-NOT: heddle.pack
// CHECK: scf.for
// CHECK: scf.for
// CHECK: heddle.pull <minui>
// CHECK: heddle.yield %{{.*}} if %{{.*}} : i32
// CHECK-NOT: heddle.pack
func.func @iterated(%pos: memref<?xindex>, %crd: memref<?xi32>, %n: index,
                    %times: index, %limit: i32) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %labels = memref.alloc(%n) : memref<?xi32>
  %next = memref.alloc(%n) : memref<?xi32>
  scf.for %t = %c0 to %times step %c1 {
    scf.for %v = %c0 to %n step %c1 {
      %old = memref.load %labels[%v] : memref<?xi32>
      %begin = memref.load %pos[%v] : memref<?xindex>
      %v1 = arith.addi %v, %c1 : index
      %end = memref.load %pos[%v1] : memref<?xindex>
      %least = scf.for %k = %begin to %end step %c1 iter_args(%all = %old)
          -> i32 {
        %c = memref.load %crd[%k] : memref<?xi32>
        %u = arith.index_castui %c : i32 to index
        %label = memref.load %labels[%u] : memref<?xi32>
        %small = arith.cmpi ult, %label, %limit : i32
        %less = arith.minui %all, %label : i32
        %chosen = arith.select %small, %less, %all : i32
        scf.yield %chosen : i32
      }
      memref.store %least, %next[%v] : memref<?xi32>
    }
  }
  return %next : memref<?xi32>
}

// The rows may be what is written.
//
// CHECK-LABEL: @written
// CHECK-NOT: heddle.
// CHECK: return
func.func @written(%pos: memref<?xindex>, %crd: memref<?xi32>,
                   %x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.for %v = %c0 to %n step %c1 {
    %begin = memref.load %pos[%v] : memref<?xindex>
    %v1 = arith.addi %v, %c1 : index
    %end = memref.load %pos[%v1] : memref<?xindex>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
        -> i32 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_castui %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi32>
      %more = arith.addi %all, %value : i32
      scf.yield %more : i32
    }
    memref.store %sum, %y[%v] : memref<?xi32>
  }
  return
}

// No pulls: what is combined differs with the order, the nonzero's number is
// used, nothing is gathered, rows that are not those of one array, and rows in
// another order, of which there may be more.
//
// CHECK-LABEL: @others
// CHECK-NOT: heddle.
// CHECK: return
//
// SAID: remark: [Missed] {{.*}}its result is not one number with which the message of each nonzero is combined, in any order
// SAID: remark: [Missed] {{.*}}it uses the index of a nonzero for more than reading its coordinate and its value
// SAID: remark: [Missed] {{.*}}its bounds are not two consecutive elements of an array, or its step is not 1
// SAID: remark: [Missed] {{.*}}the outer loop does not iterate over all rows from 0 in steps of 1
func.func @others(%pos: memref<?xindex>, %ends: memref<?xindex>,
                  %crd: memref<?xi32>, %x: memref<?xi64>, %y: memref<?xi64>,
                  %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %begin = memref.load %pos[%v] : memref<?xindex>
    %v1 = arith.addi %v, %c1 : index
    %end = memref.load %pos[%v1] : memref<?xindex>
    %difference = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
        -> i64 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_castui %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi64>
      %less = arith.subi %value, %all : i64
      scf.yield %less : i64
    }
    %numbers = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
        -> i64 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_castui %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi64>
      %number = arith.index_cast %k : index to i64
      %product = arith.muli %value, %number : i64
      %more = arith.addi %all, %product : i64
      scf.yield %more : i64
    }
    %degrees = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
        -> i64 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %wide = arith.extui %c : i32 to i64
      %more = arith.addi %all, %wide : i64
      scf.yield %more : i64
    }
    %other = memref.load %ends[%v] : memref<?xindex>
    %apart = scf.for %k = %begin to %other step %c1 iter_args(%all = %zero)
        -> i64 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_castui %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi64>
      %more = arith.addi %all, %value : i64
      scf.yield %more : i64
    }
    %w = memref.load %ends[%v] : memref<?xindex>
    %first = memref.load %pos[%w] : memref<?xindex>
    %w1 = arith.addi %w, %c1 : index
    %last = memref.load %pos[%w1] : memref<?xindex>
    %permuted = scf.for %k = %first to %last step %c1 iter_args(%all = %zero)
        -> i64 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_castui %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi64>
      %more = arith.addi %all, %value : i64
      scf.yield %more : i64
    }
    %a = arith.addi %difference, %numbers : i64
    %d = arith.addi %degrees, %permuted : i64
    %b = arith.addi %d, %apart : i64
    %sum = arith.addi %a, %b : i64
    memref.store %sum, %y[%v] : memref<?xi64>
    scf.reduce
  }
  return
}

// An iteration that writes to its row before it reads it.
//
// CHECK-LABEL: @changed
// CHECK-NOT: heddle.
// CHECK: return
func.func @changed(%pos: memref<?xindex>, %crd: memref<?xi32>,
                   %val: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>,
                   %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %begin = memref.load %pos[%v] : memref<?xindex>
    %v1 = arith.addi %v, %c1 : index
    %end = memref.load %pos[%v1] : memref<?xindex>
    memref.store %zero, %val[%begin] : memref<?xf64>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
        -> f64 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_castui %c : i32 to index
      %w = memref.load %val[%k] : memref<?xf64>
      %value = memref.load %x[%u] : memref<?xf64>
      %message = arith.mulf %w, %value : f64
      %more = arith.addf %all, %message : f64
      scf.yield %more : f64
    }
    memref.store %sum, %y[%v] : memref<?xf64>
  }
  return
}

// Rows that only some iterations read may have any positions.
//
// CHECK-LABEL: @some
// CHECK-NOT: heddle.
// CHECK: return
func.func @some(%pos: memref<?xindex>, %crd: memref<?xi32>,
                %active: memref<?xi1>, %x: memref<?xi32>, %y: memref<?xi32>,
                %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %on = memref.load %active[%v] : memref<?xi1>
    scf.if %on {
      %begin = memref.load %pos[%v] : memref<?xindex>
      %v1 = arith.addi %v, %c1 : index
      %end = memref.load %pos[%v1] : memref<?xindex>
      %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
          -> i32 {
        %c = memref.load %crd[%k] : memref<?xi32>
        %u = arith.index_castui %c : i32 to index
        %value = memref.load %x[%u] : memref<?xi32>
        %more = arith.addi %all, %value : i32
        scf.yield %more : i32
      }
      memref.store %sum, %y[%v] : memref<?xi32>
    }
  }
  return
}

// Packed where it is certain that the rows are read: under a condition, and
// in what such a loop does once at least, in front of it. Coordinates may be
// short.
//
// CHECK-LABEL: @sometimes
// CHECK: scf.for
// CHECK: scf.if
// CHECK: heddle.pack {{.*}} : (memref<?xindex>, memref<?xi16>)
// CHECK: scf.parallel
// CHECK-LABEL: @until
// CHECK: heddle.pack
// CHECK: scf.while
// CHECK: heddle.pull
// CHECK-LABEL: @while
// CHECK: scf.while
// CHECK: } do {
// CHECK: heddle.pack
// CHECK: heddle.pull
func.func @sometimes(%pos: memref<?xindex>, %crd: memref<?xi16>, %on: i1,
                     %x: memref<?xi32>, %n: index, %times: index)
    -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %y = memref.alloc(%n) : memref<?xi32>
  scf.for %t = %c0 to %times step %c1 {
    scf.if %on {
      scf.parallel (%v) = (%c0) to (%n) step (%c1) {
        %begin = memref.load %pos[%v] : memref<?xindex>
        %v1 = arith.addi %v, %c1 : index
        %end = memref.load %pos[%v1] : memref<?xindex>
        %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
            -> i32 {
          %c = memref.load %crd[%k] : memref<?xi16>
          %u = arith.index_castui %c : i16 to index
          %value = memref.load %x[%u] : memref<?xi32>
          %more = arith.addi %all, %value : i32
          scf.yield %more : i32
        }
        memref.store %sum, %y[%v] : memref<?xi32>
      }
    }
  }
  return %y : memref<?xi32>
}
func.func @until(%pos: memref<?xindex>, %crd: memref<?xi32>,
                 %x: memref<?xi32>, %n: index, %limit: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %all = scf.while (%old = %zero) : (i32) -> i32 {
    %new = scf.for %v = %c0 to %n step %c1 iter_args(%before = %old) -> i32 {
      %begin = memref.load %pos[%v] : memref<?xindex>
      %v1 = arith.addi %v, %c1 : index
      %end = memref.load %pos[%v1] : memref<?xindex>
      %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %before)
          -> i32 {
        %c = memref.load %crd[%k] : memref<?xi32>
        %u = arith.index_castui %c : i32 to index
        %value = memref.load %x[%u] : memref<?xi32>
        %more = arith.addi %all, %value : i32
        scf.yield %more : i32
      }
      scf.yield %sum : i32
    }
    %less = arith.cmpi ult, %new, %limit : i32
    scf.condition(%less) %new : i32
  } do {
  ^bb0(%next: i32):
    scf.yield %next : i32
  }
  return %all : i32
}
func.func @while(%pos: memref<?xindex>, %crd: memref<?xi32>,
                 %x: memref<?xi32>, %n: index, %limit: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %all = scf.while (%old = %zero) : (i32) -> i32 {
    %less = arith.cmpi ult, %old, %limit : i32
    scf.condition(%less) %old : i32
  } do {
  ^bb0(%old: i32):
    %new = scf.for %v = %c0 to %n step %c1 iter_args(%before = %old) -> i32 {
      %begin = memref.load %pos[%v] : memref<?xindex>
      %v1 = arith.addi %v, %c1 : index
      %end = memref.load %pos[%v1] : memref<?xindex>
      %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %before)
          -> i32 {
        %c = memref.load %crd[%k] : memref<?xi32>
        %u = arith.index_castui %c : i32 to index
        %value = memref.load %x[%u] : memref<?xi32>
        %more = arith.addi %all, %value : i32
        scf.yield %more : i32
      }
      scf.yield %sum : i32
    }
    scf.yield %new : i32
  }
  return %all : i32
}

// Types that edge vectors and their messages cannot have.
//
// CHECK-LABEL: @types
// CHECK-NOT: heddle.
// CHECK: return
func.func @types(%pos: memref<?xindex>, %far: memref<?xindex, 1>,
                 %crd: memref<?xi32>, %halves: memref<?xf16>,
                 %x: memref<?xf32>, %numbers: memref<?xindex>,
                 %y: memref<?xf16>, %z: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f16
  %none = arith.constant 0.0 : f32
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %begin = memref.load %pos[%v] : memref<?xindex>
    %v1 = arith.addi %v, %c1 : index
    %end = memref.load %pos[%v1] : memref<?xindex>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
        -> f16 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_castui %c : i32 to index
      %value = memref.load %halves[%u] : memref<?xf16>
      %more = arith.addf %all, %value : f16
      scf.yield %more : f16
    }
    memref.store %sum, %y[%v] : memref<?xf16>
    %count = scf.for %k = %begin to %end step %c1 iter_args(%all = %c0)
        -> index {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_castui %c : i32 to index
      %value = memref.load %numbers[%u] : memref<?xindex>
      %more = arith.addi %all, %value : index
      scf.yield %more : index
    }
    memref.store %count, %numbers[%v] : memref<?xindex>
    %from = memref.load %far[%v] : memref<?xindex, 1>
    %to = memref.load %far[%v1] : memref<?xindex, 1>
    %other = scf.for %k = %from to %to step %c1 iter_args(%all = %none)
        -> f32 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_castui %c : i32 to index
      %value = memref.load %x[%u] : memref<?xf32>
      %more = arith.addf %all, %value : f32
      scf.yield %more : f32
    }
    memref.store %other, %z[%v] : memref<?xf32>
  }
  return
}

// A mark writes to nothing, and a loop over nonzeros that has one is left to it.
//
// SAID: remark: [Missed] {{.*}}its heddle.mark cannot be done for several edges at once
// SAID: pull-rows.mlir:[[@LINE-381]]:12: remark: [Passed] {{.*}}loop over a row vectorized: edge vectors of 8 lanes
// SAID: pull-rows.mlir:[[@LINE-309]]:12: remark: [Missed] {{.*}}the rows may be written to while the loop over them runs"
// SAID: pull-rows.mlir:[[@LINE-171]]:14: remark: [Missed] {{.*}}rows may be skipped"
//
// CHECK-LABEL: @marked
// CHECK: heddle.pack
// CHECK: scf.for
// CHECK: scf.parallel
// CHECK: heddle.mark
// CHECK: heddle.pull
// CHECK-NOT: heddle.pull
// CHECK: heddle.mark #heddle.async
// CHECK-NOT: heddle.
// CHECK: return
func.func @marked(%pos: memref<?xindex>, %crd: memref<?xi32>,
                  %x: memref<?xi32>, %n: index, %times: index)
    -> (memref<?xi32>, memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %y = memref.alloc(%n) : memref<?xi32>
  %z = memref.alloc(%n) : memref<?xi32>
  scf.for %t = %c0 to %times step %c1 {
    scf.parallel (%v) = (%c0) to (%n) step (%c1) {
      heddle.mark #heddle.async counts(%v from %c0 : index)
      %begin = memref.load %pos[%v] : memref<?xindex>
      %v1 = arith.addi %v, %c1 : index
      %end = memref.load %pos[%v1] : memref<?xindex>
      %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
          -> i32 {
        %c = memref.load %crd[%k] : memref<?xi32>
        %u = arith.index_castui %c : i32 to index
        %value = memref.load %x[%u] : memref<?xi32>
        %more = arith.addi %all, %value : i32
        scf.yield %more : i32
      }
      memref.store %sum, %y[%v] : memref<?xi32>
      %other = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero)
          -> i32 {
        heddle.mark #heddle.async counts(%k from %begin : index)
        %c = memref.load %crd[%k] : memref<?xi32>
        %u = arith.index_castui %c : i32 to index
        %value = memref.load %x[%u] : memref<?xi32>
        %more = arith.xori %all, %value : i32
        scf.yield %more : i32
      }
      memref.store %other, %z[%v] : memref<?xi32>
    }
  }
  return %y, %z : memref<?xi32>, memref<?xi32>
}
