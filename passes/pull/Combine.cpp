//===- Combine.cpp - Combination of the values of a row's edges -----------===//

#include "pull/Combine.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace heddle;

namespace {

/// Follows the values that a variable takes, from the end of an iteration back
/// to its start.
class ChainReader {
  const PHINode &Phi;
  const Loop &L;
  /// The values of the variable, and the comparisons that are part of a
  /// minimum or maximum.
  SmallPtrSet<const Value *, 8> Chain, Comparisons;
  RecurKind Kind = RecurKind::None;
  FastMathFlags Flags = FastMathFlags::getFast();
  SmallVector<Instruction *, 2> Updates;
  bool HasFloat = false, IsTruth = false;
  ConstantInt *Set = nullptr;

public:
  ChainReader(const PHINode &Phi, const Loop &L) : Phi(Phi), L(L) {}

  std::optional<Combine> read() {
    Chain.insert(&Phi);
    if (!follow(Phi.getIncomingValueForBlock(L.getLoopLatch())) ||
        Kind == RecurKind::None || !usedByChainOnly())
      return std::nullopt;
    if (IsTruth && Kind != RecurKind::Or && Kind != RecurKind::And)
      return std::nullopt;
    return Combine{Kind, HasFloat ? Flags : FastMathFlags(), Updates, IsTruth,
                   Set};
  }

private:
  bool takes(RecurKind Next, Instruction &I) {
    if (Kind != RecurKind::None && Kind != Next)
      return false;
    Kind = Next;
    Updates.push_back(&I);
    if (auto *Float = dyn_cast<FPMathOperator>(&I)) {
      HasFloat = true;
      Flags &= Float->getFastMathFlags();
    }
    return true;
  }

  /// Follows the one of the two operands that is the variable.
  bool followOneOf(Value *A, Value *B) {
    auto IsVariable = [&](Value *V) {
      auto *I = dyn_cast<Instruction>(V);
      return I && L.contains(I) && leadsToPhi(I);
    };
    bool First = IsVariable(A), Second = IsVariable(B);
    return First != Second && follow(First ? A : B);
  }

  /// Whether \p I depends on the variable. The chain is short, and its other
  /// operands end at loads.
  bool leadsToPhi(const Instruction *I) const {
    SmallPtrSet<const Instruction *, 16> Seen;
    SmallVector<const Instruction *, 16> Work{I};
    while (!Work.empty()) {
      const Instruction *Next = Work.pop_back_val();
      if (Next == &Phi)
        return true;
      if (!Seen.insert(Next).second)
        continue;
      // Another loop's or iteration's values are not this iteration's.
      if (isa<PHINode>(Next) && Next->getParent() == L.getHeader())
        continue;
      for (const Value *Operand : Next->operands())
        if (auto *Instr = dyn_cast<Instruction>(Operand))
          if (L.contains(Instr))
            Work.push_back(Instr);
    }
    return false;
  }

  bool follow(Value *V) {
    if (V == &Phi)
      return true;
    if (auto *Constant = dyn_cast<ConstantInt>(V))
      return takesConstant(*Constant);
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !L.contains(I))
      return false;
    if (!Chain.insert(I).second)
      return true;
    if (isTruthInOtherType(*I))
      return follow(I->getOperand(0));
    if (auto *Merge = dyn_cast<PHINode>(I))
      return followMerge(*Merge);
    if (auto *Intrinsic = dyn_cast<IntrinsicInst>(I))
      return followIntrinsic(*Intrinsic);
    if (auto *Select = dyn_cast<SelectInst>(I))
      return followSelect(*Select);
    return followOperator(*I);
  }

  /// `if (changes) changed = true;`
  bool takesConstant(ConstantInt &Constant) {
    if (Kind == RecurKind::None)
      Set = &Constant;
    if (Set != &Constant)
      return false;
    Kind = RecurKind::AnyOf;
    return true;
  }

