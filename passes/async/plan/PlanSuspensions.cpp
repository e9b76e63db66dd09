//===- PlanSuspensions.cpp - Where tasks prefetch and suspend -------------===//

#include "async/ahead/LaterAccesses.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/ObjectAddress.h"
#include "async/order/RunsAhead.h"
#include "async/order/TurnPoint.h"
#include "async/plan/PlanRehearsals.h"
#include "async/plan/PointLimit.h"
#include "async/plan/RunAhead.h"
#include "async/plan/Stream.h"
#include "async/plan/SuspensionPlan.h"
#include "async/plan/WithoutWaiting.h"
#include "async/regions/Ownership.h"
#include "async/regions/TurnOutside.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

namespace {

class Planner {
  const LoopContext &C;
  const LoopFacts &Facts;
  const LoopShape &Shape;
  const Directive &D;
  const LatencyAnalysis &Latency;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  SuspensionPlan &Plan;
  /// What must happen in iteration order.
  std::string TurnName;
  PostDominatorTree PDT;
  UninterruptedRegions Regions;
  /// The most requests that are issued together.
  const unsigned MostRequests;
  const int64_t LineBytes;
  /// Accesses whose line an earlier request brings in.
  SmallPtrSet<const Instruction *, 16> Covered;
  /// The point at which an access was requested.
  SmallDenseMap<const Instruction *, const Instruction *, 16> RequestedAt;
  SmallPtrSet<const Instruction *, 16> Planned;
  /// Tasks wait for what stores bring in, too.
  bool AwaitStores = false;
  /// Objects that are there where their accesses begin, or are going to be.
  SmallPtrSet<const Value *, 2> Awaited;

public:
  Planner(const LoopContext &C, const LoopFacts &Facts, SuspensionPlan &Plan)
      : C(C), Facts(Facts), Shape(Facts.Shape), D(Facts.D),
        Latency(Facts.Latency), LI(C.LI), DT(C.DT), SE(C.SE), Plan(Plan),
        PDT(*Shape.L->getHeader()->getParent()),
        Regions(C, Latency, Facts.Locals, Facts.mayEndSuspensions()),
        MostRequests(D.Coalesce ? D.Coalesce
                                : unsigned(tunable::CoalescedRequests)),
        LineBytes(lineBytes(C.TTI)) {
    append_range(Plan.NonZero, Regions.nonZero());
    Plan.Ends = Regions.ends();
  }

  MaybeRefusal run() {
    if (MaybeRefusal Why = findTurn())
      return Why;
    if (planRows())
      return std::nullopt;
    // A block reads ahead what its iterations may not come to.
    for (Loop *Inner : Shape.L->getLoopsInPreorder())
      if (Inner != Shape.L && !Shape.isLeftEarly() && !isRecursion(*Inner) &&
          !planBlocks(*Inner) && Inner->isInnermost())
        planInspection(*Inner);
    for (const Access &A : Latency.accesses()) {
      planAccess(A);
      for (int64_t Bytes : {A.Least, A.Most})
        if (Bytes)
          findCovering(ObjectAddress(A.Address).behind(Bytes), A.I);
    }
    awaitStores();
    dropTooLong();
    for (const BlockedLoop &Block : Plan.Blocks)
      if (Block.Inspected)
        planWalks(*Block.Inspected, *Block.Inner);
    auto Forbidden = [&](const Instruction *At) { return forbidden(At); };
    planRehearsals(C, Facts, Regions, Forbidden, Plan);
    if (MaybeRefusal Why = awaitTurn())
      return Why;
    chooseWaits();
    limitPoints(Plan,
                D.Scheduler == Schedule::Dynamic ? tunable::FarSuspensionPoints
                                                 : tunable::SuspensionPoints,
                C, std::not_fn(Forbidden));
    return std::nullopt;
  }

private:
  MaybeRefusal findTurn() {
    Instruction *FirstUse = findTurnPoint(C, Facts, TurnName);
    if (FirstUse)
      Plan.TurnPoint = turnOutside(*FirstUse, C, Facts.Shape, Regions);
    if (!FirstUse || Plan.TurnPoint)
      return std::nullopt;
    return refuse(RefusalKind::SplitsOrder, {TurnName}, FirstUse);
  }

