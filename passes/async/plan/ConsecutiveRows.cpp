//===- ConsecutiveRows.cpp - Rows that follow each other ------------------===//

#include "async/plan/ConsecutiveRows.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/ObjectAddress.h"
#include "async/plan/RunAhead.h"
#include "async/plan/SuspensionPlan.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "loop/Tunables.h"
#include "mark/Marks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace heddle;

/// What \p S is, perhaps extended; null if it is computed.
static Value *extended(const SCEV *S, bool &IsSigned) {
  if (isa<SCEVZeroExtendExpr, SCEVSignExtendExpr>(S)) {
    IsSigned = isa<SCEVSignExtendExpr>(S);
    S = cast<SCEVIntegralCastExpr>(S)->getOperand();
  }
  auto *Unknown = dyn_cast<SCEVUnknown>(S);
  return Unknown ? Unknown->getValue() : nullptr;
}

namespace {

class RowFinder {
  const LoopContext &C;
  const LoopFacts &Facts;
  const Loop &L;
  ScalarEvolution &SE;
  Loop &Inner;
  ConsecutiveRows Found;
  /// Reads the begin of the row, or is the end of the one before.
  Instruction *Begin = nullptr;

public:
  RowFinder(const LoopContext &C, const LoopFacts &Facts, Loop &Inner)
      : C(C), Facts(Facts), L(C.L), SE(C.SE), Inner(Inner),
        Found{&Inner, nullptr, nullptr, false, nullptr, {}} {}

  std::optional<ConsecutiveRows> find() {
    if (Facts.Shape.isLeftEarly() || !Facts.Shape.BackedgeCount ||
        isSanitized(*L.getHeader()->getParent()) || !isOnlyInnerLoop() ||
        !alwaysGoesOn(Inner) || !all_of(instructionsIn(L.blocks()), isPlain) ||
        !findRow() || !areConsecutive() || !isReachedByLength() ||
        !findRequests())
      return std::nullopt;
    return std::move(Found);
  }

private:
  bool isOnlyInnerLoop() const {
    return Inner.getParentLoop() == &L && Inner.isInnermost() &&
           L.getSubLoops().size() == 1 && Inner.getLoopPreheader() &&
           Inner.getLoopLatch() && Inner.getExitingBlock();
  }

  /// True if \p I changes no more than the element that it stores, and waits
  /// for no other thread.
  static bool isPlain(const Instruction &I) {
    if (auto *Call = dyn_cast<CallBase>(&I))
      return hasCodeBeside(I) || I.isLifetimeStartOrEnd() ||
             isa<AssumeInst, NoAliasScopeDeclInst>(I) ||
             (!Call->mayWriteToMemory() && Call->willReturn() &&
              Call->doesNotThrow());
    return !isa<FenceInst>(I) && !I.isVolatile() && !acquires(I) &&
           !releases(I) && !accessesFar(I);
  }

  /// Finds the index that goes from the row's begin to its end.
  bool findRow() {
    const SCEV *Backedges = SE.getBackedgeTakenCount(&Inner);
    if (isa<SCEVCouldNotCompute>(Backedges))
      return false;
    for (PHINode &Phi : Inner.getHeader()->phis())
      if (Phi.getType()->isIntegerTy(64) &&
          Backedges->getType() == Phi.getType() && isIndex(Phi, *Backedges))
        return true;
    return false;
  }

  bool isIndex(PHINode &Phi, const SCEV &Backedges) {
    auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (!Recurrence || Recurrence->getLoop() != &Inner ||
        !Recurrence->isAffine() || !Recurrence->getStepRecurrence(SE)->isOne())
      return false;
    const SCEV *Behind = SE.getAddExpr(
        SE.getAddExpr(Recurrence->getStart(), SE.getOne(Phi.getType())),
        &Backedges);
    bool BeginIsSigned = false;
    Begin = dyn_cast_or_null<Instruction>(
        extended(Recurrence->getStart(), BeginIsSigned));
    Found.End = dyn_cast_or_null<LoadInst>(extended(Behind, Found.IsSigned));
    Found.Index = &Phi;
    if (!Begin || !Found.End)
      return false;
    return isEndBefore(*Begin, BeginIsSigned) ||
           (isa<LoadInst>(Begin) && BeginIsSigned == Found.IsSigned &&
            Begin->getType() == Found.End->getType());
  }

  /// True if \p I is the end of the row of the iteration before, which the
  /// compiler has kept.
  bool isEndBefore(const Instruction &I, bool IsSigned) const {
    auto *Phi = dyn_cast<PHINode>(&I);
    if (!Phi || Phi->getParent() != L.getHeader())
      return false;
    const Value *Kept = Phi->getIncomingValueForBlock(L.getLoopLatch());
    if (auto *Cast = dyn_cast<CastInst>(Kept);
        Cast && isa<ZExtInst, SExtInst>(Cast)) {
      IsSigned = isa<SExtInst>(Cast);
      Kept = Cast->getOperand(0);
    }
    return Kept == Found.End && IsSigned == Found.IsSigned;
  }

  bool isInEachIteration(const Instruction &I) const {
    return L.contains(&I) && !Inner.contains(&I) &&
           C.DT.dominates(I.getParent(), L.getLoopLatch());
  }

