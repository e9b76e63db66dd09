//===- Launch.cpp - The code in front of a launch -------------------------===//
//
// The free functions of Schedules.h: whether there is an iteration to launch,
// and the requests that are made before it is.
//
//===----------------------------------------------------------------------===//

#include "async/schedules/Schedules.h"
#include "ir/Registers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/MDBuilder.h"

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

LaunchGate::LaunchGate(const TaskChunk &S) : S(S) {
  if (!S.Chunks)
    return;
  Asks = S.State.createRegister(Type::getInt32Ty(S.State.F.getContext()),
                                "chunk.asks");
  Ask = block("chunk.ask");
}

BasicBlock *LaunchGate::block(const Twine &Name) const {
  return BasicBlock::Create(S.State.F.getContext(), Name, &S.State.F);
}

void LaunchGate::emitBranch(IRBuilder<> &B, Value *May, BasicBlock *Yes,
                            BasicBlock *No) {
  if (!S.Chunks) {
    B.CreateCondBr(B.CreateAnd(May, emitCanLaunch(B, S)), Yes, No);
    return;
  }
  auto *Test = block("chunk.test");
  auto *UsedUp = block("chunk.used.up");
  B.CreateCondBr(May, Test, No);
  B.SetInsertPoint(Test);
  // Getting a chunk is no reason to take registers from the tasks.
  B.CreateCondBr(emitCanLaunch(B, S), Yes, UsedUp,
                 MDBuilder(S.State.F.getContext()).createLikelyBranchWeights());
  B.SetInsertPoint(UsedUp);
  B.CreateStore(B.getInt32(Places.size()), Asks);
  B.CreateBr(Ask);
  Places.push_back({Yes, No});
}

/// Returns a block that gives \p Answer to the place that asks.
BasicBlock *LaunchGate::emitBack(BasicBlock *Place::*Answer,
                                 const Twine &Name) {
  auto *Back = block(Name);
  IRBuilder<> B(Back);
  SwitchInst *Switch =
      B.CreateSwitch(load(B, Asks), Places.front().*Answer, Places.size());
  for (auto [Number, Asking] : enumerate(Places))
    if (Number)
      Switch->addCase(B.getInt32(Number), Asking.*Answer);
  return Back;
}

void LaunchGate::emitRefill() {
  if (!S.Chunks)
    return;
  assert(!Places.empty() && "nobody launches");
  const Refill &Chunks = *S.Chunks;
  BasicBlock *No = emitBack(&Place::No, "chunk.none");
  IRBuilder<> B(Ask);
  Value *Next = load(B, S.State.NextIteration);
  Value *May = B.CreateAnd(B.CreateICmpEQ(Next, load(B, Chunks.End)),
                           B.CreateICmpNE(Next, load(B, Chunks.PlanEnd)));
  May = B.CreateAnd(May, B.CreateNot(load(B, Chunks.IsOver)));
  B.CreateCondBr(May, S.Taking->Enter, No);
  BranchInst::Create(No, S.Taking->Over);
  BranchInst::Create(
      emitEarlyRequests(S, emitBack(&Place::Yes, "chunk.launch")),
      S.Taking->Got);
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
  Early.emitFor(S.State.shifted(B, Iteration), B);
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
