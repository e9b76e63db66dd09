//===- PointerLoads.cpp - Pointers that are loaded once more --------------===//

#include "check/quick/PointerLoads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// Loads that are looked at for another one of the same place.
static constexpr size_t MostLoads = 16;

/// Removes from \p Loads those of what \p Write may write.
static void forget(SmallVectorImpl<LoadInst *> &Loads, const Instruction &Write,
                   AAResults &AA) {
  erase_if(Loads, [&](LoadInst *Load) {
    return isModSet(AA.getModRefInfo(&Write, MemoryLocation::get(Load)));
  });
}

static bool mergeIn(BasicBlock &Block, AAResults &AA) {
  bool Changed = false;
  SmallVector<LoadInst *> Loads;
  for (Instruction &I : make_early_inc_range(Block)) {
    if (I.mayWriteToMemory())
      forget(Loads, I, AA);
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !Load->isSimple() || !Load->getType()->isPointerTy())
      continue;
    auto Same = find_if(Loads, [&](const LoadInst *Other) {
      return Other->getPointerOperand() == Load->getPointerOperand();
    });
    if (Same != Loads.end()) {
      (*Same)->dropUnknownNonDebugMetadata(LLVMContext::MD_tbaa);
      Load->replaceAllUsesWith(*Same);
      Load->eraseFromParent();
      Changed = true;
    } else {
      if (Loads.size() == MostLoads)
        Loads.erase(Loads.begin());
      Loads.push_back(Load);
    }
  }
  return Changed;
}

bool heddle::mergePointerLoads(Function &F, AAResults &AA) {
  bool Changed = false;
  for (BasicBlock &Block : F)
    Changed |= mergeIn(Block, AA);
  return Changed;
}
