//===- Stream.cpp - Accesses that walk through memory in order ------------===//

#include "async/plan/Stream.h"
#include "async/plan/SuspensionPlan.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;
using namespace heddle;

static const SCEVAddRecExpr *recurrenceOf(const Access &A,
                                          ScalarEvolution &SE) {
  assert(A.Kind == AddressKind::StreamStart && "not the start of a stream");
  return cast<SCEVAddRecExpr>(SE.getSCEV(A.Address));
}

Stream heddle::streamOf(const Access &A, const Loop &L, ScalarEvolution &SE) {
  const SCEVAddRecExpr *Recurrence = recurrenceOf(A, SE);
  Stream S{Recurrence->getStart(), Recurrence->getLoop()};
  while (auto *Outer = dyn_cast<SCEVAddRecExpr>(S.Start)) {
    if (Outer->getLoop() == &L || !L.contains(Outer->getLoop()))
      break;
    S = {Outer->getStart(), Outer->getLoop()};
  }
  return S;
}

SmallVector<int64_t, 2> heddle::linesOf(const Stream &S, const Access &A,
                                        int64_t LineBytes,
                                        ScalarEvolution &SE) {
  SmallVector<int64_t, 2> Lines{0};
  auto *Step =
      dyn_cast<SCEVConstant>(recurrenceOf(A, SE)->getStepRecurrence(SE));
  const unsigned Count = SE.getSmallConstantMaxTripCount(S.Inner);
  if (!Step || !Count)
    return Lines;
  const int64_t Bytes = Step->getAPInt().getSExtValue() * int64_t(Count);
  for (int64_t At = LineBytes;
       At < Bytes && Lines.size() < tunable::LinesPerObject; At += LineBytes)
    Lines.push_back(At);
  if (Bytes > 0 && Lines.size() < tunable::LinesPerObject)
    requestByte(Lines, Bytes - int64_t(A.Bytes), LineBytes, A.alignment());
  return Lines;
}
