//===- Outcomes.cpp - Directives that are still to be accounted for -------===//

#include "mark/Outcomes.h"
#include "loop/Refusal.h"
#include "mark/Marks.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

void Outcomes::expect(unsigned Number, const DebugLoc &Where,
                      StringRef Function, const char *Left) {
  assert(!Function.empty() && Left && "what the remark is going to say");
  Unreported.insert({Number, {Where, Function.str(), Left}});
}

void Outcomes::noteReported(unsigned Number) { Unreported.erase(Number); }

void Outcomes::reportRest(Module &M) {
  for (auto &[Number, Loop] : Unreported) {
    Function *F = M.getFunction(Loop.Function);
    if (!F || F->isDeclaration()) {
      // The function was inlined; any function will carry the remark.
      auto Defined =
          find_if(M, [](Function &Other) { return !Other.isDeclaration(); });
      if (Defined == M.end())
        continue;
      F = &*Defined;
    }
    OptimizationRemarkEmitter ORE(F);
    ORE.emit([&] {
      OptimizationRemarkMissed Remark("heddle", "NotALoop", Loop.Where,
                                      &F->getEntryBlock());
      Remark << Loop.Left << textOf(RefusalKind::Removed);
      addKind(Remark, RefusalKind::Removed);
      return Remark;
    });
  }
  Unreported.clear();
}

void heddle::eraseEdgeVectorCalls(Module &M) {
  Function *Announce = M.getFunction(EdgeVectorsName);
  if (!Announce || !Announce->isDeclaration())
    return;
  for (User *U : make_early_inc_range(Announce->users()))
    if (auto *Call = dyn_cast<CallInst>(U);
        Call && Call->getCalledFunction() == Announce)
      Call->eraseFromParent();
  if (Announce->use_empty())
    Announce->eraseFromParent();
}

PreservedAnalyses AsyncReportPass::run(Module &M, ModuleAnalysisManager &) {
  LoopOutcomes->reportRest(M);
  bool Changed = M.getFunction(EdgeVectorsName);
  eraseEdgeVectorCalls(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
