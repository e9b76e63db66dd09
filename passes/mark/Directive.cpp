//===- Directive.cpp - The clauses of one loop's directive ----------------===//

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
#define HEDDLE_SCHEDULE(Kind, Number, Name)                                    \
  case Scheduler##Kind:                                                        \
    return Schedule::Kind;
#include "mark/Schedules.def"
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
#define HEDDLE_COUNT_CLAUSE(Kind, Number, Name, Directives, Maximum)           \
  case Kind:                                                                   \
    D.Kind = Constant ? Constant->getZExtValue() : 0;                          \
    break;
#define HEDDLE_SCHEDULE_CLAUSE(Kind, Number, Name, Directives)                 \
  case Kind:                                                                   \
    D.Kind = Constant ? scheduleOf(Constant->getZExtValue())                   \
                      : Schedule::Unspecified;                                 \
    break;
#define HEDDLE_CONDITION_CLAUSE(Kind, Number, Name, Directives)                \
  case Kind:                                                                   \
    D.Condition = Operand;                                                     \
    break;
#define HEDDLE_VARIABLES_CLAUSE(Kind, Number, Name, Directives, Operands)      \
  case Kind:                                                                   \
    D.Kind.push_back(Operand);                                                 \
    break;
#include "mark/Clauses.def"
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
