//===- HeddlePasses.td - Passes over the heddle dialect -------------------===//

#ifndef HEDDLE_PASSES_MLIR_HEDDLEPASSES_TD
#define HEDDLE_PASSES_MLIR_HEDDLEPASSES_TD

include "mlir/Pass/PassBase.td"

def LowerPullPass : Pass<"heddle-lower-pull"> {
  let summary = "turn heddle.pull into a loop of vector operations";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"scalable", "scalable", "bool", /*default=*/"false",
           "Vectors of the target's own length instead of edge vectors: the "
           "target can gather everything under a mask">,
    Option<"narrowestGather", "narrowest-gather", "unsigned", /*default=*/"32",
           "Bits of the narrowest elements that the target can gather under a "
           "mask, or 0 if it cannot">
  ];
}

#endif
