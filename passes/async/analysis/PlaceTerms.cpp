//===- PlaceTerms.cpp - The terms of an address or index ------------------===//

#include "async/analysis/PlaceTerms.h"
#include "loop/Tunables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;

PlaceTerms::PlaceTerms(const Value *Place, const Loop *L) : L(L) {
  add(Place, 1, 0);
}

static std::optional<int64_t> constantOf(const Value *V) {
  auto *Constant = dyn_cast<ConstantInt>(V);
  return Constant && Constant->getValue().isSignedIntN(32)
             ? std::optional(Constant->getSExtValue())
             : std::nullopt;
}

bool PlaceTerms::addCounted(const Value *V, int64_t Scale) {
  auto *Phi = dyn_cast<PHINode>(V);
  if (!L || !Phi || Phi->getParent() != L->getHeader())
    return false;
  const Value *Next = Phi->getIncomingValueForBlock(L->getLoopLatch());
  std::optional<int64_t> By;
  if (auto *Sum = dyn_cast<BinaryOperator>(Next);
      Sum && Sum->getOpcode() == Instruction::Add && Sum->getOperand(0) == Phi)
    By = constantOf(Sum->getOperand(1));
  auto *Address = dyn_cast<GetElementPtrInst>(Next);
  APInt Offset(64, 0);
  if (Address && Address->getPointerOperand() == Phi &&
      Address->accumulateConstantOffset(Address->getDataLayout(), Offset))
    By = Offset.getSExtValue();
  if (By)
    Step += *By * Scale;
  return By.has_value();
}

void PlaceTerms::add(const Value *V, int64_t Scale, unsigned Depth) {
  constexpr int64_t Far = int64_t(1) << 31;
  if (std::abs(Scale) > Far || isa<Constant>(V) ||
      (L && L->isLoopInvariant(V)) || addCounted(V, Scale))
    return;
  auto *I = dyn_cast<Instruction>(V);
  if (I && Depth < tunable::ExpressionDepth) {
    const unsigned Opcode = I->getOpcode();
    if (auto *Address = dyn_cast<GEPOperator>(I)) {
      const DataLayout &Layout = I->getDataLayout();
      const unsigned Bits = Layout.getIndexTypeSizeInBits(I->getType());
      SmallMapVector<Value *, APInt, 4> Offsets;
      APInt Fixed(Bits, 0);
      if (Bits <= 64 && Address->collectOffset(Layout, Bits, Offsets, Fixed))
        for (auto &[Index, Bytes] : Offsets)
          add(Index, Scale * Bytes.getSExtValue(), Depth + 1);
      return add(Address->getPointerOperand(), Scale, Depth + 1);
    }
    if (isa<CastInst, FreezeInst>(I))
      return add(I->getOperand(0), Scale, Depth + 1);
    auto *Or = dyn_cast<PossiblyDisjointInst>(I);
    if (Opcode == Instruction::Add || Opcode == Instruction::Sub ||
        (Or && Or->isDisjoint())) {
      add(I->getOperand(0), Scale, Depth + 1);
      return add(I->getOperand(1), Opcode == Instruction::Sub ? -Scale : Scale,
                 Depth + 1);
    }
    if (Opcode == Instruction::Mul || Opcode == Instruction::Shl) {
      std::optional<int64_t> By = constantOf(I->getOperand(1));
      if (By && Opcode == Instruction::Shl)
        By = *By >= 0 && *By < 32 ? std::optional(int64_t(1) << *By)
                                  : std::nullopt;
      if (By)
        add(I->getOperand(0), Scale * *By, Depth + 1);
      return;
    }
  }
  // Which object a pointer leads to does not matter.
  if (!V->getType()->isPointerTy())
    Terms[V] += Scale;
}

bool PlaceTerms::haveSameScale() const {
  return any_of(Terms, [&](auto &One) {
    return any_of(Terms, [&](auto &Other) {
      return One.first != Other.first &&
             std::abs(One.second) == std::abs(Other.second);
    });
  });
}

bool PlaceTerms::areShifted() const {
  assert(L && "the number of the iteration");
  // What lies at a fixed address is the same for all of an iteration.
  auto IsFixed = [&](const Value *V) {
    auto *Load = dyn_cast<LoadInst>(V);
    return Load && L->isLoopInvariant(Load->getPointerOperand());
  };
  return Step && any_of(Terms, [&](auto &Term) {
           return Term.second && Term.second % Step == 0 &&
                  std::abs(Term.second / Step) <=
                      int64_t(tunable::NeighbourIterations) &&
                  !IsFixed(Term.first);
         });
}
