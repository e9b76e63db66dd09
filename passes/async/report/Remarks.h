//===- Remarks.h - Remarks about loops, in the user's words -----*- C++ -*-===//

#ifndef HEDDLE_PASSES_ASYNC_REPORT_REMARKS_H
#define HEDDLE_PASSES_ASYNC_REPORT_REMARKS_H

#include "async/plan/CostModel.h"
#include "async/rewrite/Segments.h"
#include "mark/Outcomes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

namespace heddle {

/// Reports on the annotated loops of one function under the pass name "heddle".
/// The optimiser may have made several loops of one; of these, one remark is
/// made: that on an interleaved one, if there is any.
class Remarks {
  llvm::Function &F;
  std::optional<llvm::OptimizationRemarkEmitter> ORE;
  Outcomes &LoopOutcomes;
  /// The directive's number, and where its function was inlined.
  using Instance = std::pair<unsigned, const llvm::Metadata *>;
  struct Missed {
    llvm::DebugLoc Where;
    Refusal Why;
    std::string Place;
  };
  struct Outcome {
    bool Interleaved = false;
    std::optional<Missed> Left;
  };
  llvm::MapVector<Instance, Outcome> Loops;
  llvm::StringSet<> Said;

  Outcome &outcomeOf(const llvm::CallInst &Marker);
  /// Names the callees that have become parts of the tasks.
  void nested(const llvm::CallInst &Marker);
  /// Adds a remark for each variable in \p Classes: how tasks update it.
  void variables(const llvm::CallInst &Marker, const VariableClasses &Classes,
                 const llvm::BasicBlock &Header);
  void emit(unsigned Number, llvm::DiagnosticInfoOptimizationBase &Remark);

public:
  Remarks(llvm::Function &F, Outcomes &LoopOutcomes)
      : F(F), ORE(std::in_place, &F), LoopOutcomes(LoopOutcomes) {}
  /// Speaks of the loops that were refused.
  ~Remarks();

  /// Recomputes block frequencies after the body has been replaced.
  void bodyReplaced() { ORE.emplace(&F); }

  /// The number of instructions that interleaving has added to the file so far.
  unsigned addedSoFar() const { return LoopOutcomes.added(); }

  void refused(const llvm::CallInst &Marker, const Refusal &Why);
  /// Names the calls in \p L that may wait.
  void calls(const llvm::CallInst &Marker, const llvm::Loop &L);
  void dropped(const llvm::CallInst &Marker, const SuspensionPlan &Plan);
  /// \p Added is the number of instructions that the loop's versions have.
  void interleaved(const LoopFacts &Facts, const SuspensionPlan &Plan,
                   const Decision &Choice, const Segments &Cuts,
                   const SchedulerState &State, unsigned Added);
};

} // namespace heddle

#endif
