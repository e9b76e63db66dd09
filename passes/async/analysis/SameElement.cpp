//===- SameElement.cpp - Whether two addresses are in one element ---------===//

#include "async/analysis/SameElement.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/ObjectAddress.h"
#include "inline/WaitingAccesses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

static const Value *withoutCasts(const Value *V) {
  while (auto *Cast = dyn_cast<CastInst>(V))
    V = Cast->getOperand(0);
  return V;
}

/// True if \p I multiplies or divides by a value that does not change in \p L.
static bool isScaled(const Instruction &I, const Loop &L) {
  switch (I.getOpcode()) {
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
  case Instruction::UDiv:
  case Instruction::SDiv:
    return L.isLoopInvariant(I.getOperand(1));
  case Instruction::Mul:
    return any_of(I.operand_values(),
                  [&](const Value *V) { return L.isLoopInvariant(V); });
  default:
    return false;
  }
}

/// True if \p V is what the last iteration of \p L has left.
static bool isCarried(const Value *V, const Loop &L) {
  auto *Phi = dyn_cast<PHINode>(V);
  return Phi && Phi->getParent() == L.getHeader();
}

/// True if \p I grows by the same amount with each iteration of \p L.
static bool isCounted(const Instruction &I, const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  if (!isCarried(&I, L) || !Latch)
    return false;
  auto *Next = dyn_cast<BinaryOperator>(
      cast<PHINode>(I).getIncomingValueForBlock(Latch));
  return Next && Next->getOpcode() == Instruction::Add &&
         ((Next->getOperand(0) == &I &&
           L.isLoopInvariant(Next->getOperand(1))) ||
          (Next->getOperand(1) == &I &&
           L.isLoopInvariant(Next->getOperand(0))));
}

namespace {

/// A value that an index is computed from, and which of its bits.
struct IndexTerm {
  const Value *V;
  uint64_t Bits = ~uint64_t(0);
  /// True if the value is made narrower, as by `hash & 63`.
  bool IsMasked = false;

  /// What the value is computed from, bit by bit, by an operation with a
  /// constant; nothing if it is not. The forms are those that an optimizer
  /// makes of `a[k & 63]`, `b[2 * (k & 63)]`, `end[(k & 63) - 64]` and
  /// `last[-(k & 63)]`.
  std::optional<IndexTerm> operand() const {
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return std::nullopt;
    if (auto *Cast = dyn_cast<TruncInst>(I))
      return masked(Cast->getOperand(0),
                    maskTrailingOnes<uint64_t>(
                        std::min(Cast->getType()->getScalarSizeInBits(), 64u)));
    if (isa<CastInst, FreezeInst>(I))
      return IndexTerm{I->getOperand(0), Bits, IsMasked};
    auto *Operator = dyn_cast<BinaryOperator>(I);
    auto *Number =
        Operator ? dyn_cast<ConstantInt>(Operator->getOperand(1)) : nullptr;
    if (!Number || Number->getBitWidth() > 64)
      return std::nullopt;
    const Value *Operand = Operator->getOperand(0);
    const auto By = uint64_t(Number->getSExtValue());
    switch (Operator->getOpcode()) {
    case Instruction::And:
      return masked(Operand, By);
    case Instruction::Or:
      return IndexTerm{Operand, Bits & ~By, IsMasked || Number->isNegative()};
    case Instruction::Xor:
      // Only where it counts downwards: `edge ^ 1` is the edge back.
      if (Bits & ~By & possibleBits(*Operand, I->getDataLayout()))
        return std::nullopt;
      return IndexTerm{Operand, Bits, IsMasked};
    case Instruction::Shl:
      return IndexTerm{Operand, By < 64 ? Bits >> By : 0, IsMasked};
    case Instruction::LShr:
    case Instruction::AShr:
      return IndexTerm{Operand, By < 64 ? Bits << By : 0, IsMasked};
    default:
      return std::nullopt;
    }
  }

