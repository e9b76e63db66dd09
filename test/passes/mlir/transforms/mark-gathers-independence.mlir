// Loops whose iterations may depend on each other through memory have no mark,
// however much they wait for it. Beside each, how near to that a loop may come.
//
// RUN: %heddle_opt %s --heddle-mark-gathers \
// RUN:   | FileCheck %s --implicit-check-not=heddle.async

// Each iteration writes an element of its own, of an array that none reads.
//
// CHECK-LABEL: @ownElements
// CHECK: } {heddle.async = #heddle.async}
func.func @ownElements(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%i] : memref<?xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @readsWhatOthersWrite
func.func @readsWhatOthersWrite(%n: index, %b: memref<?xindex>)
    -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %a[%i] : memref<?xindex>
  }
  return %a : memref<?xindex>
}

// CHECK-LABEL: @updatesOwnElement
// CHECK: } {heddle.async = #heddle.async}
func.func @updatesOwnElement(%n: index, %b: memref<?xindex>)
    -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %old = memref.load %y[%i] : memref<?xindex>
    %new = arith.addi %old, %v : index
    memref.store %new, %y[%i] : memref<?xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @readsPreviousElement
func.func @readsPreviousElement(%n: index, %b: memref<?xindex>)
    -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c1 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %j = arith.subi %i, %c1 : index
    %old = memref.load %y[%j] : memref<?xindex>
    %new = arith.addi %old, %v : index
    memref.store %new, %y[%i] : memref<?xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @writesNextElement
func.func @writesNextElement(%n: index, %b: memref<?xindex>)
    -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %j = arith.addi %i, %c1 : index
    memref.store %v, %y[%i] : memref<?xindex>
    memref.store %i, %y[%j] : memref<?xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @writesAnywhere
func.func @writesAnywhere(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %i, %y[%v] : memref<?xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @writesOnePlace
func.func @writesOnePlace(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%c0] : memref<?xindex>
  }
  return %y : memref<?xindex>
}

// An array without dimensions is one place.
//
// CHECK-LABEL: @writesScalar
func.func @writesScalar(%n: index, %b: memref<?xindex>) -> memref<index> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc() : memref<index>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[] : memref<index>
  }
  return %y : memref<index>
}

// Two arguments may be the same array.
//
// CHECK-LABEL: @arguments
func.func @arguments(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
                     %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%i] : memref<?xindex>
  }
  return
}

// CHECK-LABEL: @argumentAndAllocation
// CHECK: } {heddle.async = #heddle.async}
func.func @argumentAndAllocation(%n: index, %b: memref<?xindex>,
                                 %a: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%i] : memref<?xindex>
  }
  return %y : memref<?xindex>
}

// Two views of one array may overlap.
//
// CHECK-LABEL: @subviews
func.func @subviews(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %whole = memref.alloc(%n) : memref<?xindex>
  %a = memref.subview %whole[0] [%n] [1]
      : memref<?xindex> to memref<?xindex, strided<[1]>>
  %y = memref.subview %whole[%n] [%n] [1]
      : memref<?xindex> to memref<?xindex, strided<[1], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex, strided<[1]>>
    memref.store %v, %y[%i] : memref<?xindex, strided<[1], offset: ?>>
  }
  return %whole : memref<?xindex>
}

// CHECK-LABEL: @cast
func.func @cast(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xindex>
  %y = memref.cast %a : memref<8xindex> to memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<8xindex>
    memref.store %v, %y[%i] : memref<?xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @viewOfOtherArray
// CHECK: } {heddle.async = #heddle.async}
func.func @viewOfOtherArray(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %whole = memref.alloc(%n) : memref<?xindex>
  %y = memref.subview %whole[%n] [%n] [2]
      : memref<?xindex> to memref<?xindex, strided<[2], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%i] : memref<?xindex, strided<[2], offset: ?>>
  }
  return %whole : memref<?xindex>
}

// Elements with different indices may be the same.
//
// CHECK-LABEL: @overlappingRows
func.func @overlappingRows(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %whole = memref.alloc(%n) : memref<?xindex>
  %y = memref.reinterpret_cast %whole to
      offset: [0], sizes: [%n, %n], strides: [1, 1]
      : memref<?xindex> to memref<?x?xindex, strided<[1, 1]>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %i, %y[%i, %v] : memref<?x?xindex, strided<[1, 1]>>
  }
  return %whole : memref<?xindex>
}

