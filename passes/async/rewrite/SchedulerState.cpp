//===- SchedulerState.cpp - What all tasks of a loop share ----------------===//

#include "async/rewrite/SchedulerState.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace heddle;

SchedulerState::SchedulerState(Function &F, unsigned MaxTasks, bool AwaitsTurn,
                               unsigned LineBytes)
    : F(F), LineBytes(LineBytes), MaxTasks(MaxTasks),
      MaxLaunched(maxLaunched(MaxTasks, AwaitsTurn)) {
  NextIteration = createRegister(i64(), "heddle.next");
  Limit = createRegister(i64(), "heddle.limit");
  Tasks = createRegister(i64(), "heddle.tasks");
  Ahead = createRegister(i64(), "heddle.ahead");
}

uint64_t SchedulerState::maxLaunched(unsigned MaxTasks, bool AwaitsTurn) {
  return AwaitsTurn ? PowerOf2Ceil(2 * uint64_t(MaxTasks)) : MaxTasks;
}

void SchedulerState::createFar() {
  Far = &farBackendFor(*F.getParent());
  Amu = createRegister(PointerType::get(F.getContext(), 0), "heddle.amu");
  Id = createRegister(i64(), "heddle.id");
}

Value *SchedulerState::farLoop(IRBuilder<> &B) const {
  return B.CreateLoad(Amu->getAllocatedType(), Amu);
}

FarTask SchedulerState::farTask(IRBuilder<> &B) const {
  Value *Loop = farLoop(B);
  return {Loop, B.CreateLoad(i64(), Id)};
}

IntegerType *SchedulerState::i64() const {
  return Type::getInt64Ty(F.getContext());
}

AllocaInst *SchedulerState::createRegister(Type *Type, const Twine &Name) {
  IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Register = Builder.CreateAlloca(Type, nullptr, Name);
  Promotable.push_back(Register);
  return Register;
}

AllocaInst *SchedulerState::createArray(Type *Element, uint64_t Length,
                                        const Twine &Name) {
  IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
  AllocaInst *Array =
      Builder.CreateAlloca(ArrayType::get(Element, Length), nullptr, Name);
  Array->setAlignment(std::max(Array->getAlign(), Align(LineBytes)));
  return Array;
}
