//===- BlockedRequests.cpp - Requests for blocks of iterations ------------===//
//
// The part of TaskBuilder for inner loops whose addresses are known ahead.
//
//===----------------------------------------------------------------------===//

#include "async/rewrite/task/TaskBuilder.h"
#include "ir/Registers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;
using namespace heddle;

void TaskBuilder::insertBlockedRequests(const BlockedLoop &Blocked) {
  assert(isPowerOf2_32(Blocked.Length) && "a mask finds where blocks begin");
  const Loop &Inner = *Blocked.Inner;
  auto *Header = cast<BasicBlock>(Map[Inner.getHeader()]);
  auto *Latch = cast<BasicBlock>(Map[Inner.getLoopLatch()]);
  Value *Count = inTask(Expressions.BlockedCounts.lookup(&Blocked));
  Type *I64 = State.i64();

  IRBuilder<> B(Header, Header->begin());
  PHINode *Left = B.CreatePHI(I64, 2, "left");
  PHINode *First = B.CreatePHI(B.getInt1Ty(), 2, "first");
  B.SetInsertPoint(Latch->getTerminator());
  Value *LeftNext = B.CreateSub(Left, B.getInt64(1));
  addWaysIn(*Left, Inner, Count, LeftNext);
  addWaysIn(*First, Inner, B.getTrue(), B.getFalse());

  BasicBlock *Run =
      Header->splitBasicBlock(Header->getFirstInsertionPt(), "block.run");
  BasicBlock *Issue =
      BasicBlock::Create(F.getContext(), "block.issue", &F, Run);
  Body.Blocks.append({Run, Issue});
  // The latch may have been the header.
  Header->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Header);
  Value *Mask = B.getInt64(Blocked.Length - 1);
  Value *AtBoundary = B.CreateICmpEQ(B.CreateAnd(Left, Mask), B.getInt64(0));
  B.CreateCondBr(B.CreateOr(First, AtBoundary), Issue, Run);

  B.SetInsertPoint(Issue);
  Value *Length = B.CreateAdd(
      B.CreateAnd(B.CreateSub(Left, B.getInt64(1)), Mask), B.getInt64(1));
  for (const SteppingLoad &Stepping : Blocked.InPage)
    Length = B.CreateBinaryIntrinsic(Intrinsic::umin, Length,
                                     readsInPage(B, Stepping));
  for (const auto &Level : Blocked.Levels) {
    BasicBlock *Before = B.GetInsertBlock();
    BasicBlock *Prefetch =
        BasicBlock::Create(F.getContext(), "block.prefetch", &F, Run);
    BasicBlock *Done =
        BasicBlock::Create(F.getContext(), "block.requested", &F, Run);
    Body.Blocks.append({Prefetch, Done});
    B.CreateBr(Prefetch);
    B.SetInsertPoint(Prefetch);
    PHINode *Ahead = B.CreatePHI(I64, 2, "ahead");
    Ahead->addIncoming(B.getInt64(0), Before);
    for (const Request &R : Level)
      createPrefetches(B, R, cloneSlice(B, R.Slice, R.Address, [&](Value *V) {
                         return fromHereOn(B, V, Inner, Ahead);
                       }));
    Value *AheadNext = B.CreateAdd(Ahead, B.getInt64(1));
    Ahead->addIncoming(AheadNext, Prefetch);
    B.CreateCondBr(B.CreateICmpEQ(AheadNext, Length), Done, Prefetch);
    B.SetInsertPoint(Done);
    suspendAtEnd(B);
  }
  B.CreateBr(Run);
  replaceExitTest(Blocked, LeftNext);
}

Value *TaskBuilder::readsInPage(IRBuilder<> &B, const SteppingLoad &Stepping) {
  constexpr int64_t PageBytes = 4096; // of the smallest pages
  Type *I64 = State.i64();
  Value *Address = B.CreatePtrToInt(
      cloneSlice(B, Stepping.Slice, Stepping.Load->getPointerOperand(),
                 [&](Value *V) { return inTask(V); }),
      I64);
  Value *InPage = B.CreateAnd(Address, B.getInt64(PageBytes - 1));
  const int64_t Bytes =
      int64_t(F.getDataLayout().getTypeStoreSize(Stepping.Load->getType()));
  // Behind it, or in front of it. A load that is not in one page is alone.
  Value *Room = Stepping.Step > 0
                    ? B.CreateBinaryIntrinsic(
                          Intrinsic::smax,
                          B.CreateSub(B.getInt64(PageBytes - Bytes), InPage),
                          B.getInt64(0))
                    : InPage;
  return B.CreateAdd(
      B.CreateUDiv(Room, B.getInt64(uint64_t(std::abs(Stepping.Step)))),
      B.getInt64(1));
}

Value *TaskBuilder::fromHereOn(IRBuilder<> &B, Value *V, const Loop &Inner,
                               Value *Ahead) {
  Value *Now = inTask(V);
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || Phi->getParent() != Inner.getHeader())
    return Now;
  auto *Recurrence = cast<SCEVAddRecExpr>(SE.getSCEV(Phi));
  auto *Step =
      cast<SCEVConstant>(Recurrence->getStepRecurrence(SE))->getValue();
  return stepped(B, Now, Step, Ahead);
}

void TaskBuilder::replaceExitTest(const BlockedLoop &Blocked, Value *LeftNext) {
  BasicBlock *InnerLatch = Blocked.Inner->getLoopLatch();
  auto *Branch = dyn_cast<BranchInst>(InnerLatch->getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Blocked.Inner->getExitingBlock() != InnerLatch ||
      SE.getExitCount(Blocked.Inner, InnerLatch) != Blocked.BackedgeCount)
    return;
  auto *Clone = cast<BranchInst>(Map[Branch]);
  IRBuilder<> B(Clone);
  bool ContinuesOnTrue = Branch->getSuccessor(0) == Blocked.Inner->getHeader();
  Clone->setCondition(
      B.CreateICmp(ContinuesOnTrue ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ,
                   LeftNext, B.getInt64(0)));
}
