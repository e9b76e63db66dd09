//===- RegionsAround.cpp - Which regions lie around a place ---------------===//

#include "async/regions/UninterruptedRegions.h"
#include "names/SourceNames.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

using Region = UninterruptedRegion;
using Reason = UninterruptedRegion::Reason;

bool UninterruptedRegions::contains(const Region &R,
                                    const Instruction *At) const {
  assert(L.contains(At) && "asked about code of the loop only");
  const Instruction *Avoiding = R.MayRepeat ? nullptr : R.First;
  if (Avoiding == At || !Paths.reaches(R.First, At))
    return false;
  // From just in front of At, which may itself be anything.
  if (!R.Last || At == R.Last)
    return true;
  std::optional<BitVector> &Blocks = BlocksToEnd[&R - Regions.data()];
  if (!Blocks)
    Blocks = Paths.blocksTo(R.Last, Avoiding);
  return Paths.reachesAvoiding(At, R.Last, Avoiding, *Blocks);
}

static RefusalKind refusalOf(Reason Why) {
  switch (Why) {
  case Reason::Modification:
    return RefusalKind::SplitsUpdate;
  case Reason::Lock:
    return RefusalKind::UnderLock;
  case Reason::OwnUse:
    return RefusalKind::SplitsShared;
  }
  llvm_unreachable("one of the reasons");
}

Refusal heddle::reasonOf(const Obstacle &Why, const Instruction *At) {
  auto *Call = dyn_cast_or_null<CallBase>(Why.First);
  return Why.Kind == RefusalKind::SplitsShared && Call &&
                 !isa<IntrinsicInst>(Call)
             ? refuse(RefusalKind::BehindCall, {describeCallee(*Call)}, At)
             : refuse(Why.Kind, At);
}

std::optional<Obstacle> UninterruptedRegions::findAround(
    const Instruction *At, function_ref<bool(const Region &)> Holds) const {
  for (const Region &R : Regions)
    if (!R.IsPermitted && Holds(R) && contains(R, At))
      return Obstacle{refusalOf(R.Why), R.First, R.Last};
  return std::nullopt;
}

std::optional<Obstacle>
UninterruptedRegions::forbids(const Instruction *At) const {
  return findAround(At, [](const Region &R) { return !R.EndsSuspensions; });
}

std::optional<Obstacle>
UninterruptedRegions::forbidsTurn(const Instruction *At) const {
  return findAround(At, [](const Region &) { return true; });
}

SmallVector<Instruction *, 2> UninterruptedRegions::ends() const {
  SmallVector<Instruction *, 2> Ends;
  for (const Region &R : Regions)
    if (R.EndsSuspensions && !is_contained(Ends, R.First))
      Ends.push_back(R.First);
  return Ends;
}

SmallVector<Instruction *, 2>
UninterruptedRegions::readsAround(const Instruction *At) const {
  SmallVector<Instruction *, 2> Reads;
  for (const Region &R : Regions)
    if (!R.IsPermitted && !R.EndsSuspensions && R.Why == Reason::Modification &&
        contains(R, At) && !is_contained(Reads, R.First))
      Reads.push_back(R.First);
  return Reads;
}

const Region *
UninterruptedRegions::onlyModificationAround(const Instruction *At) const {
  const Region *Only = nullptr;
  for (const Region &R : Regions) {
    if (!contains(R, At))
      continue;
    if (R.IsPermitted || R.Why != Reason::Modification ||
        (Only && (R.First != Only->First || R.Last != Only->Last)))
      return nullptr;
    Only = &R;
  }
  return Only;
}

std::optional<Modification>
UninterruptedRegions::onlyAround(const Instruction *At) const {
  const Region *Only = onlyModificationAround(At);
  if (!Only)
    return std::nullopt;
  const Modification M{dyn_cast<LoadInst>(Only->First),
                       dyn_cast<StoreInst>(Only->Last)};
  if (!M.Load || !M.Store)
    return std::nullopt;
  const bool Overlaps = any_of(Regions, [&](const Region &R) {
    return (R.First == M.Load && R.Last != M.Store) || contains(R, M.Load) ||
           (R.IsPermitted && contains(*Only, R.First));
  });
  return Overlaps ? std::nullopt : std::optional(M);
}

void UninterruptedRegions::permit(const Modification &M) {
  assert(M.Load && M.Store && "as onlyAround() has found it");
  for (Region &R : Regions)
    R.IsPermitted |= R.First == M.Load && R.Last == M.Store;
}

SmallVector<Instruction *, 1>
UninterruptedRegions::modificationsFrom(const Instruction *Load) const {
  SmallVector<Instruction *, 1> Writes;
  for (const Region &R : Regions)
    if (R.First == Load && R.Why == Reason::Modification)
      Writes.push_back(R.Last);
  return Writes;
}
