//===- JudgeLoops.cpp - What the candidates of a trial are worth ----------===//

#include "advise/JudgeLoops.h"
#include "advise/Candidates.h"
#include "advise/Iterations.h"
#include "async/LoopVerdict.h"
#include "ir/Instructions.h"
#include "mark/Directive.h"
#include "names/SourceNames.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/BranchProbabilityInfo.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace heddle;

static bool isSystem(const DILocation &At) {
  return any_of(SystemFolders, [&](StringRef Folder) {
    return At.getFilename().starts_with(Folder);
  });
}

/// The place of \p Where in the user's files, where a header of the system is
/// used rather than in it. Nothing if it is not in the loop that begins at \p
/// Start.
static SourcePlace placeOf(const DebugLoc &Where, const DebugLoc &Start) {
  for (const DILocation *At = Where; At && At != Start.getInlinedAt();
       At = At->getInlinedAt())
    if (!isSystem(*At) && At->getLine())
      return {At->getFilename().str(), At->getDirectory().str(), At->getLine(),
              At->getColumn()};
  return {};
}

/// The name of \p Program, without what OpenMP's outlining adds.
static std::string nameOf(const DISubprogram &Program) {
  return Program.getName().split(".omp_outlined").first.str();
}

namespace {

/// How often blocks are executed: by the profile, or for one call.
class Executions {
  BranchProbabilityInfo Branches;
  BlockFrequencyInfo Frequencies;
  const Function &F;

public:
  Executions(const Function &F, const LoopInfo &LI)
      : Branches(F, LI), Frequencies(F, Branches, LI), F(F) {}

  bool areKnown() const {
    return F.getParent()->getProfileSummary(/*IsCS=*/false);
  }

  double of(const BasicBlock &Block) const {
    const double Entry = Frequencies.getEntryFreq().getFrequency();
    // A function that a profile does not know has not been seen to run.
    const double Calls = F.getEntryCount() ? F.getEntryCount()->getCount()
                         : areKnown()      ? 0
                                           : 1;
    return Frequencies.getBlockFreq(&Block).getFrequency() / Entry * Calls;
  }
};

class FunctionJudge {
  Function &F;
  FunctionAnalysisManager &AM;
  SmallVector<CallInst *> Markers;

  /// A candidate, before its code is touched.
  struct Candidate {
    LoopAdvice Advice;
    DebugLoc Start;
    /// The numbers of candidates in it that are in no other in between.
    SmallVector<unsigned> Inside;
    bool IsWorth = false;
  };
  std::vector<Candidate> Candidates;

public:
  FunctionJudge(Function &F, FunctionAnalysisManager &AM) : F(F), AM(AM) {
    for (CallInst *Marker : findMarkers(F))
      Markers.push_back(Marker);
  }

  void run(Trials &Notes) {
    const SmallVector<unsigned> Outermost = findNests();
    for (unsigned Which = 0; Which < Markers.size(); ++Which)
      if (isTrial(*Markers[Which]) && describe(Which))
        judgeLoop(F, AM, Markers, Which, [&](const LoopVerdict &Verdict) {
          judge(Candidates[Which], Verdict);
        });
    for (unsigned Which : Outermost)
      for (LoopAdvice &Chosen : choose(Which))
        Notes.note(std::move(Chosen));
  }

private:
  Loop *loopOf(unsigned Which) const {
    return AM.getResult<LoopAnalysis>(F).getLoopFor(
        Markers[Which]->getParent());
  }

  /// Fills in which candidates are in which. Returns those that are in none.
  SmallVector<unsigned> findNests() {
    Candidates.resize(Markers.size());
    SmallVector<unsigned> Outermost;
    for (unsigned Inner = 0; Inner < Markers.size(); ++Inner) {
      const Loop *L = loopOf(Inner);
      if (!L)
        continue;
      std::optional<unsigned> Around;
      for (unsigned Outer = 0; Outer < Markers.size(); ++Outer) {
        const Loop *Other = loopOf(Outer);
        if (Other && Other != L && Other->contains(L) &&
            (!Around || loopOf(*Around)->contains(Other)))
          Around = Outer;
      }
      if (Around)
        Candidates[*Around].Inside.push_back(Inner);
      else
        Outermost.push_back(Inner);
    }
    return Outermost;
  }

