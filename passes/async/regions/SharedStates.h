//===- SharedStates.h - What accesses note for later ones -------*- C++ -*-===//
//
// A function may note something in a variable, and another may use it in the
// same iteration; one may take a lock, and another release it. Either may have
// been put into the loop by inlining. This analysis finds such pairs by the
// objects that accesses reach and by the values that choose the places in them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_SHAREDSTATES_H
#define HEDDLE_PASSES_ASYNC_REGIONS_SHAREDSTATES_H

#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/TaskLocals.h"
#include "loop/LoopContext.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class DominatorTree;
class LoadInst;
class SCEV;
} // namespace llvm

namespace heddle {

class SharedStates {
public:
  using AddPair =
      llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)>;

  SharedStates(const LoopContext &C, const TaskLocals &Locals,
               const FrameValues &Frames);

  /// What the calls of the loop access.
  llvm::ArrayRef<InstructionUse> ofCalls() const { return Hidden; }

  /// Calls \p Add with each write and a later use of what it has written.
  void findStates(AddPair Add) const;
  /// Calls \p Add with each acquire and the release of the same lock, where
  /// callees take part.
  void findLocks(AddPair Add) const;

  /// What each iteration's having a place of its own relies on not to be zero,
  /// as far as findStates() has asked.
  const llvm::SmallSetVector<const llvm::SCEV *, 2> &strides() const {
    return Strides;
  }

  /// True if \p Load reads a variable of all iterations through pointers that
  /// are read again in each.
  bool isReloaded(const llvm::LoadInst &Load) const;
  /// True if \p Write, a call or a store, may write what \p Load, for which
  /// isReloaded() is true, reads.
  bool writesReloaded(const llvm::Instruction &Write,
                      const llvm::LoadInst &Load) const;

private:
  const llvm::Loop &L;
  const llvm::DominatorTree &DT;
  const TaskLocals &Locals;
  const FrameValues &Frames;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  /// What calls access, and what other instructions do.
  llvm::SmallVector<InstructionUse> Hidden, Plain;
  mutable llvm::SmallSetVector<const llvm::SCEV *, 2> Strides;

  bool isOwnAccess(const llvm::Instruction &I) const;
  bool isLocalObject(const llvm::Value *Object) const;
  bool isOfIteration(const UsedObject &Object) const;
  bool isAny(const UsedObject &Object) const;
  bool isShared(const CalleeUse &Use) const;
  bool hasFixedAddress(const llvm::Instruction &I) const;
  void foldNeighbours();
  bool areNeighbours(const CalleeUse &A, const CalleeUse &B) const;
  void noteStride(const llvm::SCEV *Stride) const;
  bool isOfOneIteration(const llvm::Value *Value) const;
  bool isOfOneIteration(const CalleeUse &Use) const;
  bool isInPlaceOf(const CalleeUse &B, const CalleeUse &A) const;
  bool isSamePlace(const CalleeUse &A, const CalleeUse &B) const;
  bool continuesState(const InstructionUse &Write,
                      const InstructionUse &Later) const;
  bool isFilledFirst(const InstructionUse &Write) const;
  bool fillsAgain(const InstructionUse &Write,
                  const InstructionUse &Later) const;
  const InstructionUse *firstFill(const InstructionUse &Write) const;
  bool writesComputed(const llvm::Instruction &Write) const;
  bool mayTouch(const llvm::Instruction *One,
                const llvm::Instruction *Other) const;
  bool isHandedOn(const llvm::Value *Object) const;
  bool mayKnow(const llvm::CallBase &Call, const UsedObject &Object) const;
  bool choosesPlace(const llvm::CallBase &Call, const CalleeUse &Use) const;
  bool mayBeReachedTwice(const UsedObject &A, const UsedObject &B) const;
  bool mayBeOneLock(const InstructionUse &Acquire,
                    const InstructionUse &Release) const;
};

} // namespace heddle

#endif
