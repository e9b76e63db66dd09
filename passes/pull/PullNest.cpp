//===- PullNest.cpp - Rows, their edges and combined values ---------------===//

#include "pull/PullNest.h"
#include "ir/Instructions.h"
#include "mark/Marks.h"
#include "mark/Outcomes.h"
#include "names/SourceNames.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

Value *PullNest::startOf(const Accumulator &A) const {
  assert(!A.Phi == static_cast<bool>(Kernel) && "a phi or a kernel combines");
  return Kernel ? Kernel->getArgOperand(KernelStart)
                : A.Phi->getIncomingValueForBlock(EdgesPreheader);
}

void PullNest::setStart(const Accumulator &A, Value *Start) {
  if (Kernel)
    Kernel->setArgOperand(KernelStart, Start);
  else
    A.Phi->setIncomingValueForBlock(EdgesPreheader, Start);
}

bool heddle::beginsAtVector(const PullNest &Nest, const SCEV *First,
                            const SCEV *Vector, uint64_t Bytes,
                            ScalarEvolution &SE) {
  assert(Nest.Vectors && "only edge vectors have lanes");
  Type *Ty = SE.getEffectiveSCEVType(First->getType());
  if (First->getType()->isPointerTy())
    First = SE.getPtrToIntExpr(First, Ty);
  if (isa<SCEVCouldNotCompute>(First))
    return false;
  const SCEV *Base = SE.getMinusSCEV(
      First, SE.getMulExpr(SE.getConstant(Ty, Nest.Vectors->Lanes * Bytes),
                           SE.getNoopOrZeroExtend(Vector, Ty)));
  return SE.isLoopInvariant(Base, Nest.Outer);
}

namespace {

class NestReader {
  Loop &Outer;
  ScalarEvolution &SE;
  const DominatorTree &DT;
  PullNest &Nest;

public:
  NestReader(const LoopContext &C, PullNest &Nest)
      : Outer(C.L), SE(C.SE), DT(C.DT), Nest(Nest) {}

  MaybeRefusal read() {
    if (MaybeRefusal Why = readShape())
      return Why;
    findBlocksBefore();
    if (MaybeRefusal Why = findEdgeVectors())
      return Why;
    if (MaybeRefusal Why = checkEffects())
      return Why;
    if (MaybeRefusal Why = readInnerVariables())
      return Why;
    if (MaybeRefusal Why = readOuterVariables())
      return Why;
    if (!readBounds())
      return refuse(Nest.Vectors ? RefusalKind::NotAllLanes
                                 : RefusalKind::NoRowBounds);
    assert(Nest.Before.contains(Nest.RowsHeader) &&
           Nest.Before.contains(Nest.EdgesPreheader) &&
           "each row begins in front of its edges");
    assert(Nest.Begin && Nest.End && Nest.EndAddress && "bounds were found");
    assert(Nest.Finish && Nest.Span && Nest.FinishStep && Nest.Unit &&
           "an end was found");
    return std::nullopt;
  }

private:
  /// Where \p L can be left but at its end, or null.
  static const Instruction *earlyExit(const Loop &L) {
    SmallVector<BasicBlock *> Exiting;
    L.getExitingBlocks(Exiting);
    auto Early = find_if(Exiting, [&](const BasicBlock *Block) {
      return Block != L.getLoopLatch();
    });
    return Early == Exiting.end() ? nullptr : (*Early)->getTerminator();
  }

