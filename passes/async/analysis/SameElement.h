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
class CallBase;
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

/// True if one of them leads through a pointer from a table and the other one
/// to an element by its number, and both may be one element: the pointer is at
/// that index of its table, or the number is read from where it leads.
bool mayBeFoundByIndex(llvm::Value *A, llvm::Value *B, const llvm::Loop &L,
                       const FrameValues &Frames);

/// True if \p Address is that of an element whose index is computed from a
/// number that \p Call is handed.
bool mayBeElementOf(const llvm::CallBase &Call, llvm::Value *Address,
                    const llvm::Loop &L, const FrameValues &Frames);

/// True if both are handed numbers that are computed from one value in \p L.
bool haveCommonNumber(const llvm::CallBase &One, const llvm::CallBase &Other,
                      const llvm::Loop &L, const FrameValues &Frames);

} // namespace heddle

#endif