  /// Memory holds truth values as bytes.
  bool isTruthInOtherType(const Instruction &I) {
    bool IsTruthHere =
        (isa<ZExtInst>(I) && I.getOperand(0)->getType()->isIntegerTy(1)) ||
        (isa<TruncInst>(I) && I.getType()->isIntegerTy(1) &&
         cast<TruncInst>(I).hasNoUnsignedWrap());
    IsTruth |= IsTruthHere;
    return IsTruthHere;
  }

  /// A condition decides which update is made.
  bool followMerge(PHINode &Merge) {
    return all_of(Merge.incoming_values(), [&](Value *V) { return follow(V); });
  }

  bool followOperator(Instruction &I) {
    switch (I.getOpcode()) {
    case Instruction::Add:
      return takes(RecurKind::Add, I) &&
             followOneOf(I.getOperand(0), I.getOperand(1));
    case Instruction::Sub:
      // A subtraction adds the operand with its sign changed.
      return takes(RecurKind::Add, I) && follow(I.getOperand(0)) &&
             !computesFromPhi(I.getOperand(1));
    case Instruction::Mul:
      return takes(RecurKind::Mul, I) &&
             followOneOf(I.getOperand(0), I.getOperand(1));
    case Instruction::Or:
      return takes(RecurKind::Or, I) &&
             followOneOf(I.getOperand(0), I.getOperand(1));
    case Instruction::And:
      return takes(RecurKind::And, I) &&
             followOneOf(I.getOperand(0), I.getOperand(1));
    case Instruction::Xor:
      return takes(RecurKind::Xor, I) &&
             followOneOf(I.getOperand(0), I.getOperand(1));
    case Instruction::FAdd:
      return takes(RecurKind::FAdd, I) &&
             followOneOf(I.getOperand(0), I.getOperand(1));
    case Instruction::FSub:
      return takes(RecurKind::FAdd, I) && follow(I.getOperand(0)) &&
             !computesFromPhi(I.getOperand(1));
    case Instruction::FMul:
      return takes(RecurKind::FMul, I) &&
             followOneOf(I.getOperand(0), I.getOperand(1));
    default:
      return false;
    }
  }

