//===- Copies.h - Copies of small structures --------------------*- C++ -*-===//
//
// `a[i] = b[j]` on a structure is one copy of memory. As loads and stores of
// its words, they are recorded like those of its fields.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_COPIES_H
#define HEDDLE_PASSES_CHECK_COPIES_H

namespace llvm {
class Loop;
} // namespace llvm

namespace heddle {

/// Replaces copies in \p L, whose own code it is, of small structures from one
/// place of an object to one of another. Those at a fixed address, and of
/// variables, stay.
void expandCopies(llvm::Loop &L);

} // namespace heddle

#endif
