//===- Reloads.cpp - Variables that are read again ------------------------===//

#include "async/analysis/Reloads.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/CalleeUses.h"
#include "inline/GuardTargets.h"
#include "ir/Instructions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace heddle;

bool heddle::isReadOnEntry(const LoopContext &C, const Value &Value,
                           const LoadInst &Load) {
  MemorySSA Memory(*C.L.getHeader()->getParent(), &C.AA, &C.DT);
  auto *Phi = Memory.getMemoryAccess(C.L.getHeader());
  if (!Phi)
    return false;
  MemorySSAWalker &Walker = *Memory.getWalker();
  const MemoryAccess *Last = Walker.getClobberingMemoryAccess(
      Phi->getIncomingValueForBlock(C.L.getLoopPreheader()),
      MemoryLocation::get(&Load));
  auto IsPlace = [&](const llvm::Value *Address) {
    return C.SE.getSCEV(const_cast<llvm::Value *>(Address)) ==
           C.SE.getSCEV(const_cast<llvm::Value *>(Load.getPointerOperand()));
  };
  if (auto *Before = dyn_cast<LoadInst>(&Value))
    return Before->isSimple() && IsPlace(Before->getPointerOperand()) &&
           Walker.getClobberingMemoryAccess(Before) == Last;
  auto *Def = dyn_cast<MemoryDef>(Last);
  auto *Store =
      Def ? dyn_cast_or_null<StoreInst>(Def->getMemoryInst()) : nullptr;
  return Store && Store->isSimple() && Store->getValueOperand() == &Value &&
         IsPlace(Store->getPointerOperand());
}

bool heddle::isInClause(const Value *Variable, const Directive &D) {
  return is_contained(D.Private, Variable) ||
         is_contained(D.Shared, Variable) ||
         is_contained(D.Sequential, Variable);
}

/// True if an iteration comes to \p Load whenever it goes on from \p I to the
/// next one.
static bool isFollowedBy(const Instruction &I, const LoadInst &Load,
                         const Loop &L) {
  const BasicBlock *End = Load.getParent();
  if (I.getParent() == End)
    return I.comesBefore(&Load);
  SmallSetVector<const BasicBlock *, 16> Reached;
  Reached.insert(I.getParent());
  for (unsigned N = 0; N < Reached.size(); ++N)
    for (const BasicBlock *Next : successors(Reached[N])) {
      if (Next == L.getHeader())
        return false;
      if (L.contains(Next) && Next != End)
        Reached.insert(Next);
    }
  return true;
}

/// True if \p Load, by which \p Phi gets its next value, reads what it would
/// read at the beginning of the next iteration, and only calls that go to none
/// of their likely targets change that.
static bool isReload(const LoadInst &Load, const PHINode &Phi,
                     const LoopContext &C, const Directive &D) {
  const Value *Variable = Load.getPointerOperand();
  const Value *Entry = Phi.getIncomingValueForBlock(C.L.getLoopPreheader()),
              *Next = Phi.getIncomingValueForBlock(C.L.getLoopLatch());
  if (!C.L.contains(&Load) || !Load.isSimple() ||
      !C.L.isLoopInvariant(Variable) || isInClause(Variable, D) ||
      isa<AllocaInst>(getUnderlyingObject(Variable)))
    return false;
  const MemoryLocation Place = MemoryLocation::get(&Load);
  const FrameValues Frames(C);
  CalleeUses Callees;
  auto MayWrite = [&](Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call ? Callees.mayWrite(*Call, Load, C, Frames)
                : isModSet(C.AA.getModRefInfo(&I, Place));
  };
  for (Instruction &I : instructionsIn(C.L.blocks()))
    if (I.mayWriteToMemory() && !hasCodeBeside(I) && MayWrite(I) &&
        !(Next == &Load && isUnlikelyCall(I) && isFollowedBy(I, Load, C.L)))
      return false;
  return isReadOnEntry(C, *Entry, Load);
}

