//===- SegmentClone.cpp - A segment copied for a schedule -----------------===//
//
// The part of Segments that copies one: a copy has one way in and ends where
// its task is suspended or retires. Code that only other segments need is left
// out.
//
//===----------------------------------------------------------------------===//

#include "async/rewrite/BranchFree.h"
#include "async/rewrite/DebugScopes.h"
#include "async/rewrite/Segments.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

/// Returns the end of a segment at \p Side if \p Side contains nothing else:
/// the suspension, or a contained nullopt for a retirement. Returns nullopt if
/// \p Side contains more.
static std::optional<std::optional<unsigned>>
bareEnd(const BasicBlock *Side, const BasicBlock *Retire,
        const DenseMap<const BasicBlock *, unsigned> &Suspensions) {
  for (unsigned Steps = 0; Steps < 3; ++Steps) {
    if (Side->size() != 1)
      return std::nullopt;
    if (Side == Retire)
      return std::optional<unsigned>();
    const BasicBlock *Next = Side->getSingleSuccessor();
    if (!Next)
      return std::nullopt;
    auto Suspension = Suspensions.find(Next);
    if (Suspension != Suspensions.end())
      return std::optional<unsigned>(Suspension->second);
    Side = Next;
  }
  return std::nullopt;
}

/// Appends blocks of \p Blocks to their predecessors if the edge is the only
/// one of both and \p IsKept is false.
static void mergeStraightCode(SmallVectorImpl<BasicBlock *> &Blocks,
                              function_ref<bool(BasicBlock *)> IsKept) {
  SmallPtrSet<BasicBlock *, 32> In(Blocks.begin(), Blocks.end());
  SmallPtrSet<BasicBlock *, 32> Merged;
  for (BasicBlock *Block : drop_begin(Blocks)) {
    BasicBlock *Before = Block->getSinglePredecessor();
    if (!Before)
      continue;
    FoldSingleEntryPHINodes(Block);
    if (In.contains(Before) && !IsKept(Block) &&
        MergeBlockIntoPredecessor(Block))
      Merged.insert(Block);
  }
  erase_if(Blocks, [&](BasicBlock *Block) { return Merged.contains(Block); });
}

Value *Segments::accessedVariable(Instruction &I) const {
  Value *Place = getLoadStorePointerOperand(&I);
  return Place && isVariable(Place) ? Place : nullptr;
}

void Segments::forwardStores(BasicBlock *Block) const {
  DenseMap<Value *, Value *> Now;
  for (Instruction &I : make_early_inc_range(*Block)) {
    Value *Variable = accessedVariable(I);
    if (!Variable)
      continue;
    if (auto *Store = dyn_cast<StoreInst>(&I))
      Now[Variable] = Store->getValueOperand();
    else if (Value *Known = Now.lookup(Variable)) {
      I.replaceAllUsesWith(Known);
      I.eraseFromParent();
    } else
      Now[Variable] = &I;
  }
}

void Segments::removeDeadStores(
    BasicBlock *Block, const BasicBlock *Retire,
    const DenseMap<const BasicBlock *, unsigned> &Suspensions) {
  const BasicBlock *Next = Block->getSingleSuccessor();
  if (!Next || (Next != Retire && !Suspensions.contains(Next)))
    return;
  forwardStores(Block);
  SmallPtrSet<Value *, 8> Live;
  if (Next != Retire)
    for (AllocaInst *Saved : Contexts[Suspensions.lookup(Next)].Saved)
      Live.insert(Saved);
  SmallVector<WeakTrackingVH> Unused;
  for (Instruction &I : make_early_inc_range(reverse(*Block))) {
    Value *Variable = accessedVariable(I);
    if (!Variable)
      continue;
    if (isa<LoadInst>(I))
      Live.insert(Variable);
    else if (!Live.erase(Variable)) {
      Unused.push_back(cast<StoreInst>(I).getValueOperand());
      I.eraseFromParent();
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Unused);
}

/// Makes \p Block end as \p How says.
static void endWith(BasicBlock *Block, function_ref<void(IRBuilder<> &)> How) {
  Block->getTerminator()->eraseFromParent();
  IRBuilder<> B(Block);
  How(B);
}

/// If \p Block ends in a branch between two bare ends, not both of them
/// retirements, ends it with Emit.Either. True if it branches.
static bool
emitEither(BasicBlock *Block, const BasicBlock *Retire,
           const DenseMap<const BasicBlock *, unsigned> &Suspensions,
           const Segments::EndEmitters &Emit) {
  auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  auto IfTrue = bareEnd(Branch->getSuccessor(0), Retire, Suspensions);
  auto IfFalse = bareEnd(Branch->getSuccessor(1), Retire, Suspensions);
  if (IfTrue && IfFalse && (*IfTrue || *IfFalse)) {
    Value *Condition = Branch->getCondition();
    endWith(Block, [&](IRBuilder<> &B) {
      Emit.Either(B, Condition, *IfTrue, *IfFalse);
    });
  }
  return true;
}

void Segments::emitEnds(SmallVectorImpl<BasicBlock *> &Clones,
                        ValueToValueMapTy &Map, const EndEmitters &Emit) {
  auto Cloned = [&](BasicBlock *Block) {
    Value *Clone = Map.lookup(Block);
    return Clone ? cast<BasicBlock>(Clone) : Block;
  };
  assert(Emit.Suspend && Emit.Retire && "segments end either way");
  BasicBlock *Retire = Cloned(Body.Retire);
  BasicBlock *Leave = Body.Leave ? Cloned(Body.Leave) : nullptr;
  // A suspension edge is the only way into its resume block, so that only a
  // plain branch leads there.
  DenseMap<const BasicBlock *, unsigned> Suspensions, ToMemory;
  SegmentEnds Where;
  Where.Retire = Retire;
  for (auto [Resume, Index] : ResumeIndex) {
    Suspensions[Cloned(Resume)] = Index;
    if (Body.TurnResume != Index) {
      ToMemory[Cloned(Resume)] = Index;
      Where.Resumes.insert(Cloned(Resume));
    }
  }
  if (Emit.Either) {
    mergeStraightCode(Clones, [&](BasicBlock *Block) {
      return Block == Retire || Block == Leave || Suspensions.contains(Block);
    });
    for (BasicBlock *Clone : Clones)
      removeDeadStores(Clone, Retire, Suspensions);
    auto IsPrivate = [&](const Value *V) { return isVariable(V); };
    Where.IsPrivate = IsPrivate;
    emptyEnds(Clones, Where, State);
  }
  for (BasicBlock *Clone : Clones)
    if (Clone == Retire)
      endWith(Clone, Emit.Retire);
    else if (Clone == Leave)
      endWith(Clone, [&](IRBuilder<> &B) { B.CreateBr(LeftAt); });
    else if (!Emit.Either || !emitEither(Clone, Retire, ToMemory, Emit)) {
      BasicBlock *Next = Clone->getSingleSuccessor();
      if (auto Found = Suspensions.find(Next); Found != Suspensions.end())
        endWith(Clone, [&](IRBuilder<> &B) { Emit.Suspend(B, Found->second); });
    }
}

void Segments::repairPhis(ArrayRef<BasicBlock *> Region,
                          ArrayRef<BasicBlock *> Clones,
                          ValueToValueMapTy &Map) const {
  SmallPtrSet<BasicBlock *, 32> InRegion(Region.begin(), Region.end());
  for (auto [Block, Clone] : zip_equal(Region, Clones)) {
    // Edges into the region from other segments do not exist here.
    for (PHINode &Phi : Clone->phis())
      for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;)
        if (!InRegion.contains(Phi.getIncomingBlock(I)))
          Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
    for (BasicBlock *Successor : successors(Block))
      if (!InRegion.contains(Successor) && !ResumeIndex.contains(Successor))
        // A way out that ends the program.
        for (PHINode &Phi : Successor->phis()) {
          if (Phi.getBasicBlockIndex(Clone) >= 0)
            continue;
          Value *V = Phi.getIncomingValueForBlock(Block);
          Value *New = Map.lookup(V);
          Phi.addIncoming(New ? New : V, Clone);
        }
  }
}

