//===- Combination.cpp - How a message is combined with others ------------===//

#include "vectorsparse/Combination.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;
using Combining = mlir::vector::CombiningKind;

std::optional<Combining> heddle::combiningKind(RecurKind K) {
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
  switch (Predicate) {
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_SLE:
    return Combining::MINSI;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_ULE:
    return Combining::MINUI;
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_SGE:
    return Combining::MAXSI;
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_UGE:
    return Combining::MAXUI;
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULT:
  case CmpInst::FCMP_ULE:
    return Combining::MINNUMF;
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGT:
  case CmpInst::FCMP_UGE:
    return Combining::MAXNUMF;
  default:
    return std::nullopt;
  }
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
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return extremum(Call->getIntrinsicID()) == Kind;
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::FAdd:
  case Instruction::FSub:
    return Kind == Combining::ADD;
  case Instruction::Mul:
  case Instruction::FMul:
    return Kind == Combining::MUL;
  case Instruction::And:
    return Kind == Combining::AND;
  case Instruction::Or:
    return Kind == Combining::OR;
  case Instruction::Xor:
    return Kind == Combining::XOR;
  default:
    return false;
  }
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