/// Makes the block in front of the latch the latch, if nothing is left in that.
static void dropLatch(const LoopContext &C) {
  Loop &L = C.L;
  BasicBlock *Latch = L.getLoopLatch(), *Header = L.getHeader();
  BasicBlock *Before = Latch->getSinglePredecessor();
  if (!Before || Latch == Header || !isa<BranchInst>(Before->getTerminator()) ||
      &Latch->front() != Latch->getTerminator() ||
      Latch->getSingleSuccessor() != Header || C.LI.getLoopFor(Before) != &L ||
      is_contained(successors(Before), Header))
    return;
  MDNode *LoopID = L.getLoopID();
  Before->getTerminator()->replaceSuccessorWith(Latch, Header);
  Header->replacePhiUsesWith(Latch, Before);
  C.LI.removeBlock(Latch);
  C.DT.eraseNode(Latch);
  Latch->eraseFromParent();
  L.setLoopID(LoopID);
}

/// True if control comes from \p From to the block of \p Merge only where \p
/// Phi has the value \p Known .
static bool isKnownFrom(const BasicBlock &From, const PHINode &Merge,
                        const PHINode &Phi, const Value *Known) {
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  return Branch && Branch->isConditional() &&
         Branch->getSuccessor(0) == Merge.getParent() &&
         Branch->getSuccessor(1) != Merge.getParent() &&
         match(Branch->getCondition(),
               m_SpecificICmp(CmpInst::ICMP_EQ, m_Specific(&Phi),
                              m_Specific(Known)));
}

/// The load of the loop by which \p Phi gets its next value, on all ways on
/// which it does not keep its value; null if there is none, or another one.
/// Adds to \p Seen what the next value merges.
static LoadInst *onlyReloadOf(PHINode &Phi, const Loop &L,
                              SmallPtrSetImpl<Instruction *> &Seen) {
  LoadInst *Only = nullptr;
  SmallVector<Value *> Worklist{Phi.getIncomingValueForBlock(L.getLoopLatch())};
  Seen.insert(&Phi);
  while (!Worklist.empty()) {
    auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I))
      return nullptr;
    if (!Seen.insert(I).second)
      continue;
    auto *Merge = dyn_cast<PHINode>(I);
    if (Merge && Merge->getParent() != L.getHeader()) {
      for (const Use &Way : Merge->incoming_values())
        if (!isKnownFrom(*Merge->getIncomingBlock(Way), *Merge, Phi, Way))
          Worklist.push_back(Way);
      continue;
    }
    auto *Load = dyn_cast<LoadInst>(I);
    if (!Load || !Load->isSimple() ||
        (Only && (Only->getPointerOperand() != Load->getPointerOperand() ||
                  Only->getType() != Load->getType())))
      return nullptr;
    Only = Load;
  }
  return Only;
}

bool heddle::readAtBeginning(const LoopContext &C, const Directive &D) {
  Loop &L = C.L;
  if (!L.getLoopLatch() || !L.getLoopPreheader())
    return false;
  bool Changed = false;
  for (PHINode &Phi : make_early_inc_range(L.getHeader()->phis())) {
    SmallPtrSet<Instruction *, 8> Web;
    LoadInst *Load = onlyReloadOf(Phi, L, Web);
    if (!Load || !isReload(*Load, Phi, C, D))
      continue;
    Instruction *Anew = Load->clone();
    Anew->insertBefore(L.getHeader()->getFirstInsertionPt());
    Value *Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
    // Where values merge, nothing changes the variable.
    const bool IsMerged = isa<PHINode>(Next);
    if (!IsMerged)
      Web = {&Phi};
    for (Instruction *Same : Web) {
      C.SE.forgetValue(Same);
      Same->replaceAllUsesWith(Anew);
    }
    for (Instruction *Same : Web)
      Same->eraseFromParent();
    if (!IsMerged)
      RecursivelyDeleteTriviallyDeadInstructions(Next);
    Changed = true;
  }
  if (!Changed)
    return false;
  dropLatch(C);
  C.SE.forgetLoop(&L);
  return true;
}
