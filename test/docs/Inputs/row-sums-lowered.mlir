scf.for %arg5 = %arg1 to %arg2 step %c1 iter_args(%arg6 = %cst_1) -> (vector<16xf32>) {
  %2 = arith.addi %arg5, %c32 : index
  memref.prefetch %arg0[%2, %c0], read, locality<3>, data : memref<?x16xi32>
  %3 = vector.load %arg0[%arg5, %c0] {alignment = 64 : i64} : memref<?x16xi32>, vector<16xi32>
  %4 = arith.cmpi slt, %3, %cst_0 : vector<16xi32>
  %5 = arith.andi %3, %cst : vector<16xi32>
  %6 = vector.gather %arg4[%c0] [%5], %4, %cst_1 : memref<?xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %7 = arith.addf %6, %arg6 : vector<16xf32>
  scf.yield %7 : vector<16xf32>
