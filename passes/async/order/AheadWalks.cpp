//===- AheadWalks.cpp - Walks that run ahead of their output --------------===//

#include "async/order/AheadWalks.h"
#include "async/order/TurnPoint.h"
#include "async/order/WaysBehind.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "mark/Marks.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace heddle;

/// True if a walk that is made twice may leave out \p I the first time.
static bool isLeftOut(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call &&
         (Call->isAssumeLikeIntrinsic() || isa<PseudoProbeInst>(Call)) &&
         Call->getType()->isVoidTy();
}

/// True if a walk may execute \p I once more.
static bool isRepeatable(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return isLeftOut(I) ||
         (!I.mayHaveSideEffects() && !isa<AllocaInst>(I) &&
          !(Call && (mustNotBeCopied(*Call) || Call->isInlineAsm())) &&
          !I.getType()->isTokenTy());
}

namespace {

/// One inner loop.
class Walk {
  const LoopContext &C;
  const LoopFacts &Facts;
  Loop &L, &Inner;
  BasicBlock *const Before, *const Header, *const Latch;
  AheadWalk W;
  WaysBehind Ways;

  ValueToValueMapTy Copies;
  /// For blocks whose branch is not taken behind a use: the copy of the branch.
  DenseMap<BasicBlock *, BasicBlock *> Branches;
  AllocaInst *IsFound = nullptr;
  SmallVector<std::pair<PHINode *, AllocaInst *>> First;
  /// What the phis of the header are on entry.
  SmallVector<Value *> Entries;
  BasicBlock *Again = nullptr;

public:
  Walk(const LoopContext &C, const LoopFacts &Facts, Loop &Inner)
      : C(C), Facts(Facts), L(C.L), Inner(Inner),
        Before(Inner.getLoopPreheader()), Header(Inner.getHeader()),
        Latch(Inner.getLoopLatch()), W(Inner) {}

  bool runAhead() {
    if (!Latch || !Before || !Inner.isInnermost() || !findUses() ||
        !findCarried() || !findAhead() || !hidesMore() ||
        !isUndisturbed(C, Facts, W))
      return false;
    assert(!Facts.Shape.isLeftEarly());
    Ways = findWaysBehind(C, Facts, W);
    copy();
    markVisited();
    return true;
  }

private:
  bool isIn(const Instruction &I) const { return Inner.contains(&I); }

  /// Finds the uses; false if there are none in the walk or some in front.
  bool findUses() {
    bool Any = false;
    for (const OrderedUse &Use : findOrderedUses(C, Facts)) {
      Instruction *At = Use.At;
      if (isIn(*At)) {
        Any = true;
        if (!isa<PHINode>(Use.By) || !isIn(*Use.By))
          W.Uses.insert(At);
        if (Value *Address = accessedAddress(*At))
          W.OrderedPlaces.insert(C.SE.getSCEV(Address));
      } else if (isa<PHINode>(Use.By) && isIn(*Use.By)) {
        Any = true;
      } else if (C.DT.dominates(Use.By->getParent(), Header)) {
        return false;
      }
    }
    return Any;
  }

  /// Finds the phis that hold Ordered variables. Whatever else uses these is a
  /// use.
  bool findCarried() {
    for (const LoopVariable &V : Facts.Classes.Variables) {
      if (V.Class != VariableClass::Ordered)
        continue;
      SmallVector<PHINode *> Worklist{V.Phi};
      while (!Worklist.empty())
        for (User *U : Worklist.pop_back_val()->users()) {
          auto *I = cast<Instruction>(U);
          auto *Phi = dyn_cast<PHINode>(I);
          if (!isIn(*I))
            continue;
          if (!Phi) {
            W.Uses.insert(I);
            continue;
          }
          auto [Found, IsNew] = W.Carried.insert({Phi, V.Phi});
          if (Found->second != V.Phi)
            return false;
          if (IsNew)
            Worklist.push_back(Phi);
        }
    }
    return true;
  }

