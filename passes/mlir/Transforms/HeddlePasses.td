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
           "mask, or 0 if it cannot">,
    Option<"wholeArrays", "whole-arrays", "bool", /*default=*/"true",
           "Arrays of which elements are gathered have one for neighbour 0">
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
           "Iterations in flight, or 0 for as many as suit the host">,
    Option<"scheduler", "scheduler", "::heddle::AsyncScheduler",
           /*default=*/"::heddle::AsyncScheduler::Unspecified",
           "How iterations are interleaved, also where that does not seem to pay", [{
             ::llvm::cl::values(
               clEnumValN(::heddle::AsyncScheduler::Unspecified, "auto",
                          "the compiler and the runtime choose"),
               clEnumValN(::heddle::AsyncScheduler::Fifo, "fifo",
                          "a ring of coroutines"),
               clEnumValN(::heddle::AsyncScheduler::Fifo, "static",
                          "the same as fifo"),
               clEnumValN(::heddle::AsyncScheduler::Lockstep, "lockstep",
                          "phase queues"))
           }]>
  ];
}

def MaterializeMarksPass : Pass<"heddle-materialize-marks"> {
  let summary = "turn the attribute heddle.async of loops into heddle.mark";
  let description = [{
    Attributes of loops are lost where loops become branches, and where the
    canonicaliser replaces them; the operation in the body is not. Parallel loops
    that become one, since the outer one repeats nothing but the inner, have the
    mark in the inner one. Operations that do not say what their loop counts are
    told.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LowerMarksPass : Pass<"heddle-lower-marks", "::mlir::ModuleOp"> {
  let summary = "turn heddle.mark into the call that AsyncMark looks for";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def PullRowsPass : Pass<"heddle-pull-rows"> {
  let summary = "turn loops over compressed rows into heddle.pull";
  let description = [{
    Looks for loops over the rows of a matrix or graph in compressed form whose
    inner loop, over the nonzeros of a row, gathers elements of arrays and
    combines them, as the sparsifier makes them of a matrix by a vector. The rows
    are packed into edge vectors (`heddle.pack`), in front of all loops in which
    they stay the same, and the inner loop becomes a `heddle.pull`. Sums of
    floating point numbers may come out differently rounded.
  }];
  let dependentDialects = [
    "::heddle::HeddleDialect", "::mlir::memref::MemRefDialect"
  ];
  let options = [
    Option<"laneBits", "lane-bits", "unsigned", /*default=*/"32",
           "Bits of a lane: 32 or 64">,
    Option<"lanes", "lanes", "unsigned", /*default=*/"8",
           "Lanes of an edge vector: 8 or 16 of 32 bits, 4 or 8 of 64 bits">
  ];
}

def ParallelPullsPass : Pass<"heddle-parallel-pulls"> {
  let summary = "turn parallel loops around heddle.pull into heddle.pull_parallel";
  let description = [{
    Looks for parallel loops in which an iteration pulls one row of packed edge
    vectors, computes something from the outcome and stores it in an array of
    results. Threads then take equal numbers of edges instead of rows.
  }];
  let dependentDialects = [
    "::heddle::HeddleDialect", "::mlir::arith::ArithDialect",
    "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"
  ];
}

def LowerPackPass : Pass<"heddle-lower-pack", "::mlir::ModuleOp"> {
  let summary = "turn heddle.pack into loops";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect"
  ];
}

def LowerPullParallelPass : Pass<"heddle-lower-pull-parallel"> {
  let summary = "turn heddle.pull_parallel into loops over heddle.pull";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
    "::mlir::omp::OpenMPDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"
  ];
  let options = [
    Option<"threads", "threads", "bool", /*default=*/"true",
           "Chunks are distributed to the threads of an OpenMP team">,
    Option<"scalable", "scalable", "bool", /*default=*/"false",
           "As in heddle-lower-pull: rows are iterated over one by one">
  ];
}

def LowerAllocaScopesPass : Pass<"heddle-lower-alloca-scopes"> {
  let summary = "turn memref.alloca_scope into what saves and restores the stack";
  let description = [{
    A scope has a single block, and loops inside it cannot become branches.
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def TensorsToLoopsPass : Pass<"heddle-tensors-to-loops", "::mlir::ModuleOp"> {
  let summary = "turn operations on tensors into loops over memory";
  let description = [{
    Sparsification and bufferization with all that belongs to them: buffers are
    allocated outside of loops where they can be, and freed. The caller of a
    function owns the buffers that it returns. Outer loops over dense dimensions
    are parallel. Modules without tensors are left as they are.
  }];
  let dependentDialects = [
    "::mlir::bufferization::BufferizationDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::sparse_tensor::SparseTensorDialect"
  ];
}

#endif
