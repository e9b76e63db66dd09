//===- Steps.h - How often a variable of a loop has advanced ----*- C++ -*-===//

#ifndef HEDDLE_PASSES_IR_STEPS_H
#define HEDDLE_PASSES_IR_STEPS_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/MathExtras.h"

namespace heddle {

/// Returns a copy of \p V of which optimizations know nothing.
inline llvm::Value *opaque(llvm::IRBuilder<> &B, llvm::Value *V) {
  auto *Type = llvm::FunctionType::get(V->getType(), V->getType(), false);
  auto *Copy = B.CreateCall(llvm::InlineAsm::get(Type, "", "=r,0", false), V);
  Copy->setDoesNotAccessMemory();
  Copy->setDoesNotThrow();
  Copy->addFnAttr(llvm::Attribute::WillReturn);
  return Copy;
}

/// Returns the number of steps by \p Step, an i64, from \p Begin to \p End, a
/// variable of a loop. Optimizations do not see that it depends on the variable
/// alone: they would make a variable of the loop of it.
inline llvm::Value *stepsBetween(llvm::IRBuilder<> &B, llvm::Value *Begin,
                                 llvm::Value *End, int64_t Step) {
  llvm::Type *I64 = B.getInt64Ty();
  if (Begin->getType()->isPointerTy()) {
    Begin = B.CreatePtrToInt(Begin, I64);
    End = B.CreatePtrToInt(End, I64);
  }
  End = opaque(B, End);
  llvm::Value *Distance =
      Step < 0 ? B.CreateSub(Begin, End) : B.CreateSub(End, Begin);
  Distance = B.CreateZExtOrTrunc(Distance, I64);
  const uint64_t Size = Step < 0 ? -uint64_t(Step) : uint64_t(Step);
  if (llvm::isPowerOf2_64(Size))
    return B.CreateLShr(Distance, llvm::Log2_64(Size));
  return B.CreateUDiv(Distance, B.getInt64(Size), "", /*isExact=*/true);
}

} // namespace heddle

#endif
