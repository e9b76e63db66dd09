//===- Remarks.cpp - What was done to a loop, in the user's words ---------===//

#include "async/Remarks.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;
using NV = DiagnosticInfoOptimizationBase::Argument;

static constexpr char PassName[] = "heddle";

Remarks::Remarks(OptimizationRemarkEmitter &ORE, const CallInst &Marker,
                 const Loop &L)
    : ORE(ORE), Where(L.getStartLoc()), Header(L.getHeader()) {
  if (!Where)
    Where = Marker.getDebugLoc();
}

static std::string plural(unsigned Count, StringRef What) {
  return (Twine(Count) + " " + What + (Count == 1 ? "" : "s")).str();
}

/// " (file:line)" of an instruction that is not the loop itself.
static std::string place(const Instruction *I, const DebugLoc &Loop) {
  if (!I || !I->getDebugLoc() || I->getDebugLoc() == Loop ||
      !I->getDebugLoc().getLine())
    return "";
  return (" (line " + Twine(I->getDebugLoc().getLine()) + ")").str();
}

void Remarks::refused(const Refusal &Why) {
  ORE.emit([&] {
    return OptimizationRemarkMissed(PassName, "NotInterleaved", Where, Header)
           << "loop not interleaved: " << NV("Reason", Why.Reason)
           << place(Why.At, Where);
  });
}

void Remarks::dropped(const SuspensionPlan &Plan) {
  for (const DroppedAccess &A : Plan.Dropped)
    ORE.emit([&] {
      return OptimizationRemarkAnalysis(PassName, "NotHidden",
                                        A.I->getDebugLoc(), A.I->getParent())
             << "the latency of this access is not hidden: "
             << NV("Reason", A.Reason);
    });
}

void Remarks::interleaved(const Loop &L, const Directive &D,
                          const VariableClasses &Classes,
                          const SuspensionPlan &Plan, const Decision &Choice,
                          const Segments &Cuts, const SchedulerState &State) {
  StringRef Schedule = Choice.HasLockstep && Choice.HasFifo
                           ? "lockstep and FIFO schedules"
                       : Choice.HasLockstep ? "lockstep schedule"
                                            : "FIFO schedule";
  ORE.emit([&] {
    OptimizationRemark Remark(PassName, "Interleaved", Where, Header);
    Remark << "interleaved the loop's iterations (" << NV("Schedule", Schedule)
           << "): "
           << NV("SuspensionPoints",
                 plural(Plan.suspensionPoints(), "suspension point"))
           << ", " << NV("Requests", plural(Plan.requests(), "request")) << ", "
           << NV("ContextBytes", plural(Cuts.contextBytes(), "byte"))
           << " of context a task, " << (D.Tasks ? "" : "up to ")
           << NV("Tasks", plural(State.MaxTasks, "task")) << " in flight";
    if (Choice.HasSerial)
      Remark << "; the serial version is kept and the run time chooses";
    return Remark;
  });
  for (const LoopVariable &V : Classes.Variables) {
    const char *What = nullptr;
    if (V.Class == VariableClass::Shared)
      What = "shared by all tasks (commutative updates)";
    else if (V.Class == VariableClass::Ordered)
      What = "sequential (updated in iteration order, at retirement)";
    else if (V.Class == VariableClass::Launch)
      What = "sequential (updated in iteration order, at launch)";
    if (!What)
      continue;
    std::string Name = sourceName(V.Phi);
    ORE.emit([&] {
      return OptimizationRemarkAnalysis(PassName, "Variable", Where, Header)
             << "variable " << NV("Name", Name) << " is " << What;
    });
  }
  if (Classes.ReorderedFloat)
    ORE.emit([&] {
      return OptimizationRemarkAnalysis(PassName, "FloatReduction", Where,
                                        Header)
             << "the floating-point reduction "
             << NV("Name", sourceName(Classes.ReorderedFloat))
             << " may round differently from the serial order";
    });
}
