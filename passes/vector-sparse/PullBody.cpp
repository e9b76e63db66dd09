//===- PullBody.cpp - The body of a loop over edges in MLIR ---------------===//
//
// The message slice is mapped on demand, from the accumulator's latch value
// backwards: first what is combined, then what that depends on. Control flow
// becomes conditions: a message that is combined on one side of a branch is
// yielded under the branch's condition, and what is loaded there is gathered
// under it.
//
// Flags by which wrong values become poison are not carried over, but for those
// of floating point arithmetic: lanes without an edge have any values.
//
//===----------------------------------------------------------------------===//

#include "vector-sparse/PullBody.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/DemandedBits.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;
namespace arith = mlir::arith;
namespace math = mlir::math;

mlir::Type heddle::scalarType(mlir::MLIRContext &Context, Type *T) {
  if (T->isFloatTy())
    return mlir::Float32Type::get(&Context);
  if (T->isDoubleTy())
    return mlir::Float64Type::get(&Context);
  if (T->isIntegerTy() && T->getIntegerBitWidth() <= 64)
    return mlir::IntegerType::get(&Context, T->getIntegerBitWidth());
  return {};
}

static arith::FastMathFlags fastMathOf(const Value &V) {
  auto *Op = dyn_cast<FPMathOperator>(&V);
  arith::FastMathFlags Flags = arith::FastMathFlags::none;
  if (!Op)
    return Flags;
  if (Op->hasNoNaNs())
    Flags = Flags | arith::FastMathFlags::nnan;
  if (Op->hasNoInfs())
    Flags = Flags | arith::FastMathFlags::ninf;
  if (Op->hasNoSignedZeros())
    Flags = Flags | arith::FastMathFlags::nsz;
  if (Op->hasAllowReciprocal())
    Flags = Flags | arith::FastMathFlags::arcp;
  if (Op->hasAllowContract())
    Flags = Flags | arith::FastMathFlags::contract;
  if (Op->hasApproxFunc())
    Flags = Flags | arith::FastMathFlags::afn;
  if (Op->hasAllowReassoc())
    Flags = Flags | arith::FastMathFlags::reassoc;
  return Flags;
}

static std::optional<mlir::vector::CombiningKind> combiningKind(RecurKind K) {
  using Combining = mlir::vector::CombiningKind;
  switch (K) {
  case RecurKind::Add:
  case RecurKind::Sub:
  case RecurKind::AddChainWithSubs:
  case RecurKind::FAdd:
  case RecurKind::FMulAdd:
    return Combining::ADD;
  case RecurKind::Mul:
  case RecurKind::FMul:
    return Combining::MUL;
  case RecurKind::Or:
    return Combining::OR;
  case RecurKind::And:
    return Combining::AND;
  case RecurKind::Xor:
    return Combining::XOR;
  case RecurKind::SMin:
    return Combining::MINSI;
  case RecurKind::SMax:
    return Combining::MAXSI;
  case RecurKind::UMin:
    return Combining::MINUI;
  case RecurKind::UMax:
    return Combining::MAXUI;
  case RecurKind::FMin:
  case RecurKind::FMinNum:
  case RecurKind::FMinimumNum:
    return Combining::MINNUMF;
  case RecurKind::FMax:
  case RecurKind::FMaxNum:
  case RecurKind::FMaximumNum:
    return Combining::MAXNUMF;
  case RecurKind::FMinimum:
    return Combining::MINIMUMF;
  case RecurKind::FMaximum:
    return Combining::MAXIMUMF;
  default:
    return std::nullopt;
  }
}

namespace {

/// What an edge adds to the accumulator.
struct Contribution {
  /// Null if there is none.
  mlir::Value Message;
  /// Null if there always is a message.
  mlir::Value Condition;
};

class BodyMapper {
  using Combining = mlir::vector::CombiningKind;

  const PullLoop &Loop;
  const DataLayout &DL;
  DominatorTree Dominators;
  PostDominatorTree PostDominators;
  mlir::ImplicitLocOpBuilder B;
  PullBody Result;
  /// Values in the loop that depend on the accumulator.
  SmallPtrSet<const Value *, 8> Chain;
  DenseMap<const Value *, mlir::Value> Mapped;
  DenseMap<const Value *, Contribution> Contributions;
  DenseMap<const BasicBlock *, mlir::Value> BlockConditions;
  DenseMap<mlir::Value, mlir::Value> Inverted;
  std::string Reason;

public:
  BodyMapper(mlir::MLIRContext &Context, const PullLoop &Loop)
      : Loop(Loop), DL(Loop.Lane->getDataLayout()),
        Dominators(*Loop.Lane->getFunction()),
        PostDominators(*Loop.Lane->getFunction()),
        B(mlir::UnknownLoc::get(&Context), &Context) {}

