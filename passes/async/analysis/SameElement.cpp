//===- SameElement.cpp - Whether two addresses are in one element ---------===//

#include "async/analysis/SameElement.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/ObjectAddress.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

static const Value *withoutCasts(const Value *V) {
  while (auto *Cast = dyn_cast<CastInst>(V))
    V = Cast->getOperand(0);
  return V;
}

/// True if \p I multiplies or divides by a value that does not change in \p L ,
/// or makes a number narrower.
static bool isScaled(const Instruction &I, const Loop &L) {
  switch (I.getOpcode()) {
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv:
  case Instruction::SDiv:
    return L.isLoopInvariant(I.getOperand(1));
  case Instruction::And: {
    auto *Mask = dyn_cast<ConstantInt>(I.getOperand(1));
    return Mask && Mask->getValue().isMask() &&
           Mask->getValue().countr_one() >= 32;
  }
  case Instruction::Mul:
    return any_of(I.operand_values(),
                  [&](const Value *V) { return L.isLoopInvariant(V); });
  default:
    return false;
  }
}

namespace {

/// What the indices of an address are computed from, by shifts, sums and
/// products with values that do not change in a loop. A pointer that walks over
/// an array is one, too. The number of the iteration does not count: other
/// iterations have other elements.
class IndexTerms {
  const Loop &L;
  const FrameValues &Frames;
  SmallVector<const Value *, 4> Terms;
  SmallPtrSet<const Value *, 8> Seen;

public:
  IndexTerms(const Loop &L, const FrameValues &Frames) : L(L), Frames(Frames) {}

  void addIndex(const Value *V) {
    V = Frames.origin(V);
    if (L.isLoopInvariant(V) || !Seen.insert(V).second)
      return;
    auto *I = cast<Instruction>(V);
    if (const Value *Row = withoutWidth(*I))
      return addIndex(Row);
    const bool IsMerge = isa<PHINode>(I) && I->getParent() != L.getHeader();
    if (IsMerge && V->getType()->isPointerTy())
      Terms.push_back(V);
    if (IsMerge || isa<CastInst, FreezeInst, GetElementPtrInst>(I) ||
        isScaled(*I, L) ||
        is_contained({Instruction::Add, Instruction::Sub, Instruction::Or},
                     I->getOpcode()))
      for (const Value *Operand : I->operand_values())
        addIndex(Operand);
    else if (!isCounted(*I))
      Terms.push_back(V);
  }

  /// True if \p I grows by the same amount with each iteration.
  bool isCounted(const Instruction &I) const {
    auto *Phi = dyn_cast<PHINode>(&I);
    const BasicBlock *Latch = L.getLoopLatch();
    if (!Phi || Phi->getParent() != L.getHeader() || !Latch)
      return false;
    auto *Next = dyn_cast<BinaryOperator>(Phi->getIncomingValueForBlock(Latch));
    return Next && Next->getOpcode() == Instruction::Add &&
           ((Next->getOperand(0) == Phi &&
             L.isLoopInvariant(Next->getOperand(1))) ||
            (Next->getOperand(1) == Phi &&
             L.isLoopInvariant(Next->getOperand(0))));
  }

  /// Adds the indices of the addresses that are merged at \p Base.
  void addMerged(Value *Base) {
    auto *Merge = dyn_cast<PHINode>(Base);
    if (!Merge || !L.contains(Merge) || Merge->getParent() == L.getHeader() ||
        !Seen.insert(Merge).second)
      return;
    Terms.push_back(Merge);
    for (Value *Way : Merge->incoming_values()) {
      const ObjectAddress Address(Way);
      for (auto &[Index, Scale] : Address.variables())
        addIndex(Index);
      addMerged(Address.base());
    }
  }

  bool empty() const { return Terms.empty(); }