  /// Requests ahead through rows, if that is all there is to do. Who names a
  /// schedule or numbers of suspensions wants some.
  bool planRows() {
    if (D.Scheduler == Schedule::Unspecified && !D.Coalesce && !D.Suspensions &&
        !Plan.TurnPoint && Shape.L->getSubLoops().size() == 1)
      Plan.Rows = findConsecutiveRows(C, Facts, *Shape.L->getSubLoops()[0]);
    return Plan.Rows.has_value();
  }

  /// Adds the point where tasks wait for their turn.
  MaybeRefusal awaitTurn() {
    if (!Plan.TurnPoint)
      return std::nullopt;
    if (Plan.suspensionPoints() == 0 && !Plan.Dropped.empty())
      return refuse(StringRef(TurnName).starts_with(WayOut)
                        ? RefusalKind::SerialWayOut
                        : RefusalKind::SerialRest,
                    {TurnName}, Plan.TurnPoint);
    Plan.Points.push_back({Plan.TurnPoint, {}, true});
    return std::nullopt;
  }

  /// A schedule that the user names is used even where tasks wait for stores
  /// only, which the processor does not.
  void awaitStores() {
    if (D.Scheduler == Schedule::Unspecified || Plan.requests() > 0 ||
        !Plan.Dropped.empty())
      return;
    AwaitStores = true;
    Planned.clear();
    for (const Access &A : Latency.accesses())
      planAccess(A);
  }

  /// Notes the accesses to far memory that no request can be made for.
  void dropTooLong() {
    for (Instruction &I : instructionsIn(Shape.L->blocks()))
      if (farObject(I) && !Latency.find(&I))
        Plan.Dropped.push_back({&I, {RefusalKind::TooLong}});
  }

  /// Finds the points at which no task has to wait.
  void chooseWaits() {
    // A scheduler that the user names needs a suspension point, and so do tasks
    // that may leave the loop when it is their turn.
    const bool MustSuspend = D.Scheduler != Schedule::Unspecified ||
                             (Plan.TurnPoint && Shape.isLeftEarly());
    for (SuspensionPoint &P : Plan.Points) {
      if (D.Scheduler != Schedule::Dynamic &&
          Plan.suspensionPoints() > MustSuspend)
        makeEarly(P, C, Facts);
      P.SameOnEntry = P.Owns ? nullptr : sameOnEntry(P, C);
    }
    // Tasks that are never suspended run one after the other.
    if (Plan.suspensionPoints() == 0 && !MustSuspend) {
      erase_if(Plan.Points,
               [](const SuspensionPoint &P) { return P.AwaitsTurn; });
      Plan.TurnPoint = nullptr;
    }
  }

  bool isBehindTurn(const Instruction *I) const {
    if (!Plan.TurnPoint)
      return false;
    // The turn point is passed once in each iteration and dominates the latch.
    // It may be an invoke, whose value exists in one successor only.
    const BasicBlock *Turn = Plan.TurnPoint->getParent();
    if (I->getParent() == Turn)
      return I == Plan.TurnPoint || Plan.TurnPoint->comesBefore(I);
    return DT.dominates(Turn, I->getParent());
  }

  std::optional<Obstacle> forbidden(const Instruction *At) const {
    return isBehindTurn(At) ? Obstacle{RefusalKind::AfterTurn}
                            : Regions.forbids(At);
  }

  /// True if a task that has reached \p From modifies the memory that \p A
  /// accesses. If it may leave it unmodified, the line is better shared:
  /// threads that request ownership of lines that most of them only read take
  /// these from each other.
  bool modifies(const Access &A, const Instruction *From) const {
    return (A.Writes && PDT.dominates(A.I, From)) ||
           any_of(Regions.modificationsFrom(A.I),
                  [&](const Instruction *Store) {
                    return PDT.dominates(Store, From);
                  });
  }

  bool cover(Request &R, const Access &A) const {
    return heddle::cover(R, ObjectAddress(A.Address), A.I, C);
  }

