//===- Tunables.h - Thresholds and sizes of the passes ----------*- C++ -*-===//
//
// Thresholds and sizes, each with its unit and the reason for its value. All
// are options for developers, -mllvm -heddle-NAME=VALUE, which help does not
// list. Values that the passes cannot work with are errors. Numbers that depend
// on the target come from LLVM's target information.
//
// Options of the passes over MLIR are in mlir/Transforms/Tunables.h.
//
// Names, formats and the limits of clauses are not here: other parts rely on
// them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_TUNABLES_H
#define HEDDLE_PASSES_LOOP_TUNABLES_H

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

// Interleaving is requests and suspensions: `heddle bench dynamic` compiles
// loops with one of the two left out, to show what each is worth.

/// Whether long-latency accesses are requested.
extern llvm::cl::opt<bool> Requests;
/// Whether tasks are suspended at requests. Tasks that wait for their turn
/// always are.
extern llvm::cl::opt<bool> Suspensions;

// Loops left rolled up until they are interleaved (mark/KeepRolled).

/// Points: an inner loop of an annotated one stays rolled if, unrolled in full,
/// it made more suspension points than this. Half of SuspensionPoints, because
/// a task may have others.
extern BoundedOption UnrolledPlaces;
/// Iterations: a loop of more is never unrolled in full, whatever its body,
/// because that exceeds the threshold of LLVM.
extern BoundedOption UnrolledIterations;

// Callees put into the loop (nest).

/// Accesses: the most far accesses of a loop and the callees nested in it. Each
/// is a suspension point.
extern BoundedOption NestedFarAccesses;
/// Instructions times far accesses: the code may be cloned for each suspension
/// point, and a second-level cache holds about 64 K instructions.
extern BoundedOption NestedCode;
/// Bytes: the most for the variables and stacks of the callees nested in a
/// task. With 16 tasks they fill a first-level cache.
extern BoundedOption NestedBytes;
/// Bytes: the most for the callees of all tasks together if the user sets the
/// number of tasks. Half of RequestedLocalBytes, because half of that is left
/// if tasks await turns.
extern BoundedOption NestedBytesOfTasks;
/// Frames: the least depth of a recursive callee's stack; with less room it
/// gets none. A smaller stack would be full at most calls, which would wait.
extern BoundedOption LeastFrames;
/// Frames: more are not worth their room in the caches. Balanced trees that fit
/// in memory are not as deep.
extern BoundedOption MostFrames;

// Which accesses wait for memory, and how far analyses look (async/analysis).

/// Bytes: objects up to this size are taken to stay in the first-level cache,
/// half of the usual 32 KiB.
extern BoundedOption SmallObjectBytes;
/// Bytes: a constant step of more than this, wrapped by a mask, scatters like a
/// hash. Hardware prefetchers do not cross 4 KiB pages.
extern BoundedOption ScatterStepBytes;
/// Pointers: the longest chain of pointers that is followed to an object that a
/// callee uses; longer than programs write in one expression.
extern BoundedOption CalleePointers;
/// Steps: the limit for the search for the origin of a value through frames of
/// nested callees. Bounds compile time.
extern BoundedOption FrameSteps;
/// Values that are looked at on the way there. Bounds compile time.
extern BoundedOption FrameValues;
/// Levels of operands: the depth to which two address expressions are compared.
/// Deeper ones are assumed to be equal, which is safe. Bounds compile time.
extern BoundedOption ExpressionDepth;

// The points at which tasks request and suspend (async/plan).

/// Requests that go out before one suspension, where the user does not say. A
/// core has 10 to 16 misses of the first-level cache outstanding.
extern BoundedOption CoalescedRequests;
/// Iterations of an inner loop that are requested as a block, a power of two: a
/// core's outstanding misses again.
extern BoundedOption BlockIterations;
/// Iterations of a block whose addresses an inspector finds; more than in other
/// blocks, because it has to be started for each block.
extern BoundedOption InspectedIterations;
/// Points: a task that stops more often than this costs more than it hides.
extern BoundedOption SuspensionPoints;
/// Suspension points over far memory; more, because the latency to hide is
/// longer.
extern BoundedOption FarSuspensionPoints;
/// Cache lines that one request asks for at most; of larger objects accesses
/// elsewhere are requests of their own.
extern BoundedOption LinesPerObject;
/// Instructions: longer computations of an address are not repeated ahead of
/// time, since they would cost as much as the suspension.
extern BoundedOption SliceInstructions;
/// Instructions: longer parts of a loop are not repeated by an inspector.
/// Decoders of compressed rows fit in.
extern BoundedOption InspectorInstructions;
/// Values that may be looked at to find an address the same for all tasks.
/// Bounds compile time.
extern BoundedOption SameOnEntryValues;

// Branches and contexts of tasks (async/rewrite).

/// Instructions: more than this on one side of an unpredictable branch is worth
/// the branch, about half of what a misprediction costs.
extern BoundedOption BranchFreeInstructions;
/// Loads among them: the number that a core executes in one cycle.
extern BoundedOption BranchFreeLoads;
/// Values that are looked at to find out whether a condition waits for memory.
/// Bounds compile time.
extern BoundedOption ConditionValues;
/// Values that the search for the smallest contexts may look at. Bounds compile
/// time to a fraction of a second.
extern BoundedOption RematerialisationWork;

// The number of tasks (async, async/schedules).

/// Tasks that there is room for where their number is chosen at run time; the
/// site tuner tries no more.
extern BoundedOption TasksRoom;
/// Iterations: the most by which a loop that only requests ahead does so: the
/// number of requests that a core has outstanding.
extern BoundedOption RequestsAhead;
/// Tasks: fewer than this hide nothing.
extern BoundedOption LeastTasks;
/// Bytes of stack: the most for the variables of the tasks in flight, a
/// first-level cache. The number of tasks is limited to those that fit.
extern BoundedOption LocalBytes;
/// Bytes of stack if the user sets the number of tasks, and over far memory,
/// where a miss of the first-level cache is cheap compared with a request.
extern BoundedOption RequestedLocalBytes;
/// Tasks in flight where neither the user nor the run time says, as that does
/// on a host that was never probed.
extern BoundedOption LockstepTasks;
/// Tasks of a ring of coroutines, which spreads its requests evenly.
extern BoundedOption FifoTasks;
/// Tasks with which loops over far memory start; the best number is found while
/// they run.
extern BoundedOption FirstFarTasks;
/// Iterations: a loop of fewer is not worth a choice and runs as it is.
extern BoundedOption TinyLoop;
/// Iterations: up to here a decision that the site tuner has made is taken
/// without asking it, since the call would cost more than it saves.
extern BoundedOption ShortLoop;

// Rows of a pull loop (pull).

/// Edges a row on average: with fewer, unrolling gains nothing, because rows
/// run the remainder loop only.
extern BoundedOption UnrolledRowEdges;
/// Instructions: LLVM does not unroll larger loops unless it is forced to.
extern BoundedOption UnrolledRowInstructions;

/// Whether requests or suspensions are left out. Then there is one version of
/// each loop, so that this version runs.
inline bool isAblated() { return !Requests || !Suspensions; }

} // namespace tunable

} // namespace heddle

#endif