  MaybeRefusal readShape() {
    Nest.Outer = &Outer;
    if (Outer.getSubLoops().size() != 1 ||
        !Outer.getSubLoops()[0]->isInnermost())
      return refuse(RefusalKind::NoEdgeLoop);
    Nest.Inner = Outer.getSubLoops()[0];
    assert(!Nest.Kernel && Nest.Accumulators.empty() && "read once");
    auto LeavesAtLatchOnly = [](const Loop &L) {
      return L.getLoopPreheader() && L.getLoopLatch() && L.getExitBlock() &&
             L.getExitingBlock() == L.getLoopLatch() &&
             isa<BranchInst>(L.getLoopLatch()->getTerminator());
    };
    if (!LeavesAtLatchOnly(Outer))
      return refuse(RefusalKind::RowsLeftEarly, earlyExit(Outer));
    if (!LeavesAtLatchOnly(*Nest.Inner))
      return refuse(RefusalKind::EdgesLeftEarly, earlyExit(*Nest.Inner));
    Nest.RowsPreheader = Outer.getLoopPreheader();
    Nest.RowsHeader = Outer.getHeader();
    Nest.RowsLatch = Outer.getLoopLatch();
    Nest.RowsExit = Outer.getExitBlock();
    Nest.EdgesPreheader = Nest.Inner->getLoopPreheader();
    Nest.EdgesHeader = Nest.Inner->getHeader();
    Nest.EdgesLatch = Nest.Inner->getLoopLatch();
    Nest.EdgesExit = Nest.Inner->getExitBlock();
    Nest.LastRow = SE.getBackedgeTakenCount(&Outer);
    if (isa<SCEVCouldNotCompute>(Nest.LastRow))
      return refuse(RefusalKind::UnknownRows);
    return std::nullopt;
  }

  /// Finds the blocks that can still reach the inner loop in the same
  /// iteration.
  void findBlocksBefore() {
    SmallVector<BasicBlock *> Work{Nest.Inner->getLoopPreheader()};
    while (!Work.empty()) {
      BasicBlock *Block = Work.pop_back_val();
      if (!Nest.Before.insert(Block) || Block == Outer.getHeader())
        continue;
      append_range(Work, predecessors(Block));
    }
  }

  /// The call of `heddle_edge_vectors` that \p I is, or null.
  static CallInst *edgeVectorsCall(Instruction &I) {
    return calleeName(I) == EdgeVectorsName ? dyn_cast<CallInst>(&I) : nullptr;
  }

  MaybeRefusal findEdgeVectors() {
    for (Instruction &I : instructionsIn(Nest.Before))
      if (CallInst *Call = edgeVectorsCall(I)) {
        auto *LaneBits = dyn_cast<ConstantInt>(Call->getArgOperand(1));
        auto *Lanes = dyn_cast<ConstantInt>(Call->getArgOperand(2));
        if (Nest.Vectors || !LaneBits || !Lanes)
          return refuse(RefusalKind::UnknownLayout, Call);
        Nest.Vectors = {Call, Call->getArgOperand(0),
                        unsigned(LaneBits->getZExtValue()),
                        unsigned(Lanes->getZExtValue())};
      }
    return std::nullopt;
  }

  static bool isHarmless(Instruction &I) {
    return !I.mayHaveSideEffects() || I.isDebugOrPseudoInst() ||
           I.isLifetimeStartOrEnd() || edgeVectorsCall(I);
  }

  MaybeRefusal checkEffects() {
    for (Instruction &I : instructionsIn(Nest.Inner->blocks()))
      if (!isHarmless(I) || I.isAtomic() || I.isVolatile())
        return refuse(RefusalKind::OtherEffects, &I);
    for (Instruction &I : instructionsIn(Nest.Before)) {
      // A store can be left to the first of several threads.
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!isHarmless(I) && !(Store && Store->isSimple()))
        return refuse(RefusalKind::EffectBefore, &I);
    }
    for (Instruction &I : instructionsIn(Outer.blocks()))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (!Call->doesNotThrow() || Call->isConvergent())
          return refuse(RefusalKind::MayThrowOrWait, {describeCallee(*Call)},
                        &I);
    return std::nullopt;
  }

  const SCEVAddRecExpr *stepsOf(PHINode &Phi, const Loop &L) {
    if (!SE.isSCEVable(Phi.getType()))
      return nullptr;
    auto *Value = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    return Value && Value->getLoop() == &L && Value->isAffine() ? Value
                                                                : nullptr;
  }

