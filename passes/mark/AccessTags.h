//===- AccessTags.h - Accesses through the variables of clauses -*- C++ -*-===//
//
// remote(p) and near(p) speak of a pointer or an array. At the start of the
// pipeline, where variables are still in memory, all accesses to what it points
// to can be told by how their addresses are computed from it. They get metadata
// that stays with them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_MARK_ACCESSTAGS_H
#define HEDDLE_PASSES_MARK_ACCESSTAGS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Loop;
class Value;
} // namespace llvm

namespace heddle {

/// Puts metadata \p Kind on every load, store and atomic of \p L whose address
/// is computed from a value of the pointer, or from the array, at \p Variable.
void tagAccessesThrough(llvm::Value *Variable, const llvm::Loop &L,
                        llvm::StringRef Kind);

/// Likewise where the address is computed from the beginning of what \p Data
/// lies in, or from what is loaded again from where that has been.
void tagAccessesTo(llvm::Value *Data, const llvm::Loop &L,
                   llvm::StringRef Kind);

} // namespace heddle

#endif
