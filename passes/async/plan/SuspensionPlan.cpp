//===- SuspensionPlan.cpp - What a plan asks for --------------------------===//

#include "async/plan/SuspensionPlan.h"
#include "loop/Tunables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace heddle;

void heddle::requestByte(SmallVectorImpl<int64_t> &Lines, int64_t Byte,
                         int64_t LineBytes, Align Alignment) {
  constexpr int64_t SmallObject = 16;
  auto IsBetween = [&](int64_t At) {
    return any_of(Lines, [&](int64_t First) {
      return any_of(Lines, [&](int64_t Last) {
        return First < At && At < Last && Last - First <= LineBytes;
      });
    });
  };
  const int64_t Aligned = std::min(int64_t(Alignment.value()), LineBytes);
  auto IsNear = [&](int64_t Line) {
    return std::abs(Byte - Line) < SmallObject ||
           divideFloorSigned(Byte, Aligned) == divideFloorSigned(Line, Aligned);
  };
  if (any_of(Lines, IsNear) || IsBetween(Byte))
    return;
  Lines.push_back(Byte);
  // The access that is requested comes first.
  for (unsigned I = 1; I < Lines.size();)
    if (IsBetween(Lines[I]))
      Lines.erase(Lines.begin() + I);
    else
      ++I;
}

bool heddle::cover(Request &R, const ObjectAddress &To, const Instruction *At,
                   const LoopContext &C) {
  if (!R.Address)
    return false;
  std::optional<Distance> Bytes = distance(ObjectAddress(R.Address), To, At, C);
  const int64_t LineBytes = lineBytes(C.TTI);
  const int64_t Furthest = tunable::LinesPerObject * LineBytes;
  if (!Bytes || Bytes->Least < -Furthest || Bytes->Most > Furthest)
    return false;
  SmallVector<int64_t, 2> Lines = R.Lines;
  const Align Alignment =
      R.Address == R.For->Address ? R.For->alignment() : Align(1);
  for (int64_t Byte = Bytes->Least;;
       Byte = std::min(Byte + LineBytes, Bytes->Most)) {
    requestByte(Lines, Byte, LineBytes, Alignment);
    if (Byte == Bytes->Most)
      break;
  }
  if (Lines.size() > tunable::LinesPerObject)
    return false;
  R.Lines = Lines;
  R.Least = std::min(R.Least, Bytes->Least);
  R.Most = std::max(R.Most, Bytes->Most);
  return true;
}

unsigned SuspensionPlan::suspensionPoints() const {
  unsigned Count = 0;
  for (const SuspensionPoint &P : Points)
    Count += !P.AwaitsTurn && !P.Early;
  for (const BlockedLoop &B : Blocks)
    Count += B.Levels.size();
  return Count + Rehearsals.size();
}

unsigned SuspensionPlan::requests() const {
  unsigned Count = 0;
  for (const SuspensionPoint &P : Points)
    Count += P.Requests.size();
  for (const BlockedLoop &B : Blocks)
    for (const auto &Level : B.Levels)
      Count += Level.size();
  for (const Rehearsal &R : Rehearsals)
    Count += R.Waits.size();
  return Count + (Rows ? Rows->Requests.size() : 0);
}

unsigned SuspensionPlan::earlyRequests() const {
  unsigned Count = 0;
  for (const SuspensionPoint &P : Points)
    if (P.Early)
      Count += P.Requests.size();
  return Count + (Rows ? Rows->Requests.size() : 0);
}

bool SuspensionPlan::requestsStart(const SCEV *Start, const Instruction *Before,
                                   int64_t LineBytes, const DominatorTree &DT,
                                   ScalarEvolution &SE) const {
  // The other address may be that of any element of a small array.
  auto IsWithinLine = [&](const SCEV *From, int64_t Bytes) {
    const SCEV *Difference = SE.getMinusSCEV(Start, From);
    if (isa<SCEVCouldNotCompute>(Difference))
      return false;
    const ConstantRange Range = SE.getSignedRange(Difference);
    return Range.getSignedMin().sgt(Bytes - LineBytes) &&
           Range.getSignedMax().slt(Bytes + LineBytes);
  };
  auto BringsIn = [&](const SuspensionPoint &P, const Request &R) {
    if (R.Start)
      return P.Before == Before && IsWithinLine(R.Start, 0);
    return !R.Link && DT.dominates(P.Before, Before) &&
           any_of(R.Lines, [&](int64_t Line) {
             return IsWithinLine(SE.getSCEV(R.Address), Line);
           });
  };
  return any_of(Points, [&](const SuspensionPoint &P) {
    return any_of(P.Requests, [&](const Request &R) { return BringsIn(P, R); });
  });
}

LoopProfile heddle::profile(const Loop &L, LatencyAnalysis &Latency,
                            const SuspensionPlan &Plan) {
  LoopProfile P;
  P.SuspensionPoints = Plan.suspensionPoints();
  P.EarlyRequests = Plan.earlyRequests();
  P.GoesThroughRows = Plan.Rows.has_value();
  auto Note = [&](const Request &R) {
    P.DeepestAddress = std::max(P.DeepestAddress, R.For->Depth);
    P.HasRemote |= R.For->Remote;
    P.AtomicsWait |= R.For->I->isAtomic() && R.For->Writes;
  };
  for (const SuspensionPoint &Point : Plan.Points)
    for_each(Point.Requests, Note);
  for (const BlockedLoop &Block : Plan.Blocks)
    for (const auto &Level : Block.Levels)
      for_each(Level, Note);
  for (const Rehearsal &Rehearsed : Plan.Rehearsals)
    for_each(Rehearsed.Waits, Note);
  if (Plan.Rows)
    for_each(Plan.Rows->Requests, Note);
  for (BasicBlock *Block : L.blocks()) {
    Instruction *Terminator = Block->getTerminator();
    if (Terminator->getNumSuccessors() > 1 && !isa<InvokeInst>(Terminator) &&
        Block != L.getLoopLatch())
      P.BranchesOnMemory |= Latency.depth(Terminator->getOperand(0)) > 0;
  }
  return P;
}