  bool computesFromPhi(Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I) && leadsToPhi(I);
  }

  bool followIntrinsic(IntrinsicInst &I) {
    Value *A = I.arg_size() > 0 ? I.getArgOperand(0) : nullptr;
    Value *B = I.arg_size() > 1 ? I.getArgOperand(1) : nullptr;
    switch (I.getIntrinsicID()) {
    case Intrinsic::fmuladd:
    case Intrinsic::fma:
      return takes(RecurKind::FAdd, I) && !computesFromPhi(A) &&
             !computesFromPhi(B) && follow(I.getArgOperand(2));
    case Intrinsic::smin:
      return takes(RecurKind::SMin, I) && followOneOf(A, B);
    case Intrinsic::smax:
      return takes(RecurKind::SMax, I) && followOneOf(A, B);
    case Intrinsic::umin:
      return takes(RecurKind::UMin, I) && followOneOf(A, B);
    case Intrinsic::umax:
      return takes(RecurKind::UMax, I) && followOneOf(A, B);
    case Intrinsic::minnum:
      return takes(RecurKind::FMinNum, I) && followOneOf(A, B);
    case Intrinsic::maxnum:
      return takes(RecurKind::FMaxNum, I) && followOneOf(A, B);
    case Intrinsic::minimum:
      return takes(RecurKind::FMinimum, I) && followOneOf(A, B);
    case Intrinsic::maximum:
      return takes(RecurKind::FMaximum, I) && followOneOf(A, B);
    case Intrinsic::minimumnum:
      return takes(RecurKind::FMinimumNum, I) && followOneOf(A, B);
    case Intrinsic::maximumnum:
      return takes(RecurKind::FMaximumNum, I) && followOneOf(A, B);
    default:
      return false;
    }
  }

  bool followSelect(SelectInst &Select) {
    Value *A, *B;
    auto *Compare = dyn_cast<CmpInst>(Select.getCondition());
    if (Compare && computesFromPhi(Compare)) {
      // A minimum or maximum, in its two ways of writing.
      RecurKind Kind = RecurKind::None;
      if (match(&Select, m_SMin(m_Value(A), m_Value(B))))
        Kind = RecurKind::SMin;
      else if (match(&Select, m_SMax(m_Value(A), m_Value(B))))
        Kind = RecurKind::SMax;
      else if (match(&Select, m_UMin(m_Value(A), m_Value(B))))
        Kind = RecurKind::UMin;
      else if (match(&Select, m_UMax(m_Value(A), m_Value(B))))
        Kind = RecurKind::UMax;
      else if (match(&Select, m_OrdOrUnordFMin(m_Value(A), m_Value(B))))
        Kind = RecurKind::FMin;
      else if (match(&Select, m_OrdOrUnordFMax(m_Value(A), m_Value(B))))
        Kind = RecurKind::FMax;
      else
        return false;
      Comparisons.insert(Compare);
      return takes(Kind, Select) && followOneOf(A, B);
    }
    if (match(&Select, m_LogicalOr(m_Value(A), m_Value(B))) &&
        (computesFromPhi(A) || computesFromPhi(B)))
      return takes(RecurKind::Or, Select) && followOneOf(A, B);
    if (match(&Select, m_LogicalAnd(m_Value(A), m_Value(B))) &&
        (computesFromPhi(A) || computesFromPhi(B)))
      return takes(RecurKind::And, Select) && followOneOf(A, B);
    return !computesFromPhi(Select.getCondition()) &&
           follow(Select.getTrueValue()) && follow(Select.getFalseValue());
  }

  /// The loop must not use the combined value before the end: another part of
  /// it would see another value.
  bool usedByChainOnly() const {
    for (const Value *V : Chain) {
      bool IsLast = V == Phi.getIncomingValueForBlock(L.getLoopLatch());
      for (const User *U : V->users()) {
        auto *I = cast<Instruction>(U);
        if (!L.contains(I) ? !IsLast
                           : !Chain.contains(I) && !Comparisons.contains(I))
          return false;
      }
    }
    for (const Value *Compare : Comparisons)
      for (const User *U : Compare->users())
        if (!Chain.contains(U))
          return false;
    return true;
  }
};

} // namespace

std::optional<Combine> heddle::recognizeCombine(const PHINode &Phi,
                                                const Loop &L) {
  assert(Phi.getParent() == L.getHeader() && L.getLoopLatch() &&
         "a variable of the loop");
  Type *Ty = Phi.getType();
  if (!Ty->isIntegerTy() && !Ty->isFloatTy() && !Ty->isDoubleTy())
    return std::nullopt;
  return ChainReader(Phi, L).read();
}

void heddle::forgetOrder(const Combine &C) {
  for (Instruction *Update : C.Updates)
    if (!isa<FPMathOperator>(Update))
      Update->dropPoisonGeneratingFlags();
}

Value *heddle::identityOf(const Combine &C, Type *Ty) {
  assert((C.Kind != RecurKind::AnyOf || C.Set) && "set to a constant");
  switch (C.Kind) {
  case RecurKind::FMinNum:
  case RecurKind::FMinimumNum:
  case RecurKind::FMaxNum:
  case RecurKind::FMaximumNum:
    // An infinity would replace NaN, which these operations yield only if all
    // operands are NaN.
    if (!C.Flags.noNaNs())
      return ConstantFP::getQNaN(Ty);
    [[fallthrough]];
  // An infinity leaves every value it is compared with unchanged, NaN too.
  case RecurKind::FMin:
  case RecurKind::FMinimum:
  case RecurKind::FMax:
  case RecurKind::FMaximum: {
    bool IsMaximum =
        C.Kind == RecurKind::FMax || C.Kind == RecurKind::FMaxNum ||
        C.Kind == RecurKind::FMaximum || C.Kind == RecurKind::FMaximumNum;
    return C.Flags.noInfs()
               ? ConstantFP::get(
                     Ty, APFloat::getLargest(Ty->getFltSemantics(), IsMaximum))
               : ConstantFP::getInfinity(Ty, IsMaximum);
  }
  case RecurKind::And:
    return C.IsTruth ? ConstantInt::get(Ty, 1) : Constant::getAllOnesValue(Ty);
  case RecurKind::AnyOf:
    return ConstantInt::get(Ty, C.Set->isZero() ? 1 : 0);
  default:
    return getRecurrenceIdentity(C.Kind, Ty, FastMathFlags());
  }
}

