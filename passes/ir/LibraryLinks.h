//===- LibraryLinks.h - Functions that link what they are given -*- C++ -*-===//
//
// Containers of the C++ library call functions without a body here that link
// the nodes of a tree or a list, go from one to the next, or compute how many
// buckets a table shall have. They access nothing but what they are given and
// what that leads to, and link it to nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_LIBRARYLINKS_H
#define HEDDLE_PASSES_IR_LIBRARYLINKS_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>

namespace llvm {
class CallBase;
} // namespace llvm

namespace heddle {

struct LibraryLinks {
  /// The offsets of the links in a node.
  llvm::ArrayRef<int64_t> Offsets;
  /// It changes links.
  bool Links;
};

/// What is known of the function that \p Call calls, if it is one of those.
std::optional<LibraryLinks> libraryLinks(const llvm::CallBase &Call);

} // namespace heddle

#endif