  /// Finds what runs ahead; false if that is no loop, or does more than read.
  bool findAhead() {
    ReversePostOrderTraversal<BasicBlock *> Order(Header);
    SmallPtrSet<BasicBlock *, 16> Reached{Header};
    unsigned Size = 0;
    for (BasicBlock *Block : Order) {
      if (!Inner.contains(Block) || !Reached.contains(Block))
        continue;
      W.Ahead.insert(Block);
      bool IsCut = false;
      for (Instruction &I : *Block) {
        if (isa<PHINode>(I))
          continue;
        if (W.Uses.contains(&I)) {
          W.Cuts[Block] = &I;
          IsCut = true;
          break;
        }
        if (!isRepeatable(I))
          return false;
        ++Size;
      }
      if (IsCut)
        continue;
      if (!isa<BranchInst, SwitchInst>(Block->getTerminator()))
        return false;
      for (BasicBlock *To : successors(Block))
        Reached.insert(To);
    }
    constexpr unsigned MostInstructions = 200;
    return !W.Cuts.empty() && W.Ahead.contains(Latch) &&
           !W.Cuts.contains(Latch) && Size <= MostInstructions &&
           areUnchanged();
  }

  /// True if the Ordered variables keep their values ahead.
  bool areUnchanged() const {
    return all_of(W.Carried, [&](const auto &Entry) {
      auto [Phi, Variable] = Entry;
      return !W.Ahead.contains(Phi->getParent()) ||
             all_of(Phi->blocks(), [&](const BasicBlock *From) {
               auto *Incoming =
                   dyn_cast<PHINode>(Phi->getIncomingValueForBlock(From));
               return (Inner.contains(From) &&
                       (!W.Ahead.contains(const_cast<BasicBlock *>(From)) ||
                        W.Cuts.contains(const_cast<BasicBlock *>(From)))) ||
                      Incoming == Variable ||
                      (Incoming && W.Carried.lookup(const_cast<PHINode *>(
                                       Incoming)) == Variable);
             });
    });
  }

  /// True if the walk waits for some access now.
  bool hidesMore() const {
    return any_of(Facts.Latency.accesses(), [&](const Access &A) {
      return A.isLongLatency() && !isa<StoreInst>(A.I) && W.isAhead(*A.I);
    });
  }

  /// Where the walk goes on ahead to its end, there is nothing left to wait
  /// for.
  void markVisited() {
    const bool IsWhole =
        all_of(
            W.Cuts,
            [&](const auto &Cut) { return Ways.GoesOn.lookup(Cut.first); }) &&
        all_of(Ways.Skips, [](const auto &Skip) { return Skip.second; });
    for (Instruction &I : instructionsIn(Inner.blocks()))
      if (IsWhole && isa<LoadInst>(I) && W.isAhead(I) &&
          Ways.Passed.contains(I.getParent()))
        I.setMetadata(VisitedMetadata, MDNode::get(I.getContext(), {}));
  }

