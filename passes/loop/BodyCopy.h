//===- BodyCopy.h - A function's body, to return to -------------*- C++ -*-===//
//
// Whether a loop can be rewritten shows only once it is in the form that the
// analyses expect. A copy of the function's body, made before, takes the body's
// place when the answer is no.
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
  /// Holds the copy, and after restore() what was the body. It belongs to no
  /// module and has arguments of its own: no analysis sees what it holds.
  std::unique_ptr<llvm::Function> Holder;
  llvm::ValueToValueMapTy Copies;

public:
  explicit BodyCopy(llvm::Function &F);

  /// Puts the copy in the place of the function's body. Nothing may refer to
  /// the body any longer that is to be used again.
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
