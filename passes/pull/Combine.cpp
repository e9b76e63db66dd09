//===- Combine.cpp - Combination of the values of a row's edges -----------===//

#include "pull/Combine.h"
#include "ir/Combining.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/LoopInfo.h"
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
    bool First = computesFromPhi(A), Second = computesFromPhi(B);
    return First != Second && follow(First ? A : B);
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
    if (auto *Select = dyn_cast<SelectInst>(I))
      return followSelect(*Select);
    return followUpdate(*I);
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

  bool followUpdate(Instruction &I) {
    const RecurKind Next = recurrenceKind(I);
    if (Next == RecurKind::None || !takes(Next, I))
      return false;
    const std::optional<unsigned> Fixed = fixedOperand(I);
    if (!Fixed)
      return followOneOf(I.getOperand(0), I.getOperand(1));
    return follow(I.getOperand(*Fixed)) &&
           none_of(I.operands(), [&](const Use &U) {
             return U.getOperandNo() != *Fixed && computesFromPhi(U);
           });
  }

  bool computesFromPhi(const Value *V) const {
    return dependsOnVariable(V, Phi, L);
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

static bool isMaximum(RecurKind Kind) {
  return Kind == RecurKind::SMax || Kind == RecurKind::UMax ||
         Kind == RecurKind::FMax || Kind == RecurKind::FMaxNum ||
         Kind == RecurKind::FMaximum || Kind == RecurKind::FMaximumNum;
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
  case RecurKind::FMaximum:
    return C.Flags.noInfs()
               ? ConstantFP::get(Ty, APFloat::getLargest(Ty->getFltSemantics(),
                                                         isMaximum(C.Kind)))
               : ConstantFP::getInfinity(Ty, isMaximum(C.Kind));
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
  if (C.Kind == RecurKind::AnyOf)
    return Builder.CreateSelect(Builder.CreateICmpEQ(Right, C.Set), C.Set,
                                Left);
  // By comparison, the earlier value stays where the two do not compare.
  if (C.Kind == RecurKind::FMin || C.Kind == RecurKind::FMax)
    return createMinMaxOp(Builder, C.Kind, Right, Left);
  if (RecurrenceDescriptor::isMinMaxRecurrenceKind(C.Kind))
    return createMinMaxOp(Builder, C.Kind, Left, Right);
  return Builder.CreateBinOp(
      Instruction::BinaryOps(RecurrenceDescriptor::getOpcode(C.Kind)), Left,
      Right);
}

StringRef heddle::describe(const Combine &C) {
  if (RecurrenceDescriptor::isMinMaxRecurrenceKind(C.Kind))
    return isMaximum(C.Kind) ? "maximum" : "minimum";
  static constexpr std::pair<RecurKind, StringRef> Names[] = {
      {RecurKind::Add, "sum"},     {RecurKind::FAdd, "sum"},
      {RecurKind::Mul, "product"}, {RecurKind::FMul, "product"},
      {RecurKind::Or, "or"},       {RecurKind::AnyOf, "any"},
      {RecurKind::And, "and"},     {RecurKind::Xor, "exclusive or"}};
  const auto Name = lookUp(Names, C.Kind);
  assert(Name && "a kind that updates can have");
  return *Name;
}