// CHECK-LABEL: @strideOfZero
func.func @strideOfZero(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %whole = memref.alloc(%n) : memref<?xindex>
  %y = memref.reinterpret_cast %whole to
      offset: [0], sizes: [%n], strides: [%c0]
      : memref<?xindex> to memref<?xindex, strided<[?]>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%i] : memref<?xindex, strided<[?]>>
  }
  return %whole : memref<?xindex>
}

// CHECK-LABEL: @foldedLayout
func.func @foldedLayout(%n: index, %b: memref<?xindex>) ->
    memref<?xindex, affine_map<(d0) -> (d0 floordiv 2)>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex, affine_map<(d0) -> (d0 floordiv 2)>>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%i]
        : memref<?xindex, affine_map<(d0) -> (d0 floordiv 2)>>
  }
  return %y : memref<?xindex, affine_map<(d0) -> (d0 floordiv 2)>>
}

// CHECK-LABEL: @ownRow
// CHECK: } {heddle.async = #heddle.async}
func.func @ownRow(%n: index, %b: memref<?xindex>) -> memref<?x?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n, %n) : memref<?x?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    scf.for %j = %c0 to %n step %c1 {
      memref.store %v, %y[%i, %j] : memref<?x?xindex>
    }
  }
  return %y : memref<?x?xindex>
}

// The counter of the loop around is the same for all iterations.
//
// CHECK-LABEL: @outerElement
func.func @outerElement(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %k = memref.load %b[%j] : memref<?xindex>
      %v = memref.load %a[%k] : memref<?xindex>
      memref.store %v, %y[%i] : memref<?xindex>
    }
  }
  return %y : memref<?xindex>
}

// Iterations may be given the same array in turns.
//
// CHECK-LABEL: @chosenArray
func.func @chosenArray(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  %r:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%from = %a, %to = %y) -> (memref<?xindex>, memref<?xindex>) {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %from[%k] : memref<?xindex>
    memref.store %v, %to[%i] : memref<?xindex>
    scf.yield %to, %from : memref<?xindex>, memref<?xindex>
  }
  return %r#0 : memref<?xindex>
}

// The two arrays of a step are two, but nothing here can tell.
//
// CHECK-LABEL: @turns
func.func @turns(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  %r:2 = scf.for %t = %c0 to %n step %c1
      iter_args(%from = %a, %to = %y) -> (memref<?xindex>, memref<?xindex>) {
    scf.for %i = %c0 to %n step %c1 {
      %k = memref.load %b[%i] : memref<?xindex>
      %v = memref.load %from[%k] : memref<?xindex>
      memref.store %v, %to[%i] : memref<?xindex>
    }
    scf.yield %to, %from : memref<?xindex>, memref<?xindex>
  }
  return %r#0 : memref<?xindex>
}

