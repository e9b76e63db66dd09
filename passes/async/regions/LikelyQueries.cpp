//===- LikelyQueries.cpp - Calls that go to none of the targets -----------===//

#include "async/regions/LikelyQueries.h"
#include "async/analysis/AccessRelations.h"
#include "inline/GuardTargets.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// True if \p Use may change what iterations read in elements.
static bool mayChange(const InstructionUse &Use, const TaskLocals &Locals,
                      const FrameValues &Frames) {
  const UsedObject &Object = Use.What.Object;
  return Use.What.Writes && !Use.What.IsUpdate && !isUnlikelyCall(*Use.I) &&
         !(Object.Root &&
           ((Object.Pointers.empty() &&
             isLocal(const_cast<Value *>(Object.Root), Locals, Frames)) ||
            Frames.isOwnBehind(Object.Root, Object.Pointers)));
}

/// True if \p Write changes what something in the loop reads, and what other
/// iterations may access as well.
static bool isChange(const Access &Write, const LoopContext &C,
                     const LatencyAnalysis &Latency, const TaskLocals &Locals,
                     const FrameValues &Frames) {
  auto *Store = dyn_cast<StoreInst>(Write.I);
  return Write.Writes && !(Store && isCommutativeUpdate(*Store)) &&
         !isLocal(Write.Address, Locals, Frames) &&
         !distinctPerIteration(Write.Address, Write.Bytes, C.L, C.SE) &&
         !C.SE.isLoopInvariant(C.SE.getSCEV(Write.Address), &C.L) &&
         any_of(Latency.accesses(), [&](const Access &Read) {
           return isa<LoadInst>(Read.I) &&
                  mayBeSameField(Read, Write, C.L, Frames, C.AA);
         });
}

LikelyQueries::LikelyQueries(const LoopContext &C,
                             const LatencyAnalysis &Latency,
                             const TaskLocals &Locals,
                             const FrameValues &Frames,
                             ArrayRef<InstructionUse> Hidden) {
  AreQueries =
      any_of(
          Hidden,
          [](const InstructionUse &Use) { return isUnlikelyCall(*Use.I); }) &&
      none_of(Hidden,
              [&](const InstructionUse &Use) {
                return mayChange(Use, Locals, Frames);
              }) &&
      none_of(Latency.accesses(),
              [&](const Access &Write) {
                return isChange(Write, C, Latency, Locals, Frames);
              }) &&
      none_of(instructionsIn(C.L.blocks()), [&](const Instruction &I) {
        auto *Copy = dyn_cast<AnyMemIntrinsic>(&I);
        return (Copy && !isLocal(Copy->getRawDest(), Locals, Frames)) ||
               (isMemoryIntrinsic(I) && I.mayWriteToMemory());
      });
  copy_if(Hidden, std::back_inserter(Others),
          [&](const InstructionUse &Use) { return !isQuery(*Use.I); });
}

bool LikelyQueries::isQuery(const Instruction &Call) const {
  return AreQueries && isUnlikelyCall(Call);
}
