//===- Launch.cpp - The code in front of a launch -------------------------===//
//
// The free functions of Schedules.h: whether there is an iteration to launch,
// and the requests that are made before it is.
//
//===----------------------------------------------------------------------===//

#include "async/schedules/Schedules.h"
#include "ir/Registers.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;
using namespace heddle;

Value *heddle::emitCanLaunch(IRBuilder<> &B, const TaskChunk &S) {
  Value *Next = load(B, S.State.NextIteration);
  Value *Can = B.CreateICmpULT(Next, load(B, S.State.Limit));
  if (S.State.More)
    Can = B.CreateAnd(Can, load(B, S.State.More));
  if (S.State.Unsure)
    Can = B.CreateAnd(Can, B.CreateNot(load(B, S.State.Unsure)));
  return Can;
}

void heddle::emitAhead(IRBuilder<> &B, const TaskChunk &S, Value *Count) {
  if (!S.Cuts.earlyRequests().Code)
    return;
  Value *Left =
      B.CreateSub(load(B, S.State.Limit), load(B, S.State.NextIteration));
  B.CreateStore(B.CreateBinaryIntrinsic(Intrinsic::umin, load(B, S.State.Tasks),
                                        B.CreateSub(Left, Count)),
                S.State.Ahead);
}

BasicBlock *heddle::emitEarlyRequests(const TaskChunk &S, BasicBlock *Launch) {
  const EarlyRequests &Early = S.Cuts.earlyRequests();
  if (!Early.Code)
    return Launch;
  Function &F = S.State.F;
  Type *I64 = S.State.i64();
  auto *Enter = BasicBlock::Create(F.getContext(), "early", &F);
  auto *Request = BasicBlock::Create(F.getContext(), "early.request", &F);
  IRBuilder<> B(Enter);
  Value *First = load(B, S.State.NextIteration);
  Value *End = B.CreateBinaryIntrinsic(
      Intrinsic::umin, B.CreateAdd(First, load(B, S.State.Tasks)),
      load(B, S.State.Limit));
  B.CreateCondBr(B.CreateICmpULT(First, End), Request, Launch);

  B.SetInsertPoint(Request);
  PHINode *Iteration = B.CreatePHI(I64, 2, "early.iteration");
  Early.emitFor(Iteration, B);
  Value *Next = B.CreateAdd(Iteration, B.getInt64(1));
  Iteration->addIncoming(First, Enter);
  Iteration->addIncoming(Next, Request);
  BranchInst *Latch =
      B.CreateCondBr(B.CreateICmpULT(Next, End), Request, Launch);
  // It runs once a chunk: unrolled, it would only be longer.
  Latch->setMetadata(
      LLVMContext::MD_loop,
      makePostTransformationMetadata(
          F.getContext(), nullptr, {},
          {MDNode::get(
              F.getContext(),
              MDString::get(F.getContext(), "llvm.loop.disable_nonforced"))}));
  return Enter;
}
