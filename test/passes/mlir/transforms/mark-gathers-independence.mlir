// Loops whose iterations may depend on each other through memory have no mark,
// however much they wait for it. Beside each, how near to that a loop may come.
// The name of each case is an attribute of its loop.
//
// RUN: %heddle_opt %s --heddle-mark-gathers \
// RUN:   | FileCheck %s --implicit-check-not=heddle.async

func.func @elements(%n: index, %b: memref<?xindex>, %x: memref<?xindex>,
                    %z: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>

  // Each iteration writes an element of its own, of an array that none reads.
  //
  // CHECK: } {case = "ownElements", heddle.async = #heddle.async}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%i] : memref<?xindex>
  } {case = "ownElements"}

  // CHECK: } {case = "readsWhatOthersWrite"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %a[%i] : memref<?xindex>
  } {case = "readsWhatOthersWrite"}

  // CHECK: } {case = "updatesOwnElement", heddle.async = #heddle.async}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %old = memref.load %y[%i] : memref<?xindex>
    %new = arith.addi %old, %v : index
    memref.store %new, %y[%i] : memref<?xindex>
  } {case = "updatesOwnElement"}

  // CHECK: } {case = "readsPreviousElement"}
  scf.for %i = %c1 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %j = arith.subi %i, %c1 : index
    %old = memref.load %y[%j] : memref<?xindex>
    %new = arith.addi %old, %v : index
    memref.store %new, %y[%i] : memref<?xindex>
  } {case = "readsPreviousElement"}

  // CHECK: } {case = "writesNextElement"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %j = arith.addi %i, %c1 : index
    memref.store %v, %y[%i] : memref<?xindex>
    memref.store %i, %y[%j] : memref<?xindex>
  } {case = "writesNextElement"}

  // CHECK: } {case = "writesAnywhere"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %i, %y[%v] : memref<?xindex>
  } {case = "writesAnywhere"}

  // CHECK: } {case = "writesOnePlace"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%c0] : memref<?xindex>
  } {case = "writesOnePlace"}

  // An array without dimensions is one place.
  //
  // CHECK: } {case = "writesScalar"}
  %scalar = memref.alloc() : memref<index>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %scalar[] : memref<index>
  } {case = "writesScalar"}

  // Two arguments may be the same array.
  //
  // CHECK: } {case = "arguments"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xindex>
    memref.store %v, %z[%i] : memref<?xindex>
  } {case = "arguments"}

  // CHECK: } {case = "argumentAndAllocation", heddle.async = #heddle.async}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xindex>
    memref.store %v, %y[%i] : memref<?xindex>
  } {case = "argumentAndAllocation"}

  // CHECK: } {case = "ownRow", heddle.async = #heddle.async}
  %rows = memref.alloc(%n, %n) : memref<?x?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %v, %rows[%i, %j] : memref<?x?xindex>
    }
  } {case = "ownRow"}

  // The counter of the loop around is the same for all iterations.
  //
  // CHECK: } {case = "outerElement"}
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %k = memref.load %b[%j] : memref<?xindex>
      %v = memref.load %a[%k] : memref<?xindex>
      memref.store %v, %y[%i] : memref<?xindex>
    } {case = "outerElement"}
  }

  // Iterations may be given the same array in turns.
  //
  // CHECK: } {case = "chosenArray"}
  scf.for %i = %c0 to %n step %c1
      iter_args(%from = %a, %to = %y) -> (memref<?xindex>, memref<?xindex>) {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %from[%k] : memref<?xindex>
    memref.store %v, %to[%i] : memref<?xindex>
    scf.yield %to, %from : memref<?xindex>, memref<?xindex>
  } {case = "chosenArray"}

  // The two arrays of a step are two, but nothing here can tell.
  //
  // CHECK: } {case = "turns"}
  scf.for %t = %c0 to %n step %c1
      iter_args(%from = %a, %to = %y) -> (memref<?xindex>, memref<?xindex>) {
    scf.for %i = %c0 to %n step %c1 {
      %k = memref.load %b[%i] : memref<?xindex>
      %v = memref.load %from[%k] : memref<?xindex>
      memref.store %v, %to[%i] : memref<?xindex>
    } {case = "turns"}
    scf.yield %to, %from : memref<?xindex>, memref<?xindex>
  }
  return
}

