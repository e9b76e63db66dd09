//===- PlanSuspensions.cpp - Where tasks prefetch and suspend -------------===//

#include "async/analysis/ObjectAddress.h"
#include "async/analysis/Ownership.h"
#include "async/analysis/Undisturbed.h"
#include "async/plan/AddressSlice.h"
#include "async/plan/RunAhead.h"
#include "async/plan/SuspensionPlan.h"
#include "async/plan/TurnPoint.h"
#include "async/plan/WithoutWaiting.h"
#include "loop/FarAccess.h"
#include "loop/Tunables.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

namespace {

class Planner {
  const LoopContext &C;
  const LoopShape &Shape;
  const Directive &D;
  const LatencyAnalysis &Latency;
  const VariableClasses &Classes;
  const TaskLocals &Locals;
  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  SuspensionPlan &Plan;
  PostDominatorTree PDT;
  UndisturbedStretches Undisturbed;
  /// How many requests go out together at most.
  const unsigned MostRequests;
  const int64_t LineBytes;
  /// Accesses whose line an earlier request brings in.
  SmallPtrSet<const Instruction *, 16> Covered;
  /// The point at which an access was requested.
  SmallDenseMap<const Instruction *, const Instruction *, 16> RequestedAt;
  SmallPtrSet<const Instruction *, 16> Planned;
  /// Objects that are there already where their accesses begin, or are going
  /// to be.
  SmallPtrSet<const Value *, 2> Awaited;

public:
  Planner(const LoopContext &C, const LoopShape &Shape, const Directive &D,
          const LatencyAnalysis &Latency, const VariableClasses &Classes,
          const TaskLocals &Locals, SuspensionPlan &Plan)
      : C(C), Shape(Shape), D(D), Latency(Latency), Classes(Classes),
        Locals(Locals), LI(C.LI), DT(C.DT), SE(C.SE), Plan(Plan),
        PDT(*Shape.L->getHeader()->getParent()),
        Undisturbed(C, Shape, Latency, Locals),
        MostRequests(D.Coalesce ? D.Coalesce
                                : unsigned(tunable::CoalescedRequests)),
        LineBytes(lineBytes(C.TTI)) {}

  MaybeRefusal run() {
    std::string First;
    Plan.TurnPoint = findTurnPoint(C, Shape, D, Classes, Locals, First);
    if (Plan.TurnPoint && Undisturbed.forbids(Plan.TurnPoint))
      return refuse(
          RefusalKind::SplitsOrder,
          {First.empty() ? "what must happen in iteration order" : First},
          Plan.TurnPoint);
    for (Loop *Inner : Shape.L->getLoopsInPreorder())
      if (Inner != Shape.L && Inner->isInnermost() && !planBlocks(*Inner))
        planInspection(*Inner);
    for (const Access &A : Latency.accesses())
      planAccess(A);
    for (BasicBlock *Block : Shape.L->blocks())
      for (Instruction &I : *Block)
        if (farObject(I) && !Latency.find(&I))
          Plan.Dropped.push_back({&I, textOf(RefusalKind::TooLong)});
    for (const BlockedLoop &Block : Plan.Blocks)
      if (Block.Inspected)
        planWalks(*Block.Inspected, *Block.Inner);
    if (Plan.TurnPoint) {
      if (Plan.suspensionPoints() == 0 && !Plan.Dropped.empty())
        return refuse(RefusalKind::SerialRest, Plan.TurnPoint);
      Plan.Points.push_back({Plan.TurnPoint, {}, true});
    }
    // A scheduler that is named gets something to schedule, and those that wait
    // for their turn something to do.
    const unsigned MustSuspend =
        D.Scheduler != Schedule::Unspecified || Plan.TurnPoint ? 1 : 0;
    for (SuspensionPoint &P : Plan.Points) {
      P.Early = D.Scheduler != Schedule::Dynamic &&
                Plan.suspensionPoints() > MustSuspend &&
                canRequestEarly(P, C, Shape, Latency, Classes, Locals);
      P.SameOnEntry = P.Owns ? nullptr : sameOnEntry(P, C);
    }
    const unsigned MostPoints = D.Scheduler == Schedule::Dynamic
                                    ? unsigned(tunable::FarSuspensionPoints)
                                    : tunable::SuspensionPoints;
    if (Plan.Points.size() + Plan.Blocks.size() > MostPoints)
      return refuse(RefusalKind::TooManyPoints);
    return std::nullopt;
  }

private:
  bool isBehindTurn(const Instruction *I) const {
    if (!Plan.TurnPoint)
      return false;
    // The turn point is passed once an iteration and dominates the latch. It
    // may be an invoke, whose value exists on one way out only.
    const BasicBlock *Turn = Plan.TurnPoint->getParent();
    if (I->getParent() == Turn)
      return I == Plan.TurnPoint || Plan.TurnPoint->comesBefore(I);
    return DT.dominates(Turn, I->getParent());
  }

