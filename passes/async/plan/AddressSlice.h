//===- AddressSlice.h - Addresses computed ahead of time --------*- C++ -*-===//
//
// A request is issued before its access, and so its address has to be computed
// earlier than in the source, or for a later iteration. These functions find
// the instructions that must be repeated for that, if it is possible.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLAN_ADDRESSSLICE_H
#define HEDDLE_PASSES_ASYNC_PLAN_ADDRESSSLICE_H

#include "async/analysis/LatencyAnalysis.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class DominatorTree;
class LoadInst;
} // namespace llvm

namespace heddle {

/// The instructions that are repeated to have an address elsewhere, operands
/// first.
using AddressSlice = llvm::SmallVector<llvm::Instruction *, 0>;

/// Finds the instructions of \p Address's computation that must be repeated to
/// compute it at \p At, operands first; returns false if that is impossible.
/// \p IsAtHand must hold for every load in the slice.
bool addressSliceAt(llvm::Value *Address, llvm::Instruction *At,
                    llvm::function_ref<bool(const llvm::LoadInst *)> IsAtHand,
                    const llvm::DominatorTree &DT,
                    llvm::SetVector<llvm::Instruction *> &Slice);

/// Finds the instructions that must be repeated to have \p Address at \p At,
/// operands first, whatever the conditions between it and the access; false if
/// that is impossible or takes memory.
bool addressSliceAhead(llvm::Value *Address, const llvm::Instruction *At,
                       const llvm::DominatorTree &DT,
                       llvm::SetVector<llvm::Instruction *> &Slice);

/// The instructions in \p Inner that must be repeated to have \p Address for
/// another of its iterations, operands first; false if that iteration's address
/// is not known ahead. Counts unpredictable loads in \p Level.
bool addressSliceInLoop(llvm::Value *Address, const llvm::Loop &Inner,
                        const LatencyAnalysis &Latency, const LoopContext &C,
                        llvm::SetVector<llvm::Instruction *> &Slice,
                        unsigned &Level);

} // namespace heddle

#endif
