//===- MessageMapper.cpp - The messages of edges, in MLIR -----------------===//

#include "vectorsparse/MessageMapper.h"
#include "vectorsparse/ScalarOperations.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace heddle;
using namespace llvm::PatternMatch;
namespace arith = mlir::arith;

MessageMapper::MessageMapper(mlir::MLIRContext &Context, const PullLoop &Loop,
                             const Chain &Combined)
    : B(mlir::UnknownLoc::get(&Context), &Context), Loop(Loop),
      Combined(Combined), DL(Loop.Lane->getDataLayout()),
      Dominators(*Loop.Lane->getFunction()),
      PostDominators(*Loop.Lane->getFunction()) {
  B.setInsertionPointToStart(Block.get());
  if (addParameter(*Loop.Lane) && Loop.Weight)
    addParameter(*Loop.Weight);
}

bool MessageMapper::addParameter(LoadInst &Load) {
  mlir::Type Type = scalarType(*B.getContext(), Load.getType());
  if (!isElement(Type) || Type.isInteger(1))
    return refuse(RefusalKind::NoVectorWeights);
  Mapped[&Load] = Block->addArgument(Type, B.getLoc());
  return true;
}

bool MessageMapper::refuse(RefusalKind Kind,
                           std::initializer_list<std::string> Arguments) {
  if (Reason.empty())
    Reason = textOf(Kind, Arguments);
  return false;
}

mlir::Value MessageMapper::none(RefusalKind Kind,
                                std::initializer_list<std::string> Arguments) {
  refuse(Kind, Arguments);
  return {};
}

mlir::Value MessageMapper::constantBit(bool Bit) {
  return arith::ConstantOp::create(B, B.getBoolAttr(Bit));
}

/// Combines conditions by a select, so that no lane depends on \p Second unless
/// \p First holds. Null conditions always hold.
mlir::Value MessageMapper::bothHold(mlir::Value First, mlir::Value Second) {
  if (!First || First == Second)
    return Second;
  if (!Second)
    return First;
  return arith::SelectOp::create(B, First, Second, constantBit(false));
}

mlir::Value MessageMapper::invert(mlir::Value Condition) {
  mlir::Value &Inverse = Inverted[Condition];
  if (!Inverse)
    Inverse = arith::XOrIOp::create(B, Condition, constantBit(true));
  return Inverse;
}