  const char *forbidden(const Instruction *At) const {
    if (isBehindTurn(At))
      return textOf(RefusalKind::AfterTurn);
    return Undisturbed.forbids(At);
  }

  /// True if a task that has come to \p From modifies what \p A accesses.
  /// Where it may as well not, the line is better shared: threads that ask for
  /// ownership of what most of them only read take it from each other.
  bool modifies(const Access &A, const Instruction *From) const {
    return (A.Writes && PDT.dominates(A.I, From)) ||
           any_of(Undisturbed.modificationsFrom(A.I),
                  [&](const Instruction *Store) {
                    return PDT.dominates(Store, From);
                  });
  }

  /// True if \p R brings in the lines of an access to \p To at \p At, growing
  /// it by the lines over which the same object continues.
  bool cover(Request &R, const ObjectAddress &To, const Instruction *At) {
    if (!R.Address)
      return false;
    std::optional<Distance> Bytes =
        distance(ObjectAddress(R.Object ? R.Object : R.Address), To, At, C);
    const int64_t Furthest = tunable::LinesPerObject * LineBytes;
    if (!Bytes || Bytes->Least < -Furthest || Bytes->Most > Furthest)
      return false;
    SmallVector<int64_t, 2> Lines = R.Lines;
    for (int64_t Byte = Bytes->Least;;
         Byte = std::min(Byte + LineBytes, Bytes->Most)) {
      if (none_of(Lines, [&](int64_t Line) {
            return std::abs(Byte - Line) < LineBytes;
          }))
        Lines.push_back(Byte);
      if (Byte == Bytes->Most)
        break;
    }
    if (Lines.size() > tunable::LinesPerObject)
      return false;
    R.Lines = Lines;
    R.Least = std::min(R.Least, Bytes->Least);
    R.Most = std::max(R.Most, Bytes->Most);
    return true;
  }

  bool cover(Request &R, const Access &A) {
    return cover(R, ObjectAddress(A.Address), A.I);
  }

  /// A planned request whose point dominates \p At and that brings in the lines
  /// of an access to \p To.
  Request *findCovering(const ObjectAddress &To, const Instruction *At) {
    for (SuspensionPoint &P : Plan.Points)
      if (P.Before == At || DT.dominates(P.Before, At))
        for (Request &R : P.Requests)
          if (cover(R, To, At))
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
    /// Where to request the object, for lack of a request that covers it.
    Instruction *Point = nullptr;
  };

  /// True if \p A is to an object that an inner loop has moved on to and that
  /// was requested when it did: on every way into the inner loop's header that
  /// does not bring what all tasks begin with.
  bool coveredBeforeHeader(const Access &A) {
    ObjectAddress To(A.Address);
    auto *Phi = dyn_cast<PHINode>(To.base());
    Loop *Inner = Phi ? LI.getLoopFor(Phi->getParent()) : nullptr;
    if (!Inner || Inner == Shape.L || !Shape.L->contains(Inner) ||
        Inner->getHeader() != Phi->getParent() || !Inner->getLoopPreheader() ||
        !Inner->getLoopLatch())
      return false;
    // What could cover it comes later in the program.
    bool First = Awaited.insert(Phi).second;
    for (const Access &Other : Latency.accesses())
      if (Inner->contains(Other.I) &&
          DT.dominates(Other.I, Inner->getLoopLatch()->getTerminator()) &&
          ObjectAddress(Other.Address).base() != Phi)
        planAccess(Other);
    if (First)
      Awaited.erase(Phi);

    SmallVector<Way, 2> Ways;
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I) {
      Way W{Phi->getIncomingBlock(I)->getTerminator(),
            Phi->getIncomingValue(I)};
      if (!Shape.L->isLoopInvariant(W.Object))
        Ways.push_back(W);
    }
    if (Ways.empty() || (Ways.size() == 1 && !Inner->contains(Ways[0].End)))
      return false;
    for (Way &W : Ways) {
      W.Covering = findCovering(To.withBase(W.Object), W.End);
      if (W.Covering)
        continue;
      W.Point =
          Inner->contains(W.End) ? pointToRequestNext(*Inner, Phi, W) : W.End;
      if (!W.Point || forbidden(W.Point) || !To.variables().empty())
        return false;
    }
    for (Way &W : Ways)
      if (W.Covering)
        W.Covering->ForWrite |= modifies(A, W.Covering->For->I);
    for (Way &W : Ways)
      if (W.Point)
        requestObject(A, To, W, Inner->contains(W.End) ? Phi : nullptr);
    return true;
  }

