//===- AddressSlice.h - Addresses computed ahead of time --------*- C++ -*-===//
//
// A request is issued before the access that it is for, and so its address has
// to be computed earlier than in the source, or for an iteration to come. These
// find what has to be repeated for that, if it can be.
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

/// The instructions of \p Address's computation that must be repeated to have
/// it at \p At, operands first; false if it cannot be had there. Of the loads
/// among them all must be \p IsAtHand.
bool addressSliceAt(llvm::Value *Address, llvm::Instruction *At,
                    llvm::function_ref<bool(const llvm::LoadInst *)> IsAtHand,
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
