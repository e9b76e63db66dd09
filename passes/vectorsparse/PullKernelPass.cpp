//===- PullKernelPass.cpp - The generator of kernels as a pass for opt ----===//
//
// `heddle-pull-kernel` tests the generator alone. It replaces each innermost
// loop whose metadata has
//
//   !{!"heddle.vectorsparse", i32 <bits of a lane>, i32 <lanes>}
//
// The load that moves through memory lane by lane loads the lane; another one
// loads the weight. The address of the first lane is assumed to be the start of
// an edge vector.
//
//===----------------------------------------------------------------------===//

#include "ir/Combining.h"
#include "ir/Instructions.h"
#include "vectorsparse/PullKernel.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

namespace {

struct PullKernelPass : PassInfoMixin<PullKernelPass> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &Modules) {
    auto &Functions =
        Modules.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    SmallVector<Function *> Defined;
    for (Function &F : M)
      if (!F.isDeclaration())
        Defined.push_back(&F);
    for (Function *F : Defined) {
      auto &LI = Functions.getResult<LoopAnalysis>(*F);
      auto &DT = Functions.getResult<DominatorTreeAnalysis>(*F);
      for (Loop *L : LI.getLoopsInPreorder())
        if (MDNode *Mark = findOptionMDForLoop(L, "heddle.vectorsparse");
            Mark && L->isInnermost()) {
          simplifyLoop(L, &DT, &LI, nullptr, nullptr, nullptr, false);
          replace(*F, *L, *Mark, Functions);
        }
      Functions.invalidate(*F, PreservedAnalyses::none());
    }
    return PreservedAnalyses::none();
  }

private:
  static unsigned operand(const MDNode &Mark, unsigned I) {
    return mdconst::extract<ConstantInt>(Mark.getOperand(I))->getZExtValue();
  }

  static RecurKind kindOf(const PHINode &Accumulator) {
    RecurKind Kind = RecurKind::None;
    for (const User *U : Accumulator.users()) {
      if (RecurKind Combines = recurrenceKind(*cast<Instruction>(U));
          Combines != RecurKind::None)
        Kind = Combines;
      if (auto *Select = dyn_cast<SelectInst>(U);
          Select && Select->getType()->isIntegerTy(1))
        Kind = isa<Constant>(Select->getTrueValue()) ? RecurKind::Or
                                                     : RecurKind::And;
      if (auto *Compare = dyn_cast<FCmpInst>(U)) {
        bool Less = Compare->getPredicate() == FCmpInst::FCMP_OLT;
        bool First = Compare->getOperand(0) == &Accumulator;
        Kind = Less == First ? RecurKind::FMax : RecurKind::FMin;
      }
    }
    return Kind;
  }

  static void replace(Function &F, Loop &L, const MDNode &Mark,
                      FunctionAnalysisManager &Analyses) {
    auto &SE = Analyses.getResult<ScalarEvolutionAnalysis>(F);
    auto &TTI = Analyses.getResult<TargetIRAnalysis>(F);
    auto &ORE = Analyses.getResult<OptimizationRemarkEmitterAnalysis>(F);
    PullLoop Pull{
        &L,      nullptr, RecurKind::None, operand(Mark, 2), operand(Mark, 1),
        nullptr, nullptr};
    for (Instruction &I : instructionsIn(L.blocks()))
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && isa<SCEVAddRecExpr>(SE.getSCEV(Load->getPointerOperand())))
        (Pull.Lane ? Pull.Weight : Pull.Lane) = Load;
    for (PHINode &Phi : L.getHeader()->phis())
      if (!SE.isSCEVable(Phi.getType()) ||
          !isa<SCEVAddRecExpr>(SE.getSCEV(&Phi)))
        Pull.Accumulator = &Phi;
    Pull.Kind = kindOf(*Pull.Accumulator);

    Expected<PullKernel> Kernel = lowerPull(
        *F.getParent(), Pull, PullTarget::of(TTI, F.getContext(), Pull.Lanes));
    if (!Kernel) {
      std::string Why = toString(Kernel.takeError());
      ORE.emit([&] {
        return OptimizationRemarkMissed("heddle-pull-kernel", "NotVectorSparse",
                                        L.getStartLoc(), L.getHeader())
               << "the loop in " << ore::NV("Function", &F) << " " << Why;
      });
      return;
    }
    call(F, Pull, *Kernel, SE);
  }

  static void call(Function &F, const PullLoop &Pull, const PullKernel &Kernel,
                   ScalarEvolution &SE) {
    Instruction *Before = Pull.Inner->getLoopPreheader()->getTerminator();
    SCEVExpander Expander(SE, "heddle.pull");
    IRBuilder<> B(Before);
    auto Start = [&](LoadInst *Load) {
      auto *Address =
          cast<SCEVAddRecExpr>(SE.getSCEV(Load->getPointerOperand()));
      return Expander.expandCodeFor(Address->getStart(), nullptr, Before);
    };
    const SCEV *Turns = SE.getBackedgeTakenCount(Pull.Inner);
    Value *Vectors = B.CreateAdd(
        B.CreateUDiv(
            B.CreateZExtOrTrunc(Expander.expandCodeFor(Turns, nullptr, Before),
                                B.getInt64Ty()),
            B.getInt64(Pull.Lanes)),
        B.getInt64(1));
    SmallVector<Value *> Arguments{Start(Pull.Lane), B.getInt64(0), Vectors};
    if (Pull.Weight)
      Arguments.push_back(Start(Pull.Weight));
    Arguments.push_back(Pull.Accumulator->getIncomingValueForBlock(
        Pull.Inner->getLoopPreheader()));
    append_range(Arguments, Kernel.Invariants);
    Value *All = B.CreateCall(Kernel.Function, Arguments);
    Value *Result =
        Pull.Accumulator->getIncomingValueForBlock(Pull.Inner->getLoopLatch());
    Result->replaceUsesWithIf(All, [&](const Use &U) {
      return !Pull.Inner->contains(cast<Instruction>(U.getUser()));
    });
    // The loop has nothing left to do: it ends after its first iteration.
    auto *Latch = cast<BranchInst>(Pull.Inner->getLoopLatch()->getTerminator());
    Latch->setCondition(
        B.getInt1(Latch->getSuccessor(1) == Pull.Inner->getHeader()));
  }
};

} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "heddle-pull", LLVM_VERSION_STRING,
          [](PassBuilder &PB) {
            PB.registerPipelineParsingCallback(
                [](StringRef Name, ModulePassManager &MPM,
                   ArrayRef<PassBuilder::PipelineElement>) {
                  if (Name != "heddle-pull-kernel")
                    return false;
                  MPM.addPass(PullKernelPass());
                  return true;
                });
          }};
}
