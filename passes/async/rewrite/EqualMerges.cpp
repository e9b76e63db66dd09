//===- EqualMerges.cpp - Merges of one value ------------------------------===//

#include "async/rewrite/EqualMerges.h"
#include "loop/Tunables.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

using Merges = SmallSetVector<Instruction *, 8>;

/// Collects what \p First , a phi of \p L 's header, merges, as far as it is
/// merges in \p L . False if something other than \p Entry comes in.
static bool merges(PHINode &First, const Value &Entry, const Loop &L,
                   Merges &Found) {
  Found.insert(&First);
  for (unsigned N = 0; N < Found.size(); ++N) {
    auto *Choice = dyn_cast<SelectInst>(Found[N]);
    for (Value *From : Found[N]->operands()) {
      if (From == &Entry || (Choice && From == Choice->getCondition()))
        continue;
      auto *I = dyn_cast<Instruction>(From);
      if (!I || !isa<PHINode, SelectInst>(I) || !L.contains(I) ||
          Found.size() >= tunable::EqualMerges)
        return false;
      Found.insert(I);
    }
  }
  return true;
}

/// True if \p Phi was a merge of one value, and is gone.
static bool fold(PHINode &Phi, const Loop &L, ScalarEvolution &SE) {
  Value *Entry = Phi.getIncomingValueForBlock(L.getLoopPreheader());
  Merges Found;
  if (Entry == &Phi || !merges(Phi, *Entry, L, Found))
    return false;
  for (Instruction *Merge : Found) {
    SE.forgetValue(Merge);
    Merge->replaceAllUsesWith(Entry);
  }
  for (Instruction *Merge : Found)
    Merge->eraseFromParent();
  return true;
}

bool heddle::foldEqualMerges(const LoopContext &C) {
  bool Changed = false;
  for (Loop *Inner : C.L.getLoopsInPreorder())
    if (Inner != &C.L && Inner->getLoopPreheader())
      while (any_of(Inner->getHeader()->phis(),
                    [&](PHINode &Phi) { return fold(Phi, *Inner, C.SE); }))
        Changed = true;
  if (Changed)
    C.SE.forgetLoop(&C.L);
  return Changed;
}
