//===- RunAhead.h - Values that may be computed early -----------*- C++ -*-===//
//
// Requests for a block of an inner loop's iterations compute addresses before
// those iterations are reached. Prefetches do no harm, but the loads that yield
// the addresses must be allowed: `for (j = 0; j < 64 && s[j]; ++j) t[s[j]]` may
// end one byte in front of unmapped memory, and a pointer that a later
// iteration sets must not be followed before.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_RUNAHEAD_H
#define HEDDLE_PASSES_ASYNC_PLAN_RUNAHEAD_H

#include "async/plan/AddressSlice.h"
#include "loop/LoopContext.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AAResults;
class Instruction;
class LoadInst;
class Loop;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace heddle {

/// A load of each iteration of an inner loop that moves through memory in steps
/// of so many bytes.
struct SteppingLoad {
  llvm::LoadInst *Load;
  int64_t Step;
  /// What computes its address.
  AddressSlice Slice;
};

/// Loads that can be made for iterations which are not reached yet, because the
/// program may end before them, as long as they stay in the page that the
/// iteration which is reached reads in.
struct LoadsInPage {
  /// The loop around the inner one behind which there are no more iterations.
  const llvm::Loop &Around;
  llvm::SmallVector<SteppingLoad, 1> Loads{};
};

/// True if \p Slice, operands first, can be computed for iterations of \p C 's
/// loop that are not reached yet, some loads perhaps only \p InPage.
bool canRunAhead(const llvm::SetVector<llvm::Instruction *> &Slice,
                 const LoopContext &C, LoadsInPage *InPage = nullptr);

/// The most times that \p Inner branches back, if known in front of it; or
/// null.
const llvm::SCEV *countAhead(const llvm::Loop &Inner,
                             llvm::ScalarEvolution &SE);

/// True if one iteration of \p Inner may write to the memory that \p Load reads
/// in another one.
bool changes(const llvm::Loop &Inner, const llvm::LoadInst &Load,
             llvm::AAResults &AA);

/// True if \p Load, in an iteration of \p Inner, yields the same at \p To,
/// which dominates it.
bool mayMoveUp(const llvm::LoadInst *Load, const llvm::Instruction *To,
               const llvm::Loop &Inner);

/// True if nothing in \p Inner may end the program or be a precondition of
/// later accesses, such as an allocation.
bool alwaysGoesOn(const llvm::Loop &Inner);

} // namespace heddle

#endif