Value *heddle::combineValues(IRBuilderBase &Builder, const Combine &C,
                             Value *Left, Value *Right) {
  assert(Left->getType() == Right->getType() && "values of one variable");
  assert((C.Kind != RecurKind::AnyOf || C.Set) && "set to a constant");
  IRBuilderBase::FastMathFlagGuard Guard(Builder);
  Builder.setFastMathFlags(C.Flags);
  switch (C.Kind) {
  case RecurKind::Add:
    return Builder.CreateAdd(Left, Right);
  case RecurKind::Mul:
    return Builder.CreateMul(Left, Right);
  case RecurKind::Or:
    return Builder.CreateOr(Left, Right);
  case RecurKind::And:
    return Builder.CreateAnd(Left, Right);
  case RecurKind::Xor:
    return Builder.CreateXor(Left, Right);
  case RecurKind::FAdd:
    return Builder.CreateFAdd(Left, Right);
  case RecurKind::FMul:
    return Builder.CreateFMul(Left, Right);
  case RecurKind::SMin:
    return Builder.CreateBinaryIntrinsic(Intrinsic::smin, Left, Right);
  case RecurKind::SMax:
    return Builder.CreateBinaryIntrinsic(Intrinsic::smax, Left, Right);
  case RecurKind::UMin:
    return Builder.CreateBinaryIntrinsic(Intrinsic::umin, Left, Right);
  case RecurKind::UMax:
    return Builder.CreateBinaryIntrinsic(Intrinsic::umax, Left, Right);
  case RecurKind::AnyOf:
    return Builder.CreateSelect(Builder.CreateICmpEQ(Right, C.Set), C.Set,
                                Left);
  case RecurKind::FMin:
    return Builder.CreateSelect(Builder.CreateFCmpOLT(Right, Left), Right,
                                Left);
  case RecurKind::FMax:
    return Builder.CreateSelect(Builder.CreateFCmpOGT(Right, Left), Right,
                                Left);
  case RecurKind::FMinNum:
    return Builder.CreateBinaryIntrinsic(Intrinsic::minnum, Left, Right);
  case RecurKind::FMaxNum:
    return Builder.CreateBinaryIntrinsic(Intrinsic::maxnum, Left, Right);
  case RecurKind::FMinimum:
    return Builder.CreateBinaryIntrinsic(Intrinsic::minimum, Left, Right);
  case RecurKind::FMaximum:
    return Builder.CreateBinaryIntrinsic(Intrinsic::maximum, Left, Right);
  case RecurKind::FMinimumNum:
    return Builder.CreateBinaryIntrinsic(Intrinsic::minimumnum, Left, Right);
  case RecurKind::FMaximumNum:
    return Builder.CreateBinaryIntrinsic(Intrinsic::maximumnum, Left, Right);
  default:
    llvm_unreachable("not a combination that is recognised");
  }
}

StringRef heddle::describe(const Combine &C) {
  switch (C.Kind) {
  case RecurKind::Add:
  case RecurKind::FAdd:
    return "sum";
  case RecurKind::Mul:
  case RecurKind::FMul:
    return "product";
  case RecurKind::Or:
    return "or";
  case RecurKind::AnyOf:
    return "any";
  case RecurKind::And:
    return "and";
  case RecurKind::Xor:
    return "exclusive or";
  case RecurKind::SMin:
  case RecurKind::UMin:
  case RecurKind::FMin:
  case RecurKind::FMinNum:
  case RecurKind::FMinimum:
  case RecurKind::FMinimumNum:
    return "minimum";
  default:
    return "maximum";
  }
}
