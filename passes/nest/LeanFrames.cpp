//===- LeanFrames.cpp - What frames need not hold -------------------------===//

#include "nest/LeanFrames.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "loop/Liveness.h"
#include "mark/Marks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

/// Computations of computations that are repeated at most.
static constexpr unsigned MostRounds = 8;
/// Choices that are followed at most to the object of an address.
static constexpr unsigned MostChoices = 8;

/// True if computing \p I again costs no more than a load from a frame.
static bool isCheap(const Instruction &I) {
  if (isa<GetElementPtrInst, CastInst, CmpInst, SelectInst>(I))
    return !I.getType()->isVectorTy();
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return !I.getType()->isVectorTy();
  default:
    return false;
  }
}

namespace {

class Preparation {
  const ArrayRef<BasicBlock *> Blocks;
  const SmallPtrSet<const BasicBlock *, 32> Inside;
  const ArrayRef<AllocaInst *> Locals;
  const DataLayout &DL;

public:
  Preparation(ArrayRef<BasicBlock *> Blocks, ArrayRef<AllocaInst *> Locals)
      : Blocks(Blocks), Inside(Blocks.begin(), Blocks.end()), Locals(Locals),
        DL(Blocks.front()->getDataLayout()) {}

  void hoist(BasicBlock &Before) {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : Blocks)
        for (Instruction &I : make_early_inc_range(*Block))
          if (isCheap(I) && none_of(I.operand_values(), [&](const Value *V) {
                return isInside(V);
              })) {
            I.moveBefore(Before.getTerminator()->getIterator());
            I.dropLocation();
            I.dropUBImplyingAttrsAndMetadata();
            Changed = true;
          }
    }
  }

  void repeatBehind(ArrayRef<BasicBlock *> Behind) {
    for (unsigned Round = 0; Round < MostRounds; ++Round) {
      Liveness Live(Blocks);
      SmallSetVector<Instruction *, 16> Needed;
      for (BasicBlock *Block : Behind)
        Needed.insert_range(Live.into(Block));
      bool Changed = false;
      for (Instruction *V : Needed) {
        const Instruction *From = isCheap(*V) ? onlyOperand(*V) : nullptr;
        if (From && (Needed.contains(const_cast<Instruction *>(From)) ||
                     bytes(*From) <= bytes(*V)))
          Changed |= repeat(*V);
      }
      if (!Changed)
        return;
    }
  }

  void markVisited(unsigned LineBytes) {
    const DominatorTree DT(*Blocks.front()->getParent());
    MapVector<const Value *, SmallVector<std::pair<Instruction *, int64_t>>>
        AccessesOf;
    for (Instruction &I : instructionsIn(Blocks))
      if (const Value *Address = accessedAddress(I);
          Address && !isFar(Address)) {
        int64_t Offset = 0;
        const Value *Object = objectOf(Address, Offset, MostChoices);
        if (Object && isInside(Object))
          AccessesOf[Object].push_back({&I, Offset});
      }
    for (const auto &[Object, Accesses] : AccessesOf)
      for (auto [I, Offset] : Accesses)
        if (any_of(Accesses, [&, I = I, Offset = Offset](const auto &Other) {
              return Other.first != I && DT.dominates(Other.first, I) &&
                     AbsoluteValue(Offset - Other.second) < LineBytes;
            }))
          I->setMetadata(VisitedMetadata, MDNode::get(I->getContext(), {}));
  }

private:
  bool isInside(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I && (Inside.contains(I->getParent()) || is_contained(Locals, I));
  }

  uint64_t bytes(const Instruction &I) const {
    return DL.getTypeStoreSize(I.getType());
  }

  /// The only operand of \p I that is computed inside, or null.
  const Instruction *onlyOperand(const Instruction &I) const {
    const Instruction *Only = nullptr;
    for (const Value *V : I.operand_values()) {
      if (!isInside(V) || V == Only)
        continue;
      if (Only)
        return nullptr;
      Only = cast<Instruction>(V);
    }
    return Only;
  }

  /// Computes \p V again in each block that uses it. True if there are any.
  bool repeat(Instruction &V) {
    DenseMap<BasicBlock *, Instruction *> Copies;
    bool Changed = false;
    for (Use &U : make_early_inc_range(V.uses())) {
      auto *User = cast<Instruction>(U.getUser());
      auto *Phi = dyn_cast<PHINode>(User);
      BasicBlock *In = Phi ? Phi->getIncomingBlock(U) : User->getParent();
      if (In == V.getParent())
        continue;
      Instruction *&Copy = Copies[In];
      if (!Copy) {
        Copy = V.clone();
        Copy->insertInto(In, In->getFirstInsertionPt());
      }
      U.set(Copy);
      Changed = true;
    }
    return Changed;
  }

  /// Returns the object at a constant distance, \p Offset, before \p Address,
  /// or before all addresses of a choice; or null.
  const Value *objectOf(const Value *Address, int64_t &Offset,
                        unsigned Choices) const {
    APInt Distance(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    const Value *Object =
        Address->stripAndAccumulateInBoundsConstantOffsets(DL, Distance);
    Offset = Distance.getSExtValue();
    auto *Choice = dyn_cast<SelectInst>(Object);
    if (!Choice || !Choices)
      return Object;
    int64_t First = 0, Second = 0;
    const Value *Of = objectOf(Choice->getTrueValue(), First, Choices - 1);
    if (Of != objectOf(Choice->getFalseValue(), Second, Choices - 1))
      return Object;
    Offset += AbsoluteValue(First) > AbsoluteValue(Second) ? First : Second;
    return Of;
  }
};

} // namespace

void heddle::leanFrames(ArrayRef<BasicBlock *> Blocks, BasicBlock &Before,
                        ArrayRef<BasicBlock *> Behind,
                        ArrayRef<AllocaInst *> Locals, unsigned LineBytes) {
  assert(!Blocks.empty() && Before.getTerminator() && "complete blocks");
  Preparation P(Blocks, Locals);
  P.hoist(Before);
  P.markVisited(LineBytes);
  P.repeatBehind(Behind);
}