// Effects of any other kind.
//
// CHECK-LABEL: @copies
func.func @copies(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.copy %a, %y : memref<?xindex> to memref<?xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @atomicUpdate
func.func @atomicUpdate(%n: index, %b: memref<?xindex>,
    %z: memref<?xi64>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = arith.index_cast %v : index to i64
    memref.atomic_rmw addi %w, %z[%i] : (i64, memref<?xi64>) -> i64
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @atomicRegion
func.func @atomicRegion(%n: index, %b: memref<?xindex>,
    %z: memref<?xi64>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = arith.index_cast %v : index to i64
    %old = memref.generic_atomic_rmw %z[%i] : memref<?xi64> {
    ^bb0(%x: i64):
      %new = arith.muli %x, %w : i64
      memref.atomic_yield %new : i64
    }
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @vectorStore
func.func @vectorStore(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = vector.broadcast %v : index to vector<4xindex>
    vector.store %w, %y[%i] : memref<?xindex>, vector<4xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @transferWrite
func.func @transferWrite(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = vector.broadcast %v : index to vector<4xindex>
    vector.transfer_write %w, %y[%i] : vector<4xindex>, memref<?xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @affineStore
func.func @affineStore(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    affine.store %v, %y[0] : memref<?xindex>
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @fill
func.func @fill(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    linalg.fill ins(%v : index) outs(%y : memref<?xindex>)
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @structured
func.func @structured(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    linalg.map { arith.addi } ins(%y, %a : memref<?xindex>, memref<?xindex>)
        outs(%y : memref<?xindex>)
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @calls
func.func @calls(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    func.call @unknown(%v) : (index) -> ()
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @prints
func.func @prints(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    vector.print %v : index
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @asserts
func.func @asserts(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %good = arith.cmpi ne, %v, %c0 : index
    cf.assert %good, "zero"
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @criticalSection
func.func @criticalSection(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    omp.critical {
      memref.store %v, %y[%c0] : memref<?xindex>
      omp.terminator
    }
  }
  return %y : memref<?xindex>
}

// CHECK-LABEL: @task
func.func @task(%n: index, %b: memref<?xindex>) -> memref<?xindex> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %y = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    omp.task {
      memref.store %v, %y[%c0] : memref<?xindex>
      omp.terminator
    }
  }
  return %y : memref<?xindex>
}

func.func private @unknown(index)

// OpenMP keeps its effects to itself.
//
// CHECK-LABEL: @ompAtomic
func.func @ompAtomic(%n: index, %b: memref<?xindex>, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = arith.index_cast %v : index to i64
    omp.atomic.update %p : !llvm.ptr {
    ^bb0(%x: i64):
      %new = llvm.mul %x, %w : i64
      omp.yield(%new : i64)
    }
  }
  return
}

// CHECK-LABEL: @volatile
func.func @volatile(%n: index, %b: memref<?xindex>, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = llvm.load volatile %p : !llvm.ptr -> i64
    scf.yield
  }
  return
}

// CHECK-LABEL: @pointerStore
func.func @pointerStore(%n: index, %b: memref<?xindex>, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xindex>
  scf.for %i = %c0 to %n step %c1 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    %w = arith.index_cast %v : index to i64
    llvm.store %w, %p : i64, !llvm.ptr
  }
  return
}

// A sum may be rounded differently in another order, which has to be permitted
// by its flags.
//
// CHECK-LABEL: @floatSum
func.func @floatSum(%n: index, %b: memref<?xindex>, %x: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xf64>
    %t = arith.addf %s, %v : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// CHECK-LABEL: @anyOrderSum
// CHECK: } {heddle.async = #heddle.async}
func.func @anyOrderSum(%n: index, %b: memref<?xindex>, %x: memref<?xf64>)
    -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xf64>
    %t = arith.addf %s, %v fastmath<reassoc> : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// CHECK-LABEL: @conditionalFloatSum
func.func @conditionalFloatSum(%n: index, %b: memref<?xindex>, %p: i64,
                               %x: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
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
  }
  return %sum : f64
}

// CHECK-LABEL: @floatMaximum
// CHECK: } {heddle.async = #heddle.async}
func.func @floatMaximum(%n: index, %b: memref<?xindex>, %x: memref<?xf64>)
    -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xf64>
    %t = arith.maximumf %s, %v : f64
    scf.yield %t : f64
  }
  return %sum : f64
}

// CHECK-LABEL: @vectorSum
func.func @vectorSum(%n: index, %b: memref<?xindex>,
                     %x: memref<?xvector<4xf32>>)
    -> vector<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %sum = scf.for %i = %c0 to %n step %c1
      iter_args(%s = %zero) -> vector<4xf32> {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %x[%k] : memref<?xvector<4xf32>>
    %t = arith.addf %s, %v : vector<4xf32>
    scf.yield %t : vector<4xf32>
  }
  return %sum : vector<4xf32>
}

// A sum within an iteration stays in order.
//
// CHECK-LABEL: @rowSums
// CHECK: } {heddle.async = #heddle.async}
func.func @rowSums(%n: index, %b: memref<?xindex>, %x: memref<?xf64>,
                   %r: memref<?xindex>) -> memref<?xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
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
  }
  return %y : memref<?xf64>
}

// Iterations of parallel loops are independent, whatever they do.
//
// CHECK-LABEL: @parallel
// CHECK: } {heddle.async = #heddle.async}
func.func @parallel(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
                    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%k] : memref<?xindex>
    func.call @unknown(%v) : (index) -> ()
    scf.reduce
  }
  return
}