func.func @views(%n: index, %b: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %whole = memref.alloc(%n) : memref<?xindex>

  // Two views of one array may overlap.
  //
  // CHECK: } {case = "subviews"}
  %left = memref.subview %whole[0] [%n] [1]
      : memref<?xindex> to memref<?xindex, strided<[1]>>
  %right = memref.subview %whole[%n] [%n] [1]
      : memref<?xindex> to memref<?xindex, strided<[1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %left[%k] : memref<?xindex, strided<[1]>>
    memref.store %v, %right[%i] : memref<?xindex, strided<[1], offset: ?>>
  } {case = "subviews"}

  // CHECK: } {case = "cast"}
  %eight = memref.alloc() : memref<8xindex>
  %any = memref.cast %eight : memref<8xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %eight[%k] : memref<8xindex>
    memref.store %v, %any[%i] : memref<?xindex>
  } {case = "cast"}

  // CHECK: } {case = "viewOfOtherArray", heddle.async = #heddle.async}
  %odd = memref.subview %whole[%n] [%n] [2]
      : memref<?xindex> to memref<?xindex, strided<[2], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %odd[%i] : memref<?xindex, strided<[2], offset: ?>>
  } {case = "viewOfOtherArray"}

  // Elements with different indices may be the same.
  //
  // CHECK: } {case = "overlappingRows"}
  %rows = memref.reinterpret_cast %whole to
      offset: [0], sizes: [%n, %n], strides: [1, 1]
      : memref<?xindex> to memref<?x?xindex, strided<[1, 1]>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %i, %rows[%i, %v] : memref<?x?xindex, strided<[1, 1]>>
  } {case = "overlappingRows"}

  // CHECK: } {case = "strideOfZero"}
  %one = memref.reinterpret_cast %whole to
      offset: [0], sizes: [%n], strides: [%c0]
      : memref<?xindex> to memref<?xindex, strided<[?]>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %one[%i] : memref<?xindex, strided<[?]>>
  } {case = "strideOfZero"}

  // CHECK: } {case = "foldedLayout"}
  %pairs = memref.alloc(%n) : memref<?xindex, affine_map<(d0) -> (d0 floordiv 2)>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %pairs[%i]
        : memref<?xindex, affine_map<(d0) -> (d0 floordiv 2)>>
  } {case = "foldedLayout"}
  return
}

func.func private @unknown(index)

func.func @effects(%n: index, %b: memref<?xindex>, %z: memref<?xi64>,
                   %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>

  // Effects of any other kind.
  //
  // CHECK: } {case = "copies"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.copy %a, %y : memref<?xindex> to memref<?xindex>
  } {case = "copies"}

  // CHECK: } {case = "atomicUpdate"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = arith.index_cast %v : index to i64
    memref.atomic_rmw addi %w, %z[%i] : (i64, memref<?xi64>) -> i64
  } {case = "atomicUpdate"}

  // CHECK: } {case = "atomicRegion"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = arith.index_cast %v : index to i64
    %old = memref.generic_atomic_rmw %z[%i] : memref<?xi64> {
    ^bb0(%x: i64):
      %new = arith.muli %x, %w : i64
      memref.atomic_yield %new : i64
    }
  } {case = "atomicRegion"}

  // CHECK: } {case = "vectorStore"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = vector.broadcast %v : index to vector<4xindex>
    vector.store %w, %y[%i] : memref<?xindex>, vector<4xindex>
  } {case = "vectorStore"}

  // CHECK: } {case = "transferWrite"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = vector.broadcast %v : index to vector<4xindex>
    vector.transfer_write %w, %y[%i] : vector<4xindex>, memref<?xindex>
  } {case = "transferWrite"}

  // CHECK: } {case = "affineStore"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    affine.store %v, %y[0] : memref<?xindex>
  } {case = "affineStore"}

  // CHECK: } {case = "fill"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    linalg.fill ins(%v : index) outs(%y : memref<?xindex>)
  } {case = "fill"}

  // CHECK: } {case = "structured"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    linalg.map { arith.addi } ins(%y, %a : memref<?xindex>, memref<?xindex>)
        outs(%y : memref<?xindex>)
  } {case = "structured"}

  // CHECK: } {case = "calls"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    func.call @unknown(%v) : (index) -> ()
  } {case = "calls"}

  // CHECK: } {case = "prints"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    vector.print %v : index
  } {case = "prints"}

  // CHECK: } {case = "asserts"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %good = arith.cmpi ne, %v, %c0 : index
    cf.assert %good, "zero"
  } {case = "asserts"}

  // CHECK: } {case = "criticalSection"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    omp.critical {
      memref.store %v, %y[%c0] : memref<?xindex>
      omp.terminator
    }
  } {case = "criticalSection"}

  // CHECK: } {case = "task"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    omp.task {
      memref.store %v, %y[%c0] : memref<?xindex>
      omp.terminator
    }
  } {case = "task"}

  // OpenMP keeps its effects to itself.
  //
  // CHECK: } {case = "ompAtomic"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = arith.index_cast %v : index to i64
    omp.atomic.update %p : !llvm.ptr {
    ^bb0(%x: i64):
      %new = llvm.mul %x, %w : i64
      omp.yield(%new : i64)
    }
  } {case = "ompAtomic"}

  // CHECK: } {case = "volatile"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = llvm.load volatile %p : !llvm.ptr -> i64
    scf.yield
  } {case = "volatile"}

  // CHECK: } {case = "pointerStore"}
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = arith.index_cast %v : index to i64
    llvm.store %w, %p : i64, !llvm.ptr
  } {case = "pointerStore"}
  return
}

