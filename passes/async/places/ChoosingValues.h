//===- ChoosingValues.h - Values that choose a place ------------*- C++ -*-===//
//
// Whether two iterations, or two calls of a function, access the same place of
// an object depends on the values that the address is computed from.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLACES_CHOOSINGVALUES_H
#define HEDDLE_PASSES_ASYNC_PLACES_CHOOSINGVALUES_H

namespace llvm {
class Instruction;
class Loop;
} // namespace llvm

namespace heddle {

/// True if several values of an operand of \p I may give one result, other than
/// by overflow. In \p L, unless it is null, other operands may be invariant.
bool mayFold(const llvm::Instruction &I, const llvm::Loop *L);

/// True if \p I reads what all iterations of \p L read, such as an element of a
/// permutation that an inner loop goes through.
bool readsTheSame(const llvm::Instruction &I, const llvm::Loop &L);

} // namespace heddle

#endif
