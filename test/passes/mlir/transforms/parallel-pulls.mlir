// Which parallel loops around heddle.pull become heddle.pull_parallel, and what
// is said of them.
//
// RUN: %heddle_opt %s --heddle-pull-rows --heddle-parallel-pulls | FileCheck %s
// RUN: %heddle_opt %s --heddle-pull-rows --heddle-parallel-pulls \
// RUN:   --remarks-filter='heddle.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAID

// The row's own initial value is combined where the outcome is stored. No thread
// takes more than a share of the edge vectors at a time.
//
// CHECK-LABEL: @product
// CHECK-SAME: %[[X:[^:]*]]: memref<?xf64>, %[[Y:[^:]*]]: memref<?xf64>, %[[N:[^:]*]]: index
// CHECK: %[[ROWS:.*]], %[[EDGES:.*]], %[[WEIGHTS:.*]] = heddle.pack
// CHECK: %[[NONE:.*]] = arith.constant 0 : index
// CHECK: %[[COUNT:.*]] = arith.maxsi %[[N]], %[[NONE]]
// CHECK: %[[MORE:.*]] = arith.addi %[[COUNT]]
// CHECK: %[[SOME:.*]] = memref.subview %[[ROWS]][0] [%[[MORE]]] [1]
// CHECK: %[[NOTHING:.*]] = arith.constant -0.000000e+00 : f64
// CHECK: %[[VECTORS:.*]] = memref.load %[[SOME]]
// CHECK: %[[SHARE:.*]] = arith.divui %[[VECTORS]], %c256
// CHECK: %[[ATLEAST:.*]] = arith.maxui %[[SHARE]], %c512
// CHECK: %[[CHUNK:.*]] = arith.minui %[[ATLEAST]], %c4096
// CHECK: heddle.pull_parallel <add> %[[SOME]], %[[EDGES]] chunk(%[[CHUNK]])
// CHECK-SAME: weights(%[[WEIGHTS]] : memref<?x8xf64>) init(%[[NOTHING]] : f64)
// CHECK-SAME: captures(%[[X]], %[[Y]] : memref<?xf64>, memref<?xf64>) into(%[[Y]] : memref<?xf64>)
// CHECK: ^bb0(%[[U:.*]]: i32, %{{.*}}: f64, %[[VALUES:.*]]: memref<?xf64>, %{{.*}}: memref<?xf64>):
// CHECK: heddle.gather %[[VALUES]][%[[U]]]
// CHECK: apply {
// CHECK: ^bb0(%[[V:.*]]: index, %[[ALL:.*]]: f64, %{{.*}}: memref<?xf64>, %[[BEFORE:.*]]: memref<?xf64>):
// CHECK: %[[OLD:.*]] = memref.load %[[BEFORE]][%[[V]]]
// CHECK: %[[SUM:.*]] = arith.addf %[[OLD]], %[[ALL]] : f64
// CHECK: heddle.yield %[[SUM]]
// CHECK-NOT: scf.parallel
// CHECK: memref.dealloc %[[ROWS]]
//
// SAID: [[@LINE+12]]:12: remark: {{.*}}loop over a row vectorized: edge vectors of 8 lanes
// SAID: [[@LINE+6]]:3: remark: {{.*}}threads take equal numbers of its edges instead of rows
func.func @product(%pos: memref<?xindex>, %crd: memref<?xi32>,
                   %val: memref<?xf64>, %x: memref<?xf64>, %y: memref<?xf64>,
                   %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %old = memref.load %y[%v] : memref<?xf64>
    %begin = memref.load %pos[%v] : memref<?xindex>
    %next = arith.addi %v, %c1 : index
    %end = memref.load %pos[%next] : memref<?xindex>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %old) -> f64 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_cast %c : i32 to index
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

