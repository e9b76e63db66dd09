//===- PlainCopy.h - A loop for entries with few iterations -----*- C++ -*-===//
//
// Where a loop is entered again and again for a few iterations, setting up a
// choice between versions costs more than an iteration. Such entries, if they
// are to run serially, take a copy of the original loop, in front of all that:
//
//   few iterations, and serial decided ? copy : chunk
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_SCHEDULES_PLAINCOPY_H
#define HEDDLE_PASSES_ASYNC_SCHEDULES_PLAINCOPY_H

#include "loop/LoopShape.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class CallInst;
class PHINode;
} // namespace llvm

namespace heddle {

class PlainCopy {
  /// A way out of the copy, with the values that the phis behind it get.
  struct WayOut {
    llvm::BasicBlock *From;
    llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>, 2> Values;
  };
  llvm::SmallVector<WayOut, 4> WaysOut;

public:
  /// Copies the loop as it is, without its marker, between \p Enter, an empty
  /// block, and what follows the loop.
  PlainCopy(const LoopShape &Shape, const llvm::CallInst &Marker,
            llvm::BasicBlock *Enter);

  /// Passes values on to the code behind the loop. Not before the phis there
  /// have those from the other versions.
  void connect() const;
};

} // namespace heddle

#endif
