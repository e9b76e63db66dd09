//===- Tunables.cpp - The numbers that the passes decide by ---------------===//

#include "loop/Tunables.h"
#include "host/probe.h"
#include "llvm/Analysis/TargetTransformInfo.h"

using namespace llvm;

unsigned heddle::lineBytes(const TargetTransformInfo &TTI) {
  unsigned Bytes = TTI.getCacheLineSize();
  return Bytes ? Bytes : 64;
}

cl::opt<bool> heddle::tunable::Requests(
    "heddle-requests", cl::Hidden, cl::init(true),
    cl::desc("Request long-latency accesses of async loops"));

cl::opt<bool> heddle::tunable::Suspensions(
    "heddle-suspensions", cl::Hidden, cl::init(true),
    cl::desc("Suspend iterations of async loops at requests"));

cl::opt<unsigned> heddle::tunable::UnrolledPlaces(
    "heddle-unrolled-places", cl::Hidden, cl::init(8),
    cl::desc(
        "Most suspension points of an inner loop that is unrolled in full"));

cl::opt<unsigned> heddle::tunable::UnrolledIterations(
    "heddle-unrolled-iterations", cl::Hidden, cl::init(1024),
    cl::desc("Most iterations of an inner loop that is unrolled in full"));

cl::opt<unsigned> heddle::tunable::NestedFarAccesses(
    "heddle-nested-far-accesses", cl::Hidden, cl::init(64),
    cl::desc("Most far accesses of a loop and its nested callees"));

cl::opt<unsigned>
    heddle::tunable::NestedCode("heddle-nested-code", cl::Hidden,
                                cl::init(64 << 10),
                                cl::desc("Most instructions times far accesses "
                                         "of a loop and its nested callees"));

cl::opt<unsigned> heddle::tunable::NestedBytes(
    "heddle-nested-bytes", cl::Hidden, cl::init(2 << 10),
    cl::desc("Most bytes of variables of the callees nested in one task"));

cl::opt<unsigned> heddle::tunable::NestedBytesOfTasks(
    "heddle-nested-bytes-of-tasks", cl::Hidden, cl::init(64 << 10),
    cl::desc("The same for all tasks of a tasks clause together"));

cl::opt<unsigned> heddle::tunable::LeastFrames(
    "heddle-least-frames", cl::Hidden, cl::init(4),
    cl::desc("Fewest frames of a recursive callee that are worth a stack"));

cl::opt<unsigned> heddle::tunable::MostFrames(
    "heddle-most-frames", cl::Hidden, cl::init(64),
    cl::desc("Most frames of the stack of a recursive callee"));

cl::opt<unsigned> heddle::tunable::SmallObjectBytes(
    "heddle-small-object-bytes", cl::Hidden, cl::init(16 << 10),
    cl::desc("Most bytes of an object that is taken to stay in the first-level "
             "cache"));

cl::opt<unsigned> heddle::tunable::ScatterStepBytes(
    "heddle-scatter-step-bytes", cl::Hidden, cl::init(4 << 10),
    cl::desc("Most bytes of a masked step that hardware prefetchers follow"));

cl::opt<unsigned> heddle::tunable::CalleePointers(
    "heddle-callee-pointers", cl::Hidden, cl::init(8),
    cl::desc("Most pointers followed to what a callee uses"));

cl::opt<unsigned> heddle::tunable::FrameSteps(
    "heddle-frame-steps", cl::Hidden, cl::init(8),
    cl::desc("Most steps back to a value saved in a frame"));

cl::opt<unsigned> heddle::tunable::FrameValues(
    "heddle-frame-values", cl::Hidden, cl::init(64),
    cl::desc("Most values looked at on the way back through frames"));

cl::opt<unsigned> heddle::tunable::ExpressionDepth(
    "heddle-expression-depth", cl::Hidden, cl::init(8),
    cl::desc("Depth to which address expressions are compared"));

cl::opt<unsigned> heddle::tunable::CoalescedRequests(
    "heddle-coalesced-requests", cl::Hidden, cl::init(8),
    cl::desc("Most requests before one suspension without a coalesce clause"));

cl::opt<unsigned> heddle::tunable::BlockIterations(
    "heddle-block-iterations", cl::Hidden, cl::init(16),
    cl::desc("Iterations of an inner loop requested as a block"));

cl::opt<unsigned> heddle::tunable::InspectedIterations(
    "heddle-inspected-iterations", cl::Hidden, cl::init(32),
    cl::desc(
        "Iterations of an inner loop requested as a block by an inspector"));

cl::opt<unsigned> heddle::tunable::SuspensionPoints(
    "heddle-suspension-points", cl::Hidden, cl::init(16),
    cl::desc("Most suspension points of a loop"));

