//===- Tunables.cpp - Thresholds and sizes of the passes ------------------===//
//
// The least value of a range is 0 if that means none, and 1 if the code relies
// on one. The greatest exceeds all useful values, and is small enough that
// sizes computed from it fit in their types and in a thread's stack.
//
//===----------------------------------------------------------------------===//

#include "loop/Tunables.h"
#include "heddle/amu.h"
#include "host/probe.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace heddle;

/// Half of the stack that a thread usually has.
static constexpr unsigned StackBytes = 4 << 20;

unsigned heddle::lineBytes(const TargetTransformInfo &TTI) {
  constexpr OptionRange Accepted = powersOfTwo(16, 4096);
  unsigned Bytes = TTI.getCacheLineSize();
  if (!Bytes)
    return 64;
  // The option is LLVM's, which accepts any number.
  if (!Accepted.contains(Bytes))
    reportFatalUsageError("-cache-line-size: " +
                          Twine(Accepted.error(std::to_string(Bytes))));
  return Bytes;
}

cl::opt<bool> heddle::tunable::Requests(
    "heddle-requests", cl::Hidden, cl::init(true),
    cl::desc("Request long-latency accesses of async loops"));

cl::opt<bool> heddle::tunable::Suspensions(
    "heddle-suspensions", cl::Hidden, cl::init(true),
    cl::desc("Suspend iterations of async loops at requests"));

BoundedOption heddle::tunable::UnrolledPlaces(
    "heddle-unrolled-places", 8, {0, 1024},
    "Most suspension points of an inner loop that is unrolled in full");

BoundedOption heddle::tunable::UnrolledIterations(
    "heddle-unrolled-iterations", 1024, {0, 1 << 20},
    "Most iterations of an inner loop that is unrolled in full");

BoundedOption heddle::tunable::NestedFarAccesses(
    "heddle-nested-far-accesses", 64, {0, 4096},
    "Most far accesses of a loop and its nested callees");

BoundedOption
    heddle::tunable::NestedCode("heddle-nested-code", 64 << 10, {0, 1 << 30},
                                "Most instructions times far accesses "
                                "of a loop and its nested callees");

BoundedOption heddle::tunable::NestedBytes(
    "heddle-nested-bytes", 2 << 10, {0, StackBytes},
    "Most bytes of variables of the callees nested in one task");

BoundedOption heddle::tunable::NestedBytesOfTasks(
    "heddle-nested-bytes-of-tasks", 64 << 10, {0, StackBytes},
    "The same for all tasks of a tasks clause together");

BoundedOption heddle::tunable::LeastFrames(
    "heddle-least-frames", 4, {1, 1024},
    "Fewest frames of a recursive callee that are worth a stack");

BoundedOption heddle::tunable::MostFrames(
    "heddle-most-frames", 64, {1, 1024},
    "Most frames of the stack of a recursive callee");

BoundedOption heddle::tunable::SmallObjectBytes(
    "heddle-small-object-bytes", 16 << 10, {0, 1 << 30},
    "Most bytes of an object that is taken to stay in the first-level "
    "cache");

BoundedOption heddle::tunable::ScatterStepBytes(
    "heddle-scatter-step-bytes", 4 << 10, {0, 1 << 30},
    "Most bytes of a masked step that hardware prefetchers follow");

BoundedOption heddle::tunable::CalleePointers(
    "heddle-callee-pointers", 8, {1, 1024},
    "Most pointers followed to what a callee uses");

BoundedOption
    heddle::tunable::FrameSteps("heddle-frame-steps", 8, {1, 1024},
                                "Most steps back to a value saved in a frame");

BoundedOption heddle::tunable::FrameValues(
    "heddle-frame-values", 64, {1, 1 << 20},
    "Most values looked at on the way back through frames");

BoundedOption heddle::tunable::ExpressionDepth(
    "heddle-expression-depth", 8, {0, 32},
    "Depth to which address expressions are compared");

BoundedOption heddle::tunable::CoalescedRequests(
    "heddle-coalesced-requests", 8, {1, 1024},
    "Most requests before one suspension without a coalesce clause");

BoundedOption heddle::tunable::BlockIterations(
    "heddle-block-iterations", 16, powersOfTwo(1, 1024),
    "Iterations of an inner loop requested as a block");

