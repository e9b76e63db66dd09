//===- TurnRing.cpp - Retirement in iteration order -----------------------===//
//
// The class TurnRing of Schedules.h, and the code that saves and loads
// contexts.
//
// Tasks reach the first use of an Ordered variable in any order. Each leaves
// its context in the slot of its iteration number; whenever the oldest slot is
// filled, that task runs to its end and the next slot becomes the oldest.
//
//===----------------------------------------------------------------------===//

#include "async/schedules/Schedules.h"
#include "ir/Registers.h"

using namespace llvm;
using namespace heddle;

void heddle::saveContext(IRBuilder<> &B, const Context &C,
                         ArrayRef<AllocaInst *> Fields, Value *Index) {
  for (auto [Variable, Field] : zip_equal(C.Saved, Fields)) {
    Type *T = Variable->getAllocatedType();
    B.CreateStore(load(B, Variable), B.CreateInBoundsGEP(T, Field, Index));
  }
}

void heddle::loadContext(IRBuilder<> &B, const Context &C,
                         ArrayRef<AllocaInst *> Fields, Value *Index) {
  for (auto [Variable, Field] : zip_equal(C.Saved, Fields)) {
    Type *T = Variable->getAllocatedType();
    B.CreateStore(B.CreateLoad(T, B.CreateInBoundsGEP(T, Field, Index)),
                  Variable);
  }
}

TurnRing::TurnRing(const TaskChunk &S)
    : S(S), Exists(S.Cuts.turnSuspension().has_value()) {
  if (!Exists)
    return;
  SchedulerState &State = S.State;
  Length = State.MaxLaunched;
  assert(isPowerOf2_64(Length) && "a mask finds the place of an iteration");
  assert(State.Ticket && "iterations have no numbers");
  Turn = State.createRegister(State.i64(), "heddle.turn");
  Waiting = State.createArray(Type::getInt8Ty(State.F.getContext()), Length,
                              "heddle.waiting");
  for (AllocaInst *Variable : S.Cuts.context(*S.Cuts.turnSuspension()).Saved)
    Fields.push_back(State.createArray(Variable->getAllocatedType(), Length,
                                       Variable->getName() + ".ring"));
}

Value *TurnRing::index(IRBuilder<> &B, Value *Number) {
  return B.CreateAnd(Number, B.getInt64(Length - 1));
}

void TurnRing::emitReset(IRBuilder<> &B) {
  if (!Exists)
    return;
  B.CreateStore(load(B, S.State.NextIteration), Turn);
  B.CreateMemSet(Waiting, B.getInt8(0), Length, Waiting->getAlign());
}

Value *TurnRing::emitHasRoom(IRBuilder<> &B) {
  if (!Exists)
    return B.getTrue();
  Value *Ahead = B.CreateSub(load(B, S.State.NextIteration), load(B, Turn));
  return B.CreateICmpULT(Ahead, B.getInt64(Length));
}

void TurnRing::emitWait(IRBuilder<> &B) {
  assert(Exists && "nobody waits for a turn");
  Value *Place = index(B, load(B, S.State.Ticket));
  saveContext(B, S.Cuts.context(*S.Cuts.turnSuspension()), Fields, Place);
  B.CreateStore(B.getInt8(1),
                B.CreateInBoundsGEP(B.getInt8Ty(), Waiting, Place));
}

BasicBlock *TurnRing::emitDrain(BasicBlock *After) {
  assert(Exists && "nobody waits for a turn");
  Function &F = S.State.F;
  LLVMContext &Context = F.getContext();
  auto *Head = BasicBlock::Create(Context, "turn.next", &F);
  auto *Run = BasicBlock::Create(Context, "turn.run", &F);
  IRBuilder<> B(Head);
  Value *Number = load(B, Turn);
  Value *Place = index(B, Number);
  Value *Flag = B.CreateInBoundsGEP(B.getInt8Ty(), Waiting, Place);
  B.CreateCondBr(B.CreateIsNotNull(B.CreateLoad(B.getInt8Ty(), Flag)), Run,
                 After);

  B.SetInsertPoint(Run);
  B.CreateStore(B.getInt8(0), Flag);
  B.CreateStore(B.CreateAdd(Number, B.getInt64(1)), Turn);
  unsigned Suspension = *S.Cuts.turnSuspension();
  loadContext(B, S.Cuts.context(Suspension), Fields, Place);
  B.CreateBr(S.Cuts.clone(Suspension + 1, ".turn",
                          {[](IRBuilder<> &, unsigned) {
                             llvm_unreachable(
                                 "nothing suspends behind the turn point");
                           },
                           [&](IRBuilder<> &B) { B.CreateBr(Head); }}));
  return Head;
}
