//===- ReadDependences.h - What depends on what is read ---------*- C++ -*-===//
//
// Whether an iteration writes, what and where, may depend on what it has read
// before. Each write is asked about with each read, so that the sources of
// values and the branches in front of writes are kept.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_REGIONS_READDEPENDENCES_H
#define HEDDLE_PASSES_ASYNC_REGIONS_READDEPENDENCES_H

#include "async/analysis/AccessRelations.h"

namespace heddle {

class ReadDependences {
public:
  using BranchSet = llvm::SmallSetVector<const llvm::Instruction *, 4>;

  ReadDependences(const llvm::Loop &L, const TaskLocals &Locals,
                  const FrameValues &Frames)
      : L(L), Locals(Locals), Frames(Frames) {}

  /// True if the value that \p Write writes, or whether it is executed, depends
  /// on the value that \p Read reads in the same iteration. Variables of the
  /// iteration that \p Read fills carry the value on.
  bool dependsOn(const llvm::Instruction *Write,
                 const llvm::Instruction *Read) const;

  /// The same, but also true if the read decides which of several values is
  /// written.
  bool dependsOrChooses(const llvm::Instruction *Write,
                        const llvm::Instruction *Read) const;

  /// The same as dependsOn(), but also true if a flag says behind the read
  /// which way was taken there, and decides on \p Write. A way to a turn is
  /// told by one.
  bool dependsOnWayFrom(const llvm::Instruction *Write,
                        const llvm::Instruction *Read) const;

  /// True if the value that \p Write writes depends on that value.
  bool valueDependsOn(const llvm::Instruction *Write,
                      const llvm::Instruction *Read) const;

  /// True if \p Address depends on that value.
  bool addressDependsOn(const llvm::Value *Address,
                        const llvm::Instruction *Read) const;

private:
  /// What an instruction has read.
  struct ReadValues {
    /// In registers.
    llvm::SmallVector<const llvm::Instruction *, 1> Values;
    /// In variables of the iteration.
    llvm::SmallPtrSet<const llvm::AllocaInst *, 2> Filled;
  };

  const llvm::Loop &L;
  const TaskLocals &Locals;
  const FrameValues &Frames;
  mutable llvm::DenseMap<const llvm::Instruction *, ReadValues> Known;
  mutable llvm::DenseMap<const llvm::Value *, Sources> Inputs, OfAddress;
  mutable llvm::DenseMap<const llvm::BasicBlock *, BranchSet> Branches, OnWay;
  mutable llvm::DenseMap<const llvm::Instruction *, BranchSet> OfValue;

  const ReadValues &valuesOf(const llvm::Instruction *Read) const;
  /// The branches that decide whether \p Write is executed.
  const BranchSet &branchesTo(const llvm::Instruction *Write) const;
  /// Those, and the branches that decide what flags tell these.
  const BranchSet &branchesOnWayTo(const llvm::Instruction *Write) const;
  /// The branches that decide which of several values \p Write writes.
  const BranchSet &branchesOfValue(const llvm::Instruction *Write) const;
  bool decides(const llvm::Instruction *Read, const BranchSet &Branches) const;
  /// What \p I computes from.
  const Sources &inputsOf(const llvm::Instruction *I) const;
  bool flowInto(const llvm::Instruction *I, const ReadValues &Read) const;
  /// The variable of the iteration that \p Address points into, or null.
  const llvm::AllocaInst *localAt(const llvm::Value *Address) const;
};

} // namespace heddle

#endif
