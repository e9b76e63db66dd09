//===- Elements.cpp - Accesses to one place or one element ----------------===//

#include "check/Elements.h"
#include "ir/Instructions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace heddle;

/// The levels of operands that are compared, more than programs spell.
static constexpr unsigned MostLevels = 12;

/// What \p V was stored as, if it is loaded from a variable that is stored to
/// once. Its address may be known to others, which rarely change it.
static const Value *storedValue(const Value *V) {
  auto *Load = dyn_cast<LoadInst>(V);
  auto *Variable =
      Load ? dyn_cast<AllocaInst>(Load->getPointerOperand()) : nullptr;
  if (!Variable)
    return V;
  const StoreInst *Only = nullptr;
  for (const User *U : Variable->users())
    if (auto *Store = dyn_cast<StoreInst>(U);
        Store && Store->getPointerOperand() == Variable) {
      if (Only)
        return V;
      Only = Store;
    }
  return Only && Only->getValueOperand()->getType() == V->getType()
             ? Only->getValueOperand()
             : V;
}

/// True if \p V is a conversion to a narrower type and back, spelled as a mask.
static bool isConversionMask(const Value *V) {
  const APInt *Mask;
  return match(V, m_And(m_Value(), m_LowBitMask(Mask))) &&
         is_contained({1, 8, 16, 32}, Mask->getActiveBits());
}

/// \p V without conversions between integer types, which may be spelled as
/// masks and pairs of shifts.
static const Value *withoutConversions(const Value *V) {
  for (unsigned Level = 0; Level < MostLevels; ++Level) {
    V = storedValue(V);
    const Value *Inner;
    if (isa<CastInst>(V) || isConversionMask(V))
      V = cast<Instruction>(V)->getOperand(0);
    else if (match(V, m_Shr(m_Shl(m_Value(Inner), m_ConstantInt()),
                            m_ConstantInt())))
      V = Inner;
    else
      break;
  }
  return V;
}

/// The same without masks that leave out bits which \p V does not have: where
/// that is known, they are part of a conversion.
static const Value *withoutMasks(const Value *V) {
  V = withoutConversions(V);
  while (match(V, m_And(m_Value(), m_ConstantInt())))
    V = withoutConversions(cast<Instruction>(V)->getOperand(0));
  return V;
}

bool heddle::isSameNumber(const Value *A, const Value *B) {
  return withoutMasks(A) == withoutMasks(B);
}

namespace {

/// What a phi merges behind a branch, as in `c ? a : b`.
struct Choice {
  const Value *Condition, *True, *False;
};

} // namespace

static std::optional<Choice> choiceOf(const PHINode &Phi) {
  if (Phi.getNumIncomingValues() != 2)
    return std::nullopt;
  const BasicBlock *Ways[2], *Branching[2];
  for (unsigned I : {0, 1}) {
    Ways[I] = Phi.getIncomingBlock(I);
    Branching[I] = Ways[I]->getSingleSuccessor()
                       ? Ways[I]->getSinglePredecessor()
                       : Ways[I];
  }
  auto *Branch = Branching[0] && Branching[0] == Branching[1]
                     ? dyn_cast<BranchInst>(Branching[0]->getTerminator())
                     : nullptr;
  if (!Branch || !Branch->isConditional())
    return std::nullopt;
  const BasicBlock *Then = Branch->getSuccessor(0);
  const bool IsFirst =
      Ways[0] == Then || (Ways[0] == Branching[0] && Then == Phi.getParent());
  return Choice{Branch->getCondition(), Phi.getIncomingValue(!IsFirst),
                Phi.getIncomingValue(IsFirst)};
}

static bool isSameExpression(const Value *A, const Value *B, unsigned Level);

static bool isSameChoice(const PHINode &A, const PHINode &B, unsigned Level) {
  const std::optional<Choice> One = choiceOf(A), Other = choiceOf(B);
  return One && Other &&
         isSameExpression(One->Condition, Other->Condition, Level) &&
         isSameExpression(One->True, Other->True, Level) &&
         isSameExpression(One->False, Other->False, Level);
}

/// True if all operands of \p I fit in \p Bits as numbers without a sign, and
/// so does its result where it is computed with that many.
static bool fitsIn(const Instruction &I, unsigned Bits) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
    if (!I.hasNoUnsignedWrap())
      return false;
    break;
  case Instruction::UDiv:
  case Instruction::URem:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::LShr:
    break;
  default:
    return false;
  }
  return all_of(I.operands(), [&](const Value *V) {
    return computeKnownBits(V, I.getDataLayout()).countMaxActiveBits() <= Bits;
  });
}

/// True if \p A and \p B are one number, but for conversions to wider types. It
/// has no bits that other conversions may cut off.
static bool isSameWithoutSign(const Value *A, const Value *B, unsigned Level) {
  auto *One = dyn_cast<ConstantInt>(A), *Other = dyn_cast<ConstantInt>(B);
  if (One && Other)
    return APInt::isSameValue(One->getValue(), Other->getValue());
  for (const Value **V : {&A, &B})
    if (auto *Wider = dyn_cast<ZExtInst>(*V))
      *V = Wider->getOperand(0);
  return A == B || (A == withoutConversions(A) && B == withoutConversions(B) &&
                    isSameExpression(A, B, Level));
}