  bool haveCommon(const IndexTerms &Others) const {
    return any_of(Terms, [&](const Value *One) {
      return any_of(Others.Terms, [&](const Value *Other) {
        return isChoice(One) == isChoice(Other) &&
               sameExpression(One, Other, Frames);
      });
    });
  }

private:
  /// What \p I multiplies with a variable in memory, such as the width of a
  /// table; or null.
  const Value *withoutWidth(const Instruction &I) const {
    auto IsWidth = [&](const Value *V) {
      auto *Load = dyn_cast<LoadInst>(withoutCasts(V));
      return Load && L.isLoopInvariant(Load->getPointerOperand());
    };
    if (I.getOpcode() != Instruction::Mul)
      return nullptr;
    for (unsigned Number : {0, 1})
      if (IsWidth(I.getOperand(Number)) && !IsWidth(I.getOperand(1 - Number)))
        return I.getOperand(1 - Number);
    return nullptr;
  }

  /// True if \p V is one of two values that do not change, such as that of the
  /// left and that of the right link of a node.
  bool isChoice(const Value *V) const {
    auto *Choice = dyn_cast<SelectInst>(V);
    return Choice && L.isLoopInvariant(Choice->getTrueValue()) &&
           L.isLoopInvariant(Choice->getFalseValue());
  }
};

} // namespace

/// True if each index of the one address has a term in common with one of the
/// other.
static bool haveCommonTerms(const ObjectAddress &A, const ObjectAddress &B,
                            const Loop &L, const FrameValues &Frames) {
  SmallVector<IndexTerms, 2> Terms[2];
  for (auto [Address, Of] :
       {std::pair(&A, &Terms[0]), std::pair(&B, &Terms[1])}) {
    auto AddUnlessEmpty = [&, Of = Of](IndexTerms Some) {
      if (!Some.empty())
        Of->push_back(std::move(Some));
    };
    for (auto &[Index, Scale] : Address->variables()) {
      IndexTerms OfIndex(L, Frames);
      OfIndex.addIndex(Index);
      AddUnlessEmpty(std::move(OfIndex));
    }
    IndexTerms Merged(L, Frames);
    Merged.addMerged(Address->base());
    AddUnlessEmpty(std::move(Merged));
  }
  const bool IsLonger = Terms[0].size() > Terms[1].size();
  const auto &Fewer = Terms[IsLonger], &More = Terms[!IsLonger];
  return !Fewer.empty() && all_of(Fewer, [&](const IndexTerms &Some) {
    return any_of(More, [&](const IndexTerms &Others) {
      return Some.haveCommon(Others);
    });
  });
}

/// True if the iteration has kept an address, or the index for one, in a
/// variable that \p A is computed from, and uses it for \p B as well. Which
/// element of the variable it was is not known.
static bool isKeptFor(const ObjectAddress &A, const ObjectAddress &B,
                      const FrameValues &Frames) {
  auto IsBase = [&](const Value *Way) {
    return Way->getType()->isPointerTy() &&
           sameExpression(ObjectAddress(const_cast<Value *>(Way)).base(),
                          B.base(), Frames);
  };
  auto IsIndex = [&](const Value *Way) {
    return any_of(B.variables(), [&](auto &Index) {
      return sameExpression(withoutCasts(Way), withoutCasts(Index.first),
                            Frames);
    });
  };
  return any_of(Frames.kept(A.base()), IsBase) ||
         (sameExpression(A.base(), B.base(), Frames) &&
          any_of(A.variables(), [&](auto &Index) {
            return any_of(Frames.kept(withoutCasts(Index.first)), IsIndex);
          }));
}

bool heddle::mayBeOneElement(Value *A, Value *B, const Loop &L,
                             const FrameValues &Frames) {
  const ObjectAddress First(A), Second(B);
  if (isKeptFor(First, Second, Frames) || isKeptFor(Second, First, Frames))
    return true;
  const auto &Indices = First.variables();
  return (sameExpression(First.base(), Second.base(), Frames) &&
          Indices.size() == Second.variables().size() &&
          all_of(Indices,
                 [&](auto &Index) {
                   return any_of(Second.variables(), [&](auto &Other) {
                     return sameExpression(Index.first, Other.first, Frames);
                   });
                 })) ||
         haveCommonTerms(First, Second, L, Frames);
}
