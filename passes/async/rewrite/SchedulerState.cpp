//===- SchedulerState.cpp - Variables shared by all tasks -----------------===//

#include "async/rewrite/SchedulerState.h"
#include "async/rewrite/DebugValues.h"
#include "ir/Registers.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;
using namespace heddle;

/// The most iterations of a loop that are launched and not retired, rounded up
/// for TurnRing, which computes a task's slot by a mask.
static uint64_t maxLaunched(unsigned MaxTasks, bool AwaitsTurn) {
  return AwaitsTurn ? PowerOf2Ceil(2 * uint64_t(MaxTasks)) : MaxTasks;
}

SchedulerState::SchedulerState(const LoopContext &C, const LoopFacts &Facts,
                               const SuspensionPlan &Plan, unsigned MaxTasks,
                               bool CountsWork)
    : F(*C.L.getHeader()->getParent()), LineBytes(lineBytes(C.TTI)),
      MaxTasks(MaxTasks), MaxLaunched(maxLaunched(MaxTasks, Plan.TurnPoint)) {
  assert(MaxTasks && "no room for tasks");
  assert(isPowerOf2_32(LineBytes) && "lines are aligned to their size");
  NextIteration = createRegister(i64(), "heddle.next");
  Limit = createRegister(i64(), "heddle.limit");
  Tasks = createRegister(i64(), "heddle.tasks");
  Ahead = createRegister(i64(), "heddle.ahead");
  createVariables(C, Facts);
  if (Facts.D.Scheduler == Schedule::Dynamic) {
    Far = &farBackendFor(*F.getParent());
    Amu = createRegister(PointerType::get(F.getContext(), 0), "heddle.amu");
    Id = createRegister(i64(), "heddle.id");
  }
  if (CountsWork)
    Work = createRegister(i64(), "heddle.work");
}

void SchedulerState::createVariables(const LoopContext &C,
                                     const LoopFacts &Facts) {
  for (const LoopVariable &V : Facts.Classes.Variables)
    if (V.Class != VariableClass::Induction) {
      AllocaInst *&Register = Variable[V.Phi];
      Register = createRegister(V.Phi->getType(), V.Phi->getName() + ".shared");
      if (V.Class != VariableClass::Launch)
        showInRegister(C.L.getStartLoc(), *V.Phi, V.Next, *Register);
    }
  for (PHINode *ExitPhi : Facts.Classes.LastValues)
    Last[ExitPhi] = {
        createRegister(ExitPhi->getType(), ExitPhi->getName() + ".last"),
        createRegister(i64(), "heddle.last.iteration")};
  if (!Facts.Shape.BackedgeCount)
    More = createRegister(Type::getInt1Ty(F.getContext()), "heddle.more");
  Ticket = createRegister(i64(), "heddle.ticket");
  if (Facts.Shape.isLeftEarly()) {
    Left = createRegister(Type::getInt32Ty(F.getContext()), "heddle.left");
    Unsure = createRegister(Type::getInt1Ty(F.getContext()), "heddle.unsure");
    for (const EarlyExit &Exit : Facts.Shape.EarlyExits)
      for (PHINode &Phi : Exit.To->phis())
        Leaving[&Phi] =
            createRegister(Phi.getType(), Phi.getName() + ".leaving");
  }
  if (!Facts.Locals.empty()) {
    FreePlaces = createArray(Type::getInt32Ty(F.getContext()), MaxLaunched,
                             "heddle.free");
    FreeCount = createRegister(i64(), "heddle.free.count");
  }
}

const SchedulerState::Extent &SchedulerState::extentOf(Value *Array) {
  auto [Known, IsNew] = Extents.try_emplace(Array);
  if (IsNew)
    Known->second = {createRegister(i64(), "heddle.extent"),
                     createRegister(i64(), "heddle.extent.length")};
  return Known->second;
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
  return Promotable.emplace_back(createVariable(F, Type, Name));
}

AllocaInst *SchedulerState::createArray(Type *Element, uint64_t Length,
                                        const Twine &Name) {
  assert(Length && "an array without elements");
  AllocaInst *Array = createVariable(F, ArrayType::get(Element, Length), Name);
  Array->setAlignment(std::max(Array->getAlign(), Align(LineBytes)));
  Arrays.push_back(Array);
  return Array;
}

AllocaInst *SchedulerState::harmlessPlace() {
  if (Harmless)
    return Harmless;
  Type *Line = ArrayType::get(Type::getInt8Ty(F.getContext()), LineBytes);
  Harmless = createVariable(F, Line, "heddle.harmless");
  Harmless->setAlignment(Align(LineBytes));
  IRBuilder<> B(F.getEntryBlock().getTerminator());
  B.CreateStore(Constant::getNullValue(Line), Harmless);
  return Harmless;
}
