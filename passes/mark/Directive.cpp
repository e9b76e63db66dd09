//===- Directive.cpp - What the user said about one loop ------------------===//

#include "mark/Directive.h"
#include "mark/MarkProtocol.h"
#include "mark/Marks.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

static Schedule scheduleOf(uint64_t Kind) {
  switch (Kind) {
  case SchedulerStatic:
    return Schedule::Fifo;
  case SchedulerLockstep:
    return Schedule::Lockstep;
  case SchedulerDynamic:
    return Schedule::Dynamic;
  }
  return Schedule::Unspecified;
}

Directive heddle::readDirective(CallInst &Marker) {
  assert(Marker.arg_size() % 2 == 1 &&
         "a number, and pairs of clause and value");
  Directive D;
  D.Marker = &Marker;
  for (unsigned I = 1; I + 1 < Marker.arg_size(); I += 2) {
    Value *Operand = Marker.getArgOperand(I + 1);
    auto *Constant = dyn_cast<ConstantInt>(Operand);
    switch (cast<ConstantInt>(Marker.getArgOperand(I))->getZExtValue()) {
    case Tasks:
      D.Tasks = Constant ? Constant->getZExtValue() : 0;
      break;
    case Scheduler:
      D.Scheduler = Constant ? scheduleOf(Constant->getZExtValue())
                             : Schedule::Unspecified;
      break;
    case Coalesce:
      D.Coalesce = Constant ? Constant->getZExtValue() : 0;
      break;
    case Suspensions:
      D.Suspensions = Constant ? Constant->getZExtValue() : 0;
      break;
    case If:
      D.Condition = Operand;
      break;
    case Private:
      D.Private.push_back(Operand);
      break;
    case Shared:
      D.Shared.push_back(Operand);
      break;
    case Sequential:
      D.Sequential.push_back(Operand);
      break;
    }
  }
  return D;
}

SmallVector<CallInst *, 4> heddle::findMarkers(Function &F) {
  SmallVector<CallInst *, 4> Markers;
  for (BasicBlock &Block : F)
    for (Instruction &I : Block)
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (Function *Callee = Call->getCalledFunction())
          if (Callee->getName() == AsyncMarkerName)
            Markers.push_back(Call);
  return Markers;
}
