//===- MemoryAccumulators.cpp - Rows combined in memory -------------------===//

#include "schedule-aware/MemoryAccumulators.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace heddle;

namespace {

/// Stores the register where the loop is left.
class RowPromoter : public LoadAndStorePromoter {
  Loop &Inner;
  SSAUpdater &Updater;
  StoreInst &Model;

public:
  RowPromoter(ArrayRef<const Instruction *> Accesses, SSAUpdater &Updater,
              Loop &Inner, StoreInst &Model)
      : LoadAndStorePromoter(Accesses, Updater), Inner(Inner), Updater(Updater),
        Model(Model) {}

  void doExtraRewritesBeforeFinalDeletion() override {
    BasicBlock *Exit = Inner.getExitBlock();
    Value *Last = Updater.GetValueInMiddleOfBlock(Exit);
    // Closed SSA: the value leaves the loop through a phi.
    if (auto *I = dyn_cast<Instruction>(Last); I && Inner.contains(I)) {
      PHINode *Phi = PHINode::Create(Last->getType(), 1, "row");
      Phi->insertBefore(Exit->begin());
      Phi->addIncoming(Last, Inner.getExitingBlock());
      Last = Phi;
    }
    auto *Store = cast<StoreInst>(Model.clone());
    Store->setOperand(0, Last);
    Store->insertBefore(Exit->getFirstInsertionPt());
  }
};

} // namespace

/// Whether \p Access happens whenever the loop runs, so that its place exists.
static bool isCertain(const Instruction &Access, const Loop &Inner,
                      const DominatorTree &DT) {
  return DT.dominates(Access.getParent(), Inner.getLoopLatch());
}

bool heddle::promoteRowMemory(Loop &Inner, DominatorTree &DT) {
  BasicBlock *Preheader = Inner.getLoopPreheader();
  BasicBlock *Exit = Inner.getExitBlock();
  if (!Preheader || !Exit || Inner.getExitingBlock() == nullptr)
    return false;
  MapVector<Value *, SmallVector<Instruction *, 4>> Places;
  for (BasicBlock *Block : Inner.blocks())
    for (Instruction &I : *Block)
      if (auto *Store = dyn_cast<StoreInst>(&I);
          Store && Inner.isLoopInvariant(Store->getPointerOperand()))
        Places[Store->getPointerOperand()];
  bool Changed = false;
  for (auto &[Place, Accesses] : Places) {
    StoreInst *Model = nullptr;
    Type *Ty = nullptr;
    bool Simple = true, Certain = false;
    for (User *U : Place->users()) {
      auto *I = dyn_cast<Instruction>(U);
      if (!I || !Inner.contains(I))
        continue;
      auto *Store = dyn_cast<StoreInst>(I);
      auto *Load = dyn_cast<LoadInst>(I);
      bool IsAccess =
          (Store && Store->isSimple() && Store->getPointerOperand() == Place) ||
          (Load && Load->isSimple());
      if (!IsAccess || (Ty && getLoadStoreType(I) != Ty)) {
        Simple = false;
        break;
      }
      Ty = getLoadStoreType(I);
      Certain |= isCertain(*I, Inner, DT);
      if (Store)
        Model = Store;
      Accesses.push_back(I);
    }
    if (!Simple || !Certain || !Model)
      continue;
    auto *Before =
        new LoadInst(Ty, Place, "row.before", false, Model->getAlign(),
                     Preheader->getTerminator()->getIterator());
    Before->setDebugLoc(Model->getDebugLoc());
    SSAUpdater Updater;
    SmallVector<const Instruction *, 4> Promoted(Accesses.begin(),
                                                 Accesses.end());
    RowPromoter Promoter(Promoted, Updater, Inner, *Model);
    Updater.AddAvailableValue(Preheader, Before);
    Promoter.run(Accesses);
    Changed = true;
  }
  return Changed;
}
