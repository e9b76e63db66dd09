//===- Combination.cpp - How a message is combined with others ------------===//

#include "vectorsparse/Combination.h"
#include "ir/Combining.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;
using Combining = mlir::vector::CombiningKind;

std::optional<Combining> heddle::combiningKind(RecurKind K) {
  static constexpr std::pair<RecurKind, Combining> Kinds[] = {
      {RecurKind::Add, Combining::ADD},
      {RecurKind::FAdd, Combining::ADD},
      {RecurKind::Mul, Combining::MUL},
      {RecurKind::FMul, Combining::MUL},
      {RecurKind::Or, Combining::OR},
      {RecurKind::And, Combining::AND},
      {RecurKind::Xor, Combining::XOR},
      {RecurKind::SMin, Combining::MINSI},
      {RecurKind::SMax, Combining::MAXSI},
      {RecurKind::UMin, Combining::MINUI},
      {RecurKind::UMax, Combining::MAXUI},
      {RecurKind::FMin, Combining::MINNUMF},
      {RecurKind::FMinNum, Combining::MINNUMF},
      {RecurKind::FMinimumNum, Combining::MINNUMF},
      {RecurKind::FMax, Combining::MAXNUMF},
      {RecurKind::FMaxNum, Combining::MAXNUMF},
      {RecurKind::FMaximumNum, Combining::MAXNUMF},
      {RecurKind::FMinimum, Combining::MINIMUMF},
      {RecurKind::FMaximum, Combining::MAXIMUMF}};
  return lookUp(Kinds, K);
}

/// `first || second` and `first && second`.
static bool isLogical(SelectInst &Select, Combining Kind, Value *&First,
                      Value *&Second) {
  auto IsBit = [](Value *V, bool Bit) {
    auto *Constant = dyn_cast<ConstantInt>(V);
    return Constant && Constant->getType()->isIntegerTy(1) &&
           Constant->isOne() == Bit;
  };
  First = Select.getCondition();
  if (Kind == Combining::OR && IsBit(Select.getTrueValue(), true)) {
    Second = Select.getFalseValue();
    return true;
  }
  Second = Select.getTrueValue();
  return Kind == Combining::AND && IsBit(Select.getFalseValue(), false);
}

/// Returns the combination that `a predicate b ? a : b` computes.
static std::optional<Combining> extremum(CmpInst::Predicate Predicate) {
  static constexpr std::pair<CmpInst::Predicate, Combining> Extrema[] = {
      {CmpInst::ICMP_SLT, Combining::MINSI},
      {CmpInst::ICMP_ULT, Combining::MINUI},
      {CmpInst::ICMP_SGT, Combining::MAXSI},
      {CmpInst::ICMP_UGT, Combining::MAXUI},
      {CmpInst::FCMP_OLT, Combining::MINNUMF},
      {CmpInst::FCMP_ULT, Combining::MINNUMF},
      {CmpInst::FCMP_OGT, Combining::MAXNUMF},
      {CmpInst::FCMP_UGT, Combining::MAXNUMF}};
  return lookUp(Extrema, CmpInst::getStrictPredicate(Predicate));
}

/// `first < second ? first : second` and the like.
static bool isExtremum(SelectInst &Select, Combining Kind, Value *&First,
                       Value *&Second, CmpInst *&Compare, Value *&Unordered) {
  Compare = dyn_cast<CmpInst>(Select.getCondition());
  if (!Compare)
    return false;
  First = Select.getTrueValue();
  Second = Select.getFalseValue();
  CmpInst::Predicate Predicate = Compare->getPredicate();
  if (Compare->getOperand(0) == Second && Compare->getOperand(1) == First)
    Predicate = CmpInst::getSwappedPredicate(Predicate);
  else if (Compare->getOperand(0) != First || Compare->getOperand(1) != Second)
    return false;
  // Which one is it if one is no number?
  Unordered = isa<ICmpInst>(Compare) || Compare->hasNoNaNs() ? nullptr
              : CmpInst::isUnordered(Predicate)              ? First
                                                             : Second;
  return extremum(Predicate) == Kind;
}

/// True if \p I combines two values in the way of \p Kind, if NaNs do not
/// matter.
static bool isBinary(Instruction &I, Combining Kind, Value *&First,
                     Value *&Second) {
  if (I.getNumOperands() < 2)
    return false;
  First = I.getOperand(0);
  Second = I.getOperand(1);
  return fixedOperand(I) != 2 &&
         heddle::combiningKind(recurrenceKind(I)) == Kind;
}

std::optional<Combination>
heddle::matchCombination(Instruction &I, Combining Kind,
                         function_ref<bool(const Value *)> HasBefore) {
  Combination C;
  if (auto *Call = dyn_cast<IntrinsicInst>(&I);
      Call && Kind == Combining::ADD &&
      (Call->getIntrinsicID() == Intrinsic::fmuladd ||
       Call->getIntrinsicID() == Intrinsic::fma) &&
      HasBefore(Call->getArgOperand(2))) {
    C.Before = Call->getArgOperand(2);
    C.Message = Call->getArgOperand(0);
    C.Factor = Call->getArgOperand(1);
    return C;
  }
  Value *Unordered = nullptr;
  if (auto *Select = dyn_cast<SelectInst>(&I)) {
    CmpInst *Compare;
    if (!isLogical(*Select, Kind, C.Before, C.Message) &&
        !isExtremum(*Select, Kind, C.Before, C.Message, Compare, Unordered))
      return std::nullopt;
  } else if (!isBinary(I, Kind, C.Before, C.Message)) {
    return std::nullopt;
  }
  C.Negative =
      I.getOpcode() == Instruction::Sub || I.getOpcode() == Instruction::FSub;
  if (!C.Negative && !HasBefore(C.Before))
    std::swap(C.Before, C.Message);
  if (!HasBefore(C.Before) || HasBefore(C.Message))
    return std::nullopt;
  C.IgnoresNaN = Unordered;
  if (Unordered && Unordered != C.Before)
    return std::nullopt;
  return C;
}
