//===- LibraryBackend.cpp - Far memory by calls of the library ------------===//

#include "far/LibraryBackend.h"
#include "heddle/amu.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace heddle;

CallInst *heddle::callLibrary(IRBuilder<> &B, StringRef Name, Type *Result,
                              ArrayRef<Value *> Arguments) {
  SmallVector<Type *> Parameters;
  for (Value *Argument : Arguments)
    Parameters.push_back(Argument->getType());
  FunctionCallee Callee = B.GetInsertBlock()->getModule()->getOrInsertFunction(
      Name, FunctionType::get(Result, Parameters, false));
  if (auto *Function = dyn_cast<llvm::Function>(Callee.getCallee()))
    Function->setDoesNotThrow();
  return B.CreateCall(Callee, Arguments);
}

static Value *toInteger(IRBuilder<> &B, Value *Address) {
  return B.CreatePtrToInt(Address, B.getInt64Ty());
}

Value *LibraryBackend::begin(IRBuilder<> &B, Value *KeptTasks,
                             Value *MostTasks) const {
  assert(KeptTasks->getType()->isPointerTy() &&
         MostTasks->getType()->isIntegerTy(64) && "as heddle_amu_begin has it");
  return callLibrary(B, "heddle_amu_begin", B.getPtrTy(),
                     {KeptTasks, MostTasks});
}

void LibraryBackend::end(IRBuilder<> &B, Value *Loop) const {
  callLibrary(B, "heddle_amu_end", B.getVoidTy(), {Loop});
}

void LibraryBackend::request(IRBuilder<> &B, FarTask Task,
                             const FarRequest &Request) const {
  assert(Request.Bytes > 0 && "an empty request");
  callLibrary(B, Request.ForStore ? "heddle_amu_astore" : "heddle_amu_aload",
              B.getVoidTy(),
              {Task.Loop, Task.Id, toInteger(B, Request.Address),
               B.getInt64(Request.Bytes)});
}

void LibraryBackend::acquire(IRBuilder<> &B, FarTask Task,
                             Value *Address) const {
  callLibrary(B, "heddle_amu_acquire", B.getVoidTy(),
              {Task.Loop, Task.Id, toInteger(B, Address)});
}

void LibraryBackend::release(IRBuilder<> &B, FarTask Task) const {
  callLibrary(B, "heddle_amu_release", B.getVoidTy(), {Task.Loop, Task.Id});
}

Value *LibraryBackend::await(IRBuilder<> &B, FarTask Task) const {
  CallInst *Waits =
      callLibrary(B, "heddle_amu_await", B.getInt1Ty(), {Task.Loop, Task.Id});
  Waits->addRetAttr(Attribute::ZExt);
  return Waits;
}

Value *LibraryBackend::tasks(IRBuilder<> &B, Value *Loop) const {
  static_assert(offsetof(heddle_amu, tasks) == 0 &&
                sizeof(heddle_amu::tasks) == sizeof(uint64_t));
  return B.CreateLoad(B.getInt64Ty(), Loop);
}

Value *LibraryBackend::next(IRBuilder<> &B, Value *Loop) const {
  return callLibrary(B, "heddle_amu_getfin", B.getInt64Ty(), {Loop});
}
