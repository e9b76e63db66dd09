//===- KeptPointers.cpp - Pointers in variables of a function -------------===//

#include "async/places/KeptPointers.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

std::optional<SmallVector<const Value *, 4>>
heddle::pointersIn(const AllocaInst &Variable) {
  SmallVector<const Value *, 4> Pointers;
  SmallVector<const Use *> Worklist;
  SmallPtrSet<const Value *, 8> Seen;
  auto AddUses = [&](const Value &Address) {
    if (Seen.insert(&Address).second)
      for (const Use &U : Address.uses())
        Worklist.push_back(&U);
  };
  AddUses(Variable);
  while (!Worklist.empty()) {
    const Use &U = *Worklist.pop_back_val();
    const auto *User = cast<Instruction>(U.getUser());
    if (isa<GetElementPtrInst, PHINode, SelectInst>(User)) {
      AddUses(*User);
    } else if (auto *Store = dyn_cast<StoreInst>(User)) {
      const Value *What = Store->getValueOperand();
      if (U.getOperandNo() != StoreInst::getPointerOperandIndex())
        return std::nullopt;
      // The optimizer copies pointers as integers, too.
      if (!What->getType()->isPointerTy() && isa<LoadInst, PtrToIntInst>(What))
        return std::nullopt;
      if (What->getType()->isPointerTy())
        Pointers.push_back(What);
    } else if (!isa<LoadInst, CmpInst>(User) && !User->isLifetimeStartOrEnd()) {
      return std::nullopt;
    }
  }
  return Pointers;
}
