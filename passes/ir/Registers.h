//===- Registers.h - Variables that become registers ------------*- C++ -*-===//
//
// While a rewrite has not made all edges between blocks yet, values are kept in
// variables of the function's frame, which are promoted to registers in the
// end.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_REGISTERS_H
#define HEDDLE_PASSES_IR_REGISTERS_H

#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

namespace heddle {

/// Creates a variable in the frame of \p F.
inline llvm::AllocaInst *createVariable(llvm::Function &F, llvm::Type *T,
                                        const llvm::Twine &Name) {
  llvm::IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  return B.CreateAlloca(T, nullptr, Name);
}

inline llvm::Value *load(llvm::IRBuilderBase &B, llvm::AllocaInst *Variable) {
  return B.CreateLoad(Variable->getAllocatedType(), Variable);
}

/// Returns \p Start after \p Count steps, which may be bytes of a pointer. What
/// counts from zero by ones is the count itself: debuggers find it where the
/// count is kept.
inline llvm::Value *stepped(llvm::IRBuilderBase &B, llvm::Value *Start,
                            llvm::Value *Step, llvm::Value *Count,
                            const llvm::Twine &Name = "") {
  const bool IsPointer = Start->getType()->isPointerTy();
  assert((IsPointer || Start->getType() == Step->getType()) &&
         "a number grows by its own type");
  llvm::Value *Distance = B.CreateZExtOrTrunc(Count, Step->getType());
  if (!llvm::PatternMatch::match(Step, llvm::PatternMatch::m_One()))
    Distance = B.CreateMul(Distance, Step);
  if (!IsPointer &&
      llvm::PatternMatch::match(Start, llvm::PatternMatch::m_Zero()))
    return Distance;
  return IsPointer ? B.CreatePtrAdd(Start, Distance, Name)
                   : B.CreateAdd(Start, Distance, Name);
}

/// Promotes \p Variables of \p F, but erases those that nobody uses. One that
/// code without a branch writes to, or to another place, stays in memory.
inline void promoteRegisters(llvm::Function &F,
                             llvm::ArrayRef<llvm::AllocaInst *> Variables) {
  llvm::SmallVector<llvm::AllocaInst *> Used;
  for (llvm::AllocaInst *Variable : Variables)
    if (Variable->use_empty()) {
      Variable->eraseFromParent();
    } else if (llvm::isAllocaPromotable(Variable)) {
      Used.push_back(Variable);
    }
  llvm::DominatorTree DT(F);
  llvm::PromoteMemToReg(Used, DT);
}

} // namespace heddle

#endif