  /// Returns a planned request whose point dominates \p At and that brings in
  /// the lines of an access to \p To; null if there is none.
  Request *findCovering(const ObjectAddress &To, const Instruction *At) {
    for (SuspensionPoint &P : Plan.Points)
      if (P.Before == At || DT.dominates(P.Before, At))
        for (Request &R : P.Requests)
          if (heddle::cover(R, To, At, C))
            return &R;
    return nullptr;
  }

  bool coveredBySomePoint(const Access &A) {
    if (Covered.contains(A.I))
      return true;
    Request *R = findCovering(ObjectAddress(A.Address), A.I);
    if (R)
      R->ForWrite |= modifies(A, R->For->I);
    return R;
  }

  /// A way into an inner loop's header, and the object that it brings.
  struct Way {
    Instruction *End;
    Value *Object;
    Request *Covering = nullptr;
    /// The point at which to request the object if no request covers it.
    Instruction *Point = nullptr;
  };

  /// Returns the inner loop whose iterations move from object to object by
  /// \p Base, or null.
  Loop *loopOver(const PHINode *Base) const {
    Loop *Inner = Base ? LI.getLoopFor(Base->getParent()) : nullptr;
    return Inner && Inner != Shape.L && Shape.L->contains(Inner) &&
                   Inner->getHeader() == Base->getParent() &&
                   Inner->getLoopPreheader() && Inner->getLoopLatch()
               ? Inner
               : nullptr;
  }

  /// Plans the accesses in each iteration of \p Inner to other objects than
  /// \p Phi 's: they come later in the program, but may cover that one.
  void planOthers(const Loop &Inner, const PHINode *Phi) {
    const bool First = Awaited.insert(Phi).second;
    for (const Access &Other : Latency.accesses())
      if (Inner.contains(Other.I) &&
          DT.dominates(Other.I, Inner.getLoopLatch()->getTerminator()) &&
          ObjectAddress(Other.Address).base() != Phi)
        planAccess(Other);
    if (First)
      Awaited.erase(Phi);
  }

  /// The ways into the header of \p Phi 's loop that bring an object which not
  /// all tasks begin with.
  SmallVector<Way, 2> waysTo(PHINode &Phi) const {
    SmallVector<Way, 2> Ways;
    for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I)
      if (!Shape.L->isLoopInvariant(Phi.getIncomingValue(I)))
        Ways.push_back({Phi.getIncomingBlock(I)->getTerminator(),
                        Phi.getIncomingValue(I)});
    return Ways;
  }

  /// Finds the request that covers an access to \p To of the object that \p W
  /// brings, or else where to make one; false if there is neither.
  bool findRequest(Way &W, const ObjectAddress &To, const Loop &Inner,
                   const PHINode *Phi) {
    W.Covering = findCovering(To.withBase(W.Object), W.End);
    if (W.Covering)
      return true;
    W.Point = Inner.contains(W.End) ? pointToRequestNext(Inner, Phi, W) : W.End;
    return W.Point && !forbidden(W.Point) && To.variables().empty();
  }

  /// True if \p A accesses an object that an inner loop has moved on to and
  /// that was requested at that point: on every edge into the inner loop's
  /// header, except one with a value that is the same for all tasks.
  bool coveredBeforeHeader(const Access &A) {
    ObjectAddress To(A.Address);
    auto *Phi = dyn_cast<PHINode>(To.base());
    Loop *Inner = loopOver(Phi);
    if (!Inner)
      return false;
    planOthers(*Inner, Phi);
    SmallVector<Way, 2> Ways = waysTo(*Phi);
    if (Ways.empty() || (Ways.size() == 1 && !Inner->contains(Ways[0].End)) ||
        !all_of(Ways, [&](Way &W) { return findRequest(W, To, *Inner, Phi); }))
      return false;
    for (Way &W : Ways)
      if (W.Covering)
        W.Covering->ForWrite |= modifies(A, W.Covering->For->I);
    for (Way &W : Ways)
      if (W.Point)
        requestObject(A, To, W,
                      Inner->contains(W.End) ? cast<LoadInst>(W.Object)
                                             : nullptr);
    return true;
  }

