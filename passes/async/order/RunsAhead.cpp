//===- RunsAhead.cpp - Code of iterations that may not be reached ---------===//

#include "async/order/RunsAhead.h"
#include "ir/Instructions.h"
#include "mark/Marks.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;

/// The most pointers that are looked at to find the array of an address.
/// Bounds compile time.
static constexpr unsigned MostPointers = 32;

Value *heddle::arrayOf(Value *Address,
                       function_ref<bool(const Instruction *)> IsInside,
                       bool Trusted) {
  Value *Array = nullptr;
  SmallVector<Value *> Worklist{Address};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Worklist.empty()) {
    Value *V = Worklist.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() > MostPointers)
      return nullptr;
    auto *I = dyn_cast<Instruction>(V);
    if (!I || !IsInside(I)) {
      if (Array && Array != V)
        return nullptr;
      Array = V;
    } else if (auto *Gep = dyn_cast<GetElementPtrInst>(I)) {
      if (!Trusted && !Gep->isInBounds())
        return nullptr;
      Worklist.push_back(Gep->getPointerOperand());
    } else if (auto *Phi = dyn_cast<PHINode>(I)) {
      append_range(Worklist, Phi->incoming_values());
    } else if (auto *Select = dyn_cast<SelectInst>(I)) {
      Worklist.append({Select->getTrueValue(), Select->getFalseValue()});
    } else if (isa<FreezeInst>(I)) {
      Worklist.push_back(I->getOperand(0));
    } else
      return nullptr;
  }
  return Array && !isa<ConstantPointerNull, UndefValue>(Array) ? Array
                                                               : nullptr;
}

bool heddle::isThereForCertain(const LoadInst &Load) {
  return isDereferenceableAndAlignedPointer(Load.getPointerOperand(),
                                            Load.getType(), Load.getAlign(),
                                            Load.getDataLayout());
}

bool heddle::mayDivideByZero(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return !isSafeToSpeculativelyExecute(&I);
  default:
    return false;
  }
}

static bool mayReadAhead(const LoadInst &Load, const LoopContext &C,
                         const TaskLocals &Locals) {
  if (!Load.isSimple() || Load.getPointerAddressSpace())
    return false;
  if (isThereForCertain(Load))
    return true;
  const Value *Array =
      arrayOf(const_cast<Value *>(Load.getPointerOperand()),
              [&](const Instruction *I) { return C.L.contains(I); });
  auto *Local = dyn_cast_or_null<AllocaInst>(Array);
  return Array && !(Local && Locals.contains(Local));
}

/// True if \p Store is for certain to a variable of the iteration.
static bool isToLocal(const StoreInst &Store, const TaskLocals &Locals) {
  const DataLayout &DL = Store.getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Store.getPointerOperandType()), 0);
  auto *Local = dyn_cast<AllocaInst>(
      Store.getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true));
  if (!Store.isSimple() || !Local || !Locals.contains(Local) ||
      Offset.isNegative())
    return false;
  const uint64_t Bytes =
      DL.getTypeStoreSize(Store.getValueOperand()->getType()).getFixedValue();
  return Offset.getZExtValue() + Bytes <=
         Local->getAllocationSize(DL)->getFixedValue();
}

bool heddle::mayRunAhead(const Instruction &I, const LoopContext &C,
                         const TaskLocals &Locals) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return mayReadAhead(*Load, C, Locals);
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return isToLocal(*Store, Locals);
  if (isa<BranchInst, SwitchInst>(I))
    return all_of(successors(I.getParent()),
                  [&](const BasicBlock *To) { return C.L.contains(To); });
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (calleeName(I) == AsyncMarkerName || I.isDebugOrPseudoInst() ||
        I.isLifetimeStartOrEnd())
      return true;
    auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    return isSafeToSpeculativelyExecute(Call) ||
           (Intrinsic && (Intrinsic->isAssumeLikeIntrinsic() ||
                          Intrinsic->getIntrinsicID() == Intrinsic::prefetch));
  }
  return isa<PHINode>(I) || isSafeToSpeculativelyExecute(&I) ||
         (mayDivideByZero(I) && I.getType()->isIntegerTy());
}