  MaybeRefusal readInnerVariables() {
    for (PHINode &Phi : Nest.Inner->getHeader()->phis()) {
      auto *Steps = stepsOf(Phi, *Nest.Inner);
      if (Steps && isa<SCEVConstant>(Steps->getStepRecurrence(SE))) {
        Nest.EdgeSteps.push_back({&Phi, Steps});
        continue;
      }
      Value *Latest = Phi.getIncomingValueForBlock(Nest.Inner->getLoopLatch());
      if (std::optional<Combine> How = recognizeCombine(Phi, *Nest.Inner))
        Nest.Accumulators.push_back(
            {Phi.getType(), &Phi, Latest, *How, std::nullopt});
      else if (auto First = recognizeFirstWriter(Phi, *Nest.Inner, DT))
        Nest.Accumulators.push_back({Phi.getType(), &Phi, Latest, {}, First});
      else
        return refuse(RefusalKind::DependsOnOrder, {describeVariable(&Phi)},
                      &Phi);
    }
    // Its test may decide about other variables too.
    for (const Accumulator &A : Nest.Accumulators)
      if (A.First && Nest.Accumulators.size() > 1)
        return refuse(RefusalKind::FirstAndOthers, {describeVariable(A.Phi)},
                      A.Phi);
    if (Nest.Accumulators.empty())
      return refuse(RefusalKind::NothingCombined);
    // Only combined values leave the inner loop.
    for (PHINode &Phi : Nest.EdgesExit->phis())
      for (Value *V : Phi.incoming_values()) {
        auto *I = dyn_cast<Instruction>(V);
        if (I && Nest.Inner->contains(I) &&
            none_of(Nest.Accumulators,
                    [&](const Accumulator &A) { return A.Latest == V; }))
          return refuse(RefusalKind::LastEdge, {describeVariable(I, "value")},
                        I);
      }
    return std::nullopt;
  }

  MaybeRefusal readOuterVariables() {
    BasicBlock *Latch = Outer.getLoopLatch();
    for (PHINode &Phi : Outer.getHeader()->phis()) {
      if (auto *Steps = stepsOf(Phi, Outer)) {
        Nest.RowSteps.push_back({&Phi, Steps});
        continue;
      }
      if (auto *Load = dyn_cast<LoadInst>(Phi.getIncomingValueForBlock(Latch)))
        if (auto *Address = rowAddress(*Load)) {
          Nest.CarriedLoads.push_back({&Phi, Load, Address});
          continue;
        }
      if (!recognizeCombine(Phi, Outer))
        return refuse(RefusalKind::CarriedVariable, {describeVariable(&Phi)},
                      &Phi);
      Nest.Reductions.push_back(&Phi);
    }
    for (Accumulator &A : Nest.Accumulators) {
      Value *Start = Nest.startOf(A);
      for (PHINode *Reduction : Nest.Reductions)
        if (Start == Reduction && !A.First)
          A.Total = Reduction;
      if (!A.Total && leadsToReduction(Start))
        return refuse(RefusalKind::ChangedBefore, {describeVariable(A.Phi)},
                      A.Phi);
    }
    for (PHINode &Phi : Outer.getExitBlock()->phis()) {
      Value *Last = Phi.getIncomingValueForBlock(Latch);
      if (!Outer.isLoopInvariant(Last) &&
          none_of(Nest.Reductions, [&](PHINode *Reduction) {
            return Reduction->getIncomingValueForBlock(Latch) == Last;
          }))
        return refuse(RefusalKind::LastRow, {describeVariable(Last, "value")},
                      cast<Instruction>(Last));
    }
    return std::nullopt;
  }