  Expected<PullBody> run() {
    if (checkLoop() && checkLane() && mapLoop())
      return std::move(Result);
    return createStringError(Reason);
  }

private:
  // The first reason is the one that is told.
  bool refuse(const Twine &Why) {
    if (Reason.empty())
      Reason = Why.str();
    return false;
  }
  mlir::Value none(const Twine &Why) {
    refuse(Why);
    return {};
  }

  bool checkLoop() {
    BasicBlock *Latch = Loop.Inner->getLoopLatch();
    if (!Loop.Inner->getLoopPreheader() || !Latch ||
        Loop.Inner->getExitingBlock() != Latch)
      return refuse("can end before it has visited all edges");
    if (!Loop.Inner->isInnermost())
      return refuse("has a loop inside");
    std::optional<Combining> Kind = combiningKind(Loop.Kind);
    if (!Kind)
      return refuse("combines messages in a way that depends on their order");
    Result.Kind = *Kind;
    Result.FastMath = arith::FastMathFlags::none;
    Result.IgnoresNaN = false;
    findChain();
    const Value *End = Loop.Accumulator->getIncomingValueForBlock(Latch);
    for (BasicBlock *Block : Loop.Inner->blocks())
      for (Instruction &I : *Block)
        if (!checkEffects(I) ||
            (&I != End && &I != Loop.Accumulator && !checkUses(I)))
          return false;
    return true;
  }

  void findChain() {
    SmallVector<const Value *> Worklist{Loop.Accumulator};
    while (!Worklist.empty()) {
      const Value *V = Worklist.pop_back_val();
      if (Chain.insert(V).second)
        for (const User *U : V->users())
          if (Loop.Inner->contains(cast<Instruction>(U)))
            Worklist.push_back(U);
    }
  }

  bool checkEffects(const Instruction &I) {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return Load->isSimple() || refuse("has a volatile or atomic load");
    if (isa<DbgInfoIntrinsic, AssumeInst>(I) || I.isLifetimeStartOrEnd())
      return true;
    if (isa<StoreInst>(I))
      return refuse("stores to memory");
    if (isa<AtomicRMWInst, AtomicCmpXchgInst, FenceInst>(I))
      return refuse("has an atomic operation");
    if (auto *Call = dyn_cast<CallBase>(&I); Call && !isa<IntrinsicInst>(I)) {
      if (auto *Callee =
              dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts()))
        return refuse("calls " + Callee->getName() + "()");
      return refuse("calls a function through a pointer");
    }
    return !I.mayHaveSideEffects() ||
           refuse(Twine("has a side effect (") + nameOf(I) + ")");
  }

  bool checkUses(const Instruction &I) {
    for (const User *U : I.users())
      if (!Loop.Inner->contains(cast<Instruction>(U)))
        return refuse("computes more than one value that is used after it");
    return true;
  }