  void copy() {
    Function &F = *Header->getParent();
    makePlaces(F);
    Loop &New = *C.LI.AllocateLoop();
    L.addChildLoop(&New);
    for (BasicBlock *Block : W.Ahead) {
      auto *Copy = BasicBlock::Create(F.getContext(),
                                      Block->getName() + ".ahead", &F, Header);
      Copies[Block] = Copy;
      if (Ways.Skips.contains(Block))
        Branches[Block] =
            BasicBlock::Create(F.getContext(), "walk.branch", &F, Header);
    }
    const auto Turning = blocksToLatch();
    // The header comes first.
    for (BasicBlock *Block : W.Ahead) {
      Loop &Around = Turning.contains(Block) ? New : L;
      Around.addBasicBlockToLoop(cast<BasicBlock>(Copies[Block]), C.LI);
      if (BasicBlock *Branch = Branches.lookup(Block))
        Around.addBasicBlockToLoop(Branch, C.LI);
    }
    for (BasicBlock *Block : W.Ahead)
      copyBlock(*Block);
    for (BasicBlock *Block : W.Ahead)
      for (Instruction &I : *Block)
        if (auto *Copy = dyn_cast_or_null<Instruction>(Copies.lookup(&I));
            Copy && !isa<PHINode>(I))
          RemapInstruction(Copy, Copies,
                           RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
    for (BasicBlock *Block : W.Ahead)
      fillPhis(*Block);
    for (BasicBlock *Block : W.Ahead)
      if (W.Cuts.contains(Block)) {
        noteUse(*Block);
      } else {
        leaveLoop(*Block);
        skipBranch(*Block);
      }
    Before->getTerminator()->replaceSuccessorWith(
        Header, cast<BasicBlock>(Copies[Header]));
    C.DT.recalculate(F);
    SmallVector<AllocaInst *> Places{IsFound};
    for (auto &[Phi, Place] : First)
      Places.push_back(Place);
    promoteRegisters(F, Places);
    C.SE.forgetLoop(&L);
    simplifyLoop(&L, &C.DT, &C.LI, &C.SE, &C.AC, /*MSSAU=*/nullptr,
                 /*PreserveLCSSA=*/true);
    formLCSSARecursively(L, C.DT, &C.LI, &C.SE);
    C.SE.forgetLoop(&L);
  }

  /// The blocks behind which the walk may turn back ahead.
  SmallPtrSet<BasicBlock *, 16> blocksToLatch() const {
    SmallPtrSet<BasicBlock *, 16> Turning{Latch};
    auto Leads = [&](BasicBlock *Block) {
      return W.Cuts.contains(Block)
                 ? Turning.contains(Ways.GoesOn.lookup(Block))
                 : any_of(successors(Block),
                          [&](BasicBlock *To) { return Turning.contains(To); });
    };
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : W.Ahead)
        Changed |= Leads(Block) && Turning.insert(Block).second;
    }
    return Turning;
  }

  /// Makes the variables that say whether the walk has come to a use and how
  /// its turn began, and the block that goes on from there.
  void makePlaces(Function &F) {
    IRBuilder<> AtEntry(Before->getTerminator());
    IsFound = createVariable(F, AtEntry.getInt1Ty(), "walk.found");
    AtEntry.CreateStore(AtEntry.getFalse(), IsFound);
    Again = BasicBlock::Create(F.getContext(), "walk.again", &F, Header);
    L.addBasicBlockToLoop(Again, C.LI);
    IRBuilder<> B(Again);
    B.SetCurrentDebugLocation(Header->getTerminator()->getDebugLoc());
    for (PHINode &Phi : Header->phis()) {
      const int Entry = Phi.getBasicBlockIndex(Before);
      Phi.setIncomingBlock(Entry, Again);
      if (W.Carried.contains(&Phi))
        continue;
      AllocaInst *Place = createVariable(F, Phi.getType(), "walk.first");
      AtEntry.CreateStore(PoisonValue::get(Phi.getType()), Place);
      First.push_back({&Phi, Place});
      Entries.push_back(Phi.getIncomingValue(Entry));
      Phi.setIncomingValue(Entry, load(B, Place));
    }
    B.CreateBr(Header);
  }

  void copyBlock(BasicBlock &Block) {
    auto *Copy = cast<BasicBlock>(Copies[&Block]);
    auto Cut = W.Cuts.find(&Block);
    for (Instruction &I : Block) {
      if (Cut != W.Cuts.end() && &I == Cut->second)
        break;
      auto *Phi = dyn_cast<PHINode>(&I);
      if (Phi && W.Carried.contains(Phi)) {
        Copies[&I] = W.Carried.lookup(Phi);
        continue;
      }
      if (isLeftOut(I))
        continue;
      BasicBlock *To = I.isTerminator() ? copiedEnd(Block) : Copy;
      Instruction *New = I.clone();
      New->setName(I.getName());
      New->insertInto(To, To->end());
      Copies[&I] = New;
    }
  }

  Value *copied(Value *V) const {
    Value *Copy = Copies.lookup(V);
    return Copy ? Copy : V;
  }

  /// The copy of the end of \p Block.
  BasicBlock *copiedEnd(BasicBlock &Block) const {
    BasicBlock *Branch = Branches.lookup(&Block);
    return Branch ? Branch : cast<BasicBlock>(copied(&Block));
  }