func.func @sums(%n: index, %b: memref<?xindex>, %x: memref<?xf64>, %p: i64,
                %vectors: memref<?xvector<4xf32>>, %r: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64

  // A sum may be rounded differently in another order, which has to be permitted
  // by its flags.
  //
  // CHECK: } {case = "floatSum"}
  scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xf64>
    %t = arith.addf %s, %v : f64
    scf.yield %t : f64
  } {case = "floatSum"}

  // CHECK: } {case = "anyOrderSum", heddle.async = #heddle.async}
  scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xf64>
    %t = arith.addf %s, %v fastmath<reassoc> : f64
    scf.yield %t : f64
  } {case = "anyOrderSum"}

  // CHECK: } {case = "conditionalFloatSum"}
  scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xf64>
    %odd = arith.trunci %p : i64 to i1
    %t = scf.if %odd -> f64 {
      %more = arith.addf %s, %v : f64
      scf.yield %more : f64
    } else {
      scf.yield %s : f64
    }
    scf.yield %t : f64
  } {case = "conditionalFloatSum"}

  // CHECK: } {case = "floatMaximum", heddle.async = #heddle.async}
  scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xf64>
    %t = arith.maximumf %s, %v : f64
    scf.yield %t : f64
  } {case = "floatMaximum"}

  // CHECK: } {case = "vectorSum"}
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  scf.for %i = %c0 to %n step %c1
      iter_args(%s = %zeros) -> vector<4xf32> {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %vectors[%k] : memref<?xvector<4xf32>>
    %t = arith.addf %s, %v : vector<4xf32>
    scf.yield %t : vector<4xf32>
  } {case = "vectorSum"}

  // A sum within an iteration stays in order.
  //
  // CHECK: } {case = "rowSums", heddle.async = #heddle.async}
  %y = memref.alloc(%n) : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    %hi = memref.load %r[%i] : memref<?xindex>
    %sum = scf.for %j = %c0 to %hi step %c1 iter_args(%s = %zero) -> f64 {
      %k = memref.load %b[%j] : memref<?xindex>
      %v = memref.load %x[%k] : memref<?xf64>
      %t = arith.addf %s, %v : f64
      scf.yield %t : f64
    }
    memref.store %sum, %y[%i] : memref<?xf64>
  } {case = "rowSums"}
  return
}

func.func @parallelLoops(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
                         %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index

  // Iterations of parallel loops are independent, whatever they do.
  //
  // CHECK: } {case = "parallel", heddle.async = #heddle.async}
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%k] : memref<?xindex>
    func.call @unknown(%v) : (index) -> ()
    scf.reduce
  } {case = "parallel"}

  // CHECK: } {case = "forall", heddle.async = #heddle.async}
  scf.forall (%i) in (%n) {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%k] : memref<?xindex>
  } {case = "forall"}
  return
}

func.func private @thread() -> index

omp.declare_reduction @add : i64 init {
^bb0(%x: i64):
  %zero = llvm.mlir.constant(0 : i64) : i64
  omp.yield(%zero : i64)
} combiner {
^bb0(%x: i64, %y: i64):
  %sum = llvm.add %x, %y : i64
  omp.yield(%sum : i64)
}

llvm.mlir.global internal thread_local @own() : !llvm.array<2 x i64> {
  %zero = llvm.mlir.zero : !llvm.array<2 x i64>
  llvm.return %zero : !llvm.array<2 x i64>
}

llvm.mlir.global internal @everyones() : !llvm.array<2 x i64> {
  %zero = llvm.mlir.zero : !llvm.array<2 x i64>
  llvm.return %zero : !llvm.array<2 x i64>
}

