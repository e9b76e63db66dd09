//===- Candidates.cpp - The loops that a trial looks at -------------------===//

#include "advise/Candidates.h"
#include "async/analysis/LatencyAnalysis.h"
#include "ir/Instructions.h"
#include "mark/AsyncMark.h"
#include "mark/Directive.h"
#include "mark/MarkProtocol.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;
using namespace heddle;

std::vector<std::string> heddle::SystemFolders;

/// Loops with no more iterations than these are not worth interleaving, and
/// often unrolled.
static constexpr unsigned FewIterations = 8;

bool heddle::isTrial(const CallInst &Marker) {
  return numberOf(Marker) >= FirstInnermost;
}

bool heddle::containsRegion(const Loop &L) {
  return any_of(instructionsIn(L.blocks()), [](const Instruction &I) {
    const StringRef Name = calleeName(I);
    return Name.starts_with("__kmpc_fork") || Name == "__kmpc_barrier" ||
           Name.starts_with("__kmpc_for_static_init") ||
           Name.starts_with("__kmpc_dispatch_") ||
           Name.starts_with("__kmpc_omp_task");
  });
}

namespace {

class CandidateFinder {
  Function &F;
  FunctionAnalysisManager &AM;
  LoopInfo &LI;
  /// The innermost loops around directives.
  SmallPtrSet<const Loop *, 4> Annotated;

public:
  CandidateFinder(Function &F, FunctionAnalysisManager &AM)
      : F(F), AM(AM), LI(AM.getResult<LoopAnalysis>(F)) {
    for (const CallInst *Mark :
         findCalls(F, [](StringRef Name) { return Name == MarkFunctionName; }))
      Annotated.insert(LI.getLoopFor(Mark->getParent()));
  }

  SmallVector<Loop *> find() {
    SmallVector<Loop *> Found;
    for (Loop *L : LI.getLoopsInPreorder())
      if (isUsers(*L) && isLoopOfSource(*L) && !isNearDirective(*L) &&
          !containsRegion(*L) && repeats(*L) && mayWait(*L))
        Found.push_back(L);
    return Found;
  }

private:
  /// True if the user can annotate \p L.
  static bool isUsers(const Loop &L) {
    const DebugLoc Start = L.getStartLoc();
    if (!Start || !Start.getLine())
      return false;
    const StringRef File = Start->getFilename();
    return none_of(SystemFolders,
                   [&](StringRef Folder) { return File.starts_with(Folder); });
  }

  /// False for the loop over chunks that OpenMP puts around the loop itself.
  static bool isLoopOfSource(const Loop &L) {
    const DebugLoc Start = L.getStartLoc();
    return none_of(L.getSubLoops(), [&](const Loop *Inner) {
      const DebugLoc Other = Inner->getStartLoc();
      return Other && Other.getLine() == Start.getLine() &&
             Other.getCol() == Start.getCol() &&
             Other->getFile() == Start->getFile();
    });
  }

  /// True if there is a directive on \p L, in it or around it.
  bool isNearDirective(const Loop &L) const {
    return any_of(Annotated, [&](const Loop *Other) {
      return Other && (L.contains(Other) || Other->contains(&L));
    });
  }

  bool repeats(const Loop &L) {
    const unsigned Count =
        AM.getResult<ScalarEvolutionAnalysis>(F).getSmallConstantMaxTripCount(
            &L);
    return Count == 0 || Count > FewIterations;
  }

  /// False if \p L calls nothing and walks through memory regularly.
  bool mayWait(Loop &L) {
    if (any_of(instructionsIn(L.blocks()), [](const Instruction &I) {
          return isa<CallBase>(I) && !isa<IntrinsicInst>(I);
        }))
      return true;
    const LoopContext C(L, F, AM);
    return any_of(LatencyAnalysis(C, /*OnlyFar=*/false).accesses(),
                  [](const Access &A) { return A.isLongLatency(); });
  }
};

} // namespace

/// Where an iteration of \p L does its work: behind the tests of whether there
/// is one.
static Instruction &beginOfWork(const Loop &L, const LoopInfo &LI) {
  BasicBlock *Block = L.getHeader();
  SmallPtrSet<const BasicBlock *, 4> Seen{Block};
  while (L.isLoopExiting(Block) && !L.isLoopLatch(Block)) {
    auto Next = find_if(successors(Block), [&](BasicBlock *To) {
      return LI.getLoopFor(To) == &L && !Seen.contains(To);
    });
    if (Next == succ_end(Block))
      break;
    Block = *Next;
    Seen.insert(Block);
  }
  return *Block->getFirstInsertionPt();
}

static bool markCandidates(Function &F, FunctionAnalysisManager &AM) {
  AM.invalidate(F, SROAPass(SROAOptions::PreserveCFG).run(F, AM));
  const SmallVector<Loop *> Found = CandidateFinder(F, AM).find();
  const FunctionCallee Mark = getMarker(*F.getParent(), MarkFunctionName);
  const LoopInfo &LI = AM.getResult<LoopAnalysis>(F);
  for (const Loop *L : Found) {
    IRBuilder<> Builder(&beginOfWork(*L, LI));
    Builder.CreateCall(Mark, {Builder.getInt32(InnermostLoop)})
        ->setDebugLoc(L->getStartLoc());
  }
  return !Found.empty();
}

PreservedAnalyses MarkCandidatesPass::run(Module &M,
                                          ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  for (Function &F : M)
    if (!F.isDeclaration() && !F.hasOptNone() &&
        !FAM.getResult<LoopAnalysis>(F).empty() && markCandidates(F, FAM))
      FAM.invalidate(F, PreservedAnalyses::none());
  AM.invalidate(M, PreservedAnalyses::none());
  AsyncMarkPass(/*Optimizing=*/true, std::make_shared<Outcomes>()).run(M, AM);
  return PreservedAnalyses::none();
}