// The start value of all rows stays. Operations on the result of a row move to
// the region apply, with the values that they need.
//
// CHECK-LABEL: @applied
// CHECK-SAME: %[[X:[^:]*]]: memref<?xi32>, %[[BIAS:[^:]*]]: memref<?xi32>, %[[Y:[^:]*]]: memref<?xi32>, %[[N:[^:]*]]: index, %[[TOP:[^:]*]]: i32
// CHECK: heddle.pull_parallel <minsi> {{.*}} init(%[[TOP]] : i32)
// CHECK-SAME: captures(%[[X]], %[[BIAS]], %[[TOP]] : {{.*}}) into(%[[Y]]
// CHECK: apply {
// CHECK: ^bb0(%[[V:.*]]: index, %[[LEAST:.*]]: i32, %{{.*}}: memref<?xi32>, %[[BIASES:.*]]: memref<?xi32>, %[[MOST:.*]]: i32):
// CHECK: %[[TWO:.*]] = arith.constant 2
// CHECK: %[[OWN:.*]] = memref.load %[[BIASES]][%[[V]]]
// CHECK: %[[TWICE:.*]] = arith.muli %[[OWN]], %[[TWO]]
// CHECK: %[[SUM:.*]] = arith.addi %[[LEAST]], %[[TWICE]]
// CHECK: %[[RESULT:.*]] = arith.minsi %[[SUM]], %[[MOST]]
// CHECK: heddle.yield %[[RESULT]]
// CHECK-NOT: scf.parallel
func.func @applied(%pos: memref<?xindex>, %crd: memref<?xi32>,
                   %x: memref<?xi32>, %bias: memref<?xi32>, %y: memref<?xi32>,
                   %n: index, %top: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %two = arith.constant 2 : i32
    %own = memref.load %bias[%v] : memref<?xi32>
    %twice = arith.muli %own, %two : i32
    %begin = memref.load %pos[%v] : memref<?xindex>
    %next = arith.addi %v, %c1 : index
    %end = memref.load %pos[%next] : memref<?xindex>
    %least = scf.for %k = %begin to %end step %c1 iter_args(%all = %top) -> i32 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_cast %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi32>
      %more = arith.minsi %all, %value : i32
      scf.yield %more : i32
    }
    %sum = arith.addi %least, %twice : i32
    %result = arith.minsi %sum, %top : i32
    memref.store %result, %y[%v] : memref<?xi32>
    scf.reduce
  }
  return
}

// The region apply may give a value of another type.
//
// CHECK-LABEL: @converted
// CHECK: heddle.pull_parallel <add> {{.*}} init(%{{.*}} : i32) {{.*}} into(%{{.*}} : memref<?xi64>)
// CHECK: apply {
// CHECK: %[[WIDE:.*]] = arith.extsi %{{.*}} : i32 to i64
// CHECK: heddle.yield %[[WIDE]] : i64
func.func @converted(%pos: memref<?xindex>, %crd: memref<?xi32>,
                     %x: memref<?xi32>, %y: memref<?xi64>, %n: index,
                     %zero: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %begin = memref.load %pos[%v] : memref<?xindex>
    %next = arith.addi %v, %c1 : index
    %end = memref.load %pos[%next] : memref<?xindex>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero) -> i32 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_cast %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi32>
      %more = arith.addi %all, %value : i32
      scf.yield %more : i32
    }
    %wide = arith.extsi %sum : i32 to i64
    memref.store %wide, %y[%v] : memref<?xi64>
    scf.reduce
  }
  return
}

