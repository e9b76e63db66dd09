//===- BranchFree.cpp - Fewer branches in a task's segments ---------------===//

#include "async/rewrite/BranchFree.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace heddle;

namespace {

/// Executes the operations under a condition without branching.
class Straightener {
protected:
  SchedulerState &State;
  SmallPtrSet<Value *, 8> Registers;
  SmallPtrSet<BasicBlock *, 32> Blocks;

  Straightener(SchedulerState &State, ArrayRef<BasicBlock *> Blocks)
      : State(State),
        Registers(State.Promotable.begin(), State.Promotable.end()),
        Blocks(Blocks.begin(), Blocks.end()) {}

  /// Keeps code generation from making a branch of \p V again.
  static void keepSelect(Value *V) {
    if (auto *Select = dyn_cast<SelectInst>(V))
      Select->setMetadata(LLVMContext::MD_unpredictable,
                          MDNode::get(V->getContext(), {}));
  }

  /// True if \p Condition waits for memory in its own segment.
  bool isUnpredictable(Value *Condition) const {
    SmallVector<Value *> Worklist{Condition};
    SmallPtrSet<Value *, 16> Seen;
    while (!Worklist.empty()) {
      auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
      if (!I || !Blocks.contains(I->getParent()) || !Seen.insert(I).second ||
          Seen.size() > tunable::ConditionValues)
        continue;
      if (auto *Load = dyn_cast<LoadInst>(I)) {
        if (!Registers.contains(Load->getPointerOperand()))
          return true;
        continue;
      }
      if (!isa<PHINode>(I))
        append_range(Worklist, I->operand_values());
    }
    return false;
  }

  /// True if \p Load can read from harmlessPlace() instead.
  bool fitsHarmlessPlace(const LoadInst &Load) const {
    TypeSize Bytes = Load.getDataLayout().getTypeStoreSize(Load.getType());
    return !Load.getType()->isAggregateType() && !Bytes.isScalable() &&
           Bytes.getFixedValue() <= State.LineBytes &&
           Load.getPointerAddressSpace() == 0;
  }

  /// True if everything in \p Side can be done whether or not it is wanted: a
  /// few loads, or the prefetches with which a segment ends.
  bool isConvertible(BasicBlock *Side, bool EndsSegment) const {
    unsigned Count = 0, Loads = 0;
    for (Instruction &I : *Side) {
      if (&I == Side->getTerminator())
        continue;
      if (isa<PHINode>(I))
        return false;
      if (Registers.contains(getLoadStorePointerOperand(&I)))
        continue;
      if (++Count > tunable::BranchFreeInstructions)
        return false;
      if (auto *Load = dyn_cast<LoadInst>(&I)) {
        if (EndsSegment || !Load->isSimple() || !fitsHarmlessPlace(*Load) ||
            ++Loads > tunable::BranchFreeLoads)
          return false;
        continue;
      }
      if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
          Intrinsic && Intrinsic->getIntrinsicID() == Intrinsic::prefetch) {
        if (!EndsSegment ||
            Intrinsic->getArgOperand(0)->getType()->getPointerAddressSpace())
          return false;
        continue;
      }
      if (!isSafeToSpeculativelyExecute(&I))
        return false;
    }
    return true;
  }

  /// If \p Store updates a register with a function of its value, such as a
  /// sum: returns the operand of the update, and the constant that changes
  /// nothing.
  static std::pair<Use *, Constant *> updateBy(StoreInst &Store) {
    auto *Update = dyn_cast<BinaryOperator>(Store.getValueOperand());
    // Adding zero turns a signalling NaN into a quiet one.
    if (!Update || !Update->hasOneUse() ||
        !Update->getType()->isIntOrIntVectorTy() ||
        Update->getParent() != Store.getParent())
      return {};
    for (unsigned Amount : {1, 0}) {
      auto *Old = dyn_cast<LoadInst>(Update->getOperand(1 - Amount));
      Constant *Nothing = ConstantExpr::getBinOpIdentity(
          Update->getOpcode(), Update->getType(), /*AllowRHSConstant=*/Amount);
      if (!Old || !Nothing ||
          Old->getPointerOperand() != Store.getPointerOperand() ||
          Old->getParent() != Store.getParent())
        continue;
      for (const Instruction *I = Old; I != &Store; I = I->getNextNode())
        if (auto *Between = dyn_cast<StoreInst>(I);
            Between &&
            Between->getPointerOperand() == Store.getPointerOperand())
          return {};
      return {&Update->getOperandUse(Amount), Nothing};
    }
    return {};
  }