BoundedOption heddle::tunable::InspectedIterations(
    "heddle-inspected-iterations", 32, {1, 1024},
    "Iterations of an inner loop requested as a block by an inspector");

BoundedOption
    heddle::tunable::SuspensionPoints("heddle-suspension-points", 16, {1, 1024},
                                      "Most suspension points of a loop");

BoundedOption heddle::tunable::FarSuspensionPoints(
    "heddle-far-suspension-points", 128, {1, 1024},
    "Most suspension points of a loop over far memory");

BoundedOption heddle::tunable::LinesPerObject(
    "heddle-lines-per-object", 4, {1, 64},
    "Most cache lines requested for one object");

BoundedOption heddle::tunable::SliceInstructions(
    "heddle-slice-instructions", 16, {0, 1024},
    "Most instructions repeated to compute an address early");

BoundedOption
    heddle::tunable::InspectorInstructions("heddle-inspector-instructions", 96,
                                           {0, 1024},
                                           "Most instructions of an inspector");

BoundedOption heddle::tunable::SameOnEntryValues(
    "heddle-same-on-entry-values", 16, {0, 1024},
    "Most values looked at to find an address the same for all tasks");

BoundedOption heddle::tunable::BranchFreeInstructions(
    "heddle-branch-free-instructions", 8, {0, 1024},
    "Most instructions done without need to avoid a branch");

BoundedOption heddle::tunable::BranchFreeLoads(
    "heddle-branch-free-loads", 2, {0, 1024},
    "Most loads done without need to avoid a branch");

BoundedOption heddle::tunable::ConditionValues(
    "heddle-condition-values", 32, {0, 1 << 20},
    "Most values looked at to find a condition unpredictable");

BoundedOption heddle::tunable::RematerialisationWork(
    "heddle-rematerialisation-work", 1 << 18, {0, 1 << 30},
    "Most values looked at to find the smallest contexts");

BoundedOption heddle::tunable::TasksRoom(
    "heddle-tasks-room", 128, {1, MostTasks},
    "Room in the queues where the tasks are chosen at run time");

BoundedOption heddle::tunable::RequestsAhead(
    "heddle-requests-ahead", 32, {1, MostTasks},
    "Most iterations by which requests of a loop without suspensions "
    "go ahead");

BoundedOption heddle::tunable::LeastTasks("heddle-least-tasks", 8,
                                          {1, MostTasks},
                                          "Fewest tasks that hide anything");

BoundedOption
    heddle::tunable::LocalBytes("heddle-local-bytes", 32 << 10, {0, StackBytes},
                                "Most bytes of the variables of all tasks");

BoundedOption heddle::tunable::RequestedLocalBytes(
    "heddle-requested-local-bytes", 256 << 10, {0, StackBytes},
    "The same where the user asks for tasks, and over far memory");

BoundedOption heddle::tunable::LockstepTasks(
    "heddle-lockstep-tasks", HEDDLE_LOCKSTEP_TASKS, {1, MostTasks},
    "Tasks of a lockstep schedule without the run-time library");

BoundedOption heddle::tunable::FifoTasks(
    "heddle-fifo-tasks", HEDDLE_FIFO_TASKS, {1, MostTasks},
    "Tasks of a FIFO schedule without the run-time library");

BoundedOption heddle::tunable::FirstFarTasks(
    "heddle-first-far-tasks", HEDDLE_FAR_TASKS, {1, HEDDLE_AMU_IDS},
    "Tasks with which a loop over far memory starts");

BoundedOption
    heddle::tunable::TinyLoop("heddle-tiny-loop", 8, {0, 1 << 30},
                              "Fewest iterations that are interleaved");

BoundedOption heddle::tunable::ShortLoop(
    "heddle-short-loop", 64, {0, 1 << 30},
    "Fewest iterations for which the site tuner is asked again");

BoundedOption heddle::tunable::UnrolledRowEdges(
    "heddle-unrolled-row-edges", 8, {0, 1 << 20},
    "Fewest edges a row on average for which its loop is unrolled");

BoundedOption heddle::tunable::UnrolledRowInstructions(
    "heddle-unrolled-row-instructions", 16, {0, 1 << 20},
    "Most instructions of a loop over edges that LLVM unrolls");