  /// Hands the phis of the copy of \p Block the values of the ways that are
  /// there ahead.
  void fillPhis(BasicBlock &Block) {
    unsigned Entry = 0;
    for (PHINode &Phi : Block.phis()) {
      if (W.Carried.contains(&Phi))
        continue;
      auto *New = cast<PHINode>(copied(&Phi));
      while (New->getNumIncomingValues())
        New->removeIncomingValue(0u, /*DeletePHIIfEmpty=*/false);
      if (&Block == Header)
        New->addIncoming(Entries[Entry++], Before);
      for (BasicBlock *From : W.Ahead) {
        // What is not known is not used but for more of the kind.
        auto AddKnown = [&] {
          Value *V = Ways.Values.lookup({&Phi, From});
          New->addIncoming(V ? copied(V) : PoisonValue::get(Phi.getType()),
                           cast<BasicBlock>(Copies[From]));
        };
        if (auto Skip = Ways.Skips.find(From);
            Skip != Ways.Skips.end() && Skip->second == &Block)
          AddKnown();
        if (W.Cuts.contains(From)) {
          if (Ways.GoesOn.lookup(From) == &Block)
            AddKnown();
          continue;
        }
        for (const BasicBlock *To : successors(From))
          if (To == &Block)
            New->addIncoming(copied(Phi.getIncomingValueForBlock(From)),
                             copiedEnd(*From));
      }
    }
  }

  /// Ends the copy of \p Block, in which a use has been left out.
  void noteUse(BasicBlock &Block) {
    auto *Copy = cast<BasicBlock>(Copies[&Block]);
    IRBuilder<> B(Copy);
    B.SetCurrentDebugLocation(W.Cuts[&Block]->getDebugLoc());
    Value *Before = load(B, IsFound);
    for (auto &[Phi, Place] : First)
      B.CreateStore(B.CreateSelect(Before, load(B, Place), copied(Phi)), Place);
    B.CreateStore(B.getTrue(), IsFound);
    BasicBlock *Next = Ways.GoesOn.lookup(&Block);
    B.CreateBr(Next ? cast<BasicBlock>(Copies[Next]) : Again);
  }

  /// Leads the ways out of the walk, also those that end the program, to what
  /// is to be done again.
  void leaveLoop(BasicBlock &Block) {
    BasicBlock *End = copiedEnd(Block);
    SmallSetVector<BasicBlock *, 2> Exits;
    for (BasicBlock *To : successors(&Block))
      if (!Inner.contains(To))
        Exits.insert(To);
    for (BasicBlock *To : Exits) {
      auto *Done = BasicBlock::Create(End->getContext(), "walk.done",
                                      End->getParent(), Header);
      L.addBasicBlockToLoop(Done, C.LI);
      End->getTerminator()->replaceSuccessorWith(To, Done);
      IRBuilder<> B(Done);
      B.SetCurrentDebugLocation(End->getTerminator()->getDebugLoc());
      B.CreateCondBr(load(B, IsFound), Again, To);
      for (PHINode &Phi : To->phis())
        Phi.addIncoming(copied(Phi.getIncomingValueForBlock(&Block)), Done);
    }
  }

  /// Leads the walk past the branch of \p Block where something has been left
  /// out on which it depends.
  void skipBranch(BasicBlock &Block) {
    BasicBlock *Branch = Branches.lookup(&Block);
    if (!Branch)
      return;
    IRBuilder<> B(cast<BasicBlock>(Copies[&Block]));
    B.SetCurrentDebugLocation(Branch->getTerminator()->getDebugLoc());
    BasicBlock *Next = Ways.Skips.lookup(&Block);
    B.CreateCondBr(load(B, IsFound),
                   Next ? cast<BasicBlock>(Copies[Next]) : Again, Branch);
  }
};

} // namespace

bool heddle::runWalksAhead(const LoopContext &C, const LoopFacts &Facts) {
  // Their iterations may not be reached at all.
  if (Facts.Shape.isLeftEarly())
    return false;
  for (Loop *Inner : C.L.getSubLoops())
    if (Walk(C, Facts, *Inner).runAhead())
      return true;
  return false;
}
