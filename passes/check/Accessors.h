//===- Accessors.h - Functions that only find a place -----------*- C++ -*-===//
//
// `v[i]` on a container is a call, `m.find(k)` are several, and std::max()
// returns one of two addresses.
// Where such a function of the standard library is put into its caller, the
// accesses to the place can be named and recognised as updates like those to an
// array.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_ACCESSORS_H
#define HEDDLE_PASSES_CHECK_ACCESSORS_H

#include "llvm/IR/DebugLoc.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace heddle {

/// Puts small functions of system headers, which store nothing but to variables
/// that \p F hands them, into \p F. Returns true if there were any.
bool inlineAccessors(llvm::Function &F);

/// The place of \p I in the source of its function, even if a function of a
/// system header was put there.
llvm::DebugLoc placeInSource(const llvm::Instruction &I);

} // namespace heddle

#endif
