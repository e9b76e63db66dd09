//===- TaskRequests.cpp - Prefetches in tasks -----------------------------===//
//
// The part of TaskBuilder that issues the requests of a task.
//
//===----------------------------------------------------------------------===//

#include "async/rewrite/task/TaskBuilder.h"
#include "elsewhere/CallForms.h"
#include "inline/WaitingAccesses.h"
#include "ir/Registers.h"
#include "loop/FarAccess.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

void TaskBuilder::createPrefetches(IRBuilder<> &B, const Request &R,
                                   Value *Address) {
  if (!tunable::Requests)
    return;
  if (isFar(Address))
    return createFarRequest(B, R, Address);
  for (int64_t Line : R.Lines) {
    Value *At = Line ? B.CreatePtrAdd(Address, B.getInt64(Line)) : Address;
    // Read or write; keep in all cache levels; data.
    B.CreateIntrinsic(
        Intrinsic::prefetch, {At->getType()},
        {At, B.getInt32(R.ForWrite), B.getInt32(3), B.getInt32(1)});
  }
}

void TaskBuilder::createFarRequest(IRBuilder<> &B, const Request &R,
                                   Value *Address) {
  const int64_t First = std::min(R.Least, *min_element(R.Lines));
  // Requests the page in which the last access begins, and none behind the
  // region.
  const int64_t Last = std::max(R.Most, *max_element(R.Lines));
  const int64_t End = std::max(Last + 1, int64_t(R.For->Bytes));
  Value *From = First ? B.CreatePtrAdd(Address, B.getInt64(First)) : Address;
  State.Far->request(B, State.farTask(B),
                     {From, uint64_t(End - First), R.ForWrite});
}

void TaskBuilder::requestAt(IRBuilder<> &B, const SuspensionPoint &Point) {
  if (Point.Owns)
    own(B, *Point.Owns);
  for (const Request &R : Point.Requests)
    createPrefetches(B, R, addressFor(B, R));
}

void TaskBuilder::own(IRBuilder<> &B, StoreInst &Modifies) {
  assert(State.Far && "only places in far memory are owned");
  State.Far->acquire(B, State.farTask(B), inTask(Modifies.getPointerOperand()));
  IRBuilder<> Behind(cast<Instruction>(Map[&Modifies])->getNextNode());
  State.Far->release(Behind, State.farTask(Behind));
}

Value *TaskBuilder::addressFor(IRBuilder<> &B, const Request &R) {
  assert(!R.Start == bool(R.Address) && "an address or the start of a stream");
  if (R.Start || R.Link)
    return inTask(Expressions.Addresses.lookup(&R));
  return cloneSlice(B, R.Slice, R.Address, [&](Value *V) { return inTask(V); });
}

Value *TaskBuilder::inTask(Value *V) const {
  Value *New = Map.lookup(V);
  return New ? New : V;
}

/// The frame of a form whose first step is part of \p Slice; null if none is.
static const Value *frameOfForm(ArrayRef<Instruction *> Slice) {
  auto Start =
      find_if(Slice, [](const Instruction *I) { return isStartOfForm(*I); });
  return Start == Slice.end() ? nullptr : (*Start)->getOperand(0);
}

void TaskBuilder::requestEarly(const SuspensionPoint &Point) {
  assert(Point.Early && !Point.Owns && "planned to be requested by others");
  EarlyRequests &Early = Body.Early;
  if (!Early.Code) {
    Early.Code = BasicBlock::Create(F.getContext(), "task.early", &F);
    IRBuilder<> B(Early.Code);
    Early.Number =
        cast<Instruction>(B.CreateFreeze(PoisonValue::get(State.i64())));
    B.CreateUnreachable();
  }
  IRBuilder<> B(Early.Code->getTerminator());
  for (const Request &R : Point.Requests) {
    const Value *Frame = frameOfForm(R.Slice);
    createPrefetches(
        B, R, cloneSlice(B, R.Slice, R.Address, [&](Value *V) -> Value * {
          if (V == Frame)
            return createFormFrame(F);
          const LoopVariable *Variable = Classes.find(V);
          return Variable ? inductionValue(B, *Variable, Early.Number) : V;
        }));
  }
  // Nobody stops at a line of an iteration that has not begun.
  for (Instruction &I : *Early.Code)
    I.setDebugLoc(Body.Loop);
}

void TaskBuilder::requestForLater() {
  if (!Body.Early.Code)
    return;
  IRBuilder<> B(Body.Entry->getTerminator());
  Value *Ahead = load(B, State.Ahead);
  Body.Early.emitFor(B.CreateAdd(Iteration, Ahead), B);
}

void TaskBuilder::requestThroughRows(const ConsecutiveRows &Rows) {
  auto *Header = cast<BasicBlock>(Map[Rows.Inner->getHeader()]);
  Value *Index = inTask(Rows.Index);
  IRBuilder<> B(Header, Header->getFirstInsertionPt());
  Value *Ahead = B.CreateAdd(
      Index, ConstantInt::get(Index->getType(), tunable::ElementsAhead));
  // Behind the last row there may be nothing. The element itself is there.
  Value *IsThere = B.CreateICmpSLT(Ahead, Expressions.EndOfRows);
  Value *At = B.CreateSelect(IsThere, Ahead, Index, "element.ahead");
  for (const Request &R : Rows.Requests)
    createPrefetches(B, R, cloneSlice(B, R.Slice, R.Address, [&](Value *V) {
                       return V == Rows.Index ? At : inTask(V);
                     }));
  // Rows are short: what unrolling adds in front of the loop is most of it.
  Instruction *Latch =
      cast<BasicBlock>(Map[Rows.Inner->getLoopLatch()])->getTerminator();
  LLVMContext &Context = F.getContext();
  Latch->setMetadata(
      LLVMContext::MD_loop,
      makePostTransformationMetadata(
          Context, Latch->getMetadata(LLVMContext::MD_loop),
          {"llvm.loop.unroll."},
          {MDNode::get(Context,
                       MDString::get(Context, "llvm.loop.unroll.disable"))}));
}

Value *TaskBuilder::cloneSlice(IRBuilder<> &B, ArrayRef<Instruction *> Slice,
                               Value *Result,
                               function_ref<Value *(Value *)> Start) {
  ValueToValueMapTy SliceMap;
  auto Mapped = [&](Value *V) -> Value * {
    if (Value *New = SliceMap.lookup(V))
      return New;
    return SliceMap[V] = Start(V);
  };
  for (Instruction *I : Slice) {
    Instruction *Clone = I->clone();
    for (Use &U : Clone->operands())
      U.set(Mapped(U.get()));
    // An early load may read a value that has not been written yet.
    Clone->dropPoisonGeneratingFlags();
    Clone->dropUBImplyingAttrsAndMetadata();
    stripScopes(*Clone);
    B.Insert(Clone, I->getName());
    SliceMap[I] = Clone;
  }
  return Mapped(Result);
}
