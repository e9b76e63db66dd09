func.func @sum(%edges: memref<?x16xi32>, %lo: index, %hi: index, %init: f32,
               %value: memref<?xf32>) -> f32 {
  %sum = heddle.pull <add> %edges[%lo to %hi] init(%init : f32)
      captures(%value : memref<?xf32>) : memref<?x16xi32> {
  ^bb0(%neighbour: i32, %v: memref<?xf32>):
    %message = heddle.gather %v[%neighbour] : memref<?xf32>, i32
    heddle.yield %message : f32
  }
  return %sum : f32
}
