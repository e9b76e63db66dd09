//===- LoopForm.h - The form that analyses expect of a loop -----*- C++ -*-===//

#ifndef HEDDLE_PASSES_LOOP_LOOPFORM_H
#define HEDDLE_PASSES_LOOP_LOOPFORM_H

namespace llvm {
class AssumptionCache;
class DominatorTree;
class Loop;
class LoopInfo;
class ScalarEvolution;
class TargetTransformInfo;
class Value;
} // namespace llvm

namespace heddle {

/// Brings \p L into simplified, rotated, closed SSA form.
void normalise(llvm::Loop &L, llvm::DominatorTree &DT, llvm::LoopInfo &LI,
               llvm::ScalarEvolution &SE, llvm::AssumptionCache &AC,
               const llvm::TargetTransformInfo &TTI);

/// The value of \p V, which the first iteration computes at its start, computed
/// in front of \p L instead; null if that is not possible.
llvm::Value *valueOnEntry(llvm::Value *V, const llvm::Loop &L);

} // namespace heddle

#endif
