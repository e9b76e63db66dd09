//===- PullBody.cpp - The body of a loop over edges in MLIR ---------------===//
//
// Goes backwards from the accumulator's latch value to the messages and to the
// conditions under which they are combined. A message that is combined on one
// side of a branch only is yielded under the branch's condition.
//
//===----------------------------------------------------------------------===//

#include "vectorsparse/PullBody.h"
#include "ir/Instructions.h"
#include "vectorsparse/Combination.h"
#include "vectorsparse/MessageMapper.h"
#include "vectorsparse/ScalarOperations.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;
namespace arith = mlir::arith;

namespace {

/// The message that an edge adds to the accumulator.
struct Contribution {
  /// Null if the edge adds none.
  mlir::Value Message;
  /// Null if there always is a message.
  mlir::Value Condition;
};

class BodyMapper {
  using Combining = mlir::vector::CombiningKind;

  const PullLoop &Loop;
  PullBody Result{
      nullptr, {}, Combining::ADD, arith::FastMathFlags::none, false};
  /// Values in the loop that depend on the accumulator.
  MessageMapper::Chain Chain;
  MessageMapper Messages;
  mlir::ImplicitLocOpBuilder &B = Messages.B;
  DenseMap<const Value *, Contribution> Contributions;
  /// The flags that all combinations have.
  std::optional<arith::FastMathFlags> FastMath;

public:
  BodyMapper(mlir::MLIRContext &Context, const PullLoop &Loop)
      : Loop(Loop), Chain(findChain(Loop)), Messages(Context, Loop, Chain) {}

  Expected<PullBody> run() {
    if (!checkLoop() || !checkLane() || !mapLoop())
      return createStringError(Messages.Reason);
    Result.Block = std::move(Messages.Block);
    Result.Captures = std::move(Messages.Captures);
    return std::move(Result);
  }

private:
  bool refuse(RefusalKind Kind,
              std::initializer_list<std::string> Arguments = {}) {
    return Messages.refuse(Kind, Arguments);
  }

  static MessageMapper::Chain findChain(const PullLoop &Loop) {
    MessageMapper::Chain Chain;
    SmallVector<const Value *> Worklist{Loop.Accumulator};
    while (!Worklist.empty()) {
      const Value *V = Worklist.pop_back_val();
      if (Chain.insert(V).second)
        for (const User *U : V->users())
          if (Loop.Inner->contains(cast<Instruction>(U)))
            Worklist.push_back(U);
    }
    return Chain;
  }

  bool checkLoop() {
    BasicBlock *Latch = Loop.Inner->getLoopLatch();
    if (!Loop.Inner->getLoopPreheader() || !Latch ||
        Loop.Inner->getExitingBlock() != Latch)
      return refuse(RefusalKind::EndsEarly);
    if (!Loop.Inner->isInnermost())
      return refuse(RefusalKind::HasLoop);
    std::optional<Combining> Kind = combiningKind(Loop.Kind);
    if (!Kind)
      return refuse(RefusalKind::OrderedMessages);
    Result.Kind = *Kind;
    if (!isElement(scalarType(*B.getContext(), Loop.Accumulator->getType())))
      return refuse(RefusalKind::NoVectorType);
    const Value *End = Loop.Accumulator->getIncomingValueForBlock(Latch);
    for (Instruction &I : instructionsIn(Loop.Inner->blocks()))
      if (!checkEffects(I) ||
          (&I != End && &I != Loop.Accumulator && !checkUses(I)))
        return false;
    return true;
  }

  bool checkEffects(const Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple() || refuse(RefusalKind::AtomicLoad);
    if (isa<DbgInfoIntrinsic, AssumeInst>(I) || I.isLifetimeStartOrEnd())
      return true;
    if (isa<StoreInst>(I))
      return refuse(RefusalKind::Stores);
    if (isa<AtomicRMWInst, AtomicCmpXchgInst, FenceInst>(I))
      return refuse(RefusalKind::AtomicOperation);
    if (auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(I)) {
      if (auto *Callee =
              dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts()))
        return refuse(RefusalKind::Calls, {Callee->getName().str()});
      return refuse(RefusalKind::CallsPointer);
    }
    return !I.mayHaveSideEffects() ||
           refuse(RefusalKind::SideEffect, {nameOf(I)});
  }

  bool checkUses(const Instruction &I) {
    for (const User *U : I.users())
      if (!Loop.Inner->contains(cast<Instruction>(U)))
        return refuse(RefusalKind::UsedAfter);
    return true;
  }

  /// Checks that the lane is used for its neighbour only: no other bits may be
  /// used.
  bool checkLane() {
    if (!isEdgeVector(Loop.LaneBits, Loop.Lanes) ||
        !Loop.Lane->getType()->isIntegerTy(Loop.LaneBits))
      return refuse(RefusalKind::NoLayout);
    Function &F = *Loop.Lane->getFunction();
    AssumptionCache Assumptions(F);
    DominatorTree Dominators(F);
    DemandedBits Demanded(F, Assumptions, Dominators);
    if (Demanded.getDemandedBits(Loop.Lane).getActiveBits() >
        neighbourBits(Loop.LaneBits, Loop.Lanes))
      return refuse(RefusalKind::WholeLane);
    return true;
  }

  bool mapLoop() {
    std::optional<Contribution> All = contribution(
        Loop.Accumulator->getIncomingValueForBlock(Loop.Inner->getLoopLatch()));
    if (!All || !Messages.Reason.empty())
      return false;
    if (!All->Message)
      return refuse(RefusalKind::CombinesNothing);
    Result.FastMath = FastMath.value_or(arith::FastMathFlags::none);
    if (Result.IgnoresNaN) {
      Result.FastMath = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
      mlir::Value Number = arith::CmpFOp::create(B, arith::CmpFPredicate::ORD,
                                                 All->Message, All->Message);
      All->Condition = Messages.bothHold(All->Condition, Number);
    }
    YieldOp::create(B, All->Message, All->Condition);
    return true;
  }