  bool leadsToReduction(Value *V) {
    return findOperand(V, Outer, [&](const Instruction &I) {
      if (is_contained(Nest.Reductions, &I))
        return OperandWalk::Found;
      const bool IsCarried =
          isa<PHINode>(I) && I.getParent() == Outer.getHeader();
      return IsCarried || isa<LoadInst>(I) ? OperandWalk::Pass
                                           : OperandWalk::GoOn;
    });
  }

  const SCEVAddRecExpr *rowAddress(LoadInst &Load) {
    if (!Load.isSimple() || Nest.Inner->contains(&Load))
      return nullptr;
    auto *Address =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Load.getPointerOperand()));
    return Address && Address->getLoop() == &Outer && Address->isAffine() &&
                   isa<SCEVConstant>(Address->getStepRecurrence(SE))
               ? Address
               : nullptr;
  }

  bool readBounds() {
    if (!readFinish())
      return false;
    for (Instruction &I : instructionsIn(Nest.Before))
      if (auto *Load = dyn_cast<LoadInst>(&I))
        if (auto *Address = rowAddress(*Load))
          if (isEnd(*Load, *Address))
            return true;
    return false;
  }

  /// Finds the values that the inner loop's end depends on.
  bool readFinish() {
    auto *Branch =
        cast<BranchInst>(Nest.Inner->getLoopLatch()->getTerminator());
    auto *Compare = dyn_cast<ICmpInst>(Branch->getCondition());
    if (!Compare)
      return false;
    for (unsigned Bound : {1, 0}) {
      Value *Limit = Compare->getOperand(Bound);
      Value *Counter = Compare->getOperand(1 - Bound);
      if (!Nest.Inner->isLoopInvariant(Limit) ||
          !SE.isSCEVable(Counter->getType()))
        continue;
      auto *Steps = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Counter));
      if (!Steps || Steps->getLoop() != Nest.Inner || !Steps->isAffine())
        continue;
      auto *Step = dyn_cast<SCEVConstant>(Steps->getStepRecurrence(SE));
      if (!Step || !Step->getAPInt().isStrictlyPositive() ||
          !goesOnBelow(*Compare, Bound, *Branch))
        continue;
      Nest.FinishStep = Step->getAPInt().getZExtValue();
      const SCEV *First = toInteger(Steps->getStart());
      const SCEV *Last = toInteger(SE.getSCEV(Limit));
      if (!First || !Last)
        continue;
      Nest.Span =
          SE.getAddExpr(SE.getMinusSCEV(Last, First),
                        SE.getConstant(Last->getType(), Nest.FinishStep));
      Nest.Finish = Compare;
      Nest.FinishBound = Bound;
      return true;
    }
    return false;
  }

  /// Whether the loop continues until the counter is no longer below (or other
  /// than) the bound.
  bool goesOnBelow(const ICmpInst &Compare, unsigned Bound,
                   const BranchInst &Branch) const {
    CmpPredicate Predicate = Compare.getPredicate();
    if (Bound == 0)
      Predicate = ICmpInst::getSwappedPredicate(Predicate);
    if (Branch.getSuccessor(0) != Nest.Inner->getHeader())
      Predicate = ICmpInst::getInversePredicate(Predicate);
    return Predicate == ICmpInst::ICMP_NE || Predicate == ICmpInst::ICMP_ULT ||
           Predicate == ICmpInst::ICMP_SLT;
  }

  const SCEV *toInteger(const SCEV *S) {
    if (S->getType()->isPointerTy())
      S = SE.getPtrToIntExpr(S, SE.getEffectiveSCEVType(S->getType()));
    return isa<SCEVCouldNotCompute>(S) ? nullptr : S;
  }

  /// Whether \p Load yields the position where the row's edges end.
  bool isEnd(LoadInst &Load, const SCEVAddRecExpr &Address) {
    Type *Ty = Load.getType();
    bool IsPointer = Ty->isPointerTy();
    if (!IsPointer && !Ty->isIntegerTy(32) && !Ty->isIntegerTy(64))
      return false;
    Value *Begin = nullptr;
    for (const CarriedLoad &Carried : Nest.CarriedLoads)
      if (Carried.Load == &Load)
        Begin = Carried.Phi;
    const SCEV *Before =
        SE.getMinusSCEV(&Address, Address.getStepRecurrence(SE));
    for (Instruction &I : instructionsIn(Nest.Before))
      if (auto *Other = dyn_cast<LoadInst>(&I);
          !Begin && Other && Other->getType() == Ty && rowAddress(*Other) &&
          SE.getSCEV(Other->getPointerOperand()) == Before)
        Begin = Other;
    if (!Begin)
      return false;
    const SCEV *From = toInteger(SE.getSCEV(Begin));
    const SCEV *To = toInteger(SE.getSCEV(&Load));
    if (!From || !To)
      return false;
    if (Nest.Vectors
            ? IsPointer ||
                  !beginsAtVector(Nest, SE.getSCEV(Nest.Vectors->FirstLane),
                                  From, Nest.Vectors->LaneBits / 8, SE) ||
                  !isLaneCount(From, To)
            : !isEdgeCount(From, To, IsPointer))
      return false;
    Nest.Begin = Begin;
    Nest.End = &Load;
    Nest.EndAddress = &Address;
    Nest.Unit = IsPointer ? Nest.FinishStep : 1;
    return true;
  }

  /// Whether the inner loop runs once for each lane of edge vectors \p From to
  /// \p To except the padding of the row: otherwise it may run over a part of
  /// the row.
  bool isLaneCount(const SCEV *From, const SCEV *To) {
    Type *Ty = Nest.Span->getType();
    if (SE.getTypeSizeInBits(From->getType()) > SE.getTypeSizeInBits(Ty))
      return false;
    const SCEV *Vectors = SE.getMinusSCEV(SE.getNoopOrZeroExtend(To, Ty),
                                          SE.getNoopOrZeroExtend(From, Ty));
    const SCEV *Step = SE.getConstant(Ty, Nest.FinishStep);
    const SCEV *All = SE.getMulExpr(
        SE.getMulExpr(Step, SE.getConstant(Ty, Nest.Vectors->Lanes)), Vectors);
    const SCEV *Padding =
        SE.getUDivExactExpr(SE.getMinusSCEV(All, Nest.Span), Step);
    if (SE.getMulExpr(Step, Padding) != SE.getMinusSCEV(All, Nest.Span))
      return false;
    while (auto *Cast = dyn_cast<SCEVIntegralCastExpr>(Padding))
      Padding = Cast->getOperand();
    auto *Number = dyn_cast<SCEVUnknown>(Padding);
    auto *Load = Number ? dyn_cast<LoadInst>(Number->getValue()) : nullptr;
    return Load && rowAddress(*Load);
  }

  /// Whether the inner loop runs once for each edge from \p From to \p To.
  bool isEdgeCount(const SCEV *From, const SCEV *To, bool IsPointer) {
    Type *Ty = Nest.Span->getType();
    auto Matches = [&](const SCEV *From, const SCEV *To) {
      const SCEV *Edges = SE.getMinusSCEV(To, From);
      if (!IsPointer)
        Edges = SE.getMulExpr(SE.getConstant(Ty, Nest.FinishStep), Edges);
      return Edges == Nest.Span;
    };
    if (From->getType() == Ty)
      return Matches(From, To);
    if (SE.getTypeSizeInBits(From->getType()) > SE.getTypeSizeInBits(Ty))
      return false;
    return Matches(SE.getZeroExtendExpr(From, Ty),
                   SE.getZeroExtendExpr(To, Ty)) ||
           Matches(SE.getSignExtendExpr(From, Ty),
                   SE.getSignExtendExpr(To, Ty));
  }
};

} // namespace

MaybeRefusal heddle::recognizeNest(const LoopContext &C, PullNest &Nest) {
  return NestReader(C, Nest).read();
}
