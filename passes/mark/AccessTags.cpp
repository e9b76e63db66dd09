//===- AccessTags.cpp - Accesses through the variables of clauses ---------===//

#include "mark/AccessTags.h"
#include "ir/Instructions.h"
#include "mark/Descriptors.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;

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
    if (IsData)
      followData(Variable);
    else
      followVariable(Variable, isArray(Variable));
    MDNode *Tag = MDNode::get(L.getHeader()->getContext(), {});
    while (!Worklist.empty()) {
      Value *Address = Worklist.pop_back_val();
      for (User *U : Address->users())
        if (auto *I = dyn_cast<Instruction>(U); I && L.contains(I))
          visit(*I, Address, Kind, Tag);
        else if (isa<GEPOperator>(U) && isa<Constant>(U))
          follow(U);
    }
  }

private:
  void follow(Value *V) {
    if (Seen.insert(V).second)
      Worklist.push_back(V);
  }

  /// Follows all addresses in the object that \p Data points into, under each
  /// name.
  void followData(Value *Data) {
    while (auto *Part = dyn_cast<GEPOperator>(Data))
      Data = Part->getPointerOperand();
    follow(Data);
    if (auto *Load = dyn_cast<LoadInst>(Data))
      followVariable(Load->getPointerOperand(), /*Array=*/false);
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
  void followVariable(Value *Variable, bool Array) {
    if (Array)
      follow(Variable);
    const Origin Wanted = originOf(Variable, DL);
    for (Instruction &I : instructionsIn(L.blocks())) {
      Value *Address = nullptr;
      if (auto *Member = dyn_cast<GetElementPtrInst>(&I); Member && Array)
        Address = Member;
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && !Array && Load->getType()->isPointerTy())
        Address = Load->getPointerOperand();
      if (!Address)
        continue;
      const Origin Found = originOf(Address, DL);
      if (Found.Offset == Wanted.Offset && isSameBase(Found.Base, Wanted.Base))
        follow(&I);
    }
  }

  /// `this` itself is reloaded from its alloca at each use.
  bool isSameBase(Value *A, Value *B) const {
    while (A != B) {
      auto *First = dyn_cast<LoadInst>(A), *Second = dyn_cast<LoadInst>(B);
      if (!First || !Second)
        return false;
      const Origin Here = originOf(First->getPointerOperand(), DL);
      const Origin There = originOf(Second->getPointerOperand(), DL);
      if (Here.Offset != There.Offset)
        return false;
      A = Here.Base;
      B = There.Base;
    }
    return true;
  }

  void visit(Instruction &I, Value *Address, StringRef Kind, MDNode *Tag) {
    if (isa<GetElementPtrInst, CastInst, PHINode, SelectInst>(I)) {
      follow(&I);
      return;
    }
    if (accessedAddress(I) == Address)
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
  assert(Variable->getType()->isPointerTy() && "known by its address");
  AccessTagger(L).run(Variable, /*IsData=*/false, Kind);
}

void heddle::tagAccessesTo(Value *Data, const Loop &L, StringRef Kind) {
  assert(Data->getType()->isPointerTy() && "known by its address");
  AccessTagger(L).run(Data, /*IsData=*/true, Kind);
}