func.func @worksharingLoops(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
                            %y: memref<?xindex>, %z: memref<?x?xindex>,
                            %p: !llvm.ptr, %threads: i32, %if: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    // Iterations of a worksharing loop may be on any two threads, so that what is
    // shared is written by one of them only.
    //
    // CHECK: } {case = "worksharing", heddle.async = #heddle.async}
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %y[%k] : memref<?xindex>
        omp.yield
      }
    } {case = "worksharing"}

    // Memory that only one thread sees is as in a sequential loop: order counts.
    //
    // CHECK: } {case = "threadsOwnScalar"}
    %last = memref.alloca() : memref<index>
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %old = memref.load %last[] : memref<index>
        %new = arith.muli %old, %v : index
        memref.store %new, %last[] : memref<index>
        omp.yield
      }
    } {case = "threadsOwnScalar"}

    // CHECK: } {case = "threadsOwnBuffer"}
    %buffer = memref.alloc(%n) : memref<?xindex>
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %buffer[%k] : memref<?xindex>
        omp.yield
      }
    } {case = "threadsOwnBuffer"}

    // CHECK: } {case = "threadsOwnElement", heddle.async = #heddle.async}
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %buffer[%i] : memref<?xindex>
        omp.yield
      }
    } {case = "threadsOwnElement"}

    // CHECK: } {case = "threadsOwnPart"}
    %thread = func.call @thread() : () -> index
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %y[%thread] : memref<?xindex>
        omp.yield
      }
    } {case = "threadsOwnPart"}

    // CHECK: } {case = "threadsOwnRow"}
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %row = memref.subview %z[%thread, 0] [1, %n] [1, 1]
            : memref<?x?xindex> to memref<?xindex, strided<[1], offset: ?>>
        memref.store %v, %row[%k] : memref<?xindex, strided<[1], offset: ?>>
        omp.yield
      }
    } {case = "threadsOwnRow"}

    // A program may count on one thread doing a whole chunk of a size it knows.
    //
    // CHECK: } {case = "chunks"}
  %chunk = arith.constant 64 : i32
    omp.wsloop schedule(static = %chunk : i32) {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %y[%k] : memref<?xindex>
        omp.yield
      }
    } {case = "chunks"}

    // CHECK: } {case = "orderedLoop"}
    omp.wsloop ordered(0) {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %y[%k] : memref<?xindex>
        omp.yield
      }
    } {case = "orderedLoop"}

    // CHECK: } {case = "worksharingCalls"}
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        func.call @unknown(%v) : (index) -> ()
        omp.yield
      }
    } {case = "worksharingCalls"}

    // Updates of reduction variables may come in any order.
    //
    // CHECK: } {case = "worksharingReduction", heddle.async = #heddle.async}
    omp.wsloop reduction(@add %p -> %sum : !llvm.ptr) {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %w = arith.index_cast %v : index to i64
        %old = llvm.load %sum : !llvm.ptr -> i64
        %new = llvm.add %old, %w : i64
        llvm.store %new, %sum : i64, !llvm.ptr
        omp.yield
      }
    } {case = "worksharingReduction"}

    // CHECK: } {case = "sharedPointer", heddle.async = #heddle.async}
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %o = arith.index_cast %k : index to i64
        %w = arith.index_cast %v : index to i64
        %place = llvm.getelementptr %p[%o] : (!llvm.ptr, i64) -> !llvm.ptr, i64
        llvm.store %w, %place : i64, !llvm.ptr
        omp.yield
      }
    } {case = "sharedPointer"}

    // CHECK: } {case = "threadsOwnPointer"}
    %eight = llvm.mlir.constant(8 : i64) : i64
    %pointer = llvm.alloca %eight x i64 : (i64) -> !llvm.ptr
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %o = arith.index_cast %k : index to i64
        %w = arith.index_cast %v : index to i64
        %place = llvm.getelementptr %pointer[%o]
            : (!llvm.ptr, i64) -> !llvm.ptr, i64
        llvm.store %w, %place : i64, !llvm.ptr
        omp.yield
      }
    } {case = "threadsOwnPointer"}

    // Each iteration of a collapsed loop is a pair of numbers.
    //
    // CHECK: } {case = "collapsed", heddle.async = #heddle.async}
    %pairs = memref.alloc(%n, %n) : memref<?x?xindex>
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %pairs[%i, %j] : memref<?x?xindex>
        omp.yield
      }
    } {case = "collapsed"}

    // CHECK: } {case = "halfOfPair"}
    %halves = memref.alloc(%n) : memref<?xindex>
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %halves[%i] : memref<?xindex>
        omp.yield
      }
    } {case = "halfOfPair"}

    // A program that asks for one thread may count on the order of iterations, and
    // so may one that leaves it to others how many threads it asks for.
    //
    // CHECK: } {case = "anyNumberOfThreads", heddle.async = #heddle.async}
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %next = arith.addi %i, %c1 : index
        memref.store %v, %y[%next] : memref<?xindex>
        %old = memref.load %y[%i] : memref<?xindex>
        memref.store %old, %y[%next] : memref<?xindex>
        omp.yield
      }
    } {case = "anyNumberOfThreads"}

    // CHECK: } {case = "everyonesVariable", heddle.async = #heddle.async}
    %everyones = llvm.mlir.addressof @everyones : !llvm.ptr
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %bit = arith.andi %v, %c1 : index
        %at = arith.index_cast %bit : index to i64
        %q = llvm.getelementptr %everyones[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
        %old = llvm.load %everyones : !llvm.ptr -> i64
        llvm.store %old, %q : i64, !llvm.ptr
        omp.yield
      }
    } {case = "everyonesVariable"}

    // CHECK: } {case = "threadsOwnVariable"}
    %own = llvm.mlir.addressof @own : !llvm.ptr
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %bit = arith.andi %v, %c1 : index
        %at = arith.index_cast %bit : index to i64
        %q = llvm.getelementptr %own[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
        %old = llvm.load %own : !llvm.ptr -> i64
        llvm.store %old, %q : i64, !llvm.ptr
        omp.yield
      }
    } {case = "threadsOwnVariable"}
    omp.terminator
  }

  // The owners of the arguments are not known here.
  //
  // CHECK: } {case = "orphaned"}
  omp.wsloop {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      %k = memref.load %b[%i] : memref<?xindex>
      %v = memref.load %a[%k] : memref<?xindex>
      memref.store %v, %y[%k] : memref<?xindex>
      omp.yield
    }
  } {case = "orphaned"}

  // CHECK: } {case = "orphanedReads", heddle.async = #heddle.async}
  omp.wsloop {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      %k = memref.load %b[%i] : memref<?xindex>
      %v = memref.load %a[%k] : memref<?xindex>
      omp.yield
    }
  } {case = "orphanedReads"}

  // Without a loop directive that shares it out, a nest may be anything.
  //
  // CHECK: } {case = "simd"}
  omp.simd {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      %k = memref.load %b[%i] : memref<?xindex>
      %v = memref.load %a[%k] : memref<?xindex>
      omp.yield
    }
  } {case = "simd"}

  // CHECK: } {case = "numberOfThreads"}
  omp.parallel num_threads(%threads : i32) {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %next = arith.addi %i, %c1 : index
        memref.store %v, %y[%next] : memref<?xindex>
        %old = memref.load %y[%i] : memref<?xindex>
        memref.store %old, %y[%next] : memref<?xindex>
        omp.yield
      }
    } {case = "numberOfThreads"}
    omp.terminator
  }

  // CHECK: } {case = "threadsIf"}
  omp.parallel if(%if) {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %next = arith.addi %i, %c1 : index
        memref.store %v, %y[%next] : memref<?xindex>
        %old = memref.load %y[%i] : memref<?xindex>
        memref.store %old, %y[%next] : memref<?xindex>
        omp.yield
      }
    } {case = "threadsIf"}
    omp.terminator
  }

  // A region inside another has one thread by default.
  //
  // CHECK: } {case = "nestedTeam"}
  omp.parallel {
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
          %k = memref.load %b[%i] : memref<?xindex>
          %v = memref.load %a[%k] : memref<?xindex>
          memref.store %v, %y[%k] : memref<?xindex>
          omp.yield
        }
      } {case = "nestedTeam"}
      omp.terminator
    }
    omp.terminator
  }

  // CHECK: } {case = "threadsOwnVariableOutside"}
  %outside = llvm.mlir.addressof @own : !llvm.ptr
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %bit = arith.andi %v, %c1 : index
        %at = arith.index_cast %bit : index to i64
        %q = llvm.getelementptr %outside[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
        %old = llvm.load %outside : !llvm.ptr -> i64
        llvm.store %old, %q : i64, !llvm.ptr
        omp.yield
      }
    } {case = "threadsOwnVariableOutside"}
    omp.terminator
  }
  return
}