  /// True if both are the whole of one value, or if both are parts of it that
  /// have bits in common, as the number of a row and that of its word. A value
  /// and its remainder count different elements.
  bool hasBitsOf(const IndexTerm &Other) const {
    auto Known = [](const IndexTerm &Term) {
      const unsigned Width = Term.V->getType()->isIntegerTy()
                                 ? Term.V->getType()->getIntegerBitWidth()
                                 : 64;
      return Term.Bits & maskTrailingOnes<uint64_t>(std::min(Width, 64u));
    };
    if (IsMasked && Other.IsMasked)
      return Known(*this) & Known(Other);
    return (!IsMasked && !Other.IsMasked) || Known(*this) == Known(Other);
  }

private:
  static uint64_t possibleBits(const Value &V, const DataLayout &Layout) {
    return (~computeKnownBits(&V, Layout).Zero).getZExtValue();
  }

  /// Those bits of \p Operand that are in \p Mask. What has 32 bits or more
  /// counts as whole.
  IndexTerm masked(const Value *Operand, uint64_t Mask) const {
    const bool IsWide = isMask_64(Mask) && llvm::countr_one(Mask) >= 32;
    return {Operand, Bits & Mask, IsMasked || !IsWide};
  }
};

/// What the indices of an address are computed from, by shifts, sums and
/// products with values that do not change in a loop. A pointer that walks over
/// an array is one, too. The number of the iteration does not count: other
/// iterations have other elements.
class IndexTerms {
  const Loop &L;
  const FrameValues &Frames;
  SmallVector<IndexTerm, 4> Terms;
  SmallDenseSet<std::pair<const Value *, uint64_t>, 8> Seen;

public:
  IndexTerms(const Loop &L, const FrameValues &Frames) : L(L), Frames(Frames) {}

  void addIndex(const Value *V) { add({V}); }

  void add(IndexTerm Term) {
    const Value *V = Term.V = Frames.origin(Term.V);
    if (L.isLoopInvariant(V) || !Term.Bits ||
        !Seen.insert({V, Term.Bits}).second)
      return;
    if (std::optional<IndexTerm> Operand = Term.operand())
      return add(*Operand);
    auto *I = cast<Instruction>(V);
    if (Term.IsMasked)
      return Terms.push_back(Term);
    if (const Value *Row = withoutWidth(*I))
      return addIndex(Row);
    const bool IsMerge = isa<PHINode>(I) && I->getParent() != L.getHeader();
    if (IsMerge && V->getType()->isPointerTy())
      Terms.push_back(Term);
    if (IsMerge || isa<GetElementPtrInst>(I) || isScaled(*I, L) ||
        is_contained({Instruction::Add, Instruction::Sub, Instruction::Or},
                     I->getOpcode()))
      for (const Value *Operand : I->operand_values())
        addIndex(Operand);
    else if (!isCounted(*I, L))
      Terms.push_back(Term);
  }

  /// Adds the indices of the addresses that are merged at \p Base.
  void addMerged(Value *Base) {
    auto *Merge = dyn_cast<PHINode>(Base);
    if (!Merge || !L.contains(Merge) || Merge->getParent() == L.getHeader() ||
        !Seen.insert({Merge, ~uint64_t(0)}).second)
      return;
    Terms.push_back({Merge});
    for (Value *Way : Merge->incoming_values()) {
      const ObjectAddress Address(Way);
      for (auto &[Index, Scale] : Address.variables())
        addIndex(Index);
      addMerged(Address.base());
    }
  }

  bool empty() const { return Terms.empty(); }

