//===- PlanRehearsals.cpp - Which code is run in advance ------------------===//

#include "async/plan/PlanRehearsals.h"
#include "async/ahead/Existence.h"
#include "async/analysis/AccessRelations.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace heddle;

using Forbids = function_ref<std::optional<Obstacle>(const Instruction *)>;

/// Returns where tasks can be suspended in front of what keeps them from being
/// suspended in front of \p At; null if that is nowhere.
static Instruction *startOf(const Instruction *At, const LoopContext &C,
                            Instruction *Turn,
                            const UninterruptedRegions &Regions,
                            Forbids Forbidden) {
  SmallPtrSet<const Instruction *, 4> Seen;
  while (true) {
    const std::optional<Obstacle> Why = Forbidden(At);
    if (!Why)
      return const_cast<Instruction *>(At);
    // Tasks may wait for their turn where they may not otherwise.
    if (Why->Kind == RefusalKind::AfterTurn)
      return Regions.forbids(Turn) ? nullptr : Turn;
    if (Why->First && Seen.insert(Why->First).second) {
      At = Why->First;
      continue;
    }
    // An inner loop may come to the start again.
    const Loop *Inner = C.LI.getLoopFor(At->getParent());
    if (Inner == &C.L || !Inner->getLoopPreheader())
      return nullptr;
    At = Inner->getLoopPreheader()->getTerminator();
  }
}

/// True if \p I is part of a recursion: where nothing in it waits, it stays a
/// plain call.
static bool isInRecursion(const Instruction &I, const LoopContext &C) {
  for (const Loop *Inner = C.LI.getLoopFor(I.getParent()); Inner != &C.L;
       Inner = Inner->getParentLoop())
    if (isRecursion(*Inner))
      return true;
  return false;
}

/// True if what an iteration reads at its turn can be read before.
static bool canReadBeforeTurn(const LoopContext &C, const LoopShape &Shape) {
  return !isSanitized(*C.L.getHeader()->getParent()) &&
         !mayChangeWhatExists(C, Shape);
}

void heddle::planRehearsals(const LoopContext &C, const LoopFacts &Facts,
                            const UninterruptedRegions &Regions,
                            Forbids Forbidden, SuspensionPlan &Plan) {
  if (Facts.Shape.isLeftEarly() || Facts.D.Scheduler == Schedule::Dynamic ||
      !tunable::Suspensions || !tunable::Rehearsals)
    return;
  MapVector<Instruction *, SmallPtrSet<const Instruction *, 8>> Starts;
  for (const DroppedAccess &A : Plan.Dropped)
    if (Instruction *Start =
            startOf(A.I, C, Plan.TurnPoint, Regions, Forbidden);
        Start && Start != Facts.Shape.latchBranch() && !isInRecursion(*A.I, C))
      Starts[Start].insert(A.I);
  for (auto &[Start, Unhidden] : Starts) {
    if (Start == Plan.TurnPoint && !canReadBeforeTurn(C, Facts.Shape))
      continue;
    std::optional<Rehearsal> Found =
        planRehearsal(C, Facts, Start, Unhidden, Plan.TurnPoint);
    if (!Found)
      continue;
    llvm::erase_if(Plan.Dropped, [&](const DroppedAccess &A) {
      return Found->Hidden.contains(A.I);
    });
    Plan.Rehearsals.push_back(std::move(*Found));
  }
}
