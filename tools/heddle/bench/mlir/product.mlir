// y += A x for a sparse matrix A in compressed rows, as linear algebra.

#rows = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 64, crdWidth = 32
}>
#product = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                   affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}

func.func @kernel(%a: tensor<?x?xf32, #rows>, %x: tensor<?xf32>,
                  %y: tensor<?xf32> {bufferization.writable = true})
    -> tensor<?xf32> attributes {llvm.emit_c_interface} {
  %sums = linalg.generic #product
      ins(%a, %x : tensor<?x?xf32, #rows>, tensor<?xf32>)
      outs(%y : tensor<?xf32>) {
  ^bb0(%element: f32, %value: f32, %sum: f32):
    %term = arith.mulf %element, %value : f32
    %more = arith.addf %sum, %term : f32
    linalg.yield %more : f32
  } -> tensor<?xf32>
  return %sums : tensor<?xf32>
}
