//===- PointLimit.cpp - Fewer suspension points ---------------------------===//

#include "async/plan/PointLimit.h"
#include "async/plan/AddressSlice.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// True if \p P can be left out: it does not keep an order, and is paid for.
static bool mayGo(const SuspensionPoint &P) {
  return !P.AwaitsTurn && !P.Early && !P.Owns;
}

namespace {

/// Consecutive points of one loop whose requests can be made at one place.
class PointGroup {
  const LoopContext &C;
  function_ref<bool(const Instruction *)> MayWaitAt;
  Instruction *At = nullptr;
  SmallVector<const SuspensionPoint *> Points;
  SmallVector<Request, 2> Requests;

public:
  PointGroup(const LoopContext &C,
             function_ref<bool(const Instruction *)> MayWaitAt)
      : C(C), MayWaitAt(MayWaitAt) {}

  /// Adds \p P, if possible.
  bool add(const SuspensionPoint &P) {
    if (!mayGo(P) ||
        Requests.size() + P.Requests.size() > unsigned(tunable::JoinedRequests))
      return false;
    Points.push_back(&P);
    Instruction *Place = placeForAll();
    SmallVector<Request, 2> Moved;
    if (Place && moveTo(Place, Moved)) {
      At = Place;
      Requests = std::move(Moved);
      return true;
    }
    Points.pop_back();
    return false;
  }

  unsigned size() const { return Points.size(); }
  SuspensionPoint joined() const { return {At, Requests}; }

private:
  /// The place that comes before all points, whichever of them a task gets to;
  /// null if there is none to wait at.
  Instruction *placeForAll() const {
    Instruction *First = Points.front()->Before;
    const Loop *Inner = C.LI.getLoopFor(First->getParent());
    BasicBlock *Common = First->getParent();
    for (const SuspensionPoint *P : drop_begin(Points)) {
      if (C.LI.getLoopFor(P->Before->getParent()) != Inner)
        return nullptr;
      Common = C.DT.findNearestCommonDominator(Common, P->Before->getParent());
    }
    if (Common == First->getParent())
      return First;
    Instruction *End = Common->getTerminator();
    return C.LI.getLoopFor(Common) == Inner && MayWaitAt(End) ? End : nullptr;
  }

  bool moveTo(const Instruction *Place, SmallVectorImpl<Request> &Moved) const {
    for (const SuspensionPoint *P : Points)
      for (const Request &R : P->Requests) {
        SetVector<Instruction *> Slice;
        if (!R.Address || R.Link ||
            !addressSliceAhead(R.Address, Place, C.DT, Slice))
          return false;
        Moved.push_back(R);
        Moved.back().Slice = Slice.takeVector();
      }
    return true;
  }
};

} // namespace

/// Joins points, so that a group of accesses under conditions is requested at
/// once, needed or not.
static void joinPoints(SuspensionPlan &Plan, const LoopContext &C,
                       function_ref<bool(const Instruction *)> MayWaitAt) {
  SmallVector<SuspensionPoint, 4> Joined;
  const ArrayRef<SuspensionPoint> All = Plan.Points;
  for (unsigned First = 0; First < All.size();) {
    PointGroup Group(C, MayWaitAt);
    unsigned Next = First;
    while (Next < All.size() && Group.add(All[Next]))
      ++Next;
    Joined.push_back(Group.size() > 1 ? Group.joined() : All[First]);
    First = std::max(Next, First + 1);
  }
  Plan.Points = std::move(Joined);
}

/// The instructions that the segments of the loop have, with those that several
/// have counted for each.
static unsigned segmentInstructions(const SuspensionPlan &Plan,
                                    const LoopContext &C) {
  SmallPtrSet<const BasicBlock *, 16> Ends{C.L.getHeader()};
  for (const SuspensionPoint &P : Plan.Points)
    if (!P.Early)
      Ends.insert(P.Before->getParent());
  unsigned Count = 0;
  for (const BasicBlock *Start : Ends) {
    SmallSetVector<const BasicBlock *, 16> Segment;
    Segment.insert(Start);
    for (unsigned I = 0; I < Segment.size(); ++I) {
      Count += Segment[I]->size();
      for (const BasicBlock *Next : successors(Segment[I]))
        if (C.L.contains(Next) && !Ends.contains(Next))
          Segment.insert(Next);
    }
  }
  return Count;
}

void heddle::limitPoints(SuspensionPlan &Plan, unsigned Most,
                         const LoopContext &C,
                         function_ref<bool(const Instruction *)> MayWaitAt) {
  const unsigned Few = std::min<unsigned>(Most, tunable::FewSuspensionPoints);
  if (Plan.suspensionPoints() <= Few)
    return;
  joinPoints(Plan, C, MayWaitAt);
  if (segmentInstructions(Plan, C) > tunable::SegmentInstructions)
    Most = Few;
  // The innermost loops wait most often.
  SmallVector<const SuspensionPoint *> ByDepth;
  for (const SuspensionPoint &P : Plan.Points)
    if (mayGo(P))
      ByDepth.push_back(&P);
  const unsigned Others = Plan.suspensionPoints() - ByDepth.size();
  const unsigned Kept = Most > Others ? Most - Others : 0;
  if (ByDepth.size() <= Kept)
    return;
  auto Depth = [&](const SuspensionPoint *P) {
    return C.LI.getLoopDepth(P->Before->getParent());
  };
  llvm::sort(ByDepth, [&](const SuspensionPoint *A, const SuspensionPoint *B) {
    return std::pair(Depth(B), A) < std::pair(Depth(A), B);
  });
  SmallPtrSet<const Instruction *, 16> Left;
  for (const SuspensionPoint *P : drop_begin(ByDepth, Kept)) {
    Left.insert(P->Before);
    for (const Request &R : P->Requests)
      Plan.Dropped.push_back({R.For->I, {RefusalKind::TooManyPoints}});
  }
  llvm::erase_if(Plan.Points, [&](const SuspensionPoint &P) {
    return Left.contains(P.Before) && mayGo(P);
  });
}
