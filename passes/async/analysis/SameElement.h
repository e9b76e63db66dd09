//===- SameElement.h - Whether two addresses are in one element -*- C++ -*-===//
//
// An element is a structure, a row of a table, or what several arrays have at
// one index. Two addresses are taken to be in one element if the indices are
// computed from one value, not only if they are equal.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_SAMEELEMENT_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_SAMEELEMENT_H

namespace llvm {
class Loop;
class Value;
} // namespace llvm

namespace heddle {

class FrameValues;

/// True if \p A and \p B may point into one element of an array or one object,
/// into one row of a table, or into elements of two arrays whose indices are
/// computed from the same value in \p L.
bool mayBeOneElement(llvm::Value *A, llvm::Value *B, const llvm::Loop &L,
                     const FrameValues &Frames);

} // namespace heddle

#endif