void Segments::recompute(const Context &C, Instruction *At) const {
  for (auto &[I, Variable] : C.Recomputed) {
    Instruction *Copy = I->clone();
    // Demotion has made its operands loads of variables in the body.
    for (Use &U : Copy->operands())
      if (auto *Load = dyn_cast<LoadInst>(U.get());
          Load && isVariable(Load->getPointerOperand()))
        U.set(new LoadInst(Load->getType(), Load->getPointerOperand(), "",
                           At->getIterator()));
    Copy->insertBefore(At->getIterator());
    new StoreInst(Copy, Variable, At->getIterator());
  }
}

BasicBlock *Segments::clone(unsigned Segment, const Twine &Suffix,
                            EndEmitters Emit) {
  Function &F = State.F;
  SmallVector<BasicBlock *> Region = region(Segment);
  ValueToValueMapTy Map;
  SmallVector<BasicBlock *> Clones;
  for (BasicBlock *Block : Region) {
    BasicBlock *Clone = CloneBasicBlock(Block, Map, Suffix, &F);
    Map[Block] = Clone;
    Clones.push_back(Clone);
  }
  BasicBlock *Start = Clones.front();
  repairPhis(Region, Clones, Map);
  remapInstructionsInBlocks(Clones, Map);
  emitEnds(Clones, Map, Emit);
  Instruction *At = &*Start->getFirstInsertionPt();
  if (Segment)
    recompute(Contexts[Segment - 1], At);
  Debug.restore(
      Segment ? Body.Resumes[Segment - 1] : Body.Entry, At,
      [&](Instruction *InBody) { return loadKnown(InBody, Segment, At); });
  for (BasicBlock *Clone : Clones)
    repairDebugRecords(Clone, Segment);
  separateScopes(Clones, Body.Loop);
  return Start;
}

Value *Segments::loadKnown(Instruction *InBody, unsigned Segment,
                           Instruction *At) const {
  AllocaInst *Variable = Variables.lookup(InBody);
  if (!Variable || Segment == 0)
    return nullptr;
  const Context &C = Contexts[Segment - 1];
  if (!is_contained(C.Saved, Variable) &&
      none_of(C.Recomputed,
              [&](const auto &Value) { return Value.second == Variable; }))
    return nullptr;
  return new LoadInst(Variable->getAllocatedType(), Variable, "",
                      At->getIterator());
}

void Segments::repairDebugRecords(BasicBlock *Clone, unsigned Segment) const {
  SmallPtrSet<BasicBlock *, 32> InBody(Body.Blocks.begin(), Body.Blocks.end());
  for (Instruction &I : make_early_inc_range(*Clone))
    for (DbgVariableRecord &Record : filterDbgVars(I.getDbgRecordRange())) {
      SmallVector<Value *> Elsewhere;
      for (Value *V : Record.location_ops())
        if (auto *From = dyn_cast_or_null<Instruction>(V);
            From && InBody.contains(From->getParent()))
          Elsewhere.push_back(V);
      for (Value *V : Elsewhere) {
        Value *Now = isa<PHINode>(I)
                         ? nullptr
                         : loadKnown(cast<Instruction>(V), Segment, &I);
        if (Now)
          Record.replaceVariableLocationOp(V, Now);
        else
          Record.setKillLocation();
      }
    }
}
