//===- PointerLoads.h - Pointers that are loaded once more ------*- C++ -*-===//
//
// `t[k].a = 1; t[k].b = 2;` loads the variable `t` twice. Where the types say
// that it is the same pointer, as one value it shows that both places are in
// one element. To read what has just been read is no access of its own; to read
// what has been written is one, and stays.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_CHECK_QUICK_POINTERLOADS_H
#define HEDDLE_PASSES_CHECK_QUICK_POINTERLOADS_H

namespace llvm {
class AAResults;
class Function;
} // namespace llvm

namespace heddle {

/// Replaces loads of pointers by earlier ones of the same block. Returns true
/// if there were any.
bool mergePointerLoads(llvm::Function &F, llvm::AAResults &AA);

} // namespace heddle

#endif