  /// True if a row ends where the next iteration's begins, and no iteration
  /// writes to a place of its own among these.
  bool areConsecutive() {
    auto *To =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Found.End->getPointerOperand()));
    if (SE.getTypeSizeInBits(Facts.Shape.BackedgeCount->getType()) > 64 ||
        !Found.End->isSimple() || !isInEachIteration(*Found.End) || !To ||
        To->getLoop() != &L || !To->isAffine())
      return false;
    if (auto *Load = dyn_cast<LoadInst>(Begin);
        Load && (!Load->isSimple() || !isInEachIteration(*Load) ||
                 SE.getMinusSCEV(To, SE.getSCEV(Load->getPointerOperand())) !=
                     To->getStepRecurrence(SE)))
      return false;
    for (Instruction &I : instructionsIn(L.blocks()))
      if (Value *Address = accessedAddress(I);
          Address && I.mayWriteToMemory() &&
          isa<SCEVConstant>(SE.getMinusSCEV(SE.getSCEV(Address), To)))
        return false;
    Found.LastEnd = To->evaluateAtIteration(
        SE.getTruncateOrZeroExtend(Facts.Shape.BackedgeCount,
                                   SE.getEffectiveSCEVType(To->getType())),
        SE);
    SCEVExpander Expander(SE, "heddle", /*PreserveLCSSA=*/false);
    return Expander.isSafeToExpandAt(Found.LastEnd,
                                     Facts.Shape.Preheader->getTerminator());
  }

  static const Value *withoutCast(const Value *V) {
    while (auto *Cast = dyn_cast<CastInst>(V))
      V = Cast->getOperand(0);
    return V;
  }

  /// True if \p Condition compares the begin and the end of the row.
  bool comparesBounds(const Value *Condition) const {
    auto *Test = dyn_cast<ICmpInst>(Condition);
    if (!Test)
      return false;
    const Value *One = withoutCast(Test->getOperand(0));
    const Value *Other = withoutCast(Test->getOperand(1));
    return (One == Begin && Other == Found.End) ||
           (One == Found.End && Other == Begin);
  }

  /// True if an iteration goes through its row unless that is empty.
  bool isReachedByLength() const {
    const BasicBlock *Block = Inner.getLoopPreheader();
    while (!C.DT.dominates(Block, L.getLoopLatch())) {
      const BasicBlock *From = Block->getSinglePredecessor();
      auto *Branch =
          From ? dyn_cast<BranchInst>(From->getTerminator()) : nullptr;
      if (!Branch || !L.contains(From))
        return false;
      if (Branch->isConditional() && !comparesBounds(Branch->getCondition()))
        return false;
      Block = From;
    }
    return true;
  }

  /// Adds requests for all that waits; false if something else does.
  bool findRequests() {
    for (const Access &A : Facts.Latency.accesses())
      if (A.isLongLatency() && !isa<StoreInst>(A.I) && !request(A))
        return false;
    return !Found.Requests.empty();
  }

  bool request(const Access &A) {
    SetVector<Instruction *> Slice;
    unsigned Level = 0;
    if (!Inner.contains(A.I) || A.Remote ||
        !addressSliceInLoop(A.Address, Inner, Facts.Latency, C, Slice, Level) ||
        Level || !canRunAhead(Slice, LoopContext(Inner, C)) ||
        !followsFromIndex(A.Address, Slice) || followsPointers(Slice))
      return false;
    // The rows lie one after the other.
    if (A.Kind == AddressKind::StreamStart)
      return true;
    for (Request &R : Found.Requests)
      if (cover(R, ObjectAddress(A.Address), A.I, C)) {
        R.ForWrite |= A.Writes;
        return true;
      }
    if (Found.Requests.size() >= tunable::CoalescedRequests)
      return false;
    Found.Requests.push_back(
        {&A, A.Address, nullptr, A.Writes, {0}, Slice.takeVector()});
    return true;
  }

  /// True if what \p Slice reads may keep it from completing: it may be read
  /// anew when it is the row's turn.
  static bool followsPointers(const SetVector<Instruction *> &Slice) {
    SmallPtrSet<const Value *, 16> FromMemory;
    for (const Instruction *I : Slice) {
      const bool Depends = any_of(I->operand_values(), [&](const Value *V) {
        return FromMemory.contains(V);
      });
      if (Depends && !isSafeToSpeculativelyExecute(I))
        return true;
      if (Depends || I->mayReadFromMemory())
        FromMemory.insert(I);
    }
    return false;
  }

  /// True if \p Slice computes \p Address from the index and from what is the
  /// same in all iterations.
  bool followsFromIndex(const Value *Address,
                        const SetVector<Instruction *> &Slice) const {
    auto IsKnown = [&](const Value *V) {
      auto *I = dyn_cast<Instruction>(V);
      return V == Found.Index || L.isLoopInvariant(V) ||
             (I && Slice.contains(const_cast<Instruction *>(I)));
    };
    return IsKnown(Address) && all_of(Slice, [&](const Instruction *I) {
             return all_of(I->operand_values(), IsKnown);
           });
  }
};

} // namespace

std::optional<ConsecutiveRows>
heddle::findConsecutiveRows(const LoopContext &C, const LoopFacts &Facts,
                            Loop &Inner) {
  assert(&Inner != &C.L && C.L.contains(&Inner) && "not an inner loop");
  return RowFinder(C, Facts, Inner).find();
}
