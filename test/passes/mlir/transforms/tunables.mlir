// The numbers that passes over MLIR decide by are options with a range.
//
// RUN: %heddle_opt %s --heddle-lower-pull-parallel | FileCheck %s --check-prefix=ROWS1024
// RUN: %heddle_opt %s --heddle-lower-pull-parallel --heddle-pull-block-rows=64 | FileCheck %s --check-prefix=ROWS64
// ROWS1024: memref.alloc() : memref<1024xf32>
// ROWS64: memref.alloc() : memref<64xf32>
//
// RUN: not %heddle_opt %s --heddle-pull-block-rows=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not %heddle_opt %s --heddle-pull-block-rows=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not %heddle_opt %s --heddle-pull-block-rows=many 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not %heddle_opt %s --heddle-pull-line-bytes=48 2>&1 | FileCheck %s --check-prefix=POWER
// ZERO: for the --heddle-pull-block-rows option: expected a number from 1 to 1048576, not '0'
// NEGATIVE: for the --heddle-pull-block-rows option: expected a number from 1 to 1048576, not '-1'
// TEXT: for the --heddle-pull-block-rows option: expected a number from 1 to 1048576, not 'many'
// POWER: for the --heddle-pull-line-bytes option: expected a power of two from 16 to 4096, not '48'

func.func @sums(%rows: memref<?xindex>, %edges: memref<?x16xi32>, %chunk: index,
                %zero: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  heddle.pull_parallel <add> %rows, %edges chunk(%chunk) init(%zero : f32)
      captures(%x : memref<?xf32>) into(%y : memref<?xf32>)
      : memref<?xindex>, memref<?x16xi32> {
  ^bb0(%u: i32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    heddle.yield %value : f32
  }
  return
}