  /// Returns the suspension point of \p Inner at which the object after \p Phi
  /// 's can be requested because the link to it is in the object that has
  /// arrived; null if there is none.
  Instruction *pointToRequestNext(const Loop &Inner, const PHINode *Phi,
                                  const Way &W) {
    auto *Link = dyn_cast<LoadInst>(W.Object);
    if (!Link || !Link->isSimple() || !Inner.contains(Link))
      return nullptr;
    ObjectAddress From(Link->getPointerOperand());
    if (From.base() != Phi || !From.variables().empty())
      return nullptr;
    for (SuspensionPoint &P : Plan.Points)
      if (!P.AwaitsTurn && P.Requests.size() < MostRequests &&
          Inner.contains(P.Before) && DT.dominates(P.Before, Link) &&
          mayMoveUp(Link, P.Before, Inner))
        return P.Before;
    return nullptr;
  }

  /// Adds a request of the object that \p W brings to its point. \p Link is set
  /// where the link to it must be read ahead of its time.
  void requestObject(const Access &A, const ObjectAddress &To, const Way &W,
                     LoadInst *Link) {
    Request R{&A, W.Object, nullptr, modifies(A, A.I), {To.constant()}};
    R.Link = Link;
    pointBefore(W.Point).Requests.push_back(std::move(R));
  }

  /// Plans blocks of \p Inner 's iterations whose addresses are known ahead.
  bool planBlocks(Loop &Inner) {
    assert(&Inner != &C.L && C.L.contains(&Inner) && "not an inner loop");
    const SCEV *Count = countAhead(Inner, SE);
    if (!Count || forbidden(&*Inner.getHeader()->getFirstInsertionPt()))
      return false;
    BlockedLoop Block{&Inner, Count, tunable::BlockIterations, {}, {}, {}};
    const SmallPtrSet<const Instruction *, 16> CoveredBefore = Covered;
    bool IsWhole = true;
    for (const Access &A : Latency.accesses())
      // An address that does not change in the inner loop is requested once, in
      // front of it, and so is the start of a stream.
      if (Inner.contains(A.I) && A.isLongLatency() &&
          A.Kind != AddressKind::StreamStart && !Covered.contains(A.I) &&
          !SE.isLoopInvariant(SE.getSCEV(A.Address), &Inner)) {
        requestInBlock(Block, A);
        IsWhole &= Covered.contains(A.I);
      }
    llvm::erase_if(Block.Levels, [](auto &Level) { return Level.empty(); });
    // A task that waits between the iterations of a block does so long after
    // the requests.
    if (Block.Levels.empty() || (!IsWhole && !Inner.isInnermost())) {
      Covered = CoveredBefore;
      return false;
    }
    Plan.Blocks.push_back(std::move(Block));
    return true;
  }

  /// Adds \p A to the requests of \p Block, if its address is known ahead.
  void requestInBlock(BlockedLoop &Block, const Access &A) {
    SetVector<Instruction *> Slice;
    unsigned Level = 0;
    LoadsInPage InPage{*Shape.L};
    if (!addressSliceInLoop(A.Address, *Block.Inner, Latency, C, Slice,
                            Level) ||
        !canRunAhead(Slice, LoopContext(*Block.Inner, C), &InPage))
      return;
    append_range(Block.InPage, InPage.Loads);
    Covered.insert(A.I);
    bool Known = false;
    unsigned Requests = 0;
    for (auto &Others : Block.Levels)
      for (Request &R : Others) {
        ++Requests;
        if (cover(R, A)) {
          R.ForWrite |= modifies(A, R.For->I);
          Known = true;
        }
      }
    if (Known || Requests >= MostRequests)
      return;
    if (Block.Levels.size() <= Level)
      Block.Levels.resize(Level + 1);
    Block.Levels[Level].push_back(
        {&A, A.Address, nullptr, modifies(A, A.I), {0}, Slice.takeVector()});
  }

