//===- FrameValues.h - What is behind the frames of callees -----*- C++ -*-===//
//
// A value that a nested coroutine needs again behind a call is saved in a frame
// in memory and restored from there (NestedFrames.h). To find the halves of a
// read-modify-write between which the call lies, one has to look through that.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_FRAMEVALUES_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_FRAMEVALUES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Loop;
class MDNode;
class Value;
} // namespace llvm

namespace heddle {

class FrameValues {
  llvm::DenseMap<const llvm::MDNode *, llvm::SmallVector<const llvm::Value *>>
      Saved;
  mutable llvm::DenseMap<const llvm::Value *, const llvm::Value *> Origins;

  /// Adds to \p Ways what \p V may be: what a phi merges, and what has been
  /// saved.
  void addWays(const llvm::Value *V,
               llvm::SmallVectorImpl<const llvm::Value *> &Ways) const;
  bool isAlways(const llvm::Value *V, const llvm::Value *Origin) const;
  /// One step back on the way to the origin, or null.
  const llvm::Value *before(const llvm::Value *V) const;

public:
  explicit FrameValues(const llvm::Loop &L);

  /// What has been saved where \p V is restored from; empty if it is not.
  llvm::ArrayRef<const llvm::Value *> saved(const llvm::Value *V) const;

  /// The one value that \p V is, whether it has been saved meanwhile or not;
  /// \p V itself if there are several.
  const llvm::Value *origin(const llvm::Value *V) const;

  /// The object that \p Address points into, likewise.
  const llvm::Value *object(const llvm::Value *Address) const;
};

} // namespace heddle

#endif
