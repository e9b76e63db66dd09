//===- LoopCopy.cpp - A loop beside a loop --------------------------------===//

#include "elsewhere/LoopCopy.h"
#include "ir/Instructions.h"
#include "mark/Marks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace heddle;

/// Gives the loops in \p Blocks properties of their own: each loop has its
/// node.
static void separateLoopIDs(ArrayRef<BasicBlock *> Blocks) {
  for (BasicBlock *Block : Blocks) {
    Instruction *End = Block->getTerminator();
    MDNode *ID = End->getMetadata(LLVMContext::MD_loop);
    if (!ID)
      continue;
    SmallVector<Metadata *> Operands(ID->op_begin(), ID->op_end());
    MDNode *Own = MDNode::getDistinct(ID->getContext(), Operands);
    Own->replaceOperandWith(0, Own);
    End->setMetadata(LLVMContext::MD_loop, Own);
  }
}

/// Adds \p V, an address in a variable that is used in \p L only, and what is
/// computed from it in front of the loop to \p Own. False if it is used
/// elsewhere.
static bool isOwn(Instruction &V, const Loop &L,
                  SmallSetVector<Instruction *, 4> &Own) {
  Own.insert(&V);
  return all_of(V.users(), [&](User *U) {
    auto *I = cast<Instruction>(U);
    if (I->isLifetimeStartOrEnd())
      return true;
    // What enters a phi in the header goes from iteration to iteration.
    if (L.contains(I))
      return !isa<PHINode>(I) || I->getParent() != L.getHeader();
    return isa<GetElementPtrInst, CastInst>(I) && isOwn(*I, L, Own);
  });
}

/// Gives the copy of \p L variables of its own instead of those that only the
/// loop uses: they belong to iterations.
static void copyVariables(const Loop &L, ValueToValueMapTy &Map) {
  Function &F = *L.getHeader()->getParent();
  for (Instruction &I : make_early_inc_range(F.getEntryBlock())) {
    auto *Variable = dyn_cast<AllocaInst>(&I);
    SmallSetVector<Instruction *, 4> Own;
    if (!Variable || !Variable->isStaticAlloca() || Variable->use_empty() ||
        !isOwn(*Variable, L, Own))
      continue;
    for (Instruction *Part : Own) {
      Instruction *Copy = Part->clone();
      Copy->insertAfter(Part->getIterator());
      RemapInstruction(Copy, Map,
                       RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
      Map[Part] = Copy;
    }
  }
}

void heddle::putCopyBeside(Loop &L, Value &Condition) {
  BasicBlock *Preheader = L.getLoopPreheader(), *Header = L.getHeader();
  assert(Preheader && "in simplified form");
  Function &F = *Header->getParent();
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *> Copies;
  SmallSetVector<BasicBlock *, 4> Exits;
  copyVariables(L, Map);
  for (BasicBlock *Block : L.blocks()) {
    BasicBlock *Copy = CloneBasicBlock(Block, Map, ".fallback", &F);
    Map[Block] = Copy;
    Copies.push_back(Copy);
    for (BasicBlock *Next : successors(Block))
      if (!L.contains(Next))
        Exits.insert(Next);
  }
  auto *Before =
      BasicBlock::Create(F.getContext(), "fallback", &F, Copies.front());
  BranchInst::Create(cast<BasicBlock>(Map[Header]), Before)
      ->setDebugLoc(Preheader->getTerminator()->getDebugLoc());
  auto *Own = BasicBlock::Create(F.getContext(), "with.forms", &F, Header);
  BranchInst::Create(Header, Own)
      ->setDebugLoc(Preheader->getTerminator()->getDebugLoc());
  Map[Preheader] = Before;
  remapInstructionsInBlocks(Copies, Map);
  Map.erase(Preheader);
  Header->replacePhiUsesWith(Preheader, Own);
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned I = 0, E = Phi.getNumIncomingValues(); I < E; ++I) {
        BasicBlock *From = Phi.getIncomingBlock(I);
        if (!L.contains(From))
          continue;
        Value *V = Phi.getIncomingValue(I);
        Value *Copy = Map.lookup(V);
        Phi.addIncoming(Copy ? Copy : V, cast<BasicBlock>(Map[From]));
      }
  Instruction *Jump = Preheader->getTerminator();
  IRBuilder<> B(Jump);
  B.CreateCondBr(&Condition, Own, Before)
      ->setMetadata(FormChoiceMetadata, MDNode::get(F.getContext(), {}));
  Jump->eraseFromParent();
  separateLoopIDs(Copies);
  for (Instruction &I : instructionsIn(Copies))
    if (calleeName(I) == AsyncMarkerName) {
      I.setMetadata(FallbackMetadata, MDNode::get(F.getContext(), {}));
      // Its other callees are still to be nested.
      I.setMetadata(NestedMetadata, nullptr);
    }
}
