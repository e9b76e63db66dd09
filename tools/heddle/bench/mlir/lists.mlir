// The sum of each row's values, where a row is a linked list of them that -1
// ends.

func.func @kernel(%first: memref<?xi32>, %after: memref<?xi32>,
                  %values: memref<?xf32>, %sums: memref<?xf32>)
    attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %end = arith.constant -1 : i32
  %n = memref.dim %first, %c0 : memref<?xi32>
  scf.parallel (%v) = (%c0) to (%n) step (%c1) {
    %head = memref.load %first[%v] : memref<?xi32>
    %row:2 = scf.while (%node = %head, %sum = %zero)
        : (i32, f32) -> (i32, f32) {
      %more = arith.cmpi ne, %node, %end : i32
      scf.condition(%more) %node, %sum : i32, f32
    } do {
    ^bb0(%node: i32, %sum: f32):
      %at = arith.index_castui %node : i32 to index
      %value = memref.load %values[%at] : memref<?xf32>
      %total = arith.addf %sum, %value : f32
      %next = memref.load %after[%at] : memref<?xi32>
      scf.yield %next, %total : i32, f32
    }
    memref.store %row#1, %sums[%v] : memref<?xf32>
    scf.reduce
  }
  return
}
