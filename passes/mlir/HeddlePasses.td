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

def MarkGathersPass : Pass<"heddle-mark-gathers"> {
  let summary = "mark loops with accesses whose address has been loaded";
  let description = [{
    Attaches `#heddle.async` to each innermost loop that has an indirect access,
    one whose address depends on what the iteration itself loads. Where how far
    such a loop goes has been loaded as well, as for the rows of a compressed
    matrix, the loop around it is marked instead, if it is one over
    independent iterations: rows are short. Loops that have a mark, and those
    around and inside them, are left alone.
  }];
  let dependentDialects = ["::heddle::HeddleDialect"];
  let options = [
    Option<"tasks", "tasks", "unsigned", /*default=*/"0",
           "Iterations in flight, or 0 for as many as suit the host">
  ];
}

def MaterializeMarksPass : Pass<"heddle-materialize-marks"> {
  let summary = "turn the attribute heddle.async of loops into heddle.mark";
  let description = [{
    Attributes of loops are lost where loops become branches; the operation in
    the body is not.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LowerMarksPass : Pass<"heddle-lower-marks", "::mlir::ModuleOp"> {
  let summary = "turn heddle.mark into the call that AsyncMark looks for";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif
