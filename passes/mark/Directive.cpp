//===- Directive.cpp - The clauses of one loop's directive ----------------===//

#include "mark/Directive.h"
#include "ir/Instructions.h"
#include "mark/MarkProtocol.h"
#include "mark/Marks.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

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

unsigned heddle::numberOf(const CallInst &Mark) {
  return cast<ConstantInt>(Mark.getArgOperand(0))->getZExtValue();
}

Value *heddle::clauseOf(const CallInst &Mark, ClauseKind Kind) {
  for (unsigned I = 1; I + 1 < Mark.arg_size(); I += 2)
    if (cast<ConstantInt>(Mark.getArgOperand(I))->getZExtValue() == Kind)
      return Mark.getArgOperand(I + 1);
  return nullptr;
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
  return findCalls(F, [](StringRef Name) { return Name == AsyncMarkerName; });
}

bool heddle::hasFrames(const Directive &D) {
  const MDNode *Nested = D.Marker->getMetadata(NestedMetadata);
  return Nested && Nested->getNumOperands();
}

FunctionCallee heddle::nestedMarker(Module &M) {
  FunctionCallee Marker =
      M.getOrInsertFunction(NestedMarkerName, Type::getInt1Ty(M.getContext()));
  auto *F = cast<Function>(Marker.getCallee());
  F->setDoesNotThrow();
  F->setWillReturn();
  F->setOnlyAccessesInaccessibleMemory();
  return Marker;
}