  /// True if a directive is on the loop, in it or around it.
  bool isNearDirective(const Loop &L) const {
    return any_of(Markers, [&](const CallInst *Marker) {
      const Loop *Other =
          AM.getResult<LoopAnalysis>(F).getLoopFor(Marker->getParent());
      return !isTrial(*Marker) && Other &&
             (Other->contains(&L) || L.contains(Other));
    });
  }

  /// False where the loop of a mark has disappeared, and the mark is in the one
  /// around it.
  static bool isAt(const Loop &L, const DILocation &Where) {
    const DebugLoc Start = L.getStartLoc();
    return !Start || (Start.getLine() == Where.getLine() &&
                      Start.getCol() == Where.getColumn());
  }

  /// Notes what the loop is and waits for. False if nobody would mark it.
  bool describe(unsigned Which) {
    Loop *L = loopOf(Which);
    const DebugLoc &Where = Markers[Which]->getDebugLoc();
    if (!L || !L->getLoopLatch() || isNearDirective(*L) || containsRegion(*L) ||
        !Where || !isAt(*L, *Where))
      return false;
    const LoopContext C(*L, F, AM);
    LatencyAnalysis Latency(C, /*OnlyFar=*/false);
    if (!differ(*L) || readsFromBefore(C))
      return false;
    Candidate &Of = Candidates[Which];
    LoopAdvice &Advice = Of.Advice;
    Of.Start = Where;
    Advice.Loop = {Where->getFilename().str(), Where->getDirectory().str(),
                   Where.getLine(), Where.getCol()};
    const DISubprogram *Program = Where->getScope()->getSubprogram();
    Advice.Function = Program ? nameOf(*Program) : demangle(F.getName());
    Advice.Symbol = (Program && !Program->getLinkageName().empty()
                         ? Program->getLinkageName()
                     : Program ? Program->getName()
                               : F.getName())
                        .str();
    for (const Instruction *Write : findSharedWrites(C))
      addOnce(Advice.SharedWrites, placeOf(Write->getDebugLoc(), Where));
    for (const CallBase *Call : findOpaqueCalls(C))
      if (Call != Markers[Which] && !is_contained(Markers, Call))
        addOnce(Advice.Calls, describeCallee(*Call));
    const Executions Times(F, C.LI);
    Advice.HasProfile = Times.areKnown();
    for (const Access &A : Latency.accesses())
      if (A.isLongLatency())
        addAccess(Of, *A.I, /*Hidden=*/false, Times);
    Of.IsWorth =
        isHeldUp(C, Latency) && !followsLinks(C) && Advice.Calls.empty();
    return true;
  }

  template <typename T> static void addOnce(std::vector<T> &To, T Item) {
    if (!is_contained(To, Item))
      To.push_back(std::move(Item));
  }

  static void addAccess(Candidate &Of, const Instruction &I, bool Hidden,
                        const Executions &Times) {
    LoopAdvice &Advice = Of.Advice;
    SourcePlace Place = placeOf(I.getDebugLoc(), Of.Start);
    // What OpenMP adds has the place of its directive.
    if (Place == Advice.Loop)
      Place = {};
    const double Weight = Times.of(*I.getParent());
    auto Known = find_if(Advice.Accesses, [&](const WaitingAccess &A) {
      return A.Place == Place;
    });
    if (Known == Advice.Accesses.end()) {
      Advice.Accesses.push_back({Place, Hidden, Weight});
      return;
    }
    Known->Weight = std::max(Known->Weight, Weight);
    Known->Hidden |= Hidden;
  }

  static AdvisedObstacle obstacle(RefusalKind Kind, std::string Reason,
                                  const Instruction *At, const char *Next,
                                  const DebugLoc &Start) {
    return {heddle::nameOf(Kind), std::move(Reason),
            At ? placeOf(At->getDebugLoc(), Start) : SourcePlace(), Next};
  }

