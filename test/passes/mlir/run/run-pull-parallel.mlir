// heddle.pull_parallel gives for each vertex what a plain loop gives, wherever
// chunks cut the rows: with a frontier, weights and apply, and with nothing.
//
// RUN: %heddle_opt %s --heddle-to-llvm | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: %plain_clangxx -std=c++20 -O2 -Wno-override-module %t.ll %S/../Inputs/check-pull-parallel.cpp %fopenmp -o %t
// RUN: env OMP_NUM_THREADS=3 %t | FileCheck %s
// RUN: env OMP_NUM_THREADS=1 %t | FileCheck %s
// RUN: %heddle_opt %s --heddle-to-llvm=threads=false | mlir-translate --mlir-to-llvmir -o %t.one.ll
// RUN: %plain_clangxx -std=c++20 -O1 -Wno-override-module %t.one.ll %S/../Inputs/check-pull-parallel.cpp -o %t.one
// RUN: %t.one | FileCheck %s
// RUN: %heddle_opt %s --heddle-to-llvm=narrowest-gather=0 | mlir-translate --mlir-to-llvmir -o %t.loads.ll
// RUN: %plain_clangxx -std=c++20 -O1 -Wno-override-module %t.loads.ll %S/../Inputs/check-pull-parallel.cpp %fopenmp -o %t.loads
// RUN: env OMP_NUM_THREADS=3 %t.loads | FileCheck %s
//
// CHECK: 80 times the same

func.func @pack(%p: memref<?xi64>, %c: memref<?xi32>, %w: memref<?xi64>)
    -> (memref<?xindex>, memref<?x16xi32>, memref<?x16xi64>)
    attributes {llvm.emit_c_interface} {
  %r:3 = heddle.pack %p, %c weights(%w)
      : (memref<?xi64>, memref<?xi32>, memref<?xi64>)
      -> (memref<?xindex>, memref<?x16xi32>, memref<?x16xi64>)
  return %r#0, %r#1, %r#2
      : memref<?xindex>, memref<?x16xi32>, memref<?x16xi64>
}

// into[v] = v + factor * (1 + sum of weight * x[u] over neighbours u in the
// frontier)
func.func @weighted(%rows: memref<?xindex>, %edges: memref<?x16xi32>,
                    %weights: memref<?x16xi64>, %frontier: memref<?xi32>,
                    %x: memref<?xi64>, %into: memref<?xi64>, %chunk: index,
                    %factor: i64) attributes {llvm.emit_c_interface} {
  %one = arith.constant 1 : i64
  heddle.pull_parallel <add> %rows, %edges chunk(%chunk)
      weights(%weights : memref<?x16xi64>)
      frontier(%frontier : memref<?xi32>) init(%one : i64)
      captures(%x, %factor : memref<?xi64>, i64) into(%into : memref<?xi64>)
      : memref<?xindex>, memref<?x16xi32> {
  ^bb0(%u: i32, %weight: i64, %values: memref<?xi64>, %f: i64):
    %value = heddle.gather %values[%u] : memref<?xi64>, i32
    %message = arith.muli %value, %weight : i64
    heddle.yield %message : i64
  } apply {
  ^bb0(%v: index, %sum: i64, %values: memref<?xi64>, %f: i64):
    %number = arith.index_cast %v : index to i64
    %product = arith.muli %sum, %f : i64
    %result = arith.addi %product, %number : i64
    heddle.yield %result : i64
  }
  return
}

// into[v] = the least of x[u] over neighbours u
func.func @least(%rows: memref<?xindex>, %edges: memref<?x16xi32>,
                 %x: memref<?xi32>, %into: memref<?xi32>, %chunk: index)
    attributes {llvm.emit_c_interface} {
  %most = arith.constant -1 : i32
  heddle.pull_parallel <minui> %rows, %edges chunk(%chunk) init(%most : i32)
      captures(%x : memref<?xi32>) into(%into : memref<?xi32>)
      : memref<?xindex>, memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xi32>):
    %value = heddle.gather %values[%u] : memref<?xi32>, i32
    heddle.yield %value : i32
  }
  return
}