  /// Moves the contents of \p Side in front of \p At, effective only if
  /// \p Condition is \p Wanted. Registers for which \p IsIdle is true may have
  /// any value in the other case.
  void hoist(BasicBlock *Side, Instruction *At, Value *Condition, bool Wanted,
             function_ref<bool(const Value *)> IsIdle) {
    assert(Side->getSinglePredecessor() == At->getParent() &&
           "what another way leads to is not the condition's alone");
    IRBuilder<> B(At);
    auto Guard = [&](Value *Yes, Value *No) {
      Value *Guarded = Wanted ? B.CreateSelect(Condition, Yes, No)
                              : B.CreateSelect(Condition, No, Yes);
      keepSelect(Guarded);
      return Guarded;
    };
    for (Instruction &I : make_early_inc_range(*Side)) {
      if (&I == Side->getTerminator())
        break;
      I.moveBefore(At->getIterator());
      I.dropUBImplyingAttrsAndMetadata();
      B.SetInsertPoint(&I);
      if (auto *Load = dyn_cast<LoadInst>(&I)) {
        Value *Place = Load->getPointerOperand();
        if (!Registers.contains(Place)) {
          Load->setOperand(Load->getPointerOperandIndex(),
                           Guard(Place, State.harmlessPlace()));
          Load->setAlignment(
              std::min(Load->getAlign(), Align(State.LineBytes)));
        }
      } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
        Value *New = Store->getValueOperand();
        if (IsIdle(Store->getPointerOperand()))
          continue;
        if (auto [Amount, Nothing] = updateBy(*Store); Amount) {
          B.SetInsertPoint(cast<Instruction>(New));
          Amount->set(Guard(Amount->get(), Nothing));
        } else {
          Value *Old = B.CreateLoad(New->getType(), Store->getPointerOperand());
          Store->setOperand(0, Guard(New, Old));
        }
      } else if (auto *Prefetch = dyn_cast<IntrinsicInst>(&I);
                 Prefetch && Prefetch->getIntrinsicID() == Intrinsic::prefetch)
        Prefetch->setArgOperand(
            0, Guard(Prefetch->getArgOperand(0), State.harmlessPlace()));
    }
  }
};

/// Straightens triangles and diamonds of a task's body.
class BranchRemover : Straightener {
  TaskBody &Body;

public:
  BranchRemover(TaskBody &Body, SchedulerState &State)
      : Straightener(State, Body.Blocks), Body(Body) {}

  void run() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (BasicBlock *Block : Body.Blocks)
        if (Blocks.contains(Block))
          Changed |= convert(Block);
    }
    llvm::erase_if(Body.Blocks,
                   [&](BasicBlock *Block) { return !Blocks.contains(Block); });
    for (Instruction &I : instructionsIn(Body.Blocks))
      if (auto *Select = dyn_cast<SelectInst>(&I);
          Select && isUnpredictable(Select->getCondition()))
        keepSelect(Select);
  }

private:
  bool isResume(BasicBlock *Block) const {
    return is_contained(Body.Resumes, Block);
  }

  /// A triangle or a diamond: the blocks of Sides, one or both of the branch's
  /// successors, lead from it to Join and nowhere else.
  struct Fork {
    BranchInst *Branch;
    BasicBlock *Join;
    SmallVector<BasicBlock *, 2> Sides;

    /// The block from which Join is reached where \p Successor is branched to.
    BasicBlock *wayOver(BasicBlock *Successor) const {
      return is_contained(Sides, Successor) ? Successor : Branch->getParent();
    }
  };

  /// The triangle or diamond below \p Block.
  std::optional<Fork> forkAt(BasicBlock *Block) const {
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    if (!Branch || !Branch->isConditional())
      return std::nullopt;
    BasicBlock *True = Branch->getSuccessor(0),
               *False = Branch->getSuccessor(1);
    if (True == False || !Blocks.contains(True) || !Blocks.contains(False))
      return std::nullopt;
    auto IsSide = [&](BasicBlock *Side, BasicBlock *Join) {
      return Join && Side->getSinglePredecessor() == Block &&
             Side->getSingleSuccessor() == Join && !isResume(Side) &&
             !isResume(Join);
    };
    if (IsSide(True, False))
      return Fork{Branch, False, {True}};
    if (IsSide(False, True))
      return Fork{Branch, True, {False}};
    BasicBlock *Join = True->getSingleSuccessor();
    if (IsSide(True, Join) && IsSide(False, Join))
      return Fork{Branch, Join, {True, False}};
    return std::nullopt;
  }

  /// Turns a triangle or a diamond below \p Block into straight code.
  bool convert(BasicBlock *Block) {
    const std::optional<Fork> Found = forkAt(Block);
    if (!Found || Found->Join == Block || !Blocks.contains(Found->Join) ||
        !all_of(Found->Sides,
                [&](BasicBlock *Side) {
                  return isConvertible(Side, /*EndsSegment=*/false);
                }) ||
        !isUnpredictable(Found->Branch->getCondition()))
      return false;
    for (BasicBlock *Side : Found->Sides)
      hoist(Side, Found->Branch, Found->Branch->getCondition(),
            Side == Found->Branch->getSuccessor(0),
            [](const Value *) { return false; });
    selectInJoin(*Found);
    BranchInst::Create(Found->Join, Found->Branch->getIterator());
    Found->Branch->eraseFromParent();
    for (BasicBlock *Side : Found->Sides) {
      Blocks.erase(Side);
      DeleteDeadBlock(Side, /*DTU=*/nullptr, /*KeepOneInputPHIs=*/true);
    }
    mergeWithJoin(Block, Found->Join);
    return true;
  }

  /// Replaces the phis of the join by selects in front of the branch.
  void selectInJoin(const Fork &From) {
    BranchInst *Branch = From.Branch;
    BasicBlock *Block = Branch->getParent();
    IRBuilder<> B(Branch);
    BasicBlock *TrueFrom = From.wayOver(Branch->getSuccessor(0));
    BasicBlock *FalseFrom = From.wayOver(Branch->getSuccessor(1));
    for (PHINode &Phi : From.Join->phis()) {
      Value *Merged = B.CreateSelect(Branch->getCondition(),
                                     Phi.getIncomingValueForBlock(TrueFrom),
                                     Phi.getIncomingValueForBlock(FalseFrom));
      if (Phi.getBasicBlockIndex(Block) >= 0)
        Phi.setIncomingValueForBlock(Block, Merged);
      else
        Phi.addIncoming(Merged, Block);
    }
  }

  void mergeWithJoin(BasicBlock *Block, BasicBlock *Join) {
    if (Join->getSinglePredecessor() != Block || isResume(Join) ||
        Join == Body.Retire)
      return;
    if (MergeBlockIntoPredecessor(Join))
      Blocks.erase(Join);
  }
};

