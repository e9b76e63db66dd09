//===- IndexValues.cpp - How many values an index has ---------------------===//

#include "async/places/IndexValues.h"
#include "loop/Tunables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/KnownBits.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace heddle;

/// More than anyone asks for.
static uint64_t many() {
  return std::max(uint64_t(tunable::ChosenPlaces), IndexValues::WordBytes) + 1;
}

bool IndexValues::isInside(const Instruction &I) const {
  return !L || L->contains(&I);
}

bool IndexValues::isSame(const Value &V) const {
  return L ? L->isLoopInvariant(&V) : isa<Constant>(V);
}

bool IndexValues::countsIterations(const Value &V) const {
  if (!SE || !SE->isSCEVable(V.getType()))
    return false;
  const SCEV *Number = SE->getSCEV(const_cast<Value *>(&V));
  while (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Number)) {
    if (Recurrence->getLoop() == L)
      return true;
    Number = Recurrence->getStart();
  }
  return false;
}

std::optional<IndexValues::Walk>
IndexValues::walkWith(const PHINode &Phi) const {
  if (!SE || !SE->isSCEVable(Phi.getType()))
    return std::nullopt;
  auto *Recurrence =
      dyn_cast<SCEVAddRecExpr>(SE->getSCEV(const_cast<PHINode *>(&Phi)));
  const Loop *Inner = Recurrence ? Recurrence->getLoop() : nullptr;
  if (!Inner || Inner == L || Inner->getHeader() != Phi.getParent() ||
      !Inner->getLoopPredecessor())
    return std::nullopt;
  // Zero if it is not known.
  const unsigned Turns = SE->getSmallConstantMaxTripCount(Inner);
  if (!Turns || Turns > tunable::ChosenPlaces)
    return std::nullopt;
  return Walk{Phi.getIncomingValueForBlock(Inner->getLoopPredecessor()), Turns};
}

uint64_t IndexValues::count(const Value &Index) const {
  SmallPtrSet<const Instruction *, 4> Merged;
  return count(Index, 0, Merged);
}

uint64_t IndexValues::count(const Value &Index, unsigned Depth,
                            Cycle &Merged) const {
  // Few choices are not nested deeper.
  constexpr unsigned Levels = 6;
  if (isSame(Index))
    return 1;
  if (Depth == Levels || !Index.getType()->isIntegerTy() ||
      countsIterations(Index))
    return many();
  const uint64_t Values = std::min(ofBits(Index), many());
  auto *I = dyn_cast<Instruction>(&Index);
  if (!I || !isInside(*I) || Values == 1)
    return Values;
  if (isa<PHINode, SelectInst>(I))
    return std::min(Values, countOfMerge(*I, Values, Depth, Merged));
  if (isa<ZExtInst, SExtInst, FreezeInst>(I))
    return std::min(Values, count(*I->getOperand(0), Depth + 1, Merged));
  return std::min(Values, countOfOperation(*I, Depth));
}

/// True if \p V is a remainder plus its divisor, which programs choose where
/// the remainder is negative.
static bool isRaisedRemainder(const Value &V) {
  const Value *Divisor = nullptr;
  return match(&V,
               m_Add(m_SRem(m_Value(), m_Value(Divisor)), m_Deferred(Divisor)));
}

uint64_t IndexValues::countOfMerge(const Instruction &Merge, uint64_t Most,
                                   unsigned Depth, Cycle &Merged) const {
  auto *Phi = dyn_cast<PHINode>(&Merge);
  if (L && Phi && Phi->getParent() == L->getHeader())
    return Most;
  // What comes around unchanged is no other value.
  if (!Merged.insert(&Merge).second)
    return 0;
  const auto All = drop_begin(Merge.operand_values(), isa<SelectInst>(Merge));
  uint64_t Ways = 0;
  for (const Value *Way : All)
    if (Ways < Most && !(isRaisedRemainder(*Way) &&
                         is_contained(All, cast<User>(Way)->getOperand(0))))
      Ways += count(*Way, Depth + 1, Merged);
  Merged.erase(&Merge);
  return Ways;
}

uint64_t IndexValues::countOfOperation(const Instruction &I,
                                       unsigned Depth) const {
  auto Operand = [&](unsigned Number) -> uint64_t {
    SmallPtrSet<const Instruction *, 4> Merged;
    return count(*I.getOperand(Number), Depth + 1, Merged);
  };
  if (isa<TruncInst>(I))
    return Operand(0);
  if (!isa<BinaryOperator>(I))
    return many();
  const uint64_t Pairs = Operand(0) * Operand(1);
  // A remainder is negative where the index would be out of bounds.
  auto *Divisor = dyn_cast<ConstantInt>(I.getOperand(1));
  return I.getOpcode() == Instruction::SRem && Divisor && !Divisor->isZero()
             ? std::min(Pairs, Divisor->getValue().abs().getLimitedValue())
             : Pairs;
}

uint64_t IndexValues::ofBits(const Value &Index) const {
  auto *I = dyn_cast<Instruction>(&Index);
  const KnownBits Bits = computeKnownBits(
      &Index, I ? I->getDataLayout()
                : cast<Argument>(Index).getParent()->getDataLayout());
  const unsigned Unknown =
      Bits.getBitWidth() - Bits.Zero.popcount() - Bits.One.popcount();
  const ConstantRange Range =
      SE ? SE->getUnsignedRange(SE->getSCEV(const_cast<Value *>(&Index)))
         : computeConstantRange(&Index, /*ForSigned=*/false);
  const uint64_t Width =
      (Range.getUnsignedMax() - Range.getUnsignedMin()).getLimitedValue();
  return std::min(Unknown < 64 ? uint64_t(1) << Unknown : UINT64_MAX,
                  Width == UINT64_MAX
                      ? UINT64_MAX
                      : (Width >> Bits.countMinTrailingZeros()) + 1);
}
