// heddle.pack turns compressed rows into the layout of the graph library, with
// lanes of every kind, weights or none, and numbers of every type.
//
// RUN: %heddle_opt %s --heddle-to-llvm | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: %plain_clangxx -std=c++20 -O1 -Wno-override-module %t.ll %S/../Inputs/check-pack.cpp %fopenmp -o %t
// RUN: env OMP_NUM_THREADS=3 %t | FileCheck %s
// RUN: not --crash %t many-neighbours 2>&1 | FileCheck %s --check-prefix=MANY
//
// CHECK: 16 lanes of 32 bits: 70005 rows, 8 edge vectors
// CHECK: 8 lanes of 32 bits: 70005 rows, 12 edge vectors
// CHECK: 8 lanes of 64 bits: 70005 rows, 12 edge vectors
// CHECK: 4 lanes of 64 bits: 70005 rows, 21 edge vectors
// CHECK: no rows
// MANY: heddle.pack: a neighbour that the lanes have too few bits for

func.func @pack16x32(%p: memref<?xi64>, %c: memref<?xi32>, %w: memref<?xf64>)
    -> (memref<?xindex>, memref<?x16xi32>, memref<?x16xf64>)
    attributes {llvm.emit_c_interface} {
  %r:3 = heddle.pack %p, %c weights(%w)
      : (memref<?xi64>, memref<?xi32>, memref<?xf64>)
      -> (memref<?xindex>, memref<?x16xi32>, memref<?x16xf64>)
  return %r#0, %r#1, %r#2
      : memref<?xindex>, memref<?x16xi32>, memref<?x16xf64>
}

func.func @pack8x32(%p: memref<?xi32>, %c: memref<?xi32>, %w: memref<?xf32>)
    -> (memref<?xindex>, memref<?x8xi32>, memref<?x8xf32>)
    attributes {llvm.emit_c_interface} {
  %r:3 = heddle.pack %p, %c weights(%w)
      : (memref<?xi32>, memref<?xi32>, memref<?xf32>)
      -> (memref<?xindex>, memref<?x8xi32>, memref<?x8xf32>)
  return %r#0, %r#1, %r#2
      : memref<?xindex>, memref<?x8xi32>, memref<?x8xf32>
}

func.func @pack8x64(%p: memref<?xindex>, %c: memref<?xi64>)
    -> (memref<?xindex>, memref<?x8xi64>)
    attributes {llvm.emit_c_interface} {
  %r:2 = heddle.pack %p, %c : (memref<?xindex>, memref<?xi64>)
      -> (memref<?xindex>, memref<?x8xi64>)
  return %r#0, %r#1 : memref<?xindex>, memref<?x8xi64>
}

func.func @pack4x64(%p: memref<?xi64>, %c: memref<?xindex>)
    -> (memref<?xindex>, memref<?x4xi64>)
    attributes {llvm.emit_c_interface} {
  %r:2 = heddle.pack %p, %c : (memref<?xi64>, memref<?xindex>)
      -> (memref<?xindex>, memref<?x4xi64>)
  return %r#0, %r#1 : memref<?xindex>, memref<?x4xi64>
}
