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
  const RecursiveCode &Code;
  const ArrayRef<BasicBlock *> Blocks;
  const SmallPtrSet<const BasicBlock *, 32> Inside;
  const DataLayout &DL;

public:
  explicit Preparation(const RecursiveCode &Code)
      : Code(Code), Blocks(Code.Blocks), Inside(Blocks.begin(), Blocks.end()),
        DL(Blocks.front()->getDataLayout()) {}

  void hoist() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : Blocks)
        for (Instruction &I : make_early_inc_range(*Block))
          if (isCheap(I) && none_of(I.operand_values(), [&](const Value *V) {
                return isInside(V);
              })) {
            I.moveBefore(Code.Before.getTerminator()->getIterator());
            I.dropLocation();
            I.dropUBImplyingAttrsAndMetadata();
            Changed = true;
          }
    }
  }

  void repeatBehind() {
    for (unsigned Round = 0; Round < MostRounds; ++Round) {
      Liveness Live(Blocks);
      SmallSetVector<Instruction *, 16> Needed;
      for (BasicBlock *Block : Code.Behind)
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
    MapVector<const Value *, Accesses> AccessesOf;
    for (const Visit &V : Code.Visits) {
      int64_t Offset = 0;
      const Value *Object = objectOf(V.Address, Offset, MostChoices);
      if (isKnown(Object))
        AccessesOf[Object].push_back({V.Call, Offset + V.Offset});
    }
    for (Instruction &I : instructionsIn(Blocks))
      if (const Value *Address = accessedAddress(I);
          Address && !isFar(Address)) {
        int64_t Offset = 0;
        const Value *Object = objectOf(Address, Offset, MostChoices);
        if (isKnown(Object))
          AccessesOf[Object].push_back({&I, Offset});
      }
    for (Instruction &I : instructionsIn(Blocks)) {
      int64_t Offset = 0;
      const Value *Object = arrayIn(I, Offset);
      if (Object && (Code.SmallObjects.contains(Object) ||
                     endsBefore(AccessesOf.lookup(Object),
                                *getLoadStoreType(&I), Offset, LineBytes)))
        AccessesOf[Object].push_back({&I, Offset});
    }
    noteReach(AccessesOf);
    for (const auto &[Object, Known] : AccessesOf)
      for (auto [I, Offset] : Known) {
        SmallVector<const Instruction *, 8> InLine;
        for (auto [Other, OtherOffset] : Known)
          if (Other != I && AbsoluteValue(Offset - OtherOffset) < LineBytes)
            InLine.push_back(Other);
        if (!isa<CallInst>(I) && isBehindOneOf(InLine, *I, *Object, DT))
          I->setMetadata(VisitedMetadata, MDNode::get(I->getContext(), {}));
      }
  }

private:
  using Accesses = SmallVector<std::pair<Instruction *, int64_t>>;

  /// Notes on the first access to an object that a call visits what the caller
  /// accesses there: parts of it may be in another line.
  void noteReach(const MapVector<const Value *, Accesses> &AccessesOf) {
    MapVector<Instruction *, std::pair<int64_t, int64_t>> Reach;
    for (const Visit &V : Code.Visits) {
      int64_t At = 0;
      const Value *Object = objectOf(V.Address, At, MostChoices);
      for (auto [I, Offset] : AccessesOf.lookup(Object))
        if (!isa<CallInst>(I)) {
          auto &[Least, Most] = Reach[V.First];
          Least = std::min(Least, Offset - At - V.Offset);
          Most = std::max(Most, Offset - At - V.Offset);
        }
    }
    for (auto &[First, Bytes] : Reach) {
      LLVMContext &Context = First->getContext();
      auto Number = [&](int64_t Value) {
        return ConstantAsMetadata::get(
            ConstantInt::getSigned(Type::getInt64Ty(Context), Value));
      };
      First->setMetadata(
          ReachMetadata,
          MDNode::get(Context, {Number(Bytes.first), Number(Bytes.second)}));
    }
  }

  /// True if other accesses to \p Object in the code, if any, are to the same.
  bool isKnown(const Value *Object) const {
    return Object && (isInside(Object) || Code.SmallObjects.contains(Object));
  }

  /// True if every way from where \p Object is known to \p I passes one of
  /// \p Others.
  static bool isBehindOneOf(ArrayRef<const Instruction *> Others,
                            const Instruction &I, const Value &Object,
                            const DominatorTree &DT) {
    if (any_of(Others, [&](const Instruction *Other) {
          return DT.dominates(Other, &I);
        }))
      return true;
    auto *From = dyn_cast<Instruction>(&Object);
    if (!From || From->getParent() == I.getParent())
      return false;
    SmallPtrSet<const BasicBlock *, 8> With;
    for (const Instruction *Other : Others)
      With.insert(Other->getParent());
    SmallSetVector<const BasicBlock *, 16> Ways;
    Ways.insert_range(predecessors(I.getParent()));
    for (unsigned N = 0; N < Ways.size(); ++N) {
      if (With.contains(Ways[N]))
        continue;
      if (Ways[N] == From->getParent())
        return false;
      Ways.insert_range(predecessors(Ways[N]));
    }
    return true;
  }

  /// True if \p Fields begin with one of another type than \p T less than a
  /// line behind \p Offset: an array in front of another field ends there.
  static bool endsBefore(ArrayRef<std::pair<Instruction *, int64_t>> Fields,
                         const Type &T, int64_t Offset, unsigned LineBytes) {
    return any_of(Fields, [&](const auto &Field) {
      return Field.second > Offset && Field.second - Offset <= LineBytes &&
             isa<LoadInst, StoreInst>(Field.first) &&
             getLoadStoreType(Field.first) != &T;
    });
  }

  bool isInside(const Value *V) const {
    auto *I = dyn_cast<Instruction>(V);
    return I &&
           (Inside.contains(I->getParent()) || is_contained(Code.Locals, I));
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

  /// Returns the object in which \p I loads or stores an element of an array,
  /// and the array's \p Offset there; or null.
  const Value *arrayIn(const Instruction &I, int64_t &Offset) const {
    auto *Element =
        dyn_cast_or_null<GEPOperator>(getLoadStorePointerOperand(&I));
    if (!Element || Element->hasAllConstantIndices() ||
        isFar(getLoadStorePointerOperand(&I)))
      return nullptr;
    SmallMapVector<Value *, APInt, 4> Indices;
    APInt Start(DL.getIndexTypeSizeInBits(Element->getType()), 0);
    if (!Element->collectOffset(DL, Start.getBitWidth(), Indices, Start) ||
        Indices.size() != 1)
      return nullptr;
    const Value *Object =
        objectOf(Element->getPointerOperand(), Offset, MostChoices);
    Offset += Start.getSExtValue();
    return isKnown(Object) ? Object : nullptr;
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

/// True if \p I is a read, or needs one value only, so that no more is needed
/// later for doing it late.
static bool mayBeLate(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Load->isSimple();
  return !I.mayHaveSideEffects() && !I.mayReadFromMemory() &&
         !isa<PHINode, CallBase, AllocaInst>(I) &&
         count_if(I.operand_values(), [](const Value *V) {
           return isa<Instruction, Argument>(V);
         }) <= 1;
}

void heddle::readBehind(CallInst &Call, BasicBlock &Behind) {
  if (!Call.onlyReadsMemory())
    return;
  const DominatorTree DT(*Call.getFunction());
  auto IsBehind = [&](const Use &U) {
    auto *User = cast<Instruction>(U.getUser());
    auto *Phi = dyn_cast<PHINode>(User);
    return DT.dominates(&Behind,
                        Phi ? Phi->getIncomingBlock(U) : User->getParent());
  };
  Instruction *Before = Call.getPrevNode();
  while (Before && !Before->mayWriteToMemory()) {
    Instruction &I = *Before;
    Before = I.getPrevNode();
    if (mayBeLate(I) && !I.use_empty() && all_of(I.uses(), IsBehind))
      I.moveBefore(Behind.getFirstInsertionPt());
  }
}

void heddle::leanFrames(const RecursiveCode &Code, unsigned LineBytes) {
  assert(!Code.Blocks.empty() && Code.Before.getTerminator() &&
         "complete blocks");
  Preparation P(Code);
  P.hoist();
  P.markVisited(LineBytes);
  P.repeatBehind();
}
