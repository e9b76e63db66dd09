//===- FrameValues.h - Values that an iteration keeps in memory -*- C++ -*-===//
//
// A value that is live across the call of a nested coroutine is saved in a
// frame in memory and restored from there (NestedFrames.h). This analysis finds
// the saved value of a restored one, so that the load and the store of a
// read-modify-write are found even if the call is between them. An iteration
// may also keep values in an array of its own, such as the places at which it
// is going to link an element.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_FRAMEVALUES_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_FRAMEVALUES_H

#include "async/analysis/TaskLocals.h"
#include "loop/LoopContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class AllocaInst;
class CallBase;
class Loop;
class MDNode;
class Value;
} // namespace llvm

namespace heddle {

class Islands;

class FrameValues {
  const llvm::Loop &L;
  const Islands *Memory;
  llvm::DenseMap<const llvm::MDNode *, llvm::SmallVector<const llvm::Value *>>
      Saved;
  /// The values that the loop stores to each variable of the iteration.
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<const llvm::Value *>>
      Kept;
  mutable llvm::DenseMap<const llvm::Value *, const llvm::Value *> Origins;
  mutable llvm::DenseMap<const llvm::Value *, bool> Own;
  bool TellsCycles = false;

  /// Adds to \p Ways the values that \p V may be: the incoming values of a phi,
  /// and the values that are saved where \p V is restored from.
  void addWays(const llvm::Value *V,
               llvm::SmallVectorImpl<const llvm::Value *> &Ways) const;
  bool isAlways(const llvm::Value *V, const llvm::Value *Origin) const;
  /// The variable that \p Address points into, or null. All memory that an
  /// iteration allocates for itself is one, with what is linked to it, for
  /// which the header stands.
  const llvm::Value *variableAt(const llvm::Value *Address) const;
  /// The value that \p V always is, one step closer to the origin; or null.
  const llvm::Value *before(const llvm::Value *V) const;

public:
  /// \p Locals are the variables of an iteration whose values count as kept.
  /// \p Memory has the memory of an iteration that is linked, or is null.
  explicit FrameValues(const llvm::Loop &L, const TaskLocals &Locals = {},
                       const Islands *Memory = nullptr);
  FrameValues(const LoopContext &C, const TaskLocals &Locals = {})
      : FrameValues(C.L, Locals, C.Memory.get()) {}

  const llvm::Loop &loop() const { return L; }

  /// Says whether values that merge in cycles, as pointers that grow with a
  /// vector do, are told from each other. Else they count as the same.
  void tellCycles(bool Tells) { TellsCycles = Tells; }
  bool tellsCycles() const { return TellsCycles; }

  /// The values that are saved where \p V is restored from; empty if \p V is
  /// not restored.
  llvm::ArrayRef<const llvm::Value *> saved(const llvm::Value *V) const;

  /// The values that \p V may be because it is loaded from a variable of the
  /// iteration that they are stored to; empty if \p V is not. A copy of memory
  /// stands for what it copies, and a call for what it is given.
  llvm::ArrayRef<const llvm::Value *> kept(const llvm::Value *V) const;
  /// What stands for the variable that these are kept in.
  const llvm::Value *keptIn(const llvm::Value *V) const;

  /// The value that \p V was before it was saved and restored; \p V itself if
  /// there are several.
  const llvm::Value *origin(const llvm::Value *V) const;

  /// The object that \p Address points into, with saved addresses looked
  /// through.
  const llvm::Value *object(const llvm::Value *Address) const;

  /// True if \p Object is memory that an iteration allocates for itself
  /// (OwnMemory.h), or a pointer that leads to such memory or to variables of
  /// the iteration (Islands.h).
  bool isOwn(const llvm::Value *Object) const;
  /// True if \p Address points into such memory.
  bool isInOwn(const llvm::Value *Address) const;
  /// True if what is reached from \p Root through the pointers at the offsets
  /// \p Pointers is such memory.
  bool isOwnBehind(const llvm::Value *Root,
                   llvm::ArrayRef<std::optional<int64_t>> Pointers) const;
  /// True if \p Call accesses nothing else.
  bool isOwnCall(const llvm::CallBase &Call) const;
};

} // namespace heddle

#endif
