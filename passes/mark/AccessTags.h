//===- AccessTags.h - Accesses through the variables of clauses -*- C++ -*-===//
//
// remote(p) and near(p) name a pointer or an array. At the start of the
// pipeline, while variables are still in memory, all accesses to its target can
// be recognised because their addresses are computed from it. They get metadata
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

/// Puts metadata \p Kind on accesses whose address is computed from the
/// beginning of the object that \p Data points into, or from a pointer loaded
/// again from the same address.
void tagAccessesTo(llvm::Value *Data, const llvm::Loop &L,
                   llvm::StringRef Kind);

} // namespace heddle

#endif
