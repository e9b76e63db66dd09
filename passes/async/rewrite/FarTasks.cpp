//===- FarTasks.cpp - Tasks that wait for far memory ----------------------===//

#include "async/rewrite/FarTasks.h"
#include "heddle/amu.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

static CallInst *callRuntime(IRBuilder<> &B, const SchedulerState &State,
                             StringRef Name, Type *Result,
                             ArrayRef<Value *> Arguments) {
  SmallVector<Type *> Parameters;
  for (Value *Argument : Arguments)
    Parameters.push_back(Argument->getType());
  FunctionCallee Callee = State.F.getParent()->getOrInsertFunction(
      Name, FunctionType::get(Result, Parameters, false));
  if (auto *Function = dyn_cast<llvm::Function>(Callee.getCallee()))
    Function->setDoesNotThrow();
  return B.CreateCall(Callee, Arguments);
}

static Value *amu(IRBuilder<> &B, const SchedulerState &State) {
  return B.CreateLoad(State.Amu->getAllocatedType(), State.Amu);
}

static Value *id(IRBuilder<> &B, const SchedulerState &State) {
  return B.CreateLoad(State.i64(), State.Id);
}

void heddle::emitFarBegin(IRBuilder<> &B, const SchedulerState &State,
                          Value *KeptTasks) {
  B.CreateStore(
      callRuntime(B, State, "heddle_amu_begin", State.Amu->getAllocatedType(),
                  {KeptTasks, B.CreateLoad(State.i64(), State.Tasks)}),
      State.Amu);
}

void heddle::emitFarEnd(IRBuilder<> &B, const SchedulerState &State) {
  callRuntime(B, State, "heddle_amu_end", B.getVoidTy(), {amu(B, State)});
}

void heddle::emitFarRequest(IRBuilder<> &B, const SchedulerState &State,
                            Value *Address, uint64_t Bytes, bool ForStore) {
  callRuntime(B, State, ForStore ? "heddle_amu_astore" : "heddle_amu_aload",
              B.getVoidTy(),
              {amu(B, State), id(B, State),
               B.CreatePtrToInt(Address, B.getInt64Ty()), B.getInt64(Bytes)});
}

void heddle::emitFarAcquire(IRBuilder<> &B, const SchedulerState &State,
                            Value *Address) {
  callRuntime(
      B, State, "heddle_amu_acquire", B.getVoidTy(),
      {amu(B, State), id(B, State), B.CreatePtrToInt(Address, B.getInt64Ty())});
}

void heddle::emitFarRelease(IRBuilder<> &B, const SchedulerState &State) {
  callRuntime(B, State, "heddle_amu_release", B.getVoidTy(),
              {amu(B, State), id(B, State)});
}

Value *heddle::emitFarAwait(IRBuilder<> &B, const SchedulerState &State) {
  CallInst *Waits = callRuntime(B, State, "heddle_amu_await", B.getInt1Ty(),
                                {amu(B, State), id(B, State)});
  Waits->addRetAttr(Attribute::ZExt);
  return Waits;
}

Value *heddle::emitFarTasks(IRBuilder<> &B, const SchedulerState &State) {
  static_assert(offsetof(heddle_amu, tasks) == 0 &&
                sizeof(heddle_amu::tasks) == sizeof(uint64_t));
  return B.CreateLoad(State.i64(), amu(B, State));
}

Value *heddle::emitFarFinished(IRBuilder<> &B, const SchedulerState &State) {
  return callRuntime(B, State, "heddle_amu_getfin", B.getInt64Ty(),
                     {amu(B, State)});
}
