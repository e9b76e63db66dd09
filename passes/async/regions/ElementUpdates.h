//===- ElementUpdates.h - Where updates of elements begin -------*- C++ -*-===//
//
// An iteration decides to update an element, and then stores several fields of
// it: other iterations must not see the element in between. The fields may lie
// in one structure, in a row of a table, in several arrays, or in what a slot
// links to, and a callee may have chosen the element. This analysis finds the
// access that an update begins with, for each of its stores.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_ELEMENTUPDATES_H
#define HEDDLE_PASSES_ASYNC_REGIONS_ELEMENTUPDATES_H

#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/LatencyAnalysis.h"
#include "async/analysis/TaskLocals.h"
#include "async/regions/ReadDependences.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace heddle {

class ElementUpdates {
public:
  /// \p Hidden has what the calls of the loop access.
  ElementUpdates(const LoopContext &C, const LatencyAnalysis &Latency,
                 const TaskLocals &Locals, const FrameValues &Frames,
                 const ReadDependences &Dependences,
                 llvm::ArrayRef<InstructionUse> Hidden);

  /// Calls \p Add with the first and the last instruction of each update.
  void
  find(llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)> Add);

private:
  const LoopContext &C;
  const llvm::Loop &L;
  const TaskLocals &Locals;
  const FrameValues &Frames;
  llvm::ScalarEvolution &SE;
  llvm::AAResults &AA;
  const ReadDependences &Dependences;
  llvm::ArrayRef<InstructionUse> Hidden;
  /// Those of the loop, and copies and fills of memory.
  llvm::SmallVector<Access> Accesses;
  /// What isChanged() and isRead() have found of each.
  mutable llvm::DenseMap<const Access *, bool> Changed, AreRead;

  void addCopies();
  bool isOfTurn(const Access &A, const llvm::Loop &Inner) const;
  bool areOfTwoTurns(const Access &First, const Access &Last) const;
  bool isUpdateBy(const Access &First, const Access &Last) const;
  bool begins(const Access &First, const Access &Last) const;
  bool isChanged(const Access &Read) const;
  bool isRead(const Access &Write) const;
  bool mayBeSame(const Access &A, const Access &B) const;
  void
  findHooked(const Access &Link,
             llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)>
                 Add) const;
  void
  findLinked(const Access &Link, llvm::ArrayRef<const Access *> Stores,
             llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)>
                 Add) const;
  bool isFreed(const Access &Link) const;
  void
  findFilled(const Access &Link,
             llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)>
                 Add) const;
  void
  findMoved(const Access &Link,
            llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)>
                Add) const;
  bool isHandedNumber(const InstructionUse &Use, const Access &A) const;
  bool isQuestion(const InstructionUse &Use) const;
  bool isClaim(const InstructionUse &Use) const;
  void findClaimed(
      const InstructionUse &Claim, llvm::ArrayRef<const Access *> Stores,
      llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)> Add)
      const;
  bool isShared(const UsedObject &Object) const;
  void findFilledByCalls(
      const Access &Told,
      llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)> Add)
      const;
  void
  findAsked(const InstructionUse &Use, llvm::ArrayRef<const Access *> Stores,
            llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)>
                Add) const;
  void
  findPlaced(llvm::Instruction &Call, llvm::ArrayRef<const Access *> Stores,
             llvm::function_ref<void(llvm::Instruction *, llvm::Instruction *)>
                 Add) const;
  bool isUsedByOther(const InstructionUse &Write) const;
};

} // namespace heddle

#endif
