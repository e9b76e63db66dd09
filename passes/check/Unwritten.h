//===- Unwritten.h - Loads that need no record ------------------*- C++ -*-===//
//
// Most loads of a loop are from memory that nothing in the loop writes. They
// are in no conflict, unless an annotated loop around the function's own writes
// it: they record only if there is one.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_UNWRITTEN_H
#define HEDDLE_PASSES_CHECK_UNWRITTEN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class AAResults;
class Instruction;
class Loop;
} // namespace llvm

namespace heddle {

/// Returns the loads in the loops \p Checked of a function from memory that
/// none of these loops around them writes, and the number of these loops.
llvm::DenseMap<const llvm::Instruction *, unsigned>
findUnwritten(llvm::ArrayRef<llvm::Loop *> Checked, llvm::AAResults &AA);

} // namespace heddle

#endif