  static void judge(Candidate &Of, const LoopVerdict &Verdict) {
    LoopAdvice &Advice = Of.Advice;
    if (Verdict.Why) {
      // Not worth it, or for others to decide: iterations depend on each other.
      if (isChoice(Verdict.Why->Kind) &&
          Verdict.Why->Kind != RefusalKind::NothingHidden)
        Of.IsWorth = false;
      if (Verdict.Why->Kind == RefusalKind::NextIteration)
        Of.IsWorth = false;
      Advice.Refused = obstacle(Verdict.Why->Kind, Verdict.Why->Reason,
                                Verdict.Why->At, Verdict.Why->Next, Of.Start);
      for (const WaitingAccess &A : Advice.Accesses)
        Advice.Weight += A.Weight;
      return;
    }
    Of.IsWorth = Verdict.Plan.requests() > 0;
    Advice.Accesses.clear();
    const Executions Times(*Verdict.C.L.getHeader()->getParent(), Verdict.C.LI);
    auto Hide = [&](const Request &R) {
      addAccess(Of, *R.For->I, /*Hidden=*/true, Times);
      Advice.Weight += Times.of(*R.For->I->getParent());
    };
    for (const SuspensionPoint &Point : Verdict.Plan.Points)
      for_each(Point.Requests, Hide);
    for (const BlockedLoop &Block : Verdict.Plan.Blocks)
      for (const auto &Level : Block.Levels)
        for_each(Level, Hide);
    for (const Rehearsal &Rehearsed : Verdict.Plan.Rehearsals)
      for_each(Rehearsed.Waits, Hide);
    for (const DroppedAccess &A : Verdict.Plan.Dropped) {
      addAccess(Of, *A.I, /*Hidden=*/false, Times);
      addOnce(Advice.Dropped, obstacle(A.Why.Kind, textOf(A.Why.Kind), A.I,
                                       nextOf(A.Why.Kind), Of.Start));
    }
  }

  static double sumOf(const std::vector<LoopAdvice> &Loops) {
    double Sum = 0;
    for (const LoopAdvice &Advice : Loops)
      Sum += Advice.Refused ? 0 : Advice.Weight;
    return Sum;
  }

  /// The loops to mark in the nest of a candidate: itself, or those inside that
  /// hide more.
  std::vector<LoopAdvice> choose(unsigned Which) {
    Candidate &Outer = Candidates[Which];
    std::vector<LoopAdvice> Inner;
    for (unsigned Inside : Outer.Inside)
      for (LoopAdvice &Chosen : choose(Inside))
        Inner.push_back(std::move(Chosen));
    if (!Outer.IsWorth)
      return Inner;
    const double Hidden = sumOf(Inner);
    const bool HidesInside = Hidden > 0;
    if (Outer.Advice.Refused
            ? HidesInside
            : HidesInside && (!Outer.Advice.Calls.empty() ||
                              Outer.Advice.Weight < Hidden / 2))
      return Inner;
    return {std::move(Outer.Advice)};
  }
};

} // namespace

PreservedAnalyses JudgeLoopsPass::run(Function &F,
                                      FunctionAnalysisManager &AM) {
  if (!findMarkers(F).empty())
    FunctionJudge(F, AM).run(*Notes);
  AM.invalidate(F, PreservedAnalyses::none());
  AM.getResult<AssumptionAnalysis>(F).clear();
  if (any_of(F,
             [](const BasicBlock &Block) { return Block.hasAddressTaken(); }))
    return PreservedAnalyses::none();
  for (BasicBlock &Block : F)
    Block.dropAllReferences();
  while (F.size() > 1)
    F.back().eraseFromParent();
  BasicBlock &Entry = F.getEntryBlock();
  while (!Entry.empty())
    Entry.back().eraseFromParent();
  new UnreachableInst(F.getContext(), &Entry);
  return PreservedAnalyses::none();
}