  /// Plans blocks of \p Inner 's iterations whose addresses an inspector finds.
  void planInspection(Loop &Inner) {
    if (forbidden(&*Inner.getHeader()->getFirstInsertionPt()))
      return;
    SmallVector<const Access *> Wanted;
    for (const Access &A : Latency.accesses())
      if (Inner.contains(A.I) && A.isLongLatency() &&
          A.Kind == AddressKind::Irregular && Wanted.size() < MostRequests &&
          (!isa<StoreInst>(A.I) || A.Remote))
        Wanted.push_back(&A);
    std::optional<Inspector> Inspected =
        planInspector(LoopContext(Inner, C), Wanted, Latency, PDT);
    if (!Inspected)
      return;
    BlockedLoop Block{&Inner, nullptr, tunable::InspectedIterations,
                      {{}},   {},      {}};
    for (const Access *A : Inspected->Found) {
      Block.Levels[0].push_back(
          {A, A->Address, nullptr, modifies(*A, A->I), {0}});
      Covered.insert(A->I);
    }
    // The inspector reaches the instructions that it repeats before the loop
    // does.
    for (Instruction *I : Inspected->Repeated)
      Covered.insert(I);
    Block.Inspected = std::move(Inspected);
    Plan.Blocks.push_back(std::move(Block));
  }

  /// Requests the first elements that an inspector of \p Inner reads.
  void planWalks(const Inspector &Inspected, const Loop &Inner) {
    Instruction *Before = Inner.getLoopPreheader()->getTerminator();
    for (const Inspector::Walk &W : Inspected.Walks) {
      if (Shape.L->isLoopInvariant(W.Start) ||
          findCovering(ObjectAddress(W.Start), Before) || forbidden(Before))
        continue;
      pointBefore(Before).Requests.push_back(
          {W.Load, W.Start, nullptr, false, {0}});
    }
  }

  /// The point in front of \p Before, made if need be.
  SuspensionPoint &pointBefore(Instruction *Before) {
    assert(C.L.contains(Before) && "tasks are suspended in the loop only");
    for (SuspensionPoint &P : Plan.Points)
      if (P.Before == Before)
        return P;
    Plan.Points.push_back({Before, {}, false});
    return Plan.Points.back();
  }

  void planAccess(const Access &A) {
    // Another part of an object may be in another line.
    if (A.IsVisited && A.isUnpredictable())
      coveredBySomePoint(A);
    if (!A.isLongLatency() || !Planned.insert(A.I).second ||
        coveredBySomePoint(A) || coveredBeforeHeader(A))
      return;
    if (A.Kind == AddressKind::StreamStart && !A.Remote) {
      planStream(A);
      return;
    }
    // A plain store retires into the store buffer; no task waits for it. A
    // store to far memory is waited for: the rest of its page has to be in
    // memory.
    if (isa<StoreInst>(A.I) && !A.Remote && !isFar(A.Address) && !AwaitStores)
      return;
    assert(C.L.contains(A.I) && "an access of another loop");
    Instruction *Before = A.I;
    if (std::optional<Obstacle> Why = forbidden(Before)) {
      if (joinEarlier(A))
        return;
      if (!ownAround(Before)) {
        Plan.Dropped.push_back({A.I, *Why});
        return;
      }
    }
    SuspensionPoint &P = pointBefore(Before);
    P.Requests.push_back({&A, A.Address, nullptr, modifies(A, A.I), {0}});
    RequestedAt.insert({A.I, Before});
    coalesce(P);
  }

  /// Adds \p A to the suspension in front of a read-modify-write around it.
  bool joinEarlier(const Access &A) {
    return any_of(Regions.readsAround(A.I), [&](Instruction *Read) {
      return !forbidden(Read) && joinAt(A, Read);
    });
  }

  /// Adds \p A to what is requested in front of \p Read, if that is possible.
  bool joinAt(const Access &A, Instruction *Read) {
    SetVector<Instruction *> Slice;
    if (!addressSlice(A, Read, Slice) ||
        any_of(Slice, [&](auto *I) { return Latency.isLongLatency(I); }))
      return false;
    SuspensionPoint &P = pointBefore(Read);
    if (P.Requests.size() >= MostRequests)
      return false;
    P.Requests.push_back(
        {&A, A.Address, nullptr, modifies(A, Read), {0}, Slice.takeVector()});
    return true;
  }

