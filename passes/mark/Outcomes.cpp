//===- Outcomes.cpp - Directives that are still to be accounted for -------===//

#include "mark/Outcomes.h"
#include "loop/Refusal.h"
#include "mark/Marks.h"
#include "names/SourceNames.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
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
      OptimizationRemarkMissed Remark(
          "heddle", "NotALoop", remarkPlace(Loop.Where), &F->getEntryBlock());
      const Refusal Why = refuse(RefusalKind::Removed);
      Remark << Loop.Left << Why.Reason;
      addNext(Remark, Why);
      return Remark;
    });
  }
  Unreported.clear();
}

/// Whether \p Where lies in a file that the source of \p F includes.
static bool isInHeader(const DebugLoc &Where, const Function &F) {
  const DISubprogram *Program = F.getSubprogram();
  return Where && Program && Program->getUnit() &&
         !isSameFile(*Where->getFile(), *Program->getUnit()->getFile());
}

void Outcomes::noteNoEffect(unsigned Number, const DebugLoc &Where,
                            const Function &F, const Refusal &Why,
                            std::string Text) {
  // Code in headers is made for many uses, and need not pay for each.
  if (isExpected(Why.Kind) || (isChoice(Why.Kind) && isInHeader(Where, F)))
    noteEffect(Number);
  else
    WithoutEffect.insert({Number, {Where, std::move(Text)}});
}

void Outcomes::noteNoVectors(unsigned Number, const DebugLoc &Where,
                             std::string Text) {
  WithoutVectors.insert({Number, {Where, std::move(Text)}});
}

void Outcomes::warn(Module &M) {
  auto Defined = find_if(M, [](Function &F) { return !F.isDeclaration(); });
  auto Emit = [&](const Warning &W) {
    DiagnosticInfoOptimizationFailure Failure(
        "heddle", "WithoutEffect", W.Where, &Defined->getEntryBlock());
    Failure << W.Text;
    M.getContext().diagnose(Failure);
  };
  if (Defined != M.end()) {
    for (auto &[Number, Warning] : WithoutEffect)
      if (!Effective.contains(Number))
        Emit(Warning);
    for (auto &[Number, Warning] : WithoutVectors)
      Emit(Warning);
  }
  WithoutEffect.clear();
  WithoutVectors.clear();
  Effective.clear();
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
  LoopOutcomes->warn(M);
  bool Changed = M.getFunction(EdgeVectorsName);
  eraseEdgeVectorCalls(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
