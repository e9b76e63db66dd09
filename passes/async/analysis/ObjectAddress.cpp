//===- ObjectAddress.cpp - Addresses as offsets in an object --------------===//

#include "async/analysis/ObjectAddress.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace heddle;

ObjectAddress::ObjectAddress(Value *Address) : Base(Address) { strip(); }

ObjectAddress ObjectAddress::withBase(Value *NewBase) const {
  ObjectAddress New = *this;
  New.Base = NewBase;
  New.strip();
  return New;
}

const Value *heddle::withoutDetour(const Value *Address) {
  auto *Gep = dyn_cast<GetElementPtrInst>(Address);
  if (!Gep || Gep->getNumIndices() != 1 || Gep->getType()->isVectorTy())
    return Address;
  const Value *Index = Gep->getOperand(1), *Pointer = nullptr;
  const DataLayout &Layout = Gep->getDataLayout();
  const TypeSize Size = Layout.getTypeAllocSize(Gep->getSourceElementType());
  const uint64_t Scale = Size.isScalable() ? 0 : Size.getFixedValue();
  const APInt *By;
  if (match(Index, m_Exact(m_AShr(m_Value(), m_APInt(By)))) ||
      match(Index, m_Exact(m_LShr(m_Value(), m_APInt(By))))) {
    if (By->uge(63) || Scale != uint64_t(1) << By->getZExtValue())
      return Address;
    Index = cast<Operator>(Index)->getOperand(0);
  } else if (match(Index, m_Exact(m_SDiv(m_Value(), m_APInt(By))))) {
    if (*By != Scale)
      return Address;
    Index = cast<Operator>(Index)->getOperand(0);
  } else if (Scale != 1) {
    return Address;
  }
  return match(Index, m_Sub(m_PtrToInt(m_Value(Pointer)),
                            m_PtrToInt(m_Specific(Gep->getPointerOperand()))))
             ? Pointer
             : Address;
}

void ObjectAddress::strip() {
  while (auto *GEP = dyn_cast<GEPOperator>(Base)) {
    if (const Value *Direct = withoutDetour(GEP); Direct != GEP) {
      Base = const_cast<Value *>(Direct);
      continue;
    }
    auto *I = dyn_cast<Instruction>(GEP);
    if (!I)
      return;
    const DataLayout &DL = I->getDataLayout();
    unsigned Bits = DL.getIndexTypeSizeInBits(GEP->getType());
    SmallMapVector<Value *, APInt, 4> Offsets;
    APInt Fixed(Bits, 0);
    if (Bits > 64 || !GEP->collectOffset(DL, Bits, Offsets, Fixed))
      return;
    Constant += Fixed.getSExtValue();
    for (auto &[Index, Scale] : Offsets)
      Variables[Index] += Scale.getSExtValue();
    Base = GEP->getPointerOperand();
  }
}

std::optional<Distance> heddle::distance(const ObjectAddress &From,
                                         const ObjectAddress &To,
                                         const Instruction *At,
                                         const LoopContext &C) {
  ScalarEvolution &SE = C.SE;
  int64_t Constant = To.constant() - From.constant();
  if (From.base() != To.base()) {
    const SCEV *Apart =
        SE.getMinusSCEV(SE.getSCEV(To.base()), SE.getSCEV(From.base()));
    auto *Known = dyn_cast<SCEVConstant>(Apart);
    if (!Known)
      return std::nullopt;
    Constant += Known->getAPInt().getSExtValue();
  }
  SmallMapVector<Value *, int64_t, 4> Variables = To.variables();
  for (auto &[Index, Scale] : From.variables())
    Variables[Index] -= Scale;
  Distance Result{Constant, Constant};
  for (auto &[Index, Scale] : Variables) {
    if (!Scale)
      continue;
    ConstantRange Range = SE.getSignedRange(SE.getSCEV(Index));
    // Branches that lead to the access may bound the index.
    if (auto *I = dyn_cast<Instruction>(Index); !I || C.DT.dominates(I, At))
      Range = Range.intersectWith(
          C.LVI.getConstantRange(Index, const_cast<Instruction *>(At),
                                 /*UndefAllowed=*/false));
    constexpr int64_t Far = 1 << 20;
    if (Range.isEmptySet() || Range.getSignedMin().slt(-Far) ||
        Range.getSignedMax().sgt(Far) || std::abs(Scale) > Far)
      return std::nullopt;
    int64_t Low = Range.getSignedMin().getSExtValue() * Scale;
    int64_t High = Range.getSignedMax().getSExtValue() * Scale;
    Result.Least += std::min(Low, High);
    Result.Most += std::max(Low, High);
  }
  assert(Result.Least <= Result.Most && "a range");
  return Result;
}
