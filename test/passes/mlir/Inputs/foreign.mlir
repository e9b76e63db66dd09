// Pulls for a processor under emulation: what foreign.c compares.

func.func @weighted(%edges: memref<?x16xi32>, %weights: memref<?x16xf32>,
                    %lo: index, %hi: index, %old: f32, %x: memref<?xf32>)
    -> f32 attributes {llvm.emit_c_interface} {
  %sum = heddle.pull <add> %edges[%lo to %hi]
      weights(%weights : memref<?x16xf32>) init(%old : f32)
      captures(%x : memref<?xf32>) : memref<?x16xi32> {
  ^bb0(%u: i32, %weight: f32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    %message = arith.mulf %value, %weight : f32
    heddle.yield %message : f32
  }
  return %sum : f32
}

// The least of those in the frontier, and 7 more.
func.func @least(%edges: memref<?x4xi64>, %frontier: memref<?xi32>,
                 %lo: index, %hi: index, %old: i64, %x: memref<?xi64>,
                 %more: i64) -> i64 attributes {llvm.emit_c_interface} {
  %least = heddle.pull <minsi> %edges[%lo to %hi]
      frontier(%frontier : memref<?xi32>) init(%old : i64)
      captures(%x, %more : memref<?xi64>, i64) : memref<?x4xi64> {
  ^bb0(%u: i64, %values: memref<?xi64>, %m: i64):
    %value = heddle.gather %values[%u] : memref<?xi64>, i64
    heddle.yield %value : i64
  } apply {
  ^bb0(%combined: i64, %values: memref<?xi64>, %m: i64):
    %result = arith.addi %combined, %m : i64
    heddle.yield %result : i64
  }
  return %least : i64
}