  std::optional<Contribution> contribution(Value *V) {
    if (V == Loop.Accumulator)
      return Contribution();
    if (auto Found = Contributions.find(V); Found != Contributions.end())
      return Found->second;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Chain.contains(I)) {
      refuse(RefusalKind::ReplacesCombined);
      return std::nullopt;
    }
    std::optional<Contribution> C;
    auto HasBefore = [&](const Value *V) { return Chain.contains(V); };
    if (auto *Phi = dyn_cast<PHINode>(I))
      C = contributionOfPhi(*Phi);
    else if (auto Match = matchCombination(*I, Result.Kind, HasBefore))
      C = combined(contribution(Match->Before), message(*I, *Match));
    else if (auto *Select = dyn_cast<SelectInst>(I);
             Select && !Chain.contains(Select->getCondition()))
      C = either(Messages.map(Select->getCondition()),
                 contribution(Select->getTrueValue()),
                 contribution(Select->getFalseValue()));
    else
      refuse(RefusalKind::UsesCombined, {nameOf(*I)});
    if (C)
      Contributions[V] = *C;
    return C;
  }

  std::optional<Contribution> contributionOfPhi(PHINode &Phi) {
    if (Phi.getParent() == Loop.Inner->getHeader()) {
      refuse(RefusalKind::CombinesSeveral);
      return std::nullopt;
    }
    std::optional<Contribution> C;
    for (unsigned In = 0; In != Phi.getNumIncomingValues(); ++In) {
      auto Next = contribution(Phi.getIncomingValue(In));
      if (!Next)
        return std::nullopt;
      if (In) {
        auto Edge =
            Messages.conditionOf(Phi.getIncomingBlock(In), Phi.getParent());
        if (!Edge)
          return std::nullopt;
        Next = either(*Edge, Next, C);
      }
      C = Next;
    }
    return C;
  }

  /// \p True where \p Condition holds, elsewhere \p False.
  std::optional<Contribution> either(mlir::Value Condition,
                                     std::optional<Contribution> True,
                                     std::optional<Contribution> False) {
    if (!Condition || !True || !False)
      return std::nullopt;
    if (!True->Message && !False->Message)
      return Contribution();
    if (!False->Message)
      return Contribution{True->Message,
                          Messages.bothHold(Condition, True->Condition)};
    if (!True->Message)
      return Contribution{
          False->Message,
          Messages.bothHold(Messages.invert(Condition), False->Condition)};
    Contribution C{
        arith::SelectOp::create(B, Condition, True->Message, False->Message),
        {}};
    if (True->Condition || False->Condition)
      C.Condition =
          arith::SelectOp::create(B, Condition, orTrue(*True), orTrue(*False));
    return C;
  }

  mlir::Value orTrue(const Contribution &C) {
    return C.Condition ? C.Condition : Messages.constantBit(true);
  }

  /// \p Before, combined with \p Message.
  std::optional<Contribution> combined(std::optional<Contribution> Before,
                                       mlir::Value Message) {
    if (!Before || !Message)
      return std::nullopt;
    if (!Before->Message)
      return Contribution{Message, {}};
    mlir::Value First = Before->Message;
    if (Before->Condition)
      First = arith::SelectOp::create(
          B, Before->Condition, First,
          constant(identityOf(Result.Kind, First.getType())));
    return Contribution{mlir::vector::makeArithReduction(
                            B, B.getLoc(), Result.Kind, Message, First),
                        {}};
  }

  mlir::Value constant(mlir::TypedAttr Value) {
    return arith::ConstantOp::create(B, Value);
  }

  /// Returns the message that \p I combines in the way of \p How, or null if it
  /// cannot be mapped.
  mlir::Value message(Instruction &I, const Combination &How) {
    noteFastMath(I, How);
    mlir::Value Message = Messages.map(How.Message);
    if (!Message)
      return {};
    if (How.Factor) {
      mlir::Value Factor = Messages.map(How.Factor);
      if (!Factor)
        return {};
      return arith::MulFOp::create(
          B, Message, Factor, fastMathOf(I) | arith::FastMathFlags::contract);
    }
    if (!How.Negative)
      return Message;
    if (isa<FPMathOperator>(I))
      return arith::NegFOp::create(B, Message);
    return arith::SubIOp::create(B, constant(B.getZeroAttr(Message.getType())),
                                 Message);
  }

  /// Keeps only the flags that hold for partial results in any order.
  void noteFastMath(const Instruction &I, const Combination &How) {
    using arith::FastMathFlags;
    if (!isa<FPMathOperator>(I))
      return;
    FastMathFlags Flags = fastMathOf(I);
    if (How.Factor)
      Flags = Flags | FastMathFlags::contract;
    FastMathFlags Kept = FastMathFlags::nsz | FastMathFlags::contract;
    if (Result.Kind != Combining::ADD && Result.Kind != Combining::MUL)
      Kept = Kept | FastMathFlags::nnan;
    FastMath = FastMath.value_or(Kept) & Flags & Kept;
    Result.IgnoresNaN |= How.IgnoresNaN;
  }
};

} // namespace

Expected<PullBody> heddle::mapPullBody(mlir::MLIRContext &Context,
                                       const PullLoop &Loop) {
  return BodyMapper(Context, Loop).run();
}
