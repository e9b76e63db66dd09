//===- Remarks.cpp - Remarks about loops, in the user's words -------------===//

#include "async/report/Remarks.h"
#include "async/analysis/AccessRelations.h"
#include "inline/WaitingAccesses.h"
#include "ir/Instructions.h"
#include "mark/Directive.h"
#include "mark/MarkProtocol.h"
#include "mark/Marks.h"
#include "names/SourceNames.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;
using NV = DiagnosticInfoOptimizationBase::Argument;

static constexpr char PassName[] = "heddle";

static std::string plural(unsigned Count, StringRef What) {
  return (Twine(Count) + " " + What + (Count == 1 ? "" : "s")).str();
}

/// " (from line 3 to line 5)" of the code that a suspension at \p At would
/// split.
static std::string extent(const Obstacle &Why, const DebugLoc &At) {
  auto PlaceOf = [&](const Instruction *I) {
    return I ? describePlace(I->getDebugLoc(), At) : "";
  };
  const std::string First = PlaceOf(Why.First), Last = PlaceOf(Why.Last);
  if (First.empty() || Last.empty())
    return "";
  return First == Last ? " (" + First + ")"
                       : " (from " + First + " to " + Last + ")";
}

Remarks::Outcome &Remarks::outcomeOf(const CallInst &Marker) {
  const DILocation *Where = Marker.getDebugLoc();
  return Loops[{numberOf(Marker), Where ? Where->getInlinedAt() : nullptr}];
}

void Remarks::emit(unsigned Number, DiagnosticInfoOptimizationBase &Remark) {
  std::string Line = Remark.getLocationStr();
  if (Said.insert((Twine(Number) + Line + Remark.getMsg()).str()).second)
    ORE->emit(Remark);
  LoopOutcomes.noteReported(Number);
}

Remarks::~Remarks() {
  for (auto &[Loop, Result] : Loops) {
    if (Result.Interleaved || !Result.Left)
      continue;
    OptimizationRemarkMissed Remark(PassName, "NotInterleaved",
                                    remarkPlace(Result.Left->Where),
                                    &F.getEntryBlock());
    Remark << NotInterleaved << NV("Reason", Result.Left->Why.Reason);
    addPlace(Remark, Result.Left->Place);
    Remark << describeInstance(Result.Left->Where, F);
    addNext(Remark, Result.Left->Why);
    LoopOutcomes.noteNoEffect(Loop.first, Result.Left->Where, F,
                              Result.Left->Why, Remark.getMsg());
    emit(Loop.first, Remark);
  }
}

void Remarks::refused(const CallInst &Marker, const Refusal &Why) {
  // PullPass has left the loop to AsyncSplit, and said why.
  if (clauseOf(Marker, Pull) || Marker.hasMetadata(FallbackMetadata))
    return;
  Outcome &Result = outcomeOf(Marker);
  if (!Result.Left)
    Result.Left = Missed{Marker.getDebugLoc(), Why,
                         describeOtherPlace(Why.At, Marker.getDebugLoc())};
}

void Remarks::dropped(const CallInst &Marker, const SuspensionPlan &Plan) {
  if (Marker.hasMetadata(FallbackMetadata))
    return;
  for (const DroppedAccess &A : Plan.Dropped) {
    OptimizationRemarkAnalysis Remark(PassName, "NotHidden",
                                      remarkPlace(A.I->getDebugLoc()),
                                      A.I->getParent());
    const Refusal Why = reasonOf(A.Why, A.I);
    Remark << "the latency of this access is not hidden: "
           << NV("Reason", Why.Reason) << extent(A.Why, A.I->getDebugLoc());
    addNext(Remark, Why.Next);
    emit(numberOf(Marker), Remark);
  }
}

void Remarks::calls(const CallInst &Marker, const Loop &L) {
  if (Marker.hasMetadata(FallbackMetadata))
    return;
  for (const Instruction &I : instructionsIn(L.blocks())) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || hasCodeBeside(I) || !mayWaitUnseen(*Call))
      continue;
    OptimizationRemarkAnalysis Remark(
        PassName, "CallNotHidden", remarkPlace(I.getDebugLoc()), I.getParent());
    Remark << "what the call of " << NV("Callee", describeCallee(*Call))
           << " waits for is not hidden: it stays a call";
    addNext(Remark, nextOf(RefusalKind::OpaqueCall));
    emit(numberOf(Marker), Remark);
  }
}

