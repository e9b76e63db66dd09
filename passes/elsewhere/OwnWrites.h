//===- OwnWrites.h - Writes that no other iteration sees --------*- C++ -*-===//

#ifndef HEDDLE_PASSES_ELSEWHERE_OWNWRITES_H
#define HEDDLE_PASSES_ELSEWHERE_OWNWRITES_H

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class CallBase;
class Instruction;
} // namespace llvm

namespace heddle {

struct LoopContext;

/// An instruction of the loop that may write what a function whose code is not
/// known reads in \p Calls, in another iteration as well; null if there is
/// none. By the promise, other iterations do not read elements that follow from
/// the iteration's number, nor what is appended by a counter; and nobody reads
/// memory of the function whose address has not been given away. Everything
/// else may be an update that is decided by what the function reads.
const llvm::Instruction *
findSharedWrite(const LoopContext &C,
                llvm::ArrayRef<const llvm::CallBase *> Calls);

} // namespace heddle

#endif
