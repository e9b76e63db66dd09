//===- OutputObjects.h - Where iterations append ----------------*- C++ -*-===//
//
// Iterations append to an array in the places that a variable chooses. The
// array may be read through that variable, or through another pointer into it,
// such as one to its beginning: pointers that the loop compares with each
// other, or whose difference it takes, are taken to point into one array. As
// elsewhere, others that do not change in the loop are taken to point to
// different arrays.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ORDER_OUTPUTOBJECTS_H
#define HEDDLE_PASSES_ASYNC_ORDER_OUTPUTOBJECTS_H

#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"

namespace heddle {

class OutputObjects {
  const FrameValues Frames;
  llvm::SmallVector<UsedObject, 4> Objects;

public:
  /// \p Places are the addresses at which iterations of \p L append.
  OutputObjects(const llvm::Loop &L,
                llvm::ArrayRef<const llvm::Value *> Places);

  /// True if \p I, in the loop, may read what iterations have appended.
  bool areReadBy(const llvm::Instruction &I) const;

private:
  bool add(const llvm::Value *Address);
  bool contain(const llvm::Value *Address) const;
};

} // namespace heddle

#endif
