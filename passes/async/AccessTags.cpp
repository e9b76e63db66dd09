//===- AccessTags.cpp - Accesses through the variables of clauses ---------===//

#include "async/AccessTags.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

class AccessTagger {
  const Loop &L;
  const DataLayout &DL;
  SmallVector<Value *> Worklist;
  SmallPtrSet<Value *, 16> Seen;

public:
  explicit AccessTagger(const Loop &L)
      : L(L), DL(L.getHeader()->getDataLayout()) {}

  void run(Value *Variable, bool IsData, StringRef Kind) {
    if (!IsData)
      followVariable(Variable);
    else if (auto *Load = dyn_cast<LoadInst>(Variable))
      followVariable(Load->getPointerOperand());
    else
      follow(Variable);
    MDNode *Tag = MDNode::get(L.getHeader()->getContext(), {});
    while (!Worklist.empty()) {
      Value *Address = Worklist.pop_back_val();
      for (User *U : Address->users())
        if (auto *I = dyn_cast<Instruction>(U); I && L.contains(I))
          visit(*I, Address, Kind, Tag);
    }
  }

private:
  void follow(Value *V) {
    if (Seen.insert(V).second)
      Worklist.push_back(V);
  }

  static bool isArray(const Value *Variable) {
    if (auto *Alloca = dyn_cast<AllocaInst>(Variable->stripPointerCasts()))
      return Alloca->getAllocatedType()->isArrayTy();
    if (auto *Global = dyn_cast<GlobalVariable>(Variable))
      return Global->getValueType()->isArrayTy();
    if (auto *Member = dyn_cast<GEPOperator>(Variable))
      return Member->getResultElementType()->isArrayTy();
    return false;
  }

  /// Follows the array itself, or each value that the loop loads of the
  /// pointer. Members are addressed afresh at each use: `this->p` is any
  /// address with the same base and offset.
  void followVariable(Value *Variable) {
    bool Array = isArray(Variable);
    if (Array)
      follow(Variable);
    APInt Offset(DL.getIndexTypeSizeInBits(Variable->getType()), 0);
    Value *Base =
        Variable->stripAndAccumulateInBoundsConstantOffsets(DL, Offset);
    for (BasicBlock *Block : L.blocks())
      for (Instruction &I : *Block) {
        Value *Address = nullptr;
        if (auto *Member = dyn_cast<GetElementPtrInst>(&I); Member && Array)
          Address = Member;
        if (auto *Load = dyn_cast<LoadInst>(&I);
            Load && !Array && Load->getType()->isPointerTy())
          Address = Load->getPointerOperand();
        if (!Address)
          continue;
        APInt Other(Offset.getBitWidth(), 0);
        Value *From =
            Address->stripAndAccumulateInBoundsConstantOffsets(DL, Other);
        if (Other == Offset && isSameBase(From, Base))
          follow(&I);
      }
  }

  /// `this` itself is reloaded from its alloca at each use.
  static bool isSameBase(Value *A, Value *B) {
    if (A == B)
      return true;
    auto *First = dyn_cast<LoadInst>(A), *Second = dyn_cast<LoadInst>(B);
    return First && Second &&
           First->getPointerOperand()->stripInBoundsConstantOffsets() ==
               Second->getPointerOperand()->stripInBoundsConstantOffsets();
  }

  void visit(Instruction &I, Value *Address, StringRef Kind, MDNode *Tag) {
    if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(I)) {
      follow(&I);
      return;
    }
    auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
    auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
    if (getLoadStorePointerOperand(&I) == Address ||
        (Atomic && Atomic->getPointerOperand() == Address) ||
        (Exchange && Exchange->getPointerOperand() == Address))
      I.setMetadata(Kind, Tag);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      followCopies(*Store);
  }

  /// A local pointer or reference that \p Store sets points there, too.
  void followCopies(StoreInst &Store) {
    auto *Variable = dyn_cast<AllocaInst>(Store.getPointerOperand());
    if (!Variable)
      return;
    for (User *U : Variable->users())
      if (auto *Load = dyn_cast<LoadInst>(U); Load && L.contains(Load))
        follow(Load);
  }
};

} // namespace

void heddle::tagAccessesThrough(Value *Variable, const Loop &L,
                                StringRef Kind) {
  AccessTagger(L).run(Variable, /*IsData=*/false, Kind);
}

void heddle::tagAccessesTo(Value *Data, const Loop &L, StringRef Kind) {
  AccessTagger(L).run(Data, /*IsData=*/true, Kind);
}
