//===- InspectedRequests.cpp - Requests that inspectors make --------------===//
//
// The part of TaskBuilder for inner loops whose addresses an inspector finds.
//
//===----------------------------------------------------------------------===//

#include "async/rewrite/task/TaskBuilder.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace heddle;

/// Copies of an inner loop's iterations that compute addresses and request, up
/// to a block of them.
class TaskBuilder::InspectorCopy {
  TaskBuilder &Task;
  const BlockedLoop &Blocked;
  const Loop &Inner;
  const Inspector &Inspected;
  /// The block in front of the copies and the block that follows them.
  BasicBlock *Before, *Done;
  /// The block between one copied iteration and the next.
  BasicBlock *Next;
  IRBuilder<> B;
  ValueToValueMapTy Copies;
  /// The blocks of the loop that have copies, in the order of the copies.
  SmallVector<BasicBlock *> Blocks;

public:
  InspectorCopy(TaskBuilder &Task, const BlockedLoop &Blocked,
                BasicBlock *Before, BasicBlock *Done)
      : Task(Task), Blocked(Blocked), Inner(*Blocked.Inner),
        Inspected(*Blocked.Inspected), Before(Before), Done(Done),
        Next(createBlock("inspect.next")), B(Next) {}

  /// Returns the header of the copies.
  BasicBlock *build() {
    BasicBlock *Header = blockFor(Inner.getHeader());
    B.SetInsertPoint(Header);
    PHINode *Ahead = B.CreatePHI(Task.State.i64(), 2, "ahead");
    Ahead->addIncoming(B.getInt64(0), Before);
    // Copying a block adds those that follow it.
    for (unsigned I = 0; I < Blocks.size(); ++I)
      copyBlock(*Blocks[I]);
    goOn(*Ahead, Header);
    for (BasicBlock *Block : Blocks)
      setOperands(*Block);
    for (BasicBlock *Block : Blocks)
      for (PHINode &Phi : Block->phis())
        if (Inspected.Repeated.contains(&Phi))
          setIncoming(Phi);
    request();
    return Header;
  }

private:
  BasicBlock *createBlock(const Twine &Name) {
    BasicBlock *Block = BasicBlock::Create(Task.F.getContext(), Name, &Task.F);
    Task.Body.Blocks.push_back(Block);
    return Block;
  }

  /// The copy of \p Block, which may be still to be filled.
  BasicBlock *blockFor(BasicBlock *Block) {
    Value *Copy = Copies.lookup(Block);
    if (!Copy) {
      Copies[Block] = Copy = createBlock(Block->getName() + ".inspect");
      Blocks.push_back(Block);
    }
    return cast<BasicBlock>(Copy);
  }

  /// Returns the successor of a copied block that replaces \p Successor.
  BasicBlock *target(BasicBlock *Successor) {
    if (!Inner.contains(Successor))
      return Done;
    return Successor == Inner.getHeader() ? Next : blockFor(Successor);
  }

  Value *copyOf(Value *V) const {
    Value *Copy = Copies.lookup(V);
    return Copy ? Copy : Task.inTask(V);
  }

  void copyBlock(BasicBlock &Block) {
    B.SetInsertPoint(cast<BasicBlock>(Copies[&Block]));
    for (Instruction &Original : Block)
      if (!Original.isTerminator() && Inspected.Repeated.contains(&Original))
        Copies[&Original] = copyInstruction(Original);
    if (BasicBlock *Join = Inspected.Joins.lookup(&Block)) {
      B.CreateBr(target(Join));
      return;
    }
    Instruction *End = Block.getTerminator();
    Instruction *Copy = End->clone();
    Copy->setMetadata(LLVMContext::MD_loop, nullptr);
    for (unsigned I = 0; I < End->getNumSuccessors(); ++I)
      Copy->setSuccessor(I, target(End->getSuccessor(I)));
    B.Insert(Copy);
  }