/// Empties the sides of branches that end a segment either way.
class EndMerger : Straightener {
  const SegmentEnds &Ends;

public:
  EndMerger(ArrayRef<BasicBlock *> Blocks, const SegmentEnds &Ends,
            SchedulerState &State)
      : Straightener(State, Blocks), Ends(Ends) {}

  void run(BasicBlock *Block) {
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    if (!Branch || !Branch->isConditional() ||
        !isUnpredictable(Branch->getCondition()) ||
        Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return;
    for (BasicBlock *Side : successors(Branch))
      if (!endsSegment(Side, Block))
        return;
    // A task that retires may read registers that one that continues
    // overwrites.
    bool TrueFirst = retires(Branch->getSuccessor(0));
    for (bool Wanted : {TrueFirst, !TrueFirst}) {
      BasicBlock *Side = Branch->getSuccessor(Wanted ? 0 : 1);
      BasicBlock *Other = Branch->getSuccessor(Wanted ? 1 : 0);
      if (Side->getSinglePredecessor() == Block && Side != Ends.Retire)
        hoist(Side, Branch, Branch->getCondition(), Wanted,
              [&](const Value *Register) {
                return retires(Other) && Ends.IsPrivate(Register);
              });
    }
  }

private:
  bool isEnd(const BasicBlock *Block) const {
    return Ends.Resumes.contains(Block) ||
           (Block == Ends.Retire && Block->size() == 1);
  }

  /// True if \p Side, which ends the segment, leads to the retirement.
  bool retires(const BasicBlock *Side) const {
    while (Side && Side != Ends.Retire && !Ends.Resumes.contains(Side))
      Side = Side->getSingleSuccessor();
    return Side == Ends.Retire;
  }

  /// True if \p Side, taken from \p From, ends the segment and can be emptied.
  bool endsSegment(BasicBlock *Side, BasicBlock *From) const {
    if (Side == Ends.Retire)
      return isEnd(Side);
    if (!Blocks.contains(Side) || Ends.Resumes.contains(Side))
      return false;
    BasicBlock *Next = Side->getSingleSuccessor();
    if (!Next)
      return false;
    if (Side->getSinglePredecessor() != From)
      // Shared by several ways: must be empty already.
      return Side->size() == 1 && isEnd(Next);
    return isConvertible(Side, /*EndsSegment=*/true) &&
           (isEnd(Next) || (Next->size() == 1 && Next->getSingleSuccessor() &&
                            isEnd(Next->getSingleSuccessor())));
  }
};

/// Instructions that only the original loop's control needed. Registers outlive
/// their last use in the body.
void removeDead(TaskBody &Body) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : Body.Blocks)
      for (Instruction &I : make_early_inc_range(reverse(*Block)))
        if (isInstructionTriviallyDead(&I)) {
          salvageDebugInfo(I);
          I.eraseFromParent();
          Changed = true;
        }
  }
}

} // namespace

void heddle::makeBranchFree(TaskBody &Body, SchedulerState &State) {
  removeDead(Body);
  BranchRemover(Body, State).run();
  removeDead(Body);
}

void heddle::emptyEnds(ArrayRef<BasicBlock *> Blocks, const SegmentEnds &Ends,
                       SchedulerState &State) {
  EndMerger Merger(Blocks, Ends, State);
  for (BasicBlock *Block : Blocks)
    Merger.run(Block);
}