  /// Lets tasks be suspended in front of \p At although a read-modify-write of
  /// far memory is around it: they own the line that it modifies. An owner must
  /// not wait for its turn, because a task that waits for the line may have an
  /// earlier turn.
  bool ownAround(const Instruction *At) {
    if (D.Scheduler != Schedule::Dynamic || D.Suspensions || Plan.TurnPoint)
      return false;
    std::optional<Modification> M = Regions.onlyAround(At);
    if (!M || !canBeOwned(*M, C, D))
      return false;
    Regions.permit(*M);
    pointBefore(M->Load).Owns = M->Store;
    return true;
  }

  /// Adds the independent requests of the rest of the block to \p P, and of
  /// later blocks.
  void coalesce(SuspensionPoint &P) {
    BasicBlock *Block = P.Before->getParent();
    for (const Access &A : Latency.accesses()) {
      if (P.Requests.size() >= MostRequests)
        return;
      const bool IsNear = A.I->getParent() == Block;
      if (!A.isLongLatency() || A.Kind == AddressKind::StreamStart ||
          Covered.contains(A.I) ||
          Awaited.contains(ObjectAddress(A.Address).base()) ||
          !(IsNear ? P.Before->comesBefore(A.I)
                   : D.Scheduler != Schedule::Dynamic &&
                         comesSoon(P.Before, A.I, Latency, C, PDT)))
        continue;
      bool Known = false;
      for (Request &R : P.Requests)
        if (!Known && cover(R, A)) {
          R.ForWrite |= modifies(A, R.For->I);
          Known = true;
        }
      SetVector<Instruction *> Slice;
      if (!Known &&
          (IsNear ? addressSlice(A, P.Before, Slice)
                  : addressSliceAhead(A.Address, P.Before, DT, Slice))) {
        const bool Writes = modifies(A, A.I);
        P.Requests.push_back(
            {&A, A.Address, nullptr, Writes, {0}, Slice.takeVector()});
        Known = true;
      }
      if (Known)
        cover(A, P.Before);
    }
  }

  /// Notes that a request at \p Point brings in the memory that \p A accesses.
  void cover(const Access &A, const Instruction *Point) {
    Covered.insert(A.I);
    RequestedAt.insert({A.I, Point});
  }

  /// Collects in \p Slice the instructions that compute \p A 's address at
  /// \p At. False if one of them would wait for memory or for a turn.
  bool addressSlice(const Access &A, Instruction *At,
                    SetVector<Instruction *> &Slice) const {
    return addressSliceAt(
        A.Address, At,
        [&](const LoadInst *Load) {
          const Instruction *Point = RequestedAt.lookup(Load);
          return (!Shape.isLeftEarly() ||
                  mayRunAhead(*Load, C, Facts.Locals)) &&
                 (!Latency.isLongLatency(Load) ||
                  (Point && Point != At && DT.dominates(Point, At)));
        },
        DT, Slice);
  }

  /// Requests the first line of a stream in front of its inner loop.
  void planStream(const Access &A) {
    const Stream S = streamOf(A, *Shape.L, SE);
    BasicBlock *Preheader = S.Inner->getLoopPreheader();
    if (!Preheader)
      return;
    Instruction *Before = Preheader->getTerminator();
    SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
    if (!Expander.isSafeToExpandAt(S.Start, Before))
      return;
    if (std::optional<Obstacle> Why = forbidden(Before)) {
      Plan.Dropped.push_back({A.I, *Why});
      return;
    }
    if (Plan.requestsStart(S.Start, Before, LineBytes, DT, SE))
      return;
    SuspensionPoint &P = pointBefore(Before);
    if (P.Requests.size() < MostRequests)
      P.Requests.push_back({&A, nullptr, S.Start, modifies(A, A.I),
                            linesOf(S, A, LineBytes, SE)});
  }
};

} // namespace

MaybeRefusal heddle::planSuspensions(const LoopContext &C,
                                     const LoopFacts &Facts,
                                     SuspensionPlan &Plan) {
  return Planner(C, Facts, Plan).run();
}