void Remarks::nested(const CallInst &Marker) {
  const MDNode *Callees = Marker.getMetadata(NestedMetadata);
  if (!Callees || Marker.hasMetadata(FallbackMetadata))
    return;
  for (const MDOperand &Operand : Callees->operands()) {
    const auto *Callee = cast<MDNode>(Operand);
    const auto *Where = dyn_cast_or_null<DILocation>(Callee->getOperand(2));
    const uint64_t Depth =
        mdconst::extract<ConstantInt>(Callee->getOperand(1))->getZExtValue();
    OptimizationRemark Remark(
        PassName, "Nested",
        remarkPlace(Where ? DebugLoc(Where) : Marker.getDebugLoc()),
        Marker.getParent());
    Remark << NV(
        "Callee",
        ("'" + cast<MDString>(Callee->getOperand(0))->getString() + "'").str());
    if (Callee->getNumOperands() > 3)
      Remark << " becomes a nested coroutine if it only reads memory and the "
                "file that defines it is compiled with Heddle, too; otherwise "
                "it stays a call";
    else
      Remark << " became a nested coroutine";
    if (Depth)
      Remark << ": " << NV("Depth", plural(Depth, "call"))
             << " deep; deeper calls block the thread";
    emit(numberOf(Marker), Remark);
  }
}

/// Says how tasks update a variable of \p Class; null if each task computes its
/// own.
static const char *updatesOf(VariableClass Class) {
  switch (Class) {
  case VariableClass::Shared:
    return "shared by all tasks (commutative updates)";
  case VariableClass::Ordered:
    return "sequential (updated in iteration order, at retirement)";
  case VariableClass::Launch:
    return "sequential (updated in iteration order, at launch)";
  case VariableClass::Induction:
    return nullptr;
  }
  llvm_unreachable("one of the classes");
}

void Remarks::variables(const CallInst &Marker, const VariableClasses &Classes,
                        const BasicBlock &Header) {
  const DebugLoc Place = remarkPlace(Marker.getDebugLoc());
  for (const LoopVariable &V : Classes.Variables) {
    const char *What = updatesOf(V.Class);
    if (!What)
      continue;
    OptimizationRemarkAnalysis Variable(PassName, "Variable", Place, &Header);
    Variable << NV("Name", describeVariable(V.Phi)) << " is " << What;
    emit(numberOf(Marker), Variable);
  }
  if (!Classes.ReorderedFloat)
    return;
  OptimizationRemarkAnalysis Rounding(PassName, "FloatReduction", Place,
                                      &Header);
  Rounding << NV("Name", describeVariable(Classes.ReorderedFloat,
                                          "floating-point reduction"))
           << " may round differently from the serial order";
  emit(numberOf(Marker), Rounding);
}

void Remarks::interleaved(const LoopFacts &Facts, const SuspensionPlan &Plan,
                          const Decision &Choice, const Segments &Cuts,
                          const SchedulerState &State, unsigned Added) {
  const Directive &D = Facts.D;
  const BasicBlock *Header = Facts.Shape.L->getHeader();
  StringRef Schedule = Choice.IsDynamic      ? "dynamic schedule"
                       : !Choice.HasFifo     ? "lockstep schedule"
                       : !Choice.HasLockstep ? "FIFO schedule"
                                             : "lockstep and FIFO schedules";
  const DebugLoc &Where = D.Marker->getDebugLoc();
  unsigned Number = numberOf(*D.Marker);
  if (D.Marker->hasMetadata(FallbackMetadata)) {
    LoopOutcomes.noteAdded(Added);
    return;
  }
  outcomeOf(*D.Marker).Interleaved = true;
  OptimizationRemark Remark(PassName, "Interleaved", remarkPlace(Where),
                            Header);
  Remark << (Plan.suspensionPoints()
                 ? "interleaved the loop's iterations ("
                 : "requested ahead what the loop's iterations access (")
         << NV("Schedule", Schedule) << "): "
         << NV("SuspensionPoints",
               plural(Plan.suspensionPoints(), "suspension point"))
         << ", " << NV("Requests", plural(Plan.requests(), "request"));
  if (Plan.earlyRequests())
    Remark << " (" << NV("EarlyRequests", Plan.earlyRequests()) << " early)";
  Remark << ", "
         << NV("ContextBytes",
               plural(Cuts.contextBytes() + bytesOf(Facts.Locals), "byte"))
         << " of context a task, " << (D.Tasks ? "" : "up to ")
         << NV("Tasks", plural(State.MaxTasks, "task")) << " in flight";
  if (Choice.HasSerial)
    Remark << "; the serial version is kept and the runtime chooses";
  Remark << "; " << NV("Instructions", plural(Added, "instruction")) << " more";
  if (Choice.IsOverBudget)
    Remark << "; one schedule only, as the file has many such loops";
  Remark << describeInstance(Where, F);
  LoopOutcomes.noteEffect(Number);
  LoopOutcomes.noteAdded(Added);
  emit(Number, Remark);
  nested(*D.Marker);
  for (const SuspensionPoint &P : Plan.Points) {
    if (!P.Owns)
      continue;
    OptimizationRemarkAnalysis Owned(
        PassName, "Owned", remarkPlace(P.Before->getDebugLoc()), Header);
    Owned << "from here, tasks that modify the same memory run one at a time";
    emit(Number, Owned);
  }
  variables(*D.Marker, Facts.Classes, *Header);
}
