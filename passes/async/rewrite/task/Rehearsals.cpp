//===- Rehearsals.cpp - Updates run in advance ----------------------------===//
//
// The part of TaskBuilder that rehearses uninterrupted code. In front of it:
//
//   rehearsal:  rounds = 0, or one more than before
//               left = rounds
//               ... a copy of the code, as far as it has no effect ...
//   wait.1:     if left == 0: prefetch the address; go to suspend
//               --left; ... the read, and on to the next wait ...
//   suspend:    suspend; if rounds + 1 < most: go to rehearsal
//   rehearsed:  the code itself
//
//===----------------------------------------------------------------------===//

#include "async/rewrite/task/TaskBuilder.h"
#include "ir/Instructions.h"
#include "ir/Registers.h"
#include "loop/Tunables.h"

using namespace llvm;
using namespace heddle;

class TaskBuilder::RehearsalCopy {
  TaskBuilder &Task;
  const Rehearsal &R;
  Function &F;
  LLVMContext &Context;
  ValueToValueMapTy Of;
  /// The copies of reads, whose values Of has frozen: memory may hold what the
  /// code does not expect.
  DenseMap<const Instruction *, Instruction *> Reads;
  /// Where reads would be that are requested only.
  DenseMap<const Instruction *, Instruction *> Places;
  SmallVector<BasicBlock *> Copies;
  /// Where the rehearsal ends, and where it requests what it waits for.
  BasicBlock *Rehearsed, *Suspend;
  AllocaInst *Left;

public:
  RehearsalCopy(TaskBuilder &Task, const Rehearsal &R)
      : Task(Task), R(R), F(Task.F), Context(F.getContext()),
        Left(createVariable(F, Type::getInt32Ty(Context), "rehearsal.left")) {
    Task.State.Promotable.push_back(Left);
  }

  void insertBefore(Instruction *At) {
    BasicBlock *From = At->getParent();
    Rehearsed = From->splitBasicBlock(At, "rehearsed");
    BasicBlock *Begin = block("rehearsal");
    Suspend = block("rehearsal.suspend");
    From->getTerminator()->replaceSuccessorWith(Rehearsed, Begin);
    IRBuilder<> B(Begin);
    PHINode *Rounds = B.CreatePHI(B.getInt32Ty(), 2, "rounds");
    Rounds->addIncoming(B.getInt32(0), From);
    B.CreateStore(Rounds, Left);
    B.CreateBr(copy());
    for (auto &[I, Of] : R.Guards)
      guard(*I, *Of);
    for (const Request &Wait : R.Waits)
      wait(Wait);
    B.SetInsertPoint(Suspend);
    Task.suspendAtEnd(B);
    Value *Next = B.CreateAdd(Rounds, B.getInt32(1));
    B.CreateCondBr(B.CreateICmpULT(Next, B.getInt32(tunable::RehearsedWaits)),
                   Begin, Rehearsed);
    Rounds->addIncoming(Next, B.GetInsertBlock());
    append_range(Task.Body.Blocks, Copies);
    Task.Body.Blocks.push_back(Rehearsed);
  }

private:
  BasicBlock *block(const Twine &Name) {
    BasicBlock *Block = BasicBlock::Create(Context, Name, &F, Rehearsed);
    Task.Body.Blocks.push_back(Block);
    return Block;
  }

  BasicBlock *copyOf(const BasicBlock *Block) const {
    return cast_or_null<BasicBlock>(Of.lookup(Block));
  }

  Value *valueOf(Value *V) const {
    Value *New = Of.lookup(V);
    return New ? New : Task.inTask(V);
  }

  /// Copies what is repeated. Returns the first block.
  BasicBlock *copy() {
    for (BasicBlock *Block : R.Blocks) {
      Copies.push_back(BasicBlock::Create(
          Context, Block->getName() + ".rehearsal", &F, Rehearsed));
      Of[Block] = Copies.back();
    }
    for (BasicBlock *Block : R.Blocks)
      copyInstructions(*Block);
    for (BasicBlock *Copy : Copies)
      for (Instruction &I : *Copy)
        if (!isa<PHINode>(I) && !I.isTerminator())
          for (Use &U : I.operands())
            U.set(valueOf(U.get()));
    for (auto &[I, Read] : Reads)
      cast<Instruction>(Of[I])->setOperand(0, Read);
    for (BasicBlock *Block : R.Blocks)
      copyEnd(*Block);
    for (BasicBlock *Block : R.Blocks)
      copyMerges(*Block);
    return Copies.front();
  }

