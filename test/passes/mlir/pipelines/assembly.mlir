// The code of heddle.pull in programs of MLIR on each architecture: one gather
// under the mask that the edge vector is, and no branch beside the loop's.
//
// RUN: sed s/LANES/16/ %s | %heddle_opt --heddle-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -passes='default<O3>' -mtriple=x86_64 -mcpu=znver4 | llc -O3 -mtriple=x86_64 -mcpu=znver4 | FileCheck %s --check-prefix=AVX512
// RUN: sed s/LANES/8/ %s | %heddle_opt --heddle-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -passes='default<O3>' -mtriple=x86_64 -mcpu=skylake | llc -O3 -mtriple=x86_64 -mcpu=skylake | FileCheck %s --check-prefix=AVX2
// RUN: sed s/LANES/8/ %s | %heddle_opt --heddle-to-llvm=narrowest-gather=0 | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -passes='default<O3>' -mtriple=x86_64 -mcpu=haswell | llc -O3 -mtriple=x86_64 -mcpu=haswell | FileCheck %s --check-prefix=LOADS
// RUN: sed s/LANES/16/ %s | %heddle_opt --heddle-to-llvm=scalable | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -passes='default<O3>' -mtriple=aarch64 -mattr=+sve | llc -O3 -mtriple=aarch64 -mattr=+sve | FileCheck %s --check-prefix=SVE
// RUN: sed s/LANES/8/ %s | %heddle_opt --heddle-to-llvm=scalable | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -passes='default<O3>' -mtriple=riscv64 -mattr=+v | llc -O3 -mtriple=riscv64 -mattr=+v | FileCheck %s --check-prefix=SCALABLE
// RUN: sed s/LANES/8/ %s | %heddle_opt --heddle-to-llvm | mlir-translate --mlir-to-llvmir \
// RUN:   | opt -passes='default<O3>' -mtriple=riscv64 -mattr=+v | llc -O3 -mtriple=riscv64 -mattr=+v | FileCheck %s --check-prefix=RVV

// AVX512-LABEL: row:
// AVX512: vpmovd2m %[[LANES:zmm[0-9]+]], %[[VALID:k[1-7]]]
// AVX512-NOT: {{[[:space:]]j[a-z]+[[:space:]]}}
// AVX512: vgatherdps ({{.*}},%zmm{{[0-9]+}},4), %zmm{{[0-9]+}} {%[[VALID]]}
// AVX512: vaddps
// AVX512: jne

// AVX2-LABEL: row:
// AVX2: vmov{{[a-z]+}} {{.*}}(%{{.*}}), %[[LANES:ymm[0-9]+]]
// AVX2-NOT: {{[[:space:]]j[a-z]+[[:space:]]}}
// AVX2: vgatherdps %[[LANES]], ({{.*}},%ymm{{[0-9]+}},4), %[[V:ymm[0-9]+]]
// AVX2: vaddps
// AVX2: jne

// No ladder of branches where the target has no gather that pays.
//
// LOADS-LABEL: row:
// LOADS: vinsertps
// LOADS-NOT: {{[[:space:]]test[a-z]+[[:space:]]}}
// LOADS: vaddps
// LOADS: jne

// SVE-LABEL: row:
// SVE: ld1w { [[LANES:z[0-9]+]].s }
// SVE: cmplt [[VALID:p[0-9]+]].s, {{.*}} [[LANES]].s, #0
// SVE: ld1w { z{{[0-9]+}}.s }, [[VALID]]/z, [x{{[0-9]+}}, z{{[0-9]+}}.s, {{s|u}}xtw #2]
// SVE: fadd
// SVE: faddv

// Vectors as long as the processor's, and the row's end is a mask.
//
// SCALABLE-LABEL: row:
// SCALABLE: csrr {{.*}}, vlenb
// SCALABLE: vle32.v {{.*}}, v0.t
// SCALABLE: vluxei{{32|64}}.v {{.*}}, v0.t
// SCALABLE: vfadd.vv
// SCALABLE: vfredusum.vs

// RVV-LABEL: row:
// RVV: vle32.v
// RVV: vluxei{{32|64}}.v {{.*}}, v0.t
// RVV: vfadd.vv
// RVV: vfredusum.vs
func.func @row(%edges: memref<?xLANESxi32>, %lo: index, %hi: index, %old: f32,
               %x: memref<?xf32>) -> f32 {
  %sum = heddle.pull <add> %edges[%lo to %hi] init(%old : f32)
      captures(%x : memref<?xf32>) : memref<?xLANESxi32> {
  ^bb0(%u: i32, %values: memref<?xf32>):
    %value = heddle.gather %values[%u] : memref<?xf32>, i32
    heddle.yield %value : f32
  }
  return %sum : f32
}