  /// The suspension point of \p Inner at which the object that comes after
  /// \p Phi 's can be requested because that one's link is there; null if none.
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

  /// Adds a request of the object that \p W brings to its point. \p Phi is set
  /// where the link to it must be read ahead of its time.
  void requestObject(const Access &A, const ObjectAddress &To, const Way &W,
                     PHINode *Phi) {
    Value *Address = W.Object;
    if (Phi) {
      auto *Link = cast<LoadInst>(W.Object);
      IRBuilder<> B(W.Point);
      Value *From = B.CreatePtrAdd(
          Phi, B.getInt64(ObjectAddress(Link->getPointerOperand()).constant()));
      Address = B.CreateAlignedLoad(Link->getType(), From, Link->getAlign(),
                                    Link->getName() + ".early");
    }
    pointBefore(W.Point).Requests.push_back(
        {&A, Address, nullptr, modifies(A, A.I), {To.constant()}, W.Object});
  }

  /// Plans blocks of \p Inner 's iterations whose addresses are known ahead.
  bool planBlocks(Loop &Inner) {
    if (!Inner.getLoopLatch() || !Inner.getLoopPreheader())
      return false;
    const SCEV *Count = SE.getSymbolicMaxBackedgeTakenCount(&Inner);
    if (isa<SCEVCouldNotCompute>(Count) ||
        SE.getTypeSizeInBits(Count->getType()) > 64)
      return false;
    SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
    if (!Expander.isSafeToExpandAt(Count,
                                   Inner.getLoopPreheader()->getTerminator()))
      return false;
    Instruction *Issue = &*Inner.getHeader()->getFirstInsertionPt();
    if (forbidden(Issue))
      return false;
    BlockedLoop Block{&Inner, Count, tunable::BlockIterations, {}, {}};
    unsigned Requests = 0;
    for (const Access &A : Latency.accesses()) {
      if (!Inner.contains(A.I) || !A.isLongLatency() ||
          A.Kind == AddressKind::StreamStart || Covered.contains(A.I))
        continue;
      // An address that does not change in the inner loop is requested once,
      // in front of it.
      if (SE.isLoopInvariant(SE.getSCEV(A.Address), &Inner))
        continue;
      SetVector<Instruction *> Slice;
      unsigned Level = 0;
      if (!addressSliceInLoop(A.Address, Inner, Latency, C, Slice, Level) ||
          !canRunAhead(Slice, LoopContext(Inner, C)))
        continue;
      bool Known = false;
      for (auto &L : Block.Levels)
        for (Request &R : L)
          if (cover(R, A)) {
            R.ForWrite |= modifies(A, R.For->I);
            Known = true;
          }
      if (!Known && Requests++ < MostRequests) {
        if (Block.Levels.size() <= Level)
          Block.Levels.resize(Level + 1);
        Block.Levels[Level].push_back(
            {&A, A.Address, nullptr, modifies(A, A.I), {0}});
      }
      Covered.insert(A.I);
    }
    llvm::erase_if(Block.Levels, [](auto &Level) { return Level.empty(); });
    if (Block.Levels.empty())
      return false;
    Plan.Blocks.push_back(std::move(Block));
    return true;
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
    BlockedLoop Block{&Inner, nullptr, tunable::InspectedIterations, {{}}, {}};
    for (const Access *A : Inspected->Found) {
      Block.Levels[0].push_back(
          {A, A->Address, nullptr, modifies(*A, A->I), {0}});
      Covered.insert(A->I);
    }
    // The inspector gets to what it repeats before the loop does.
    for (Instruction *I : Inspected->Repeated)
      Covered.insert(I);
    Block.Inspected = std::move(Inspected);
    Plan.Blocks.push_back(std::move(Block));
  }