  void copyInstructions(const BasicBlock &Block) {
    IRBuilder<> B(copyOf(&Block));
    for (const Instruction &I : Block) {
      if (isOnlyRequested(I))
        Places[&I] = cast<Instruction>(
            B.Insert(new FreezeInst(accessedAddress(I)), "requested"));
      if (!R.Repeated.contains(&I) || I.isTerminator())
        continue;
      Instruction *Copy = I.clone();
      // Where it is not the task's turn, memory is not as the code expects.
      Copy->dropPoisonGeneratingAnnotations();
      Copy->dropUBImplyingAttrsAndMetadata();
      stripScopes(*Copy);
      B.Insert(Copy, I.getName());
      Of[&I] = Copy;
      if (isa<LoadInst>(Copy)) {
        Reads[&I] = Copy;
        Of[&I] = B.CreateFreeze(Copy, I.getName() + ".frozen");
      }
    }
  }

  void copyEnd(const BasicBlock &Block) {
    IRBuilder<> B(copyOf(&Block));
    const Instruction *End = Block.getTerminator();
    if (!R.Repeated.contains(End)) {
      B.CreateBr(Rehearsed);
      return;
    }
    Instruction *Copy = End->clone();
    for (Use &U : Copy->operands())
      if (auto *To = dyn_cast<BasicBlock>(U.get())) {
        BasicBlock *Next = copyOf(To);
        U.set(Next && To != R.Before->getParent() ? Next : Rehearsed);
      } else {
        U.set(valueOf(U.get()));
      }
    if (auto *Branch = dyn_cast<BranchInst>(Copy);
        Branch && Branch->isConditional())
      Branch->setCondition(B.CreateFreeze(Branch->getCondition()));
    if (auto *Switch = dyn_cast<SwitchInst>(Copy))
      Switch->setCondition(B.CreateFreeze(Switch->getCondition()));
    B.Insert(Copy);
  }

  /// Ways on which the rehearsal does not go on lead to no merge.
  void copyMerges(const BasicBlock &Block) {
    BasicBlock *Copy = copyOf(&Block);
    for (PHINode &Phi : make_early_inc_range(Copy->phis()))
      for (unsigned I = Phi.getNumIncomingValues(); I-- > 0;) {
        BasicBlock *From = copyOf(Phi.getIncomingBlock(I));
        if (From && is_contained(successors(From), Copy)) {
          Phi.setIncomingBlock(I, From);
          Phi.setIncomingValue(I, valueOf(Phi.getIncomingValue(I)));
        } else {
          Phi.removeIncomingValue(I, /*DeletePHIIfEmpty=*/false);
        }
      }
  }

  /// Splits the block of \p At in front of it.
  BasicBlock *cut(Instruction *At, const Twine &Name) {
    BasicBlock *Next = At->getParent()->splitBasicBlock(At, Name);
    Copies.push_back(Next);
    Next->getSinglePredecessor()->getTerminator()->eraseFromParent();
    return Next;
  }

  /// True if \p I is a read that the rehearsal comes to and does not make.
  bool isOnlyRequested(const Instruction &I) const {
    return !R.Repeated.contains(&I) &&
           any_of(R.Waits,
                  [&](const Request &Wait) { return Wait.For->I == &I; });
  }

  /// Goes on behind the read only if it was requested before.
  void wait(const Request &Wait) {
    const Instruction *Original = Wait.For->I;
    Instruction *Place = Places.lookup(Original);
    Instruction *Read = Place ? Place : Reads.lookup(Original);
    Value *Address = Place ? Place->getOperand(0) : accessedAddress(*Read);
    BasicBlock *Before = Read->getParent();
    BasicBlock *GoOn = cut(Read, "rehearsal.arrived");
    BasicBlock *Request = block("rehearsal.request");
    IRBuilder<> B(Before);
    Value *IsLeft = load(B, Left);
    B.CreateCondBr(B.CreateIsNull(IsLeft), Request, GoOn);
    B.SetInsertPoint(Request);
    Task.createPrefetches(B, Wait, Address);
    B.CreateBr(Suspend);
    B.SetInsertPoint(Read);
    B.CreateStore(B.CreateSub(load(B, Left), B.getInt32(1)), Left);
  }

  void guard(const Instruction &I, Value &NotZero) {
    Instruction *Read = Reads.lookup(&I);
    Instruction *Copy = Read ? Read : cast<Instruction>(Of.lookup(&I));
    BasicBlock *Before = Copy->getParent();
    BasicBlock *GoOn = cut(Copy, "rehearsal.sure");
    IRBuilder<> B(Before);
    Value *Certain = B.CreateFreeze(valueOf(&NotZero));
    B.CreateCondBr(B.CreateIsNotNull(Certain), GoOn, Rehearsed);
    if (!Read)
      Copy->setOperand(1, Certain);
  }
};

void TaskBuilder::rehearse(const Rehearsal &R) {
  RehearsalCopy(*this, R).insertBefore(placeOf(R.Before));
}