/// True if the lower bits of \p A and \p B are one number, as many as the
/// narrower has: no higher bit of an operand has a part in them.
static bool hasSameLowBits(const Value *A, const Value *B, unsigned Level) {
  A = withoutConversions(A);
  B = withoutConversions(B);
  auto *Number = dyn_cast<ConstantInt>(A), *Same = dyn_cast<ConstantInt>(B);
  if (Number && Same) {
    const unsigned Bits = std::min(Number->getBitWidth(), Same->getBitWidth());
    return Number->getValue().trunc(Bits) == Same->getValue().trunc(Bits);
  }
  auto *One = dyn_cast<BinaryOperator>(A), *Other = dyn_cast<BinaryOperator>(B);
  if (!One || !Other || One->getOpcode() != Other->getOpcode() ||
      Level == MostLevels)
    return isSameExpression(A, B, Level);
  switch (One->getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return equal(One->operands(), Other->operands(), [&](auto &X, auto &Y) {
      return hasSameLowBits(X, Y, Level + 1);
    });
  default:
    return isSameExpression(A, B, Level);
  }
}

/// True if \p A and \p B are one computation on integers of different widths:
/// an optimizer narrows one where its operands have no other use.
static bool isSameInOtherWidth(const Instruction &A, const Instruction &B,
                               unsigned Level) {
  const APInt *Mask, *SameMask;
  if (match(&A, m_And(m_Value(), m_APInt(Mask))) &&
      match(&B, m_And(m_Value(), m_APInt(SameMask))))
    return APInt::isSameValue(*Mask, *SameMask) &&
           hasSameLowBits(A.getOperand(0), B.getOperand(0), Level + 1);
  const unsigned Bits = std::min(A.getType()->getScalarSizeInBits(),
                                 B.getType()->getScalarSizeInBits());
  return A.getOpcode() == B.getOpcode() && A.getType()->isIntegerTy() &&
         B.getType()->isIntegerTy() && fitsIn(A, Bits) && fitsIn(B, Bits) &&
         equal(A.operands(), B.operands(), [&](auto &X, auto &Y) {
           return isSameWithoutSign(X, Y, Level + 1);
         });
}

static bool isSameExpression(const Value *A, const Value *B, unsigned Level) {
  A = withoutConversions(A);
  B = withoutConversions(B);
  if (A == B)
    return true;
  auto *IA = dyn_cast<Instruction>(A), *IB = dyn_cast<Instruction>(B);
  if (!IA || !IB || Level == MostLevels ||
      IA->getNumOperands() != IB->getNumOperands() || isa<AllocaInst>(IA))
    return false;
  if (IA->getType() != IB->getType())
    return isSameInOtherWidth(*IA, *IB, Level);
  if (auto *Phi = dyn_cast<PHINode>(IA)) {
    auto *Other = dyn_cast<PHINode>(IB);
    return Other && isSameChoice(*Phi, *Other, Level + 1);
  }
  // A call and an invoke of one function differ in their destinations only.
  if (auto *CA = dyn_cast<CallBase>(IA)) {
    auto *CB = dyn_cast<CallBase>(IB);
    return CB && CA->getCalledOperand() == CB->getCalledOperand() &&
           CA->arg_size() &&
           equal(CA->args(), CB->args(), [&](auto &X, auto &Y) {
             return isSameExpression(X, Y, Level + 1);
           });
  }
  return IA->isSameOperationAs(IB) &&
         equal(IA->operands(), IB->operands(), [&](auto &X, auto &Y) {
           return isSameExpression(X, Y, Level + 1);
         });
}

bool heddle::isSameAddress(const Value *A, const Value *B) {
  return isSameExpression(A, B, 0);
}

/// Adds the indexes in \p Address to \p Indexes; returns what it starts from,
/// without the constant parts.
static const Value *takeIndexes(const Value *Address,
                                SmallVectorImpl<const Value *> &Indexes) {
  while (auto *GEP = dyn_cast<GEPOperator>(Address)) {
    for (const Use &Index : GEP->indices())
      if (!isa<Constant>(Index))
        Indexes.push_back(withoutConversions(Index));
    Address = GEP->getPointerOperand();
  }
  if (auto *Call = dyn_cast<CallBase>(Address))
    for (const Use &Argument : Call->args())
      if (Argument->getType()->isIntegerTy() && !isa<Constant>(Argument))
        Indexes.push_back(withoutConversions(Argument));
  return Address;
}

bool heddle::isSameElement(const Value *A, const Value *B) {
  SmallVector<const Value *, 2> IndexesOfA, IndexesOfB;
  const Value *BaseOfA = takeIndexes(A, IndexesOfA);
  const Value *BaseOfB = takeIndexes(B, IndexesOfB);
  if (IndexesOfA.empty() && IndexesOfB.empty())
    return isSameExpression(BaseOfA, BaseOfB, 0);
  return any_of(IndexesOfA, [&](const Value *Index) {
    return any_of(IndexesOfB, [&](const Value *Other) {
      return isSameExpression(Index, Other, 0);
    });
  });
}

bool heddle::isFixedPlace(const Value *Address) {
  for (unsigned Level = 0; Level < MostLevels; ++Level) {
    Address = withoutThread(Address);
    if (auto *GEP = dyn_cast<GEPOperator>(Address)) {
      if (!GEP->hasAllConstantIndices())
        return false;
      Address = GEP->getPointerOperand();
    } else if (auto *Load = dyn_cast<LoadInst>(Address)) {
      Address = Load->getPointerOperand();
    } else {
      return isa<GlobalValue, Argument, AllocaInst>(Address);
    }
  }
  return false;
}
