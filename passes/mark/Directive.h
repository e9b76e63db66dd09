//===- Directive.h - What the user said about one loop ----------*- C++ -*-===//
//
// The clauses of one `#pragma heddle async`, read from the marker that
// AsyncMark left in the loop.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_DIRECTIVE_H
#define HEDDLE_PASSES_MARK_DIRECTIVE_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallInst;
class Function;
class Value;
} // namespace llvm

namespace heddle {

enum class Schedule { Unspecified, Fifo, Lockstep, Dynamic };

struct Directive {
  /// The marker call in the loop's body.
  llvm::CallInst *Marker = nullptr;
  Schedule Scheduler = Schedule::Unspecified;
  /// Iterations in flight; 0 for auto.
  unsigned Tasks = 0;
  /// The most requests per suspension; 0 where the cost model decides.
  unsigned Coalesce = 0;
  /// How often an iteration may be suspended; 0 for any number.
  unsigned Suspensions = 0;
  /// The if clause's condition (an integer), or null.
  llvm::Value *Condition = nullptr;
  /// Addresses of the variables named in clauses.
  llvm::SmallVector<llvm::Value *, 2> Private, Shared, Sequential;
};

Directive readDirective(llvm::CallInst &Marker);

/// All markers of \p F.
llvm::SmallVector<llvm::CallInst *, 4> findMarkers(llvm::Function &F);

} // namespace heddle

#endif
