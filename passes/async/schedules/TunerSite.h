//===- TunerSite.h - What a loop and the site tuner share -------*- C++ -*-===//
//
// The `heddle_site` of a loop (runtime/tuner/site.h), and the code that asks
// the tuner for a plan and reports on it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_SCHEDULES_TUNERSITE_H
#define HEDDLE_PASSES_ASYNC_SCHEDULES_TUNERSITE_H

#include "async/plan/CostModel.h"
#include "async/rewrite/Segments.h"
#include "loop/RuntimeStruct.h"

namespace heddle {

class TunerSite {
  const Decision &Choice;
  const Directive &D;
  const SchedulerState &State;
  const Segments &Cuts;
  llvm::Function &F;
  llvm::LLVMContext &Context;
  llvm::Type *I64, *I32;
  llvm::StructType *SiteType, *PlanType;
  llvm::GlobalVariable *Site = nullptr;
  llvm::AllocaInst *Plan = nullptr;
  bool GetsChunks = false;

public:
  TunerSite(const Decision &Choice, const Directive &D,
            const SchedulerState &State, const Segments &Cuts);

  /// Creates the site of a loop, at \p At in front of it. \p WithChunks says
  /// whether it gets chunks of OpenMP on the way.
  void create(llvm::Instruction *At, bool WithChunks);

  /// The address of a field of the site.
  llvm::Value *address(llvm::IRBuilder<> &B, const RuntimeField &Field) const;

  /// What the site tuner has decided for entries with few iterations; 0 if it
  /// has not.
  llvm::Value *decision(llvm::IRBuilder<> &B) const;
  /// i1: that is the serial version.
  llvm::Value *decidedSerial(llvm::IRBuilder<> &B) const;
  /// i1: that is the version for chunks of OpenMP behind the first ones.
  llvm::Value *decidedSerialChunks(llvm::IRBuilder<> &B) const;

  /// Where a plan is put: i32 version, i64 iterations, and the i1 whether the
  /// tuner wants to know how it went. The number of tasks is State.Tasks.
  struct Answer {
    llvm::AllocaInst *Version, *Iterations, *Begun;
  };
  /// Asks for a plan for the next iterations, of which there are \p Remaining,
  /// and goes on at \p Run.
  void emitAsk(llvm::IRBuilder<> &B, llvm::Value *Remaining, const Answer &To,
               llvm::BasicBlock *Run);

  /// i64: how many iterations the plan asked for.
  llvm::Value *planned(llvm::IRBuilder<> &B) const;

  /// Reports how the plan went.
  void emitEnd(llvm::IRBuilder<> &B, llvm::Value *Iterations, llvm::Value *Work,
               llvm::Value *Suspensions) const;

private:
  llvm::Value *inPlan(llvm::IRBuilder<> &B, const RuntimeField &Field) const;
  unsigned versionsHeld() const;
  unsigned defaultVersion() const;
  unsigned defaultTasks() const;
  llvm::Function *
  runtimeFunction(llvm::StringRef Name,
                  llvm::ArrayRef<llvm::Type *> Parameters) const;
  void useDecision(llvm::IRBuilder<> &B, llvm::Value *Word, const Answer &To);
};

} // namespace heddle

#endif
