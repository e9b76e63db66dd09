//===- Tunables.h - Thresholds and sizes of the passes ----------*- C++ -*-===//
//
// Thresholds and sizes, each with its unit and the reason for its value. All
// are options for developers, -mllvm -heddle-NAME=VALUE, which help does not
// list. Values that the passes cannot work with are errors. Numbers that depend
// on the target come from LLVM's target information.
//
// The least value of a range is 0 if that means none, and 1 if the code relies
// on one. The greatest exceeds all useful values, and is small enough that
// sizes computed from it fit in their types and in a thread's stack.
//
// Options of the passes over MLIR are in mlir/Transforms/Tunables.h.
//
// Names, formats and the limits of clauses are not here: other parts rely on
// them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_TUNABLES_H
#define HEDDLE_PASSES_LOOP_TUNABLES_H

#include "heddle/amu.h"
#include "host/probe.h"
#include "loop/BoundedOption.h"

namespace llvm {
class TargetTransformInfo;
}

namespace heddle {

/// Bytes of a cache line, a power of two, as the target says (or
/// -cache-line-size); 64, as most processors have, where it does not.
unsigned lineBytes(const llvm::TargetTransformInfo &TTI);

namespace tunable {

/// The most tasks of a range: the most that a `tasks` clause can ask for, which
/// AsyncSplit checks. The tuner's decisions hold up to 65535.
constexpr unsigned MostTasks = 1024;
/// Half of the stack that a thread usually has.
constexpr unsigned StackBytes = 4 << 20;

// Interleaving is requests and suspensions: `heddle bench dynamic` compiles
// loops with one of the two left out, to show what each is worth.

/// Whether long-latency accesses are requested.
inline llvm::cl::opt<bool>
    Requests(freeName("heddle-requests"), llvm::cl::Hidden,
             llvm::cl::init(true),
             llvm::cl::desc("Request long-latency accesses of async loops"));
/// Whether tasks are suspended at requests. Tasks that wait for their turn
/// always are.
inline llvm::cl::opt<bool> Suspensions(
    freeName("heddle-suspensions"), llvm::cl::Hidden, llvm::cl::init(true),
    llvm::cl::desc("Suspend iterations of async loops at requests"));

/// Instructions: once interleaving has added more to a file, further loops have
/// one schedule, not two, which is most of what they cost in compile time and
/// code. Some fifty loops of a usual size are below.
inline BoundedOption AddedInstructions(
    "heddle-added-instructions", 20000, {0, 1 << 30},
    "Most instructions that interleaving adds to a file before further loops "
    "have one schedule only");

// Loops left rolled up until they are interleaved (mark/KeepRolled).

/// Points: an inner loop of an annotated one stays rolled if, unrolled in full,
/// it made more suspension points than this. Half of SuspensionPoints, because
/// a task may have others.
inline BoundedOption UnrolledPlaces(
    "heddle-unrolled-places", 8, {0, 1024},
    "Most suspension points of an inner loop that is unrolled in full");
/// Iterations: a loop of more is never unrolled in full, whatever its body,
/// because that exceeds the threshold of LLVM.
inline BoundedOption UnrolledIterations(
    "heddle-unrolled-iterations", 1024, {0, 1 << 20},
    "Most iterations of an inner loop that is unrolled in full");

// Callees that LLVM inlines into the loop (inline/InlineCallees).

/// Instructions: a call in an annotated loop whose callee waits for memory is
/// inlined if the loop has no more than this then, whatever the threshold of
/// LLVM. Searches of trees behind several layers of templates fit in; the limit
/// bounds compile time, too.
inline BoundedOption
    InlinedInstructions("heddle-inlined-instructions", 800, {0, 1 << 20},
                        "Most instructions of a loop with the callees that are "
                        "inlined because they wait");

/// Instructions: functions of more, or of less, get no nested form for loops of
/// other files. Larger ones wait in few of their instructions; smaller ones
/// follow a pointer or two, which is hardly worth the calls.
inline BoundedOption
    FormInstructions("heddle-form-instructions", 200, {0, 1 << 20},
                     "Most instructions of a function with a nested form");
inline BoundedOption
    LeastFormInstructions("heddle-least-form-instructions", 8, {0, 1 << 20},
                          "Fewest instructions of a function with a nested "
                          "form");
/// Instructions: the functions of a file that get nested forms have no more
/// than this, or this percentage of the file's. A form takes about three times
/// as long to compile as its function.
inline BoundedOption FormsInstructions(
    "heddle-forms-instructions", 400, {0, 1 << 20},
    "Instructions of the functions of a file that get nested forms, in any "
    "file");
inline BoundedOption
    FormsPercent("heddle-forms-percent", 5, {0, 100},
                 "Instructions of the functions of a file that get nested "
                 "forms, in percent of all");

/// Functions: a call through a pointer that may go to more is not compared with
/// any. A chain of comparisons is mispredicted about once, as the call is, but
/// takes longer the longer it is; node kinds of most trees fit in.
inline BoundedOption
    LikelyTargets("heddle-likely-targets", 6, {0, 64},
                  "Most functions that a call through a pointer is compared "
                  "with");

// Callees put into the loop (nest).

/// Accesses: the most far accesses of a loop and the callees nested in it. Each
/// is a suspension point.
inline BoundedOption
    NestedFarAccesses("heddle-nested-far-accesses", 64, {0, 4096},
                      "Most far accesses of a loop and its nested callees");
/// Instructions times far accesses: the code may be cloned for each suspension
/// point, and a second-level cache holds about 64 K instructions.
inline BoundedOption NestedCode("heddle-nested-code", 64 << 10, {0, 1 << 30},
                                "Most instructions times far accesses "
                                "of a loop and its nested callees");
/// Bytes: the most for the variables and stacks of the callees nested in a
/// task. With 16 tasks they fill a first-level cache.
inline BoundedOption
    NestedBytes("heddle-nested-bytes", 2 << 10, {0, StackBytes},
                "Most bytes of variables of the callees nested in one task");
/// Bytes: the most for the callees of all tasks together if the user sets the
/// number of tasks. Half of RequestedLocalBytes, because half of that is left
/// if tasks await turns.
inline BoundedOption
    NestedBytesOfTasks("heddle-nested-bytes-of-tasks", 64 << 10,
                       {0, StackBytes},
                       "The same for all tasks of a tasks clause together");
/// Frames: the least depth of a recursive callee's stack; with less room it
/// gets none. A smaller stack would be full at most calls, which would wait.
inline BoundedOption
    LeastFrames("heddle-least-frames", 4, {1, 1024},
                "Fewest frames of a recursive callee that are worth a stack");
/// Frames: more are not worth their room in the caches. Balanced trees that fit
/// in memory are not as deep.
inline BoundedOption
    MostFrames("heddle-most-frames", 64, {1, 1024},
               "Most frames of the stack of a recursive callee");

// Which accesses wait for memory, and how far analyses look (async/analysis).

/// Bytes: objects up to this size are taken to stay in the first-level cache,
/// half of the usual 32 KiB.
inline BoundedOption SmallObjectBytes(
    "heddle-small-object-bytes", 16 << 10, {0, 1 << 30},
    "Most bytes of an object that is taken to stay in the first-level "
    "cache");
/// Bytes: a constant step of more than this, wrapped by a mask, scatters like a
/// hash. Hardware prefetchers do not cross 4 KiB pages.
inline BoundedOption ScatterStepBytes(
    "heddle-scatter-step-bytes", 4 << 10, {0, 1 << 30},
    "Most bytes of a masked step that hardware prefetchers follow");
/// Pointers: the longest chain of pointers that is followed to an object that a
/// callee uses; longer than programs write in one expression.
inline BoundedOption
    CalleePointers("heddle-callee-pointers", 8, {1, 1024},
                   "Most pointers followed to what a callee uses");
/// Uses: more of them are taken together, as one of any object. Bounds compile
/// time, which the number of chains of pointers would multiply with each level
/// of calls.
inline BoundedOption CalleeUses("heddle-callee-uses", 256, {1, 1 << 20},
                                "Most uses of objects that callees are seen "
                                "to have");
/// Places: an iteration chooses between variables if it has no more to choose
/// from, and between elements of an array otherwise. Programs choose between
/// two or three variables by `?:`, and append to many partitions.
inline BoundedOption
    ChosenPlaces("heddle-chosen-places", 4, {1, 1024},
                 "Most places of variables that an iteration chooses from");
/// Merges that lead to each other of which all might be of one value. Bounds
/// compile time.
inline BoundedOption EqualMerges("heddle-equal-merges", 16, {0, 1 << 20},
                                 "Most merges that are found to be of one "
                                 "value together");
/// Steps: the limit for the search for the origin of a value through frames of
/// nested callees. Bounds compile time.
inline BoundedOption FrameSteps("heddle-frame-steps", 8, {1, 1024},
                                "Most steps back to a value saved in a frame");
/// Values that are looked at on the way there. Bounds compile time.
inline BoundedOption
    FrameValues("heddle-frame-values", 64, {1, 1 << 20},
                "Most values looked at on the way back through frames");
/// Levels of operands: the depth to which two address expressions are compared.
/// Deeper ones are assumed to be equal, which is safe. Bounds compile time.
inline BoundedOption
    ExpressionDepth("heddle-expression-depth", 8, {0, 32},
                    "Depth to which address expressions are compared");
/// Iterations: places that are further apart are taken to be in other parts of
/// an object, such as two arrays in a structure. Unrolled loops are shorter.
inline BoundedOption NeighbourIterations(
    "heddle-neighbour-iterations", 64, {0, 1 << 20},
    "Most iterations between two that write to one place of a buffer");

// The points at which tasks request and suspend (async/plan).

/// Requests that go out before one suspension, where the user does not say. A
/// core has 10 to 16 misses of the first-level cache outstanding.
inline BoundedOption CoalescedRequests(
    "heddle-coalesced-requests", 8, {1, 1024},
    "Most requests before one suspension without a coalesce clause");
/// Requests that go out before one suspension in a loop that would have too
/// many suspension points: those under conditions, too, of which not all are
/// needed.
inline BoundedOption JoinedRequests(
    "heddle-joined-requests", 24, {1, 1024},
    "Most requests before one suspension of a loop with many points");
/// Iterations of an inner loop that are requested as a block, a power of two: a
/// core's outstanding misses again.
inline BoundedOption
    BlockIterations("heddle-block-iterations", 16, powersOfTwo(1, 1024),
                    "Iterations of an inner loop requested as a block");
/// Iterations of a block whose addresses an inspector finds; more than in other
/// blocks, because it has to be started for each block.
inline BoundedOption InspectedIterations(
    "heddle-inspected-iterations", 32, {1, 1024},
    "Iterations of an inner loop requested as a block by an inspector");
/// Points: a task that stops more often is a program of its own.
inline BoundedOption SuspensionPoints("heddle-suspension-points", 64, {1, 1024},
                                      "Most suspension points of a loop");
/// Points: how many a loop may have whatever its size. Each has a copy of the
/// code up to the next ones, in each schedule.
inline BoundedOption FewSuspensionPoints(
    "heddle-few-suspension-points", 16, {1, 1024},
    "Most suspension points of a loop whose segments are long");
/// Instructions: of longer segments, all together, a loop has few.
inline BoundedOption SegmentInstructions(
    "heddle-segment-instructions", 1500, {0, 1 << 20},
    "Most instructions of the segments of a loop with many suspension points");
/// Suspension points over far memory; more, because the latency to hide is
/// longer.
inline BoundedOption
    FarSuspensionPoints("heddle-far-suspension-points", 128, {1, 1024},
                        "Most suspension points of a loop over far memory");
/// Cache lines that one request asks for at most; of larger objects accesses
/// elsewhere are requests of their own.
inline BoundedOption
    LinesPerObject("heddle-lines-per-object", 5, {1, 64},
                   "Most cache lines requested for one object");
/// Instructions: longer computations of an address are not repeated ahead of
/// time, since they would cost as much as the suspension.
inline BoundedOption
    SliceInstructions("heddle-slice-instructions", 16, {0, 1024},
                      "Most instructions repeated to compute an address early");
/// Instructions: longer parts of a loop are not repeated by an inspector.
/// Decoders of compressed rows fit in.
inline BoundedOption InspectorInstructions("heddle-inspector-instructions", 96,
                                           {0, 1024},
                                           "Most instructions of an inspector");
/// Whether updates are rehearsed for the sake of what they wait for.
inline llvm::cl::opt<bool> Rehearsals(
    freeName("heddle-rehearsals"), llvm::cl::Hidden, llvm::cl::init(true),
    llvm::cl::desc("Run updates in advance up to the accesses that wait"));
/// Suspensions of a task for one rehearsal, which begins anew each time. The
/// head of a bucket and a few nodes.
inline BoundedOption
    RehearsedWaits("heddle-rehearsed-waits", 6, {1, 64},
                   "Most suspensions of a task for the rehearsal of an update");
/// Instructions: longer code is not rehearsed.
inline BoundedOption
    RehearsedInstructions("heddle-rehearsed-instructions", 400, {0, 1 << 20},
                          "Most instructions of the rehearsal of an update");
/// Values that may be looked at to find an address the same for all tasks.
/// Bounds compile time.
inline BoundedOption SameOnEntryValues(
    "heddle-same-on-entry-values", 16, {0, 1024},
    "Most values looked at to find an address the same for all tasks");

// Branches and contexts of tasks (async/rewrite).

/// Instructions: more than this on one side of an unpredictable branch is worth
/// the branch, about half of what a misprediction costs.
inline BoundedOption BranchFreeInstructions(
    "heddle-branch-free-instructions", 8, {0, 1024},
    "Most instructions done without need to avoid a branch");
/// Loads among them: the number that a core executes in one cycle.
inline BoundedOption
    BranchFreeLoads("heddle-branch-free-loads", 2, {0, 1024},
                    "Most loads done without need to avoid a branch");
/// Values that are looked at to find out whether a condition waits for memory.
/// Bounds compile time.
inline BoundedOption
    ConditionValues("heddle-condition-values", 32, {0, 1 << 20},
                    "Most values looked at to find a condition unpredictable");
/// Values that the search for the smallest contexts may look at. Bounds compile
/// time to a fraction of a second.
inline BoundedOption RematerialisationWork(
    "heddle-rematerialisation-work", 1 << 18, {0, 1 << 30},
    "Most values looked at to find the smallest contexts");

// The number of tasks (async, async/schedules).

/// Tasks that there is room for where their number is chosen at run time; the
/// site tuner tries no more.
inline BoundedOption
    TasksRoom("heddle-tasks-room", 128, {1, MostTasks},
              "Room in the queues where the tasks are chosen at run time");
/// Iterations: the most by which a loop that only requests ahead does so: the
/// number of requests that a core has outstanding.
inline BoundedOption RequestsAhead(
    "heddle-requests-ahead", 32, {1, MostTasks},
    "Most iterations by which requests of a loop without suspensions "
    "go ahead");
/// Elements: by how many requests for consecutive rows go ahead. Elements are
/// consumed in a few cycles each, and memory takes some hundred.
inline BoundedOption
    ElementsAhead("heddle-elements-ahead", 64, {1, 1 << 20},
                  "Elements by which requests for consecutive rows go ahead");
/// Tasks: fewer than this hide nothing.
inline BoundedOption LeastTasks("heddle-least-tasks", 8, {1, MostTasks},
                                "Fewest tasks that hide anything");
/// Bytes of stack: the most for the variables of the tasks in flight, a
/// first-level cache. The number of tasks is limited to those that fit.
inline BoundedOption LocalBytes("heddle-local-bytes", 32 << 10, {0, StackBytes},
                                "Most bytes of the variables of all tasks");
/// Bytes of stack if the user sets the number of tasks, and over far memory,
/// where a miss of the first-level cache is cheap compared with a request.
inline BoundedOption RequestedLocalBytes(
    "heddle-requested-local-bytes", 256 << 10, {0, StackBytes},
    "The same where the user asks for tasks, and over far memory");
/// Tasks in flight where neither the user nor the run time says, as that does
/// on a host that was never probed.
inline BoundedOption
    LockstepTasks("heddle-lockstep-tasks", HEDDLE_LOCKSTEP_TASKS,
                  {1, MostTasks},
                  "Tasks of a lockstep schedule without the run-time library");
/// Tasks of a ring of coroutines, which spreads its requests evenly.
inline BoundedOption
    FifoTasks("heddle-fifo-tasks", HEDDLE_FIFO_TASKS, {1, MostTasks},
              "Tasks of a FIFO schedule without the run-time library");
/// Tasks with which loops over far memory start; the best number is found while
/// they run.
inline BoundedOption
    FirstFarTasks("heddle-first-far-tasks", HEDDLE_FAR_TASKS,
                  {1, HEDDLE_AMU_IDS},
                  "Tasks with which a loop over far memory starts");
/// Iterations: a loop of fewer is not worth a choice and runs as it is.
inline BoundedOption TinyLoop("heddle-tiny-loop", 8, {0, 1 << 30},
                              "Fewest iterations that are interleaved");
/// Iterations: up to here a decision that the site tuner has made is taken
/// without asking it, since the call would cost more than it saves.
inline BoundedOption
    ShortLoop("heddle-short-loop", 64, {0, 1 << 30},
              "Fewest iterations for which the site tuner is asked again");
/// Instructions: in a larger loop, choosing a version costs little beside an
/// iteration.
inline BoundedOption
    PlainCopy("heddle-plain-copy", 100, {0, 1 << 20},
              "Most instructions of a loop that has a copy for few iterations");

// Rows of a pull loop (pull).

/// Edges a row on average: with fewer, unrolling gains nothing, because rows
/// run the remainder loop only.
inline BoundedOption UnrolledRowEdges(
    "heddle-unrolled-row-edges", 8, {0, 1 << 20},
    "Fewest edges a row on average for which its loop is unrolled");
/// Instructions: LLVM does not unroll larger loops unless it is forced to.
inline BoundedOption UnrolledRowInstructions(
    "heddle-unrolled-row-instructions", 16, {0, 1 << 20},
    "Most instructions of a loop over edges that LLVM unrolls");

/// Whether requests or suspensions are left out. Then there is one version of
/// each loop, so that this version runs.
inline bool isAblated() { return !Requests || !Suspensions; }

} // namespace tunable

} // namespace heddle

#endif
