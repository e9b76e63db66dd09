// PageRank by power iteration over a sparse matrix, as linear algebra: a vertex
// distributes its rank evenly over its out-edges, and the next rank of a vertex
// is the sum over its in-edges. Row v of the matrix has a one for each vertex
// with an edge to v. Ranks of vertices without out-edges go to all vertices.

#rows = #sparse_tensor.encoding<{
  map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 64, crdWidth = 32
}>
#each = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                   affine_map<(i) -> (i)>],
  iterator_types = ["parallel"]
}
#change = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
  iterator_types = ["parallel"]
}
#total = {
  indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                   affine_map<(i) -> ()>],
  iterator_types = ["reduction"]
}
#product = {
  indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>,
                   affine_map<(i, j) -> (i)>],
  iterator_types = ["parallel", "reduction"]
}

func.func @pagerank(%edges: tensor<?x?xf32, #rows>, %degree: tensor<?xf32>,
                    %damping: f32, %iterations: index) -> tensor<?xf32>
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %n = tensor.dim %degree, %c0 : tensor<?xf32>
  %n64 = arith.index_cast %n : index to i64
  %count = arith.uitofp %n64 : i64 to f32
  %share = arith.divf %one, %count : f32
  %jump = arith.subf %one, %damping : f32
  %empty = tensor.empty(%n) : tensor<?xf32>
  %even = linalg.fill ins(%share : f32) outs(%empty : tensor<?xf32>)
      -> tensor<?xf32>
  %rank = scf.for %t = %c0 to %iterations step %c1 iter_args(%old = %even)
      -> tensor<?xf32> {
    %parts = tensor.empty(%n) : tensor<?xf32>
    %given = linalg.generic #each
        ins(%old, %degree : tensor<?xf32>, tensor<?xf32>)
        outs(%parts : tensor<?xf32>) {
    ^bb0(%r: f32, %d: f32, %unused: f32):
      %some = arith.maximumf %d, %one : f32
      %part = arith.divf %r, %some : f32
      linalg.yield %part : f32
    } -> tensor<?xf32>

    %scalar = tensor.from_elements %zero : tensor<f32>
    %kept = linalg.generic #total
        ins(%old, %degree : tensor<?xf32>, tensor<?xf32>)
        outs(%scalar : tensor<f32>) {
    ^bb0(%r: f32, %d: f32, %sum: f32):
      %none = arith.cmpf oeq, %d, %zero : f32
      %own = arith.select %none, %r, %zero : f32
      %more = arith.addf %sum, %own : f32
      linalg.yield %more : f32
    } -> tensor<f32>
    %dangling = tensor.extract %kept[] : tensor<f32>
    %spread = arith.mulf %damping, %dangling : f32
    %free = arith.addf %jump, %spread : f32
    %base = arith.mulf %free, %share : f32

    %place = tensor.empty(%n) : tensor<?xf32>
    %none = linalg.fill ins(%zero : f32) outs(%place : tensor<?xf32>)
        -> tensor<?xf32>
    %sums = linalg.generic #product
        ins(%edges, %given : tensor<?x?xf32, #rows>, tensor<?xf32>)
        outs(%none : tensor<?xf32>) {
    ^bb0(%edge: f32, %part: f32, %sum: f32):
      %message = arith.mulf %edge, %part : f32
      %more = arith.addf %sum, %message : f32
      linalg.yield %more : f32
    } -> tensor<?xf32>

    %next = linalg.generic #change ins(%sums : tensor<?xf32>)
        outs(%old : tensor<?xf32>) {
    ^bb0(%sum: f32, %unused: f32):
      %followed = arith.mulf %damping, %sum : f32
      %new = arith.addf %base, %followed : f32
      linalg.yield %new : f32
    } -> tensor<?xf32>
    scf.yield %next : tensor<?xf32>
  }
  return %rank : tensor<?xf32>
}