cl::opt<unsigned> heddle::tunable::FarSuspensionPoints(
    "heddle-far-suspension-points", cl::Hidden, cl::init(128),
    cl::desc("Most suspension points of a loop over far memory"));

cl::opt<unsigned> heddle::tunable::LinesPerObject(
    "heddle-lines-per-object", cl::Hidden, cl::init(4),
    cl::desc("Most cache lines requested for one object"));

cl::opt<unsigned> heddle::tunable::SliceInstructions(
    "heddle-slice-instructions", cl::Hidden, cl::init(16),
    cl::desc("Most instructions repeated to compute an address early"));

cl::opt<unsigned> heddle::tunable::InspectorInstructions(
    "heddle-inspector-instructions", cl::Hidden, cl::init(96),
    cl::desc("Most instructions of an inspector"));

cl::opt<unsigned> heddle::tunable::SameOnEntryValues(
    "heddle-same-on-entry-values", cl::Hidden, cl::init(16),
    cl::desc(
        "Most values looked at to find an address the same for all tasks"));

cl::opt<unsigned> heddle::tunable::BranchFreeInstructions(
    "heddle-branch-free-instructions", cl::Hidden, cl::init(8),
    cl::desc("Most instructions done without need to avoid a branch"));

cl::opt<unsigned> heddle::tunable::BranchFreeLoads(
    "heddle-branch-free-loads", cl::Hidden, cl::init(2),
    cl::desc("Most loads done without need to avoid a branch"));

cl::opt<unsigned> heddle::tunable::ConditionValues(
    "heddle-condition-values", cl::Hidden, cl::init(32),
    cl::desc("Most values looked at to find a condition unpredictable"));

cl::opt<unsigned> heddle::tunable::RematerialisationWork(
    "heddle-rematerialisation-work", cl::Hidden, cl::init(1 << 18),
    cl::desc("Most values looked at to find the smallest contexts"));

cl::opt<unsigned> heddle::tunable::TasksRoom(
    "heddle-tasks-room", cl::Hidden, cl::init(128),
    cl::desc("Room in the queues where the tasks are chosen at run time"));

cl::opt<unsigned> heddle::tunable::RequestsAhead(
    "heddle-requests-ahead", cl::Hidden, cl::init(32),
    cl::desc("Most iterations by which requests of a loop without suspensions "
             "go ahead"));

cl::opt<unsigned>
    heddle::tunable::LeastTasks("heddle-least-tasks", cl::Hidden, cl::init(8),
                                cl::desc("Fewest tasks that hide anything"));

cl::opt<unsigned> heddle::tunable::LocalBytes(
    "heddle-local-bytes", cl::Hidden, cl::init(32 << 10),
    cl::desc("Most bytes of the variables of all tasks"));

cl::opt<unsigned> heddle::tunable::RequestedLocalBytes(
    "heddle-requested-local-bytes", cl::Hidden, cl::init(256 << 10),
    cl::desc("The same where the user asks for tasks, and over far memory"));

cl::opt<unsigned> heddle::tunable::LockstepTasks(
    "heddle-lockstep-tasks", cl::Hidden, cl::init(HEDDLE_LOCKSTEP_TASKS),
    cl::desc("Tasks of a lockstep schedule without the run-time library"));

cl::opt<unsigned> heddle::tunable::FifoTasks(
    "heddle-fifo-tasks", cl::Hidden, cl::init(HEDDLE_FIFO_TASKS),
    cl::desc("Tasks of a FIFO schedule without the run-time library"));

cl::opt<unsigned> heddle::tunable::FirstFarTasks(
    "heddle-first-far-tasks", cl::Hidden, cl::init(HEDDLE_FAR_TASKS),
    cl::desc("Tasks with which a loop over far memory starts"));

cl::opt<unsigned> heddle::tunable::TinyLoop(
    "heddle-tiny-loop", cl::Hidden, cl::init(8),
    cl::desc("Fewest iterations that are interleaved"));

cl::opt<unsigned> heddle::tunable::ShortLoop(
    "heddle-short-loop", cl::Hidden, cl::init(64),
    cl::desc("Fewest iterations for which the site tuner is asked again"));

cl::opt<unsigned> heddle::tunable::UnrolledRowEdges(
    "heddle-unrolled-row-edges", cl::Hidden, cl::init(8),
    cl::desc("Fewest edges a row on average for which its loop is unrolled"));

cl::opt<unsigned> heddle::tunable::UnrolledRowInstructions(
    "heddle-unrolled-row-instructions", cl::Hidden, cl::init(16),
    cl::desc("Most instructions of a loop over edges that LLVM unrolls"));