// Loops that stay, around pulls: one that stores twice, one with a mark, ones in
// which rows have a factor of their own, which may be what they begin with, one
// that stores elsewhere, one over rows that are not known to have been packed,
// one that does not pull all of them, and one whose results lie in memory of
// another kind.
//
// CHECK-LABEL: @stay
// CHECK-NOT: heddle.pull_parallel
// CHECK: return
//
// SAID: [[@LINE+14]]:3: remark: {{.*}} edges: something follows the store of the row's result
// SAID: [[@LINE+28]]:3: remark: {{.*}} edges: it is marked for interleaving
// SAID: [[@LINE+41]]:3: remark: {{.*}} edges: what the pull reads changes from row to row
// SAID: [[@LINE+56]]:3: remark: {{.*}} edges: it does not store the row's result in an array of results
// SAID: [[@LINE+69]]:3: remark: {{.*}} edges: the rows are not as heddle.pack makes them
// SAID: [[@LINE+81]]:3: remark: {{.*}} edges: what the pull reads changes from row to row
// SAID: [[@LINE+98]]:3: remark: {{.*}} edges: not every row is pulled once
// SAID: [[@LINE+114]]:3: remark: {{.*}} edges: it does not store the row's result in an array of results
func.func @stay(%pos: memref<?xindex>, %crd: memref<?xi32>, %x: memref<?xi32>,
                %y: memref<?xi32>, %z: memref<?xi32>, %n: index, %zero: i32,
                %rows: memref<?xindex>, %edges: memref<?x8xi32>,
                %near: memref<?xi32, "near">) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %begin = memref.load %pos[%v] : memref<?xindex>
    %next = arith.addi %v, %c1 : index
    %end = memref.load %pos[%next] : memref<?xindex>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero) -> i32 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_cast %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi32>
      %more = arith.addi %all, %value : i32
      scf.yield %more : i32
    }
    memref.store %sum, %y[%v] : memref<?xi32>
    memref.store %sum, %z[%v] : memref<?xi32>
    scf.reduce
  }
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %begin = memref.load %pos[%v] : memref<?xindex>
    %next = arith.addi %v, %c1 : index
    %end = memref.load %pos[%next] : memref<?xindex>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero) -> i32 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_cast %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi32>
      %more = arith.addi %all, %value : i32
      scf.yield %more : i32
    }
    memref.store %sum, %y[%v] : memref<?xi32>
    scf.reduce
  } {heddle.async = #heddle.async<>}
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %factor = memref.load %z[%v] : memref<?xi32>
    %begin = memref.load %pos[%v] : memref<?xindex>
    %next = arith.addi %v, %c1 : index
    %end = memref.load %pos[%next] : memref<?xindex>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero) -> i32 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_cast %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi32>
      %term = arith.muli %factor, %value : i32
      %more = arith.addi %all, %term : i32
      scf.yield %more : i32
    }
    memref.store %sum, %y[%v] : memref<?xi32>
    scf.reduce
  }
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %begin = memref.load %pos[%v] : memref<?xindex>
    %next = arith.addi %v, %c1 : index
    %end = memref.load %pos[%next] : memref<?xindex>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %zero) -> i32 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_cast %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi32>
      %more = arith.addi %all, %value : i32
      scf.yield %more : i32
    }
    memref.store %sum, %y[%next] : memref<?xi32>
    scf.reduce
  }
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %begin = memref.load %rows[%v] : memref<?xindex>
    %next = arith.addi %v, %c1 : index
    %end = memref.load %rows[%next] : memref<?xindex>
    %sum = heddle.pull <add> %edges[%begin to %end] init(%zero : i32)
        captures(%x : memref<?xi32>) : memref<?x8xi32> {
    ^bb0(%u: i32, %values: memref<?xi32>):
      %value = heddle.gather %values[%u] : memref<?xi32>, i32
      heddle.yield %value : i32
    }
    memref.store %sum, %y[%v] : memref<?xi32>
    scf.reduce
  }
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %own = memref.load %y[%v] : memref<?xi32>
    %begin = memref.load %pos[%v] : memref<?xindex>
    %next = arith.addi %c1, %v : index
    %end = memref.load %pos[%next] : memref<?xindex>
    %sum = scf.for %k = %begin to %end step %c1 iter_args(%all = %own) -> i32 {
      %c = memref.load %crd[%k] : memref<?xi32>
      %u = arith.index_cast %c : i32 to index
      %value = memref.load %x[%u] : memref<?xi32>
      %term = arith.muli %own, %value : i32
      %more = arith.addi %all, %term : i32
      scf.yield %more : i32
    }
    memref.store %sum, %y[%v] : memref<?xi32>
    scf.reduce
  }
  %packed:2 = heddle.pack %pos, %crd : (memref<?xindex>, memref<?xi32>)
      -> (memref<?xindex>, memref<?x8xi32>)
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %own = memref.load %z[%v] : memref<?xi32>
    %is = arith.trunci %own : i32 to i1
    scf.if %is {
      %begin = memref.load %packed#0[%v] : memref<?xindex>
      %next = arith.addi %v, %c1 : index
      %end = memref.load %packed#0[%next] : memref<?xindex>
      %sum = heddle.pull <add> %packed#1[%begin to %end] init(%zero : i32)
          captures(%x : memref<?xi32>) : memref<?x8xi32> {
      ^bb0(%u: i32, %values: memref<?xi32>):
        %value = heddle.gather %values[%u] : memref<?xi32>, i32
        heddle.yield %value : i32
      }
      memref.store %sum, %y[%v] : memref<?xi32>
    }
    scf.reduce
  }
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %begin = memref.load %packed#0[%v] : memref<?xindex>
    %next = arith.addi %v, %c1 : index
    %end = memref.load %packed#0[%next] : memref<?xindex>
    %sum = heddle.pull <add> %packed#1[%begin to %end] init(%zero : i32)
        captures(%x : memref<?xi32>) : memref<?x8xi32> {
    ^bb0(%u: i32, %values: memref<?xi32>):
      %value = heddle.gather %values[%u] : memref<?xi32>, i32
      heddle.yield %value : i32
    }
    memref.store %sum, %near[%v] : memref<?xi32, "near">
    scf.reduce
  }
  return
}
