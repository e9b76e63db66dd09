scf.for %arg5 = %arg1 to %arg2 step %c1 iter_args(%arg6 = %cst_1) -> (vector<16xf32>) {
  %2 = vector.load %arg0[%arg5, %c0] {alignment = 64 : i64} : memref<?x16xi32>, vector<16xi32>
  %3 = arith.cmpi slt, %2, %cst_0 : vector<16xi32>
  %4 = arith.andi %2, %cst : vector<16xi32>
  %5 = vector.gather %arg4[%c0] [%4], %3, %cst_1 : memref<?xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %6 = arith.addf %5, %arg6 : vector<16xf32>
  scf.yield %6 : vector<16xf32>