/// When \p Block is carried out, in terms of the edge.
std::optional<mlir::Value> MessageMapper::conditionOf(const BasicBlock *Block) {
  if (Block == Loop.Inner->getHeader())
    return mlir::Value();
  if (auto Found = BlockConditions.find(Block); Found != BlockConditions.end())
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

std::optional<mlir::Value> MessageMapper::conditionOf(const BasicBlock *From,
                                                      const BasicBlock *To) {
  auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
  if (!Branch) {
    refuse(RefusalKind::OtherBranches);
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

mlir::Value MessageMapper::map(Value *V) {
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

mlir::Value MessageMapper::mapConstant(Constant &C) {
  mlir::Type Type = scalarType(*B.getContext(), C.getType());
  if (auto *Integer = dyn_cast<ConstantInt>(&C); Integer && Type)
    return arith::ConstantOp::create(
        B, B.getIntegerAttr(Type, Integer->getValue()));
  if (auto *Float = dyn_cast<ConstantFP>(&C); Float && Type)
    return arith::ConstantOp::create(
        B, B.getFloatAttr(Type, Float->getValueAPF()));
  return none(RefusalKind::NoVectorConstant);
}

mlir::Value MessageMapper::capture(Value *Invariant, int64_t Offset,
                                   mlir::Type Type) {
  if (!isa_and_nonnull<mlir::MemRefType>(Type) && !isElement(Type))
    return none(RefusalKind::NoVectorCapture);
  unsigned First = Loop.Weight ? 2 : 1;
  for (auto [Index, Known] : enumerate(Captures))
    if (Known.Invariant == Invariant && Known.Offset == Offset &&
        Known.Type == Type)
      return Block->getArgument(First + Index);
  Captures.push_back({Invariant, Offset, Type});
  return Block->addArgument(Type, B.getLoc());
}

mlir::Value MessageMapper::mapInstruction(Instruction &I) {
  if (Combined.contains(&I))
    return none(RefusalKind::MessageOfCombined);
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return mapPhi(*Phi);
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return mapLoad(*Load);
  if (any_of(I.operand_values(), [](Value *Operand) {
        return Operand->getType()->isPointerTy() && !isa<Function>(Operand);
      }))
    return none(RefusalKind::PointerOperation, {nameOf(I)});
  SmallVector<mlir::Value, 3> Operands;
  for (Value *Operand : I.operand_values()) {
    if (isa<Function>(Operand))
      continue;
    Operands.push_back(map(Operand));
    if (!Operands.back())
      return {};
  }
  if (isNeighbour(I))
    return Operands[0];
  if (I.isIntDivRem() && !makeDivisible(I, Operands[1]))
    return {};
  mlir::Value Result = mapOperation(B, I, Operands);
  return Result ? Result : none(RefusalKind::NoVectorOperation, {nameOf(I)});
}

/// True for `lane & mask`: the neighbour has no other bits.
bool MessageMapper::isNeighbour(const Instruction &I) const {
  auto *Mask = I.getOpcode() == Instruction::And
                   ? dyn_cast<ConstantInt>(I.getOperand(1))
                   : nullptr;
  return Mask && I.getOperand(0) == Loop.Lane &&
         Mask->getValue().countr_one() >=
             neighbourBits(Loop.LaneBits, Loop.Lanes);
}

/// Edges that do not come to \p Division divide by one.
bool MessageMapper::makeDivisible(const Instruction &Division,
                                  mlir::Value &Divisor) {
  if (isa<Constant>(Division.getOperand(1)))
    return true;
  std::optional<mlir::Value> Condition = conditionOf(Division.getParent());
  if (Condition && *Condition)
    Divisor = arith::SelectOp::create(
        B, *Condition, Divisor,
        arith::ConstantOp::create(B, B.getOneAttr(Divisor.getType())));
  return Condition.has_value();
}

mlir::Value MessageMapper::mapPhi(PHINode &Phi) {
  if (Phi.getParent() == Loop.Inner->getHeader())
    return none(RefusalKind::MessageOfOthers);
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

/// A step may be a number that has been shifted to count bytes.
void MessageMapper::addStep(Steps &Steps, Value *Variable, APInt Distance) {
  Value *Number;
  uint64_t Amount;
  while (Variable->getType()->isIntegerTy(64) &&
         match(Variable, m_Shl(m_Value(Number), m_ConstantInt(Amount)))) {
    Variable = Number;
    Distance <<= Amount;
  }
  auto [Place, IsNew] = Steps.try_emplace(Variable, Distance);
  if (!IsNew)
    Place->second += Distance;
}

mlir::Value MessageMapper::mapLoad(LoadInst &Load) {
  mlir::Type Element = scalarType(*B.getContext(), Load.getType());
  if (Load.getType()->isPointerTy())
    return none(RefusalKind::FollowsPointers);
  if (!isElement(Element) || Element.isInteger(1))
    return none(RefusalKind::LoadsNoVectorType);
  int64_t Bytes = Element.getIntOrFloatBitWidth() / 8;
  if (Load.getAlign().value() < uint64_t(Bytes))
    return none(RefusalKind::Unaligned);

  Value *Pointer = Load.getPointerOperand();
  MessageMapper::Steps Steps;
  APInt Offset(64, 0);
  while (auto *Step = dyn_cast<GetElementPtrInst>(Pointer)) {
    if (!Loop.Inner->contains(Step))
      break;
    MessageMapper::Steps More;
    if (!Step->collectOffset(DL, 64, More, Offset))
      return none(RefusalKind::NoVectorAddress);
    for (auto &[Variable, Distance] : More)
      addStep(Steps, Variable, Distance);
    Pointer = Step->getPointerOperand();
  }
  if (!Loop.Inner->isLoopInvariant(Pointer) ||
      Pointer->getType()->getPointerAddressSpace() != 0)
    return none(isa<LoadInst>(Pointer) ? RefusalKind::FollowsPointers
                                       : RefusalKind::SeveralArrays);
  mlir::Value Base =
      capture(Pointer, Offset.getSExtValue(),
              mlir::MemRefType::get({mlir::ShapedType::kDynamic}, Element));
  mlir::Value Index = mapIndex(Steps, Bytes);
  std::optional<mlir::Value> Condition = conditionOf(Load.getParent());
  if (!Base || !Index || !Condition)
    return {};
  return GatherOp::create(B, Element, Base, Index, *Condition);
}

/// Returns the sum of \p Steps, which are values and distances, in elements of
/// \p Bytes bytes. Computes it in 32 bits if that is enough: twice as many fit
/// into a vector.
mlir::Value MessageMapper::mapIndex(const Steps &Steps, int64_t Bytes) {
  assert(Bytes > 0 && isPowerOf2_64(Bytes) && "the size of a vector's element");
  // Computes with unsigned numbers: those that may be negative are too large.
  APInt Largest(128, 0);
  bool Narrow = Loop.LaneBits == 32;
  for (auto &[Step, Distance] : Steps) {
    APInt Most = computeKnownBits(Step, DL).getMaxValue().zext(128);
    Narrow &= Most.getActiveBits() < 32;
    Largest += Most * Distance.zext(128);
  }
  Narrow &= Largest.udiv(Bytes).getActiveBits() < 32;
  mlir::Type Type = Narrow ? B.getI32Type() : B.getI64Type();
  mlir::Value Index;
  for (auto &[Step, Distance] : Steps) {
    // A variable that counts bytes may be divisible itself.
    unsigned InDistance = std::min(Distance.countr_zero(), Log2_64(Bytes));
    unsigned InStep = Log2_64(Bytes) - InDistance;
    if (computeKnownBits(Step, DL).countMinTrailingZeros() < InStep)
      return none(RefusalKind::OddDistance);
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
    auto Constant = [&](int64_t Number) {
      return arith::ConstantOp::create(B, B.getIntegerAttr(Type, Number));
    };
    if (InStep)
      Term = arith::ShRSIOp::create(B, Term, Constant(InStep));
    int64_t Elements = Distance.ashr(InDistance).getSExtValue();
    if (Elements != 1)
      Term = arith::MulIOp::create(B, Term, Constant(Elements));
    Index = Index ? arith::AddIOp::create(B, Index, Term).getResult() : Term;
  }
  if (!Index)
    Index = arith::ConstantOp::create(B, B.getI64IntegerAttr(0));
  return Index;
}
