//===- Undisturbed.h - Stretches of code no suspension may cut --*- C++ -*-===//
//
// The code from the load to the store of a read-modify-write, from the acquire
// to the release of a lock, and from where an iteration writes a variable that
// all of them use to where it reads it again, must not be interrupted by
// another task of the same thread.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_UNDISTURBED_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_UNDISTURBED_H

#include "async/analysis/FrameValues.h"
#include "async/analysis/LatencyAnalysis.h"
#include "async/analysis/TaskLocals.h"
#include "loop/LoopShape.h"

namespace heddle {

/// True if the value of \p Load flows, through computation in \p L, into what
/// \p Store writes.
bool flowsInto(const llvm::Instruction *Load, const llvm::Instruction *Store,
               const llvm::Loop &L, const FrameValues &Frames);

/// True if what follows on \p I, an atomic access, may not be done before it.
bool acquires(const llvm::Instruction &I);

/// A read-modify-write of two plain accesses.
struct Modification {
  llvm::LoadInst *Load;
  llvm::StoreInst *Store;
};

class UndisturbedStretches {
public:
  UndisturbedStretches(const LoopContext &C, const LoopShape &Shape,
                       const LatencyAnalysis &Latency,
                       const TaskLocals &Locals);

  /// Why there can be no suspension in front of \p At, or null.
  const char *forbids(const llvm::Instruction *At) const;
  /// The load that begins the read-modify-write around \p At, or null.
  llvm::Instruction *readAround(const llvm::Instruction *At) const;
  /// The writes of the read-modify-writes that begin with \p Load.
  llvm::SmallVector<llvm::Instruction *, 1>
  modificationsFrom(const llvm::Instruction *Load) const;

  /// The only reason why there can be no suspension in front of \p At, if that
  /// is a read-modify-write which overlaps no other of which this has been said
  /// and which has been permitted.
  std::optional<Modification> onlyAround(const llvm::Instruction *At) const;
  /// Permits suspensions in it.
  void permit(const Modification &M);

private:
  enum class Reason { Modification, Lock, OwnUse };
  struct Stretch {
    llvm::Instruction *First;
    /// Null: to the end of the iteration.
    llvm::Instruction *Last;
    Reason Why;
    bool IsPermitted = false;
    /// Nested coroutines are called in it, which may come to its beginning
    /// themselves before the task comes to its end.
    bool IsAroundCall = false;
  };
  const LoopShape &Shape;
  const FrameValues Frames;
  llvm::SmallVector<Stretch> Stretches;

  void addModifications(const LoopContext &C, const LatencyAnalysis &Latency,
                        const TaskLocals &Locals);
  void addWholeObjects(const LatencyAnalysis &Latency, const TaskLocals &Locals,
                       llvm::ScalarEvolution &SE);
  void addHiddenModifications(const LatencyAnalysis &Latency,
                              const TaskLocals &Locals);
  void addOwnUses(const LoopContext &C, const LatencyAnalysis &Latency,
                  const TaskLocals &Locals);
  bool readsWhatOthersWrote(const llvm::LoadInst &Load,
                            llvm::ArrayRef<llvm::Instruction *> Writers) const;
  /// True if what \p Write writes, or whether it is done, depends on what \p
  /// Read reads.
  bool dependsOn(const llvm::Instruction *Write, const llvm::Instruction *Read,
                 const TaskLocals &Locals) const;
  void addLocks();
  void findCalls();
  bool reaches(const llvm::Instruction *From, const llvm::Instruction *To,
               const llvm::Instruction *Avoiding) const;
  bool contains(const Stretch &S, const llvm::Instruction *At) const;
};

} // namespace heddle

#endif
