//===- InspectedRequests.cpp - Requests that inspectors make --------------===//
//
// The part of TaskBuilder for inner loops whose addresses an inspector finds.
//
//===----------------------------------------------------------------------===//

#include "async/rewrite/task/TaskBuilder.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace heddle;

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
  B.CreateBr(cloneInspector(Blocked, Inspect, Done));
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

BasicBlock *TaskBuilder::cloneInspector(const BlockedLoop &Blocked,
                                        BasicBlock *Before, BasicBlock *Done) {
  const Loop &Inner = *Blocked.Inner;
  const Inspector &Inspected = *Blocked.Inspected;
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *> Blocks;
  BasicBlock *Next = createInspectorBlock("inspect.next");
  auto CopyOf = [&](BasicBlock *Block) {
    Value *Copy = Copies.lookup(Block);
    if (!Copy) {
      Copies[Block] = Copy =
          createInspectorBlock(Block->getName() + ".inspect");
      Blocks.push_back(Block);
    }
    return cast<BasicBlock>(Copy);
  };
  // Where the copy of a block goes in place of a successor.
  auto Target = [&](BasicBlock *Successor) {
    if (!Inner.contains(Successor))
      return Done;
    return Successor == Inner.getHeader() ? Next : CopyOf(Successor);
  };
  BasicBlock *Header = CopyOf(Inner.getHeader());
  IRBuilder<> B(Header);
  PHINode *Ahead = B.CreatePHI(State.i64(), 2, "ahead");
  Ahead->addIncoming(B.getInt64(0), Before);
  for (unsigned I = 0; I < Blocks.size(); ++I) {
    BasicBlock *Block = Blocks[I];
    B.SetInsertPoint(cast<BasicBlock>(Copies[Block]));
    for (Instruction &Original : *Block)
      if (!Original.isTerminator() && Inspected.Repeated.contains(&Original))
        Copies[&Original] = copyInspected(B, Original);
    Instruction *End = Block->getTerminator();
    if (BasicBlock *Join = Inspected.Joins.lookup(Block)) {
      B.CreateBr(Target(Join));
      continue;
    }
    Instruction *Copy = End->clone();
    Copy->setMetadata(LLVMContext::MD_loop, nullptr);
    for (unsigned J = 0; J < End->getNumSuccessors(); ++J)
      Copy->setSuccessor(J, Target(End->getSuccessor(J)));
    B.Insert(Copy);
  }
  B.SetInsertPoint(Next);
  Value *AheadNext = B.CreateAdd(Ahead, B.getInt64(1));
  Ahead->addIncoming(AheadNext, Next);
  B.CreateCondBr(B.CreateICmpEQ(AheadNext, B.getInt64(Blocked.Length)), Done,
                 Header);

  auto Copied = [&](Value *V) {
    Value *Copy = Copies.lookup(V);
    return Copy ? Copy : inTask(V);
  };
  for (BasicBlock *Block : Blocks)
    for (Instruction &Copy : *cast<BasicBlock>(Copies[Block]))
      if (!isa<PHINode>(Copy) || Block != Inner.getHeader())
        for (Use &U : Copy.operands())
          if (!isa<BasicBlock>(U))
            U.set(Copied(U));
  for (BasicBlock *Block : Blocks)
    for (PHINode &Phi : Block->phis()) {
      if (!Inspected.Repeated.contains(&Phi))
        continue;
      auto *Copy = cast<PHINode>(Copies[&Phi]);
      for (unsigned I = 0; I < Phi.getNumIncomingValues(); ++I) {
        BasicBlock *From = Phi.getIncomingBlock(I);
        if (Block != Inner.getHeader())
          Copy->setIncomingBlock(I, cast<BasicBlock>(Copies[From]));
        else if (Inner.contains(From)) {
          Copy->setIncomingBlock(I, Next);
          Copy->setIncomingValue(I, Copied(Phi.getIncomingValue(I)));
        } else {
          Copy->setIncomingBlock(I, Before);
          Copy->setIncomingValue(I, inTask(&Phi));
        }
      }
    }
  for (const Request &R : Blocked.Levels.front()) {
    auto *Block =
        cast_or_null<BasicBlock>(Copies.lookup(R.For->I->getParent()));
    assert(Block && "reached like the access");
    B.SetInsertPoint(Block->getTerminator());
    createPrefetches(B, R, Copied(R.Address));
  }
  return Header;
}

Instruction *TaskBuilder::copyInspected(IRBuilder<> &B,
                                        const Instruction &Original) {
  Instruction *Copy = Original.clone();
  stripScopes(*Copy);
  Copy->dropUBImplyingAttrsAndMetadata();
  B.Insert(Copy, Original.getName());
  return Copy;
}

BasicBlock *TaskBuilder::createInspectorBlock(const Twine &Name) {
  BasicBlock *Block = BasicBlock::Create(F.getContext(), Name, &F);
  Body.Blocks.push_back(Block);
  return Block;
}
