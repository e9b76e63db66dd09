//===- Remarks.h - What was done to a loop, in the user's words -*- C++ -*-===//

#ifndef HEDDLE_PASSES_ASYNC_REMARKS_H
#define HEDDLE_PASSES_ASYNC_REMARKS_H

#include "async/CostModel.h"
#include "async/Segments.h"
#include "llvm/IR/DebugLoc.h"

namespace llvm {
class OptimizationRemarkEmitter;
}

namespace heddle {

/// Reports on one annotated loop under the pass name "heddle".
class Remarks {
  llvm::OptimizationRemarkEmitter &ORE;
  llvm::DebugLoc Where;
  llvm::BasicBlock *Header;

public:
  Remarks(llvm::OptimizationRemarkEmitter &ORE, const llvm::CallInst &Marker,
          const llvm::Loop &L);

  void refused(const Refusal &Why);
  void dropped(const SuspensionPlan &Plan);
  void interleaved(const llvm::Loop &L, const Directive &D,
                   const VariableClasses &Classes, const SuspensionPlan &Plan,
                   const Decision &Choice, const Segments &Cuts,
                   const SchedulerState &State);
};

} // namespace heddle

#endif
