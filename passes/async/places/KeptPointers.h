//===- KeptPointers.h - Pointers in variables of a function -----*- C++ -*-===//
//
// A function may keep pointers in a variable of its own that is in memory, such
// as a small array of them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLACES_KEPTPOINTERS_H
#define HEDDLE_PASSES_ASYNC_PLACES_KEPTPOINTERS_H

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class AllocaInst;
class Value;
} // namespace llvm

namespace heddle {

/// The pointers that are stored to \p Variable; nullopt if others may be.
std::optional<llvm::SmallVector<const llvm::Value *, 4>>
pointersIn(const llvm::AllocaInst &Variable);

} // namespace heddle

#endif
