//===- AheadValues.h - What is computed before its turn ---------*- C++ -*-===//
//
// In front of an iteration's turn, memory is as some earlier iteration has left
// it. A value is *premature* if it may be another one when it is the
// iteration's turn: read from memory that is not steady (SteadyMemory.h), or
// computed from such, or chosen by a condition on such. A premature address may
// be requested, as no request fails, but nothing is read there: an earlier
// iteration may have left no pointer, or one to what is no more. Where the
// iteration may not come to at its turn, it reads nothing either. That what is
// read at the turn can be read before, the loop must be known for
// (Existence.h). The hash tables of the library are the exception
// (LibraryTables.h).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_AHEAD_AHEADVALUES_H
#define HEDDLE_PASSES_ASYNC_AHEAD_AHEADVALUES_H

#include "async/ahead/LibraryTables.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace heddle {

/// What instructions need not to be zero in front of the turn.
using NonZeroGuards = llvm::MapVector<const llvm::Instruction *, llvm::Value *>;

class AheadValues {
  SteadyMemory Memory;
  LibraryTables Tables;
  llvm::SmallPtrSet<const llvm::Value *, 16> Premature;
  /// The blocks that an iteration may not come to at its turn.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Unsure;
  llvm::DenseMap<const llvm::Instruction *, bool> Steady;

public:
  AheadValues(const LoopContext &C, const LoopFacts &Facts)
      : Memory(C, Facts), Tables(C, Memory) {}

  /// True if \p I can be executed in front of the turn, under the guards that
  /// are added to \p Guards. \p IsRehearsed is true for what is executed.
  bool canRun(const llvm::Instruction &I,
              llvm::function_ref<bool(const llvm::Instruction &)> IsRehearsed,
              NonZeroGuards &Guards);

  /// Finds out whether \p I , which is executed, is premature.
  void add(const llvm::Instruction &I);
  /// Notes that the rehearsal goes from \p From to \p To.
  void pass(const llvm::BasicBlock &From, const llvm::BasicBlock &To);

  bool isPremature(const llvm::Value *V) const { return Premature.contains(V); }
  /// Grows while there is more to find.
  size_t size() const { return Premature.size() + Unsure.size(); }

private:
  bool isSteady(const llvm::LoadInst &Load);
  /// True if \p I is executed at the turn as well, with the same operands.
  bool isSameAtTurn(const llvm::Instruction &I) const;
};

} // namespace heddle

#endif