  Instruction *copyInstruction(const Instruction &Original) {
    Instruction *Copy = Original.clone();
    stripScopes(*Copy);
    Copy->dropUBImplyingAttrsAndMetadata();
    B.Insert(Copy, Original.getName());
    return Copy;
  }

  /// Counts the copied iterations in \p Ahead and ends with the block.
  void goOn(PHINode &Ahead, BasicBlock *Header) {
    B.SetInsertPoint(Next);
    Value *AheadNext = B.CreateAdd(&Ahead, B.getInt64(1));
    Ahead.addIncoming(AheadNext, Next);
    B.CreateCondBr(B.CreateICmpEQ(AheadNext, B.getInt64(Blocked.Length)), Done,
                   Header);
  }

  /// Replaces the operands in the copy of \p Block by their copies. The phis of
  /// the header begin with values of the task.
  void setOperands(BasicBlock &Block) {
    for (Instruction &Copy : *cast<BasicBlock>(Copies[&Block]))
      if (!isa<PHINode>(Copy) || &Block != Inner.getHeader())
        for (Use &U : Copy.operands())
          if (!isa<BasicBlock>(U))
            U.set(copyOf(U));
  }

  void setIncoming(PHINode &Phi) {
    auto *Copy = cast<PHINode>(Copies[&Phi]);
    const bool IsCarried = Phi.getParent() == Inner.getHeader();
    for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
      BasicBlock *From = Phi.getIncomingBlock(I);
      if (!IsCarried) {
        Copy->setIncomingBlock(I, cast<BasicBlock>(Copies[From]));
        continue;
      }
      const bool IsBack = Inner.contains(From);
      Copy->setIncomingBlock(I, IsBack ? Next : Before);
      Copy->setIncomingValue(I, IsBack ? copyOf(Phi.getIncomingValue(I))
                                       : Task.inTask(&Phi));
    }
  }

  void request() {
    for (const Request &R : Blocked.Levels.front()) {
      auto *Block =
          cast_or_null<BasicBlock>(Copies.lookup(R.For->I->getParent()));
      assert(Block && "reached like the access");
      B.SetInsertPoint(Block->getTerminator());
      Task.createPrefetches(B, R, copyOf(R.Address));
    }
  }
};

void TaskBuilder::insertInspector(const BlockedLoop &Blocked) {
  assert(Blocked.Levels.size() == 1 && Blocked.Length &&
         "an inspector finds all addresses at once");
  const Loop &Inner = *Blocked.Inner;
  auto *Header = cast<BasicBlock>(Map[Inner.getHeader()]);
  auto *Latch = cast<BasicBlock>(Map[Inner.getLoopLatch()]);
  Type *I64 = State.i64();

  IRBuilder<> B(Header, Header->begin());
  PHINode *Left = B.CreatePHI(I64, 2, "left");
  BasicBlock *Run =
      Header->splitBasicBlock(Header->getFirstInsertionPt(), "block.run");
  // The latch may have been the header.
  if (Latch == Header)
    Latch = Run;
  BasicBlock *Inspect =
      BasicBlock::Create(F.getContext(), "block.inspect", &F, Run);
  BasicBlock *Done =
      BasicBlock::Create(F.getContext(), "block.requested", &F, Run);
  Body.Blocks.append({Run, Inspect, Done});
  Header->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Header);
  B.CreateCondBr(B.CreateIsNull(Left), Inspect, Run);
  B.SetInsertPoint(Inspect);
  B.CreateBr(InspectorCopy(*this, Blocked, Inspect, Done).build());
  B.SetInsertPoint(Done);
  suspendAtEnd(B);
  BasicBlock *Requested = B.GetInsertBlock();
  B.CreateBr(Run);

  B.SetInsertPoint(Run, Run->begin());
  PHINode *Now = B.CreatePHI(I64, 2, "left.now");
  Now->addIncoming(Left, Header);
  Now->addIncoming(B.getInt64(Blocked.Length), Requested);
  B.SetInsertPoint(Latch->getTerminator());
  addWaysIn(*Left, Inner, B.getInt64(0), B.CreateSub(Now, B.getInt64(1)));
}
