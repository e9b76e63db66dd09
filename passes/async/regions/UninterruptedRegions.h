//===- UninterruptedRegions.h - Code without suspensions --------*- C++ -*-===//
//
// Other tasks of the same thread must not run between the load and the store of
// a read-modify-write, between the acquire and the release of a lock, and
// between the write of a variable that all iterations share and its read in the
// same iteration. Such a region of code contains no suspension point.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_UNINTERRUPTEDREGIONS_H
#define HEDDLE_PASSES_ASYNC_REGIONS_UNINTERRUPTEDREGIONS_H

#include "async/analysis/LatencyAnalysis.h"
#include "async/analysis/TaskLocals.h"
#include "async/regions/IterationPaths.h"
#include "loop/Refusal.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class LoadInst;
class Loop;
class SCEV;
class StoreInst;
} // namespace llvm

namespace heddle {

/// A read-modify-write of two plain accesses.
struct Modification {
  llvm::LoadInst *Load;
  llvm::StoreInst *Store;
};

/// The code between First and Last of one iteration.
struct UninterruptedRegion {
  enum class Reason { Modification, Lock, OwnUse };
  llvm::Instruction *First;
  /// Null: to the end of the iteration.
  llvm::Instruction *Last;
  Reason Why;
  /// Suspensions are permitted because a task owns what it modifies.
  bool IsPermitted = false;
  /// The task may execute First again, for another place, before it executes
  /// Last: in nested coroutines, or in an inner loop.
  bool MayRepeat = false;
  /// Behind First, the task is suspended only to wait for its turn.
  bool EndsSuspensions = false;
};

/// Why there can be no suspension, and the code that it would split; null if
/// the reason is another one.
struct Obstacle {
  RefusalKind Kind;
  const llvm::Instruction *First = nullptr, *Last = nullptr;
};

/// Why the access \p At is not waited for, in the user's words.
Refusal reasonOf(const Obstacle &Why, const llvm::Instruction *At);

class UninterruptedRegions {
public:
  /// \p MayEnd says whether tasks can do without suspensions from some place
  /// on.
  UninterruptedRegions(const LoopContext &C, const LatencyAnalysis &Latency,
                       const TaskLocals &Locals, bool MayEnd = false);

  /// Why there can be no suspension in front of \p At, if there is a reason.
  std::optional<Obstacle> forbids(const llvm::Instruction *At) const;
  /// Why tasks cannot wait for their turn there.
  std::optional<Obstacle> forbidsTurn(const llvm::Instruction *At) const;
  /// The calls behind which tasks must not be suspended but to wait for their
  /// turn. What they go to may use the same memory as other calls.
  llvm::SmallVector<llvm::Instruction *, 2> ends() const;
  /// The loads that begin the read-modify-writes around \p At.
  llvm::SmallVector<llvm::Instruction *, 2>
  readsAround(const llvm::Instruction *At) const;
  /// The writes of the read-modify-writes that begin with \p Load.
  llvm::SmallVector<llvm::Instruction *, 1>
  modificationsFrom(const llvm::Instruction *Load) const;

  /// The read-modify-write around \p At if it is the only reason that forbids a
  /// suspension in front of \p At, and if it can be permitted along with those
  /// that have been; else nullopt.
  std::optional<Modification> onlyAround(const llvm::Instruction *At) const;
  /// Permits suspensions in \p M.
  void permit(const Modification &M);

  /// What must not be zero before the loop: else iterations have one place
  /// where they were taken to have one each, such as a row of a table, or two
  /// pointers lead to one array.
  llvm::ArrayRef<const llvm::SCEV *> nonZero() const {
    return NonZero.getArrayRef();
  }

private:
  const llvm::Loop &L;
  const IterationPaths Paths;
  llvm::SmallVector<UninterruptedRegion> Regions;
  llvm::SmallSetVector<const llvm::SCEV *, 2> NonZero;
  /// Of each region, the blocks from whose start control gets to its end.
  mutable llvm::SmallVector<std::optional<llvm::BitVector>> BlocksToEnd;

  bool contains(const UninterruptedRegion &R,
                const llvm::Instruction *At) const;
  std::optional<Obstacle>
  findAround(const llvm::Instruction *At,
             llvm::function_ref<bool(const UninterruptedRegion &)> Holds) const;
  /// The one region around \p At; null if there are none or several, or if it
  /// is not a read-modify-write or already permitted.
  const UninterruptedRegion *
  onlyModificationAround(const llvm::Instruction *At) const;
};

} // namespace heddle

#endif
