//===- Tunables.h - The numbers that the passes decide by -------*- C++ -*-===//
//
// Thresholds and sizes, each with its unit and the reason for its value. All
// are options for developers, -mllvm -heddle-NAME=VALUE, which help does not
// list. Values that the passes cannot work with are errors. Numbers that depend
// on the target come from LLVM's target information.
//
// Those of the passes over MLIR are in mlir/Transforms/Tunables.h.
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

/// The most tasks of a range: as many as a `tasks` clause can ask for, which
/// AsyncSplit checks. The tuner's decisions hold up to 65535.
constexpr unsigned MostTasks = 1024;

// Interleaving is requests and suspensions: `heddle bench dynamic` compiles
// loops with one of the two left out, to show what each is worth.

/// Whether long-latency accesses are requested.
extern llvm::cl::opt<bool> Requests;
/// Whether tasks are suspended at requests. Those that wait for their turn
/// always are.
extern llvm::cl::opt<bool> Suspensions;

// Loops left rolled up until they are interleaved (mark/KeepRolled).

/// Points: an inner loop of an annotated one stays rolled if, unrolled in full,
/// it made more suspension points than this. Half of SuspensionPoints, because
/// a task may have others.
extern BoundedOption UnrolledPlaces;
/// Iterations: no loop of more is unrolled in full, whatever its body, because
/// that exceeds the threshold of LLVM.
extern BoundedOption UnrolledIterations;

// Callees put into the loop (nest).

/// Accesses: a loop and the callees nested in it have at most so many far ones.
/// Each is a suspension point.
extern BoundedOption NestedFarAccesses;
/// Instructions times far accesses: the code may be there once for each
/// suspension point, and 64 K instructions are as much as a second-level cache
/// holds.
extern BoundedOption NestedCode;
/// Bytes: the most for the variables and stacks of the callees nested in a
/// task. Those of 16 tasks fill a first-level cache.
extern BoundedOption NestedBytes;
/// Bytes: the same for all tasks together where the user says how many. Half of
/// RequestedLocalBytes, because half of that is left where tasks await turns.
extern BoundedOption NestedBytesOfTasks;
/// Frames: a recursive callee gets a stack of at least so many or none. With
/// fewer, most calls would find it full and wait.
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
/// Pointers that are followed one after the other to what a callee uses; more
/// than programs write in one expression.
extern BoundedOption CalleePointers;
/// Steps: how far back the origin of a value is looked for through frames of
/// nested callees. Bounds compile time.
extern BoundedOption FrameSteps;
/// Values that are looked at on the way there. Bounds compile time.
extern BoundedOption FrameValues;
/// Levels of operands: how deep two address expressions are compared. Deeper
/// ones are taken to be equal, which is safe. Bounds compile time.
extern BoundedOption ExpressionDepth;

// Where tasks request and suspend (async/plan).

/// Requests that go out before one suspension, where the user does not say. A
/// core has 10 to 16 misses of the first-level cache outstanding.
extern BoundedOption CoalescedRequests;
/// Iterations of an inner loop that are requested as a block, a power of two: a
/// core's outstanding misses again.
extern BoundedOption BlockIterations;
/// The same where an inspector finds the addresses; more, because it has to be
/// started for each block.
extern BoundedOption InspectedIterations;
/// Points: a task that stops more often than this costs more than it hides.
extern BoundedOption SuspensionPoints;
/// The same over far memory, where there is more to hide.
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
/// Loads among them: as many as a core does in one cycle.
extern BoundedOption BranchFreeLoads;
/// Values that are looked at to find out whether a condition waits for memory.
/// Bounds compile time.
extern BoundedOption ConditionValues;
/// Values that the search for the smallest contexts may look at. Bounds compile
/// time to a fraction of a second.
extern BoundedOption RematerialisationWork;

// How many tasks there are (async, async/schedules).

/// Tasks that there is room for where their number is chosen at run time; the
/// site tuner tries no more.
extern BoundedOption TasksRoom;
/// Iterations by which a loop that only requests ahead does so at most: as many
/// requests as a core has outstanding.
extern BoundedOption RequestsAhead;
/// Tasks: fewer than this hide nothing.
extern BoundedOption LeastTasks;
/// Bytes of stack that the variables of the tasks in flight take at most, a
/// first-level cache: there are as many tasks as fit.
extern BoundedOption LocalBytes;
/// The same where the user says how many tasks, and over far memory, where a
/// miss of the first-level cache is cheap beside a request.
extern BoundedOption RequestedLocalBytes;
/// Tasks in flight where neither the user nor the run time says, as that does
/// on a host that was never probed.
extern BoundedOption LockstepTasks;
/// The same in a ring of coroutines, which spreads its requests evenly.
extern BoundedOption FifoTasks;
/// Tasks with which loops over far memory start, that find out by themselves
/// how many there should be.
extern BoundedOption FirstFarTasks;
/// Iterations: a loop of fewer is not worth a choice and runs as it is.
extern BoundedOption TinyLoop;
/// Iterations: up to here a decision that the site tuner has made is taken
/// without asking it, since the call would cost more than it saves.
extern BoundedOption ShortLoop;

// Rows of a pull loop (pull).

/// Edges a row on average: with fewer, nothing is gained from an unrolled loop,
/// whose remainder is all that rows run.
extern BoundedOption UnrolledRowEdges;
/// Instructions: LLVM does not unroll larger loops unless told to.
extern BoundedOption UnrolledRowInstructions;

/// Whether anything is left out. Then there is one version of each loop, so
/// that this is what runs.
inline bool isAblated() { return !Requests || !Suspensions; }

} // namespace tunable

} // namespace heddle

#endif