  bool haveCommon(const IndexTerms &Others) const {
    return any_of(Terms, [&](const IndexTerm &One) {
      return any_of(Others.Terms, [&](const IndexTerm &Other) {
        // What the last iteration has left is no expression of this one.
        if (isCarried(One.V, L) || isCarried(Other.V, L))
          return One.V == Other.V;
        return isChoice(One.V) == isChoice(Other.V) && One.hasBitsOf(Other) &&
               sameExpression(One.V, Other.V, Frames);
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

/// True if a call has found \p Found by numbers that \p Other is found by. What
/// a step of a nested form returns is only requested.
static bool isOfFinder(const ObjectAddress &Found, Value *Other, const Loop &L,
                       const FrameValues &Frames) {
  auto *Finder = dyn_cast<CallBase>(Frames.origin(Found.base()));
  return Finder && L.contains(Finder) && !isNoAliasCall(Finder) &&
         !isStepOfForm(*Finder) && mayBeElementOf(*Finder, Other, L, Frames);
}

bool heddle::mayBeOneElement(Value *A, Value *B, const Loop &L,
                             const FrameValues &Frames) {
  const ObjectAddress First(A), Second(B);
  if (isKeptFor(First, Second, Frames) || isKeptFor(Second, First, Frames))
    return true;
  if (isOfFinder(First, B, L, Frames) || isOfFinder(Second, A, L, Frames))
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

/// True if \p Row , which leads through a pointer, and \p Other may be in one
/// element: see mayBeFoundByIndex().
static bool leadsToNumbered(const ObjectAddress &Row,
                            const ObjectAddress &Other, const Loop &L,
                            const FrameValues &Frames) {
  auto *Pointer = dyn_cast<LoadInst>(Frames.origin(Row.base()));
  if (Pointer && L.contains(Pointer) &&
      haveCommonTerms(
          ObjectAddress(const_cast<Value *>(Pointer->getPointerOperand())),
          Other, L, Frames))
    return true;
  // The number of a row is another member than the one that is accessed.
  return !L.isLoopInvariant(Row.base()) &&
         any_of(Other.variables(), [&](auto &Index) {
           auto *Load = dyn_cast<LoadInst>(withoutCasts(Index.first));
           if (!Load || !L.contains(Load))
             return false;
           const ObjectAddress Number(
               const_cast<Value *>(Load->getPointerOperand()));
           return Number.constant() != Row.constant() &&
                  sameExpression(Number.base(), Row.base(), Frames);
         });
}

bool heddle::mayBeFoundByIndex(Value *A, Value *B, const Loop &L,
                               const FrameValues &Frames) {
  const ObjectAddress First(A), Second(B);
  return leadsToNumbered(First, Second, L, Frames) ||
         leadsToNumbered(Second, First, L, Frames);
}

namespace {

/// What numbers are computed from, by any operations: a callee may take the
/// remainder of what it is handed, or find an element by it. The number of the
/// iteration does not count where it is an index, nor does a multiple of it:
/// other iterations have other elements.
class NumberOrigins {
  const Loop &L;
  const FrameValues &Frames;
  SmallVector<const Value *, 4> Origins;
  SmallPtrSet<const Value *, 8> Seen[2]; ///< the mixed ones last
  /// Calls and variables.
  SmallPtrSet<const Value *, 4> SeenSources;

public:
  NumberOrigins(const Loop &L, const FrameValues &Frames)
      : L(L), Frames(Frames) {}

  /// \p IsMixed tells that multiples of one number may have one element.
  void addNumber(const Value *V, bool IsMixed) {
    V = Frames.origin(V);
    if (L.isLoopInvariant(V) || !Seen[IsMixed].insert(V).second)
      return;
    auto *I = cast<Instruction>(V);
    const bool IsMerge = isa<PHINode>(I) && !isCarried(I, L);
    if (auto *Load = dyn_cast<LoadInst>(I))
      addVariable(*getUnderlyingObject(Load->getPointerOperand()));
    const bool IsOperation =
        IsMerge || (!isa<PHINode>(I) && !I->mayReadOrWriteMemory());
    if (auto *Call = dyn_cast<CallBase>(I); Call && !isa<IntrinsicInst>(Call))
      addArguments(*Call);
    else if (IsOperation)
      for (const Value *Operand : I->operand_values())
        addNumber(Operand, IsMixed || !isMultiple(*I));
    else if (!IsMixed && isCounted(*I, L))
      return;
    else
      Origins.push_back(V);
  }

  void addAddress(const ObjectAddress &Address, bool IsMixed) {
    for (auto &[Index, Scale] : Address.variables())
      addNumber(Index, IsMixed);
    addVariable(*Address.base());
    const Value *Base = Frames.origin(Address.base());
    if (isa<CallBase>(Base))
      addNumber(Base, IsMixed);
    else if (auto *Pointer = dyn_cast<LoadInst>(Base)) {
      if (IsMixed)
        addNumber(Pointer, IsMixed);
      const ObjectAddress InTable(
          const_cast<Value *>(Pointer->getPointerOperand()));
      for (auto &[Index, Scale] : InTable.variables())
        addNumber(Index, IsMixed);
    }
  }

  void addArguments(const CallBase &Call) {
    if (SeenSources.insert(&Call).second)
      for (Value *Argument : Call.args())
        addHanded(*Argument);
  }

  bool haveCommon(const NumberOrigins &Others) const {
    return any_of(Origins, [&](const Value *One) {
      return any_of(Others.Origins, [&](const Value *Other) {
        return One == Other || (!isCarried(One, L) && !isCarried(Other, L) &&
                                sameExpression(One, Other, Frames));
      });
    });
  }

private:
  void addHanded(Value &V) {
    if (V.getType()->isPointerTy())
      addAddress(ObjectAddress(&V), /*IsMixed=*/true);
    else if (!V.getType()->isMetadataTy())
      addNumber(&V, /*IsMixed=*/true);
  }

  /// Adds what the iteration stores in its variable \p Object, and what calls
  /// are handed that may do so. All steps of a nested form have one frame.
  void addVariable(const Value &Object) {
    if (!isa<AllocaInst>(Object) || !SeenSources.insert(&Object).second)
      return;
    SmallVector<const Value *> Addresses{&Object};
    while (!Addresses.empty())
      for (const User *U : Addresses.pop_back_val()->users()) {
        auto *I = cast<Instruction>(U);
        if (isa<GetElementPtrInst, CastInst>(I))
          Addresses.push_back(I);
        else if (!L.contains(I))
          continue;
        else if (auto *Store = dyn_cast<StoreInst>(I))
          addHanded(const_cast<Value &>(*Store->getValueOperand()));
        else if (auto *Call = dyn_cast<CallBase>(I);
                 Call && !isStepOfForm(*Call))
          addArguments(*Call);
      }
  }

  bool isMultiple(const Instruction &I) const {
    return isa<CastInst, GetElementPtrInst, PHINode, SelectInst>(I) ||
           is_contained({Instruction::Add, Instruction::Sub, Instruction::Shl},
                        I.getOpcode()) ||
           (I.getOpcode() == Instruction::Mul && isScaled(I, L));
  }
};

} // namespace

/// What the numbers are computed from that \p Call is handed.
static NumberOrigins numbersOf(const CallBase &Call, const Loop &L,
                               const FrameValues &Frames) {
  NumberOrigins Numbers(L, Frames);
  Numbers.addArguments(Call);
  return Numbers;
}

bool heddle::haveCommonNumber(const CallBase &One, const CallBase &Other,
                              const Loop &L, const FrameValues &Frames) {
  return numbersOf(One, L, Frames).haveCommon(numbersOf(Other, L, Frames));
}

bool heddle::mayBeElementOf(const CallBase &Call, Value *Address, const Loop &L,
                            const FrameValues &Frames) {
  NumberOrigins OfElement(L, Frames);
  OfElement.addAddress(ObjectAddress(Address), /*IsMixed=*/false);
  return OfElement.haveCommon(numbersOf(Call, L, Frames));
}
