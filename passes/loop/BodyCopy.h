//===- BodyCopy.h - A copy of a function to restore -------------*- C++ -*-===//
//
// Whether a loop can be rewritten shows only once it is in the form that the
// analyses expect. A copy of the function's body, made before, replaces the
// body if the loop is refused.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_BODYCOPY_H
#define HEDDLE_PASSES_LOOP_BODYCOPY_H

#include "llvm/IR/Function.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <memory>

namespace heddle {

class BodyCopy {
  llvm::Function &F;
  /// Holds the copy, and after restore() the former body. It belongs to no
  /// module and has arguments of its own: no analysis sees its contents.
  std::unique_ptr<llvm::Function> Holder;
  llvm::ValueToValueMapTy Copies;

public:
  explicit BodyCopy(llvm::Function &F);

  /// Replaces the function's body by the copy. References to instructions and
  /// blocks of the former body are invalid.
  void restore();
  /// Frees the copy: the body is going to stay.
  void discard();

  /// Returns the copy of \p Original, an instruction or a block of the body
  /// that was copied.
  template <class T> T *restored(const T *Original) const {
    llvm::Value *Copy = Copies.lookup(Original);
    return llvm::cast<T>(Copy);
  }
};

} // namespace heddle

#endif