  /// What a user may know \p I by.
  static std::string nameOf(const Instruction &I) {
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I))
      return Intrinsic::getBaseName(Intrinsic->getIntrinsicID()).str();
    return I.getOpcodeName();
  }

  /// The neighbour stands in for the lane: nothing else of it may be used.
  bool checkLane() {
    if (!isEdgeVector(Loop.LaneBits, Loop.Lanes) ||
        !Loop.Lane->getType()->isIntegerTy(Loop.LaneBits))
      return refuse("reads lanes of a size that no layout has");
    AssumptionCache Assumptions(*Loop.Lane->getFunction());
    DemandedBits Demanded(*Loop.Lane->getFunction(), Assumptions, Dominators);
    if (Demanded.getDemandedBits(Loop.Lane).getActiveBits() >
        neighbourBits(Loop.LaneBits, Loop.Lanes))
      return refuse("uses more of a lane than the neighbour");
    return true;
  }

  bool mapLoop() {
    mlir::MLIRContext &Context = *B.getContext();
    Result.Block = std::make_unique<mlir::Block>();
    B.setInsertionPointToStart(Result.Block.get());
    mlir::Type Element = scalarType(Context, Loop.Accumulator->getType());
    if (!isElement(Element))
      return refuse("combines values of a type that has no vectors");
    Mapped[Loop.Lane] =
        Result.Block->addArgument(B.getIntegerType(Loop.LaneBits), B.getLoc());
    if (Loop.Weight) {
      mlir::Type Type = scalarType(Context, Loop.Weight->getType());
      if (!isElement(Type) || Type.isInteger(1))
        return refuse("has weights of a type that has no vectors");
      Mapped[Loop.Weight] = Result.Block->addArgument(Type, B.getLoc());
    }
    std::optional<Contribution> All = contribution(
        Loop.Accumulator->getIncomingValueForBlock(Loop.Inner->getLoopLatch()));
    if (!All)
      return false;
    if (!All->Message)
      return refuse("combines nothing");
    if (Result.IgnoresNaN) {
      mlir::Value Number = arith::CmpFOp::create(B, arith::CmpFPredicate::ORD,
                                                 All->Message, All->Message);
      All->Condition = bothHold(All->Condition, Number);
    }
    YieldOp::create(B, All->Message, All->Condition);
    return true;
  }

  static bool isElement(mlir::Type Type) {
    return Type && (isa<mlir::FloatType>(Type) || Type.isInteger(1) ||
                    Type.isInteger(8) || Type.isInteger(16) ||
                    Type.isInteger(32) || Type.isInteger(64));
  }

  //===--- Conditions -----------------------------------------------------===//

  mlir::Value constantBit(bool Bit) {
    return arith::ConstantOp::create(B, B.getBoolAttr(Bit));
  }

  /// By a select, so that nothing hangs on \p Second where \p First does not
  /// hold. Conditions that are null always hold.
  mlir::Value bothHold(mlir::Value First, mlir::Value Second) {
    if (!First || First == Second)
      return Second;
    if (!Second)
      return First;
    return arith::SelectOp::create(B, First, Second, constantBit(false));
  }

  mlir::Value invert(mlir::Value Condition) {
    mlir::Value &Inverse = Inverted[Condition];
    if (!Inverse)
      Inverse = arith::XOrIOp::create(B, Condition, constantBit(true));
    return Inverse;
  }

  /// When \p Block is carried out, in terms of the edge.
  std::optional<mlir::Value> conditionOf(const BasicBlock *Block) {
    if (Block == Loop.Inner->getHeader())
      return mlir::Value();
    if (auto Found = BlockConditions.find(Block);
        Found != BlockConditions.end())
      return Found->second;
    const BasicBlock *Head = Dominators.getNode(Block)->getIDom()->getBlock();
    std::optional<mlir::Value> Condition;
    if (PostDominators.dominates(Block, Head)) {
      Condition = conditionOf(Head);
    } else {
      for (const BasicBlock *Before : predecessors(Block)) {
        std::optional<mlir::Value> Edge = conditionOf(Before, Block);
        if (!Edge)
          return std::nullopt;
        if (!Condition)
          Condition = Edge;
        else if (!*Condition || !*Edge)
          Condition = mlir::Value();
        else
          Condition = arith::OrIOp::create(B, *Condition, *Edge).getResult();
      }
    }
    if (Condition)
      BlockConditions[Block] = *Condition;
    return Condition;
  }

  std::optional<mlir::Value> conditionOf(const BasicBlock *From,
                                         const BasicBlock *To) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    if (!Branch) {
      refuse("branches other than by conditions");
      return std::nullopt;
    }
    std::optional<mlir::Value> Before = conditionOf(From);
    if (!Before || Branch->isUnconditional() ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return Before;
    mlir::Value Taken = map(Branch->getCondition());
    if (!Taken)
      return std::nullopt;
    return bothHold(*Before,
                    Branch->getSuccessor(0) == To ? Taken : invert(Taken));
  }

  //===--- The accumulator ------------------------------------------------===//

  std::optional<Contribution> contribution(Value *V) {
    if (V == Loop.Accumulator)
      return Contribution();
    if (auto Found = Contributions.find(V); Found != Contributions.end())
      return Found->second;
    std::optional<Contribution> C;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !Chain.contains(I))
      refuse("replaces what it has combined so far");
    else if (auto *Phi = dyn_cast<PHINode>(I))
      C = contributionOfPhi(*Phi);
    else if (auto Pair = combination(*I))
      C = combined(contribution(Pair->first), Pair->second);
    else if (auto *Select = dyn_cast<SelectInst>(I);
             Select && !Chain.contains(Select->getCondition()))
      C = either(map(Select->getCondition()),
                 contribution(Select->getTrueValue()),
                 contribution(Select->getFalseValue()));
    else
      refuse(Twine("uses what it has combined so far (") + nameOf(*I) + ")");
    if (C)
      Contributions[V] = *C;
    return C;
  }

  std::optional<Contribution> contributionOfPhi(PHINode &Phi) {
    if (Phi.getParent() == Loop.Inner->getHeader()) {
      refuse("combines more than one value");
      return std::nullopt;
    }
    std::optional<Contribution> C;
    for (unsigned In = 0; In != Phi.getNumIncomingValues(); ++In) {
      auto Next = contribution(Phi.getIncomingValue(In));
      if (!Next)
        return std::nullopt;
      if (In) {
        auto Edge = conditionOf(Phi.getIncomingBlock(In), Phi.getParent());
        if (!Edge)
          return std::nullopt;
        Next = either(*Edge, Next, C);
      }
      C = Next;
    }
    return C;
  }

  /// \p True if \p Condition holds, otherwise \p False.
  std::optional<Contribution> either(mlir::Value Condition,
                                     std::optional<Contribution> True,
                                     std::optional<Contribution> False) {
    if (!Condition || !True || !False)
      return std::nullopt;
    if (!True->Message && !False->Message)
      return Contribution();
    if (!False->Message)
      return Contribution{True->Message, bothHold(Condition, True->Condition)};
    if (!True->Message)
      return Contribution{False->Message,
                          bothHold(invert(Condition), False->Condition)};
    Contribution C{
        arith::SelectOp::create(B, Condition, True->Message, False->Message),
        {}};
    if (True->Condition || False->Condition)
      C.Condition =
          arith::SelectOp::create(B, Condition, orTrue(*True), orTrue(*False));
    return C;
  }

  mlir::Value orTrue(const Contribution &C) {
    return C.Condition ? C.Condition : constantBit(true);
  }

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
          arith::ConstantOp::create(B,
                                    identityOf(Result.Kind, First.getType())));
    return Contribution{mlir::vector::makeArithReduction(
                            B, B.getLoc(), Result.Kind, Message, First),
                        {}};
  }

  /// If \p I combines what there was before with a message: both. A message is
  /// null if it could not be mapped.
  std::optional<std::pair<Value *, mlir::Value>> combination(Instruction &I) {
    if (auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && (Call->getIntrinsicID() == Intrinsic::fmuladd ||
                 Call->getIntrinsicID() == Intrinsic::fma)) {
      if (Result.Kind != Combining::ADD ||
          !Chain.contains(Call->getArgOperand(2)))
        return std::nullopt;
      noteFastMath(I, arith::FastMathFlags::contract);
      mlir::Value First = map(Call->getArgOperand(0));
      mlir::Value Second = map(Call->getArgOperand(1));
      mlir::Value Product;
      if (First && Second)
        Product = arith::MulFOp::create(
            B, First, Second, fastMathOf(I) | arith::FastMathFlags::contract);
      return std::pair(Call->getArgOperand(2), Product);
    }
    Value *First, *Second;
    if (!isCombination(I, First, Second))
      return std::nullopt;
    bool Negative =
        I.getOpcode() == Instruction::Sub || I.getOpcode() == Instruction::FSub;
    if (!Negative && !Chain.contains(First))
      std::swap(First, Second);
    if (!Chain.contains(First) || Chain.contains(Second))
      return std::nullopt;
    noteFastMath(I, arith::FastMathFlags::none);
    mlir::Value Message = map(Second);
    if (Message && Negative)
      Message =
          I.getOpcode() == Instruction::FSub
              ? arith::NegFOp::create(B, Message).getResult()
              : arith::SubIOp::create(B,
                                      arith::ConstantOp::create(
                                          B, B.getZeroAttr(Message.getType())),
                                      Message)
                    .getResult();
    return std::pair(First, Message);
  }

  /// Nothing that partial sums in another order could make undefined is kept.
  void noteFastMath(const Instruction &I, arith::FastMathFlags More) {
    arith::FastMathFlags Kept =
        arith::FastMathFlags::nsz | arith::FastMathFlags::contract;
    if (Result.Kind != Combining::ADD && Result.Kind != Combining::MUL)
      Kept = Kept | arith::FastMathFlags::nnan;
    arith::FastMathFlags Flags = (fastMathOf(I) | More) & Kept;
    if (Result.IgnoresNaN)
      Flags = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
    Result.FastMath = Flags;
  }

  /// True if \p I combines two values in the way of the loop.
  bool isCombination(Instruction &I, Value *&First, Value *&Second) {
    if (auto *Select = dyn_cast<SelectInst>(&I))
      return isLogical(*Select, First, Second) ||
             isExtremum(*Select, First, Second);
    if (I.getNumOperands() < 2)
      return false;
    First = I.getOperand(0);
    Second = I.getOperand(1);
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      return extremum(Call->getIntrinsicID()) == Result.Kind;
    switch (I.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::FAdd:
    case Instruction::FSub:
      return Result.Kind == Combining::ADD;
    case Instruction::Mul:
    case Instruction::FMul:
      return Result.Kind == Combining::MUL;
    case Instruction::And:
      return Result.Kind == Combining::AND;
    case Instruction::Or:
      return Result.Kind == Combining::OR;
    case Instruction::Xor:
      return Result.Kind == Combining::XOR;
    default:
      return false;
    }
  }

  static std::optional<Combining> extremum(Intrinsic::ID ID) {
    switch (ID) {
    case Intrinsic::smin:
      return Combining::MINSI;
    case Intrinsic::smax:
      return Combining::MAXSI;
    case Intrinsic::umin:
      return Combining::MINUI;
    case Intrinsic::umax:
      return Combining::MAXUI;
    case Intrinsic::minnum:
    case Intrinsic::minimumnum:
      return Combining::MINNUMF;
    case Intrinsic::maxnum:
    case Intrinsic::maximumnum:
      return Combining::MAXNUMF;
    case Intrinsic::minimum:
      return Combining::MINIMUMF;
    case Intrinsic::maximum:
      return Combining::MAXIMUMF;
    default:
      return std::nullopt;
    }
  }

  /// `first || second` and `first && second`.
  bool isLogical(SelectInst &Select, Value *&First, Value *&Second) {
    auto IsBit = [](Value *V, bool Bit) {
      auto *Constant = dyn_cast<ConstantInt>(V);
      return Constant && Constant->getType()->isIntegerTy(1) &&
             Constant->isOne() == Bit;
    };
    First = Select.getCondition();
    if (Result.Kind == Combining::OR && IsBit(Select.getTrueValue(), true)) {
      Second = Select.getFalseValue();
      return true;
    }
    Second = Select.getTrueValue();
    return Result.Kind == Combining::AND &&
           IsBit(Select.getFalseValue(), false);
  }

  /// `first < second ? first : second` and the like.
  bool isExtremum(SelectInst &Select, Value *&First, Value *&Second) {
    auto *Compare = dyn_cast<CmpInst>(Select.getCondition());
    if (!Compare)
      return false;
    First = Select.getTrueValue();
    Second = Select.getFalseValue();
    CmpInst::Predicate Predicate = Compare->getPredicate();
    if (Compare->getOperand(0) == Second && Compare->getOperand(1) == First)
      Predicate = CmpInst::getSwappedPredicate(Predicate);
    else if (Compare->getOperand(0) != First ||
             Compare->getOperand(1) != Second)
      return false;
    std::optional<Combining> Kind;
    switch (Predicate) {
    case CmpInst::ICMP_SLT:
    case CmpInst::ICMP_SLE:
      Kind = Combining::MINSI;
      break;
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_ULE:
      Kind = Combining::MINUI;
      break;
    case CmpInst::ICMP_SGT:
    case CmpInst::ICMP_SGE:
      Kind = Combining::MAXSI;
      break;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_UGE:
      Kind = Combining::MAXUI;
      break;
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_OLE:
    case CmpInst::FCMP_ULT:
    case CmpInst::FCMP_ULE:
      Kind = Combining::MINNUMF;
      break;
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_OGE:
    case CmpInst::FCMP_UGT:
    case CmpInst::FCMP_UGE:
      Kind = Combining::MAXNUMF;
      break;
    default:
      return false;
    }
    if (Kind != Result.Kind)
      return false;
    if (isa<ICmpInst>(Compare) || Compare->hasNoNaNs())
      return true;
    // Which one is it if one is no number?
    Value *Unordered = CmpInst::isUnordered(Predicate) ? First : Second;
    if (!Chain.contains(Unordered))
      return false;
    Result.IgnoresNaN = true;
    return true;
  }

  //===--- Messages -------------------------------------------------------===//

  mlir::Value map(Value *V) {
    if (auto Found = Mapped.find(V); Found != Mapped.end())
      return Found->second;
    mlir::Value Vector;
    if (auto *C = dyn_cast<Constant>(V); C && !isa<GlobalValue>(C))
      Vector = mapConstant(*C);
    else if (auto *I = dyn_cast<Instruction>(V); I && Loop.Inner->contains(I))
      Vector = mapInstruction(*I);
    else
      Vector = capture(V, 0, scalarType(*B.getContext(), V->getType()));
    if (Vector)
      Mapped[V] = Vector;
    return Vector;
  }

  mlir::Value mapConstant(Constant &C) {
    mlir::Type Type = scalarType(*B.getContext(), C.getType());
    if (auto *Integer = dyn_cast<ConstantInt>(&C); Integer && Type)
      return arith::ConstantOp::create(
          B, B.getIntegerAttr(Type, Integer->getValue()));
    if (auto *Float = dyn_cast<ConstantFP>(&C); Float && Type)
      return arith::ConstantOp::create(
          B, B.getFloatAttr(Type, Float->getValueAPF()));
    return none("uses a constant that has no vectors");
  }

  mlir::Value capture(Value *Invariant, int64_t Offset, mlir::Type Type) {
    if (!isa_and_nonnull<mlir::MemRefType>(Type) && !isElement(Type))
      return none("uses a value from outside that has no vectors");
    unsigned First = Loop.Weight ? 2 : 1;
    for (auto [Index, Known] : enumerate(Result.Captures))
      if (Known.Invariant == Invariant && Known.Offset == Offset &&
          Known.Type == Type)
        return Result.Block->getArgument(First + Index);
    Result.Captures.push_back({Invariant, Offset, Type});
    return Result.Block->addArgument(Type, B.getLoc());
  }

  mlir::Value mapInstruction(Instruction &I) {
    if (Chain.contains(&I))
      return none("has messages that depend on what it has combined so far");
    if (auto *Phi = dyn_cast<PHINode>(&I))
      return mapPhi(*Phi);
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return mapLoad(*Load);
    if (auto *Cast = dyn_cast<CastInst>(&I))
      return mapCast(*Cast);
    if (auto *Compare = dyn_cast<CmpInst>(&I))
      return mapCompare(*Compare);
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      return mapIntrinsic(*Call);
    if (isa<SelectInst, BinaryOperator, UnaryOperator>(I)) {
      SmallVector<mlir::Value, 3> Operands;
      for (Value *Operand : I.operand_values()) {
        Operands.push_back(map(Operand));
        if (!Operands.back())
          return {};
      }
      return mapOperator(I, Operands);
    }
    return none(Twine("has an operation without vectors (") + nameOf(I) + ")");
  }

  mlir::Value mapPhi(PHINode &Phi) {
    if (Phi.getParent() == Loop.Inner->getHeader())
      return none("has messages that depend on other edges or on the position "
                  "of the edge");
    mlir::Value Selected = map(Phi.getIncomingValue(0));
    for (unsigned In = 1; Selected && In != Phi.getNumIncomingValues(); ++In) {
      auto Edge = conditionOf(Phi.getIncomingBlock(In), Phi.getParent());
      mlir::Value Next = Edge ? map(Phi.getIncomingValue(In)) : mlir::Value();
      if (!Next)
        return {};
      Selected =
          *Edge ? arith::SelectOp::create(B, *Edge, Next, Selected).getResult()
                : Next;
    }
    return Selected;
  }

  mlir::Value mapOperator(Instruction &I, ArrayRef<mlir::Value> Operands) {
    mlir::Value X = Operands[0];
    mlir::Value Y = Operands.size() > 1 ? Operands[1] : mlir::Value();
    arith::FastMathFlags Flags = fastMathOf(I);
    switch (I.getOpcode()) {
    case Instruction::Select:
      return arith::SelectOp::create(B, X, Y, Operands[2]);
    case Instruction::Add:
      return arith::AddIOp::create(B, X, Y);
    case Instruction::Sub:
      return arith::SubIOp::create(B, X, Y);
    case Instruction::Mul:
      return arith::MulIOp::create(B, X, Y);
    case Instruction::And:
      // The neighbour has no other bits.
      if (auto *Mask = dyn_cast<ConstantInt>(I.getOperand(1));
          Mask && I.getOperand(0) == Loop.Lane &&
          Mask->getValue().countr_one() >=
              neighbourBits(Loop.LaneBits, Loop.Lanes))
        return X;
      return arith::AndIOp::create(B, X, Y);
    case Instruction::Or:
      return arith::OrIOp::create(B, X, Y);
    case Instruction::Xor:
      return arith::XOrIOp::create(B, X, Y);
    case Instruction::Shl:
      return arith::ShLIOp::create(B, X, Y);
    case Instruction::LShr:
      return arith::ShRUIOp::create(B, X, Y);
    case Instruction::AShr:
      return arith::ShRSIOp::create(B, X, Y);
    case Instruction::UDiv:
      return divide<arith::DivUIOp>(I, X, Y);
    case Instruction::SDiv:
      return divide<arith::DivSIOp>(I, X, Y);
    case Instruction::URem:
      return divide<arith::RemUIOp>(I, X, Y);
    case Instruction::SRem:
      return divide<arith::RemSIOp>(I, X, Y);
    case Instruction::FAdd:
      return arith::AddFOp::create(B, X, Y, Flags);
    case Instruction::FSub:
      return arith::SubFOp::create(B, X, Y, Flags);
    case Instruction::FMul:
      return arith::MulFOp::create(B, X, Y, Flags);
    case Instruction::FDiv:
      return arith::DivFOp::create(B, X, Y, Flags);
    case Instruction::FNeg:
      return arith::NegFOp::create(B, X, Flags);
    default:
      return none(Twine("has an operation without vectors (") + nameOf(I) +
                  ")");
    }
  }

  /// Divides by one for edges that do not come to the division.
  template <typename Division>
  mlir::Value divide(Instruction &I, mlir::Value X, mlir::Value Y) {
    if (!isa<Constant>(I.getOperand(1))) {
      std::optional<mlir::Value> Condition = conditionOf(I.getParent());
      if (!Condition)
        return {};
      if (*Condition)
        Y = arith::SelectOp::create(
            B, *Condition, Y,
            arith::ConstantOp::create(B, B.getOneAttr(Y.getType())));
    }
    return Division::create(B, X, Y);
  }

  mlir::Value mapCast(CastInst &Cast) {
    mlir::Type To = scalarType(*B.getContext(), Cast.getDestTy());
    if (!To)
      return none("converts to a type that has no vectors");
    mlir::Value X = map(Cast.getOperand(0));
    if (!X)
      return {};
    switch (Cast.getOpcode()) {
    case Instruction::ZExt:
      return arith::ExtUIOp::create(B, To, X);
    case Instruction::SExt:
      return arith::ExtSIOp::create(B, To, X);
    case Instruction::Trunc:
      return arith::TruncIOp::create(B, To, X);
    case Instruction::FPExt:
      return arith::ExtFOp::create(B, To, X);
    case Instruction::FPTrunc:
      return arith::TruncFOp::create(B, To, X);
    case Instruction::SIToFP:
      return arith::SIToFPOp::create(B, To, X);
    case Instruction::UIToFP:
      return arith::UIToFPOp::create(B, To, X);
    case Instruction::FPToSI:
      return arith::FPToSIOp::create(B, To, X);
    case Instruction::FPToUI:
      return arith::FPToUIOp::create(B, To, X);
    case Instruction::BitCast:
      return arith::BitcastOp::create(B, To, X);
    default:
      return none(Twine("has an operation without vectors (") + nameOf(Cast) +
                  ")");
    }
  }

  mlir::Value mapCompare(CmpInst &Compare) {
    if (Compare.getOperand(0)->getType()->isPointerTy())
      return none("compares pointers");
    mlir::Value X = map(Compare.getOperand(0));
    mlir::Value Y = X ? map(Compare.getOperand(1)) : mlir::Value();
    if (!Y)
      return {};
    if (isa<ICmpInst>(Compare))
      return arith::CmpIOp::create(B, integerPredicate(Compare.getPredicate()),
                                   X, Y);
    return arith::CmpFOp::create(B, floatPredicate(Compare.getPredicate()), X,
                                 Y, fastMathOf(Compare));
  }

  static arith::CmpIPredicate integerPredicate(CmpInst::Predicate Predicate) {
    switch (Predicate) {
    case CmpInst::ICMP_EQ:
      return arith::CmpIPredicate::eq;
    case CmpInst::ICMP_NE:
      return arith::CmpIPredicate::ne;
    case CmpInst::ICMP_SLT:
      return arith::CmpIPredicate::slt;
    case CmpInst::ICMP_SLE:
      return arith::CmpIPredicate::sle;
    case CmpInst::ICMP_SGT:
      return arith::CmpIPredicate::sgt;
    case CmpInst::ICMP_SGE:
      return arith::CmpIPredicate::sge;
    case CmpInst::ICMP_ULT:
      return arith::CmpIPredicate::ult;
    case CmpInst::ICMP_ULE:
      return arith::CmpIPredicate::ule;
    case CmpInst::ICMP_UGT:
      return arith::CmpIPredicate::ugt;
    case CmpInst::ICMP_UGE:
      return arith::CmpIPredicate::uge;
    default:
      llvm_unreachable("not a comparison of integers");
    }
  }

  /// Both number them alike, from false over those that need numbers to true.
  static arith::CmpFPredicate floatPredicate(CmpInst::Predicate Predicate) {
    using P = arith::CmpFPredicate;
    static constexpr P Predicates[] = {
        P::AlwaysFalse, P::OEQ, P::OGT, P::OGE,       P::OLT, P::OLE,
        P::ONE,         P::ORD, P::UNO, P::UEQ,       P::UGT, P::UGE,
        P::ULT,         P::ULE, P::UNE, P::AlwaysTrue};
    return Predicates[Predicate - CmpInst::FIRST_FCMP_PREDICATE];
  }

  mlir::Value mapIntrinsic(IntrinsicInst &Call) {
    SmallVector<mlir::Value, 3> X;
    for (Value *Argument : Call.args()) {
      X.push_back(map(Argument));
      if (!X.back())
        return {};
    }
    arith::FastMathFlags Flags = fastMathOf(Call);
    auto Unary = [&]<typename Op>() -> mlir::Value {
      return Op::create(B, X[0], Flags);
    };
    switch (Call.getIntrinsicID()) {
    case Intrinsic::abs:
      return math::AbsIOp::create(B, X[0]);
    case Intrinsic::smin:
      return arith::MinSIOp::create(B, X[0], X[1]);
    case Intrinsic::smax:
      return arith::MaxSIOp::create(B, X[0], X[1]);
    case Intrinsic::umin:
      return arith::MinUIOp::create(B, X[0], X[1]);
    case Intrinsic::umax:
      return arith::MaxUIOp::create(B, X[0], X[1]);
    case Intrinsic::minnum:
      return arith::MinNumFOp::create(B, X[0], X[1], Flags);
    case Intrinsic::maxnum:
      return arith::MaxNumFOp::create(B, X[0], X[1], Flags);
    case Intrinsic::minimum:
      return arith::MinimumFOp::create(B, X[0], X[1], Flags);
    case Intrinsic::maximum:
      return arith::MaximumFOp::create(B, X[0], X[1], Flags);
    case Intrinsic::ctpop:
      return math::CtPopOp::create(B, X[0]);
    case Intrinsic::fma:
      return math::FmaOp::create(B, X[0], X[1], X[2], Flags);
    case Intrinsic::fmuladd:
      Flags = Flags | arith::FastMathFlags::contract;
      return arith::AddFOp::create(
          B, arith::MulFOp::create(B, X[0], X[1], Flags), X[2], Flags);
    case Intrinsic::copysign:
      return math::CopySignOp::create(B, X[0], X[1], Flags);
    case Intrinsic::fabs:
      return Unary.operator()<math::AbsFOp>();
    case Intrinsic::sqrt:
      return Unary.operator()<math::SqrtOp>();
    case Intrinsic::floor:
      return Unary.operator()<math::FloorOp>();
    case Intrinsic::ceil:
      return Unary.operator()<math::CeilOp>();
    case Intrinsic::trunc:
      return Unary.operator()<math::TruncOp>();
    default:
      return none(Twine("has an operation without vectors (") + nameOf(Call) +
                  ")");
    }
  }

  //===--- Loads ----------------------------------------------------------===//

  mlir::Value mapLoad(LoadInst &Load) {
    mlir::Type Element = scalarType(*B.getContext(), Load.getType());
    if (Load.getType()->isPointerTy())
      return none("follows pointers from memory");
    if (!isElement(Element) || Element.isInteger(1))
      return none("loads values of a type that has no vectors");
    int64_t Bytes = Element.getIntOrFloatBitWidth() / 8;
    if (Load.getAlign().value() < uint64_t(Bytes))
      return none("loads values that are not aligned");

    Value *Pointer = Load.getPointerOperand();
    SmallMapVector<Value *, APInt, 4> Steps;
    APInt Offset(64, 0);
    while (auto *Step = dyn_cast<GetElementPtrInst>(Pointer)) {
      if (!Loop.Inner->contains(Step))
        break;
      if (!Step->collectOffset(DL, 64, Steps, Offset))
        return none("loads from addresses that have no vectors");
      Pointer = Step->getPointerOperand();
    }
    if (!Loop.Inner->isLoopInvariant(Pointer) ||
        Pointer->getType()->getPointerAddressSpace() != 0)
      return none("loads from more than one array by one load");
    for (auto &[Step, Distance] : Steps)
      if (Distance.srem(Bytes) != 0)
        return none("loads values whose distance is not a multiple of their "
                    "size");
    mlir::Value Base =
        capture(Pointer, Offset.getSExtValue(),
                mlir::MemRefType::get({mlir::ShapedType::kDynamic}, Element));
    mlir::Value Index = mapIndex(Steps, Bytes);
    std::optional<mlir::Value> Condition = conditionOf(Load.getParent());
    if (!Base || !Index || !Condition)
      return {};
    return GatherOp::create(B, Element, Base, Index, *Condition);
  }

  /// The sum of \p Steps, which are values and distances, in elements of
  /// \p Bytes bytes. In 32 bits where that is enough: twice as many fit into a
  /// vector.
  mlir::Value mapIndex(const SmallMapVector<Value *, APInt, 4> &Steps,
                       int64_t Bytes) {
    APInt Largest(128, 0);
    for (auto &[Step, Distance] : Steps) {
      APInt Most = computeKnownBits(Step, DL).getMaxValue().zext(128);
      // Signed numbers may be negative, and so may distances.
      Largest += Most * Distance.zext(128);
    }
    bool Narrow =
        Loop.LaneBits == 32 && Largest.udiv(Bytes).getActiveBits() < 32;
    mlir::Type Type = Narrow ? B.getI32Type() : B.getI64Type();
    mlir::Value Index;
    for (auto &[Step, Distance] : Steps) {
      Value *Wide = Step;
      if (Narrow && isa<ZExtInst, SExtInst>(Step) &&
          cast<Instruction>(Step)->getOperand(0)->getType()->isIntegerTy(32))
        Wide = cast<Instruction>(Step)->getOperand(0);
      mlir::Value Term = map(Wide);
      if (!Term)
        return {};
      unsigned Bits = Term.getType().getIntOrFloatBitWidth();
      if (Bits > Type.getIntOrFloatBitWidth())
        Term = arith::TruncIOp::create(B, Type, Term);
      else if (Bits < Type.getIntOrFloatBitWidth())
        Term = arith::ExtSIOp::create(B, Type, Term);
      int64_t Elements = Distance.getSExtValue() / Bytes;
      if (Elements != 1)
        Term = arith::MulIOp::create(
            B, Term,
            arith::ConstantOp::create(B, B.getIntegerAttr(Type, Elements)));
      Index = Index ? arith::AddIOp::create(B, Index, Term).getResult() : Term;
    }
    if (!Index)
      Index = arith::ConstantOp::create(B, B.getI64IntegerAttr(0));
    return Index;
  }
};

} // namespace

Expected<PullBody> heddle::mapPullBody(mlir::MLIRContext &Context,
                                       const PullLoop &Loop) {
  return BodyMapper(Context, Loop).run();
}