// CHECK-LABEL: @forall
// CHECK: } {heddle.async = #heddle.async}
func.func @forall(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
                  %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %k = memref.load %b[%i] : memref<?xindex>
    %v = memref.load %a[%k] : memref<?xindex>
    memref.store %v, %y[%k] : memref<?xindex>
  }
  return
}

// Iterations of a worksharing loop may be on any two threads, so that what is
// shared is written by one of them only.
//
// CHECK-LABEL: @worksharing
// CHECK: } {heddle.async = #heddle.async}
func.func @worksharing(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %y[%k] : memref<?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// Memory that only one thread sees is as in a sequential loop: order counts.
//
// CHECK-LABEL: @threadsOwnScalar
func.func @threadsOwnScalar(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
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
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @threadsOwnBuffer
func.func @threadsOwnBuffer(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %buffer = memref.alloc(%n) : memref<?xindex>
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %buffer[%k] : memref<?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @threadsOwnElement
// CHECK: } {heddle.async = #heddle.async}
func.func @threadsOwnElement(%n: index, %b: memref<?xindex>,
    %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %buffer = memref.alloc(%n) : memref<?xindex>
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %buffer[%i] : memref<?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @threadsOwnPart
func.func @threadsOwnPart(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %thread = func.call @thread() : () -> index
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %y[%thread] : memref<?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @threadsOwnRow
func.func @threadsOwnRow(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?x?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %thread = func.call @thread() : () -> index
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %row = memref.subview %y[%thread, 0] [1, %n] [1, 1]
            : memref<?x?xindex> to memref<?xindex, strided<[1], offset: ?>>
        memref.store %v, %row[%k] : memref<?xindex, strided<[1], offset: ?>>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

func.func private @thread() -> index

// The owners of the arguments are not known here.
//
// CHECK-LABEL: @orphaned
func.func @orphaned(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.wsloop {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      %k = memref.load %b[%i] : memref<?xindex>
      %v = memref.load %a[%k] : memref<?xindex>
      memref.store %v, %y[%k] : memref<?xindex>
      omp.yield
    }
  }
  return
}

// CHECK-LABEL: @orphanedReads
// CHECK: } {heddle.async = #heddle.async}
func.func @orphanedReads(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.wsloop {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      %k = memref.load %b[%i] : memref<?xindex>
      %v = memref.load %a[%k] : memref<?xindex>
      omp.yield
    }
  }
  return
}

// A program may count on one thread doing a whole chunk of a size it knows.
//
// CHECK-LABEL: @chunks
func.func @chunks(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %chunk = arith.constant 64 : i32
  omp.parallel {
    omp.wsloop schedule(static = %chunk : i32) {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %y[%k] : memref<?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @orderedLoop
func.func @orderedLoop(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop ordered(0) {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %y[%k] : memref<?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @worksharingCalls
func.func @worksharingCalls(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        func.call @unknown(%v) : (index) -> ()
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

omp.declare_reduction @add : i64 init {
^bb0(%x: i64):
  %zero = llvm.mlir.constant(0 : i64) : i64
  omp.yield(%zero : i64)
} combiner {
^bb0(%x: i64, %y: i64):
  %sum = llvm.add %x, %y : i64
  omp.yield(%sum : i64)
}

// Updates of reduction variables may come in any order.
//
// CHECK-LABEL: @worksharingReduction
// CHECK: } {heddle.async = #heddle.async}
func.func @worksharingReduction(%n: index, %b: memref<?xindex>,
    %a: memref<?xindex>,
    %y: memref<?xindex>, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
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
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @sharedPointer
// CHECK: } {heddle.async = #heddle.async}
func.func @sharedPointer(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
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
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @threadsOwnPointer
func.func @threadsOwnPointer(%n: index, %b: memref<?xindex>,
    %a: memref<?xindex>,
    %y: memref<?xindex>, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %eight = llvm.mlir.constant(8 : i64) : i64
    %mine = llvm.alloca %eight x i64 : (i64) -> !llvm.ptr
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %o = arith.index_cast %k : index to i64
        %w = arith.index_cast %v : index to i64
        %place = llvm.getelementptr %mine[%o]
            : (!llvm.ptr, i64) -> !llvm.ptr, i64
        llvm.store %w, %place : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// Each iteration of a collapsed loop is a pair of numbers.
//
// CHECK-LABEL: @collapsed
// CHECK: } {heddle.async = #heddle.async}
func.func @collapsed(%n: index, %b: memref<?xindex>, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %mine = memref.alloc(%n, %n) : memref<?x?xindex>
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %mine[%i, %j] : memref<?x?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @halfOfPair
func.func @halfOfPair(%n: index, %b: memref<?xindex>, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %mine = memref.alloc(%n) : memref<?xindex>
    omp.wsloop {
      omp.loop_nest (%i, %j) : index = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        memref.store %v, %mine[%i] : memref<?xindex>
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// Without a loop directive that shares it out, a nest may be anything.
//
// CHECK-LABEL: @simd
func.func @simd(%n: index, %b: memref<?xindex>, %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.simd {
    omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
      %k = memref.load %b[%i] : memref<?xindex>
      %v = memref.load %a[%k] : memref<?xindex>
      omp.yield
    }
  }
  return
}

// A program that asks for one thread may count on the order of iterations, and
// so may one that leaves it to others how many threads it asks for.
//
// CHECK-LABEL: @anyNumberOfThreads
// CHECK: } {heddle.async = #heddle.async}
func.func @anyNumberOfThreads(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
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
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @numberOfThreads
func.func @numberOfThreads(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>, %threads: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
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
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @threadsIf
func.func @threadsIf(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>, %if: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
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
    }
    omp.terminator
  }
  return
}

// A region inside another has one thread by default.
//
// CHECK-LABEL: @nestedTeam
func.func @nestedTeam(%n: index, %b: memref<?xindex>, %a: memref<?xindex>,
    %y: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    omp.parallel {
      omp.wsloop {
        omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
          %k = memref.load %b[%i] : memref<?xindex>
          %v = memref.load %a[%k] : memref<?xindex>
          memref.store %v, %y[%k] : memref<?xindex>
          omp.yield
        }
      }
      omp.terminator
    }
    omp.terminator
  }
  return
}

llvm.mlir.global internal thread_local @own() : !llvm.array<2 x i64> {
  %zero = llvm.mlir.zero : !llvm.array<2 x i64>
  llvm.return %zero : !llvm.array<2 x i64>
}

llvm.mlir.global internal @everyones() : !llvm.array<2 x i64> {
  %zero = llvm.mlir.zero : !llvm.array<2 x i64>
  llvm.return %zero : !llvm.array<2 x i64>
}

// CHECK-LABEL: @everyonesVariable
// CHECK: } {heddle.async = #heddle.async}
func.func @everyonesVariable(%n: index, %b: memref<?xindex>,
    %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %p = llvm.mlir.addressof @everyones : !llvm.ptr
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %bit = arith.andi %v, %c1 : index
        %at = arith.index_cast %bit : index to i64
        %q = llvm.getelementptr %p[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
        %old = llvm.load %p : !llvm.ptr -> i64
        llvm.store %old, %q : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @threadsOwnVariable
func.func @threadsOwnVariable(%n: index, %b: memref<?xindex>,
    %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  omp.parallel {
    %p = llvm.mlir.addressof @own : !llvm.ptr
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %bit = arith.andi %v, %c1 : index
        %at = arith.index_cast %bit : index to i64
        %q = llvm.getelementptr %p[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
        %old = llvm.load %p : !llvm.ptr -> i64
        llvm.store %old, %q : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  return
}

// CHECK-LABEL: @threadsOwnVariableOutside
func.func @threadsOwnVariableOutside(%n: index, %b: memref<?xindex>,
    %a: memref<?xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = llvm.mlir.addressof @own : !llvm.ptr
  omp.parallel {
    omp.wsloop {
      omp.loop_nest (%i) : index = (%c0) to (%n) step (%c1) {
        %k = memref.load %b[%i] : memref<?xindex>
        %v = memref.load %a[%k] : memref<?xindex>
        %bit = arith.andi %v, %c1 : index
        %at = arith.index_cast %bit : index to i64
        %q = llvm.getelementptr %p[0, %at] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<2 x i64>
        %old = llvm.load %p : !llvm.ptr -> i64
        llvm.store %old, %q : i64, !llvm.ptr
        omp.yield
      }
    }
    omp.terminator
  }
  return
}
