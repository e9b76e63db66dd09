//===- SuspensionPlan.h - Points of request and suspension ------*- C++ -*-===//
//
// Chooses the suspension points of a loop from its long-latency accesses.
//
//  * Requests that do not depend on each other are issued together in front of
//    the first access (CoroAMU III-C); accesses to one line are one request.
//  * The unpredictable accesses of an inner loop are requested in blocks where
//    their addresses are known ahead: prefetch a block of iterations, suspend
//    once, run the block.
//  * What the elements of rows that follow each other wait for is requested
//    some elements ahead, without a suspension, if nothing else waits.
//  * No suspension separates the load and the store of a read-modify-write, or
//    the acquire and the release of a lock; except for read-modify-writes of
//    far memory that tasks can own.
//  * What is read in between is requested by a rehearsal in front of it.
//  * Ordered variables get a point at which a task waits for its turn; nothing
//    suspends behind it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_SUSPENSIONPLAN_H
#define HEDDLE_PASSES_ASYNC_PLAN_SUSPENSIONPLAN_H

#include "async/analysis/LoopFacts.h"
#include "async/analysis/ObjectAddress.h"
#include "async/plan/AddressSlice.h"
#include "async/plan/ConsecutiveRows.h"
#include "async/plan/CostModel.h"
#include "async/plan/Inspector.h"
#include "async/plan/Rehearsal.h"
#include "async/plan/RunAhead.h"
#include "async/regions/UninterruptedRegions.h"

namespace llvm {
class StoreInst;
} // namespace llvm

namespace heddle {

/// Adds to \p Lines , the offsets of requested bytes in an object with that
/// \p Alignment , what requests the line of \p Byte as well. Where lines begin
/// in an object may not be known: a byte is in a line that is requested if it
/// is less than \p LineBytes from a byte on either side. Otherwise only objects
/// of up to 16 bytes, which are mostly aligned, are taken to be in one line.
void requestByte(llvm::SmallVectorImpl<int64_t> &Lines, int64_t Byte,
                 int64_t LineBytes, llvm::Align Alignment = llvm::Align(1));

/// True if \p R brings in the lines of an access to \p To at \p At, growing it
/// by the lines over which the same object continues.
bool cover(Request &R, const ObjectAddress &To, const llvm::Instruction *At,
           const LoopContext &C);

struct SuspensionPoint {
  llvm::Instruction *Before;
  llvm::SmallVector<Request, 2> Requests;
  /// Wait until all earlier iterations have retired.
  bool AwaitsTurn = false;
  /// No task waits: the requests are issued at the launch of an earlier
  /// iteration, about as many iterations ahead as there are tasks.
  bool Early = false;
  /// An inner loop in whose first iteration every task requests the same lines,
  /// such as the root of a tree: then no task waits. Null if there is none.
  const llvm::Loop *SameOnEntry = nullptr;
  /// The store of the read-modify-write whose load is Before: the task acquires
  /// the address here and releases it at the store. Null if there is none.
  llvm::StoreInst *Owns = nullptr;
};

/// An inner loop whose requests are issued a block of iterations at a time.
struct BlockedLoop {
  llvm::Loop *Inner;
  /// The maximum number of times that the inner loop branches back. Null if it
  /// is not known: then an inspector finds the addresses, all of one level.
  const llvm::SCEV *BackedgeCount;
  /// Iterations a block.
  unsigned Length;
  /// Requests by the number of unpredictable loads before them; a suspension
  /// after each level.
  llvm::SmallVector<llvm::SmallVector<Request, 2>, 2> Levels;
  /// A block of requests ends where one of these leaves the page in which it
  /// began.
  llvm::SmallVector<SteppingLoad, 1> InPage;
  std::optional<Inspector> Inspected;
};

/// An access that stays unhidden, and why.
struct DroppedAccess {
  const llvm::Instruction *I;
  Obstacle Why;
};

struct SuspensionPlan {
  llvm::SmallVector<SuspensionPoint, 4> Points;
  llvm::SmallVector<BlockedLoop, 2> Blocks;
  llvm::SmallVector<Rehearsal, 1> Rehearsals;
  /// Then nothing else is requested.
  std::optional<ConsecutiveRows> Rows;
  llvm::SmallVector<DroppedAccess, 2> Dropped;
  /// The point in front of the first uses of Ordered variables; null if there
  /// are none.
  llvm::Instruction *TurnPoint = nullptr;
  /// Behind these calls, a task is suspended only to wait for its turn.
  llvm::SmallVector<llvm::Instruction *, 2> Ends;
  /// The loop is interleaved only if these are not zero before it.
  llvm::SmallVector<const llvm::SCEV *, 2> NonZero;

  unsigned suspensionPoints() const;
  unsigned requests() const;
  unsigned earlyRequests() const;
  /// True if the stream that begins at \p Start is requested in front of
  /// \p Before, or if its object has been touched through another address.
  bool requestsStart(const llvm::SCEV *Start, const llvm::Instruction *Before,
                     int64_t LineBytes, const llvm::DominatorTree &DT,
                     llvm::ScalarEvolution &SE) const;
};

/// Fills \p Plan, or says why the loop cannot be interleaved. Leaves the code
/// as it is: buildTaskBody() carries out the plan.
MaybeRefusal planSuspensions(const LoopContext &C, const LoopFacts &Facts,
                             SuspensionPlan &Plan);

/// What the cost model weighs: \p Plan for \p L, in numbers.
LoopProfile profile(const llvm::Loop &L, LatencyAnalysis &Latency,
                    const SuspensionPlan &Plan);

} // namespace heddle

#endif