  /// Requests what an inspector of \p Inner begins with.
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
    for (SuspensionPoint &P : Plan.Points)
      if (P.Before == Before)
        return P;
    Plan.Points.push_back({Before, {}, false});
    return Plan.Points.back();
  }

  void planAccess(const Access &A) {
    if (!A.isLongLatency() || !Planned.insert(A.I).second ||
        coveredBySomePoint(A) || coveredBeforeHeader(A))
      return;
    if (A.Kind == AddressKind::StreamStart && !A.Remote) {
      planStream(A);
      return;
    }
    // A plain store retires into the store buffer; it is not waited for. One to
    // far memory is: the rest of its page has to be there.
    if (isa<StoreInst>(A.I) && !A.Remote && !isFar(A.Address))
      return;
    Instruction *Before = A.I;
    if (const char *Reason = forbidden(Before)) {
      if (joinEarlier(A))
        return;
      if (!ownAround(Before)) {
        Plan.Dropped.push_back({A.I, Reason});
        return;
      }
    }
    SuspensionPoint &P = pointBefore(Before);
    P.Requests.push_back({&A, A.Address, nullptr, modifies(A, A.I), {0}});
    RequestedAt.insert({A.I, Before});
    coalesce(P);
  }

  /// Adds \p A to the suspension in front of the read-modify-write that it is
  /// part of, if its address is known there.
  bool joinEarlier(const Access &A) {
    Instruction *Read = Undisturbed.readAround(A.I);
    if (!Read || forbidden(Read))
      return false;
    SetVector<Instruction *> Slice;
    if (!addressSlice(A, Read, Slice))
      return false;
    for (Instruction *I : Slice)
      if (Latency.isLongLatency(I))
        return false;
    SuspensionPoint &P = pointBefore(Read);
    if (P.Requests.size() >= MostRequests)
      return false;
    P.Requests.push_back({&A, A.Address, nullptr, modifies(A, Read), {0}});
    return true;
  }

  /// Lets tasks be suspended in front of \p At although a read-modify-write of
  /// far memory is around it: they own what it modifies. An owner must not wait
  /// for its turn, which others that wait for it may have first.
  bool ownAround(const Instruction *At) {
    if (D.Scheduler != Schedule::Dynamic || D.Suspensions || Plan.TurnPoint)
      return false;
    std::optional<Modification> M = Undisturbed.onlyAround(At);
    if (!M || !canBeOwned(*M, C, D))
      return false;
    Undisturbed.permit(*M);
    pointBefore(M->Load).Owns = M->Store;
    return true;
  }

  /// Adds the independent requests of the rest of the block to \p P.
  void coalesce(SuspensionPoint &P) {
    BasicBlock *Block = P.Before->getParent();
    for (const Access &A : Latency.accesses()) {
      if (P.Requests.size() >= MostRequests)
        return;
      if (A.I->getParent() != Block || !A.isLongLatency() ||
          A.Kind == AddressKind::StreamStart || !P.Before->comesBefore(A.I) ||
          Covered.contains(A.I) ||
          Awaited.contains(ObjectAddress(A.Address).base()))
        continue;
      bool Known = false;
      for (Request &R : P.Requests)
        if (!Known && cover(R, A)) {
          R.ForWrite |= modifies(A, R.For->I);
          Known = true;
        }
      SetVector<Instruction *> Slice;
      if (!Known && addressSlice(A, P.Before, Slice)) {
        P.Requests.push_back({&A, A.Address, nullptr, modifies(A, A.I), {0}});
        Known = true;
      }
      if (Known)
        cover(A, P.Before);
    }
  }

  /// Notes that a request at \p Point brings in what \p A accesses.
  void cover(const Access &A, const Instruction *Point) {
    Covered.insert(A.I);
    RequestedAt.insert({A.I, Point});
  }

  /// What must be repeated to have \p A 's address at \p At, with nothing in it
  /// that would have to be waited for.
  bool addressSlice(const Access &A, Instruction *At,
                    SetVector<Instruction *> &Slice) const {
    return addressSliceAt(
        A.Address, At,
        [&](const LoadInst *Load) {
          const Instruction *Point = RequestedAt.lookup(Load);
          return !Latency.isLongLatency(Load) ||
                 (Point && Point != At && DT.dominates(Point, At));
        },
        DT, Slice);
  }

  /// Requests the first line of a stream in front of its inner loop.
  void planStream(const Access &A) {
    auto *Recurrence = cast<SCEVAddRecExpr>(SE.getSCEV(A.Address));
    const SCEV *Start = Recurrence->getStart();
    const Loop *Inner = Recurrence->getLoop();
    while (auto *Outer = dyn_cast<SCEVAddRecExpr>(Start)) {
      if (Outer->getLoop() == Shape.L || !Shape.L->contains(Outer->getLoop()))
        break;
      Inner = Outer->getLoop();
      Start = Outer->getStart();
    }
    BasicBlock *Preheader = Inner->getLoopPreheader();
    if (!Preheader)
      return;
    Instruction *Before = Preheader->getTerminator();
    SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
    if (!Expander.isSafeToExpandAt(Start, Before))
      return;
    if (const char *Reason = forbidden(Before)) {
      Plan.Dropped.push_back({A.I, Reason});
      return;
    }
    SuspensionPoint &P = pointBefore(Before);
    for (Request &R : P.Requests)
      if (R.Start) {
        const SCEV *Difference = SE.getMinusSCEV(Start, R.Start);
        if (auto *Constant = dyn_cast<SCEVConstant>(Difference))
          if (Constant->getAPInt().abs().ult(LineBytes))
            return;
      }
    // The object may have been touched through another address already.
    for (SuspensionPoint &Other : Plan.Points)
      for (Request &R : Other.Requests)
        if (R.Address && DT.dominates(Other.Before, Before)) {
          const SCEV *Difference =
              SE.getMinusSCEV(Start, SE.getSCEV(R.Address));
          auto *Constant = dyn_cast<SCEVConstant>(Difference);
          if (!Constant)
            continue;
          int64_t Bytes = Constant->getAPInt().getSExtValue();
          for (int64_t Line : R.Lines)
            if (std::abs(Bytes - Line) < LineBytes) {
              dropIfEmpty(Before);
              return;
            }
        }
    if (P.Requests.size() < MostRequests)
      P.Requests.push_back(
          {&A, nullptr, Start, modifies(A, A.I), streamLines(A, *Inner)});
  }

  void dropIfEmpty(Instruction *Before) {
    llvm::erase_if(Plan.Points, [&](const SuspensionPoint &P) {
      return P.Before == Before && P.Requests.empty() && !P.AwaitsTurn;
    });
  }

  /// The lines that a short stream of known length touches.
  SmallVector<int64_t, 2> streamLines(const Access &A, const Loop &Inner) {
    SmallVector<int64_t, 2> Lines{0};
    auto *Recurrence = cast<SCEVAddRecExpr>(SE.getSCEV(A.Address));
    auto *Step = dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(SE));
    unsigned Count =
        SE.getSmallConstantMaxTripCount(const_cast<Loop *>(&Inner));
    if (!Step || !Count)
      return Lines;
    int64_t Bytes = Step->getAPInt().getSExtValue() * int64_t(Count);
    for (int64_t At = LineBytes;
         At < Bytes && Lines.size() < tunable::LinesPerObject; At += LineBytes)
      Lines.push_back(At);
    return Lines;
  }
};

} // namespace

MaybeRefusal heddle::planSuspensions(const LoopContext &C,
                                     const LoopShape &Shape, const Directive &D,
                                     const LatencyAnalysis &Latency,
                                     const VariableClasses &Classes,
                                     const TaskLocals &Locals,
                                     SuspensionPlan &Plan) {
  return Planner(C, Shape, D, Latency, Classes, Locals, Plan).run();
}
