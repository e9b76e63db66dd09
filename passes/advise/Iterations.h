//===- Iterations.h - What iterations have to do with each other *- C++ -*-===//
//
// Whether iterations are independent is the user's promise. This tells what can
// be known without it: which loops nobody would promise it of, and what a
// promise is about.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ADVISE_ITERATIONS_H
#define HEDDLE_PASSES_ADVISE_ITERATIONS_H

#include "async/analysis/LatencyAnalysis.h"
#include "llvm/ADT/SmallVector.h"

namespace heddle {

/// True if the iterations of \p L do different work: what changes from one to
/// the next decides on more than on how many there are.
bool differ(const llvm::Loop &L);

/// True if each iteration reads what the one before has computed: an element
/// that it has written, or a place that it leads to.
bool readsFromBefore(const LoopContext &C);

/// True if \p C 's loop follows a chain of links.
bool followsLinks(const LoopContext &C);

/// True if waiting for memory holds up the iterations of \p C 's loop: an
/// access or a branch waits for another, or an update is atomic.
bool isHeldUp(const LoopContext &C, LatencyAnalysis &Latency);

/// The accesses by which iterations of \p C 's loop write to memory that others
/// may use.
llvm::SmallVector<const llvm::Instruction *>
findSharedWrites(const LoopContext &C);

/// The calls in \p C 's loop that may write to memory nobody sees here.
llvm::SmallVector<const llvm::CallBase *> findOpaqueCalls(const LoopContext &C);

} // namespace heddle

#endif
