//===- InvariantLoads.cpp - Variables the loop does not change ------------===//

#include "async/analysis/InvariantLoads.h"
#include "async/analysis/AccessRelations.h"
#include "ir/Instructions.h"
#include "loop/CapturedVariables.h"
#include "loop/FarAccess.h"
#include "loop/LoopShape.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

/// True if \p L contains a memory barrier or takes a lock.
static bool hasBarrier(const Loop &L) {
  for (const Instruction &I : instructionsIn(L.blocks())) {
    if (isa<FenceInst>(I) || acquires(I))
      return true;
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    if (lockEffect(*Call) != LockEffect::None)
      return true;
    if (auto *Asm = dyn_cast<InlineAsm>(Call->getCalledOperand()))
      if (StringRef(Asm->getConstraintString()).contains("memory"))
        return true;
  }
  return false;
}

/// True if \p L writes to \p Address itself, or hands it to a callee.
static bool assigns(const Loop &L, const Value *Address) {
  for (const User *U : Address->users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I || !L.contains(I) || isa<LoadInst>(I) || I->isLifetimeStartOrEnd())
      continue;
    // Another address that is computed from this one may be this one.
    if (auto *Gep = dyn_cast<GetElementPtrInst>(I)) {
      if (Gep->hasAllZeroIndices() && assigns(L, Gep))
        return true;
      continue;
    }
    if (isa<CmpInst>(I))
      continue;
    return true;
  }
  return false;
}

/// Returns the address that \p I, a store or an atomic access, writes to; null
/// for other instructions.
static Value *writtenAddress(Instruction &I) {
  return isa<LoadInst>(I) ? nullptr : accessedAddress(I);
}

/// True if \p Call hands the object to a callee that may write to it.
static bool handsToWriter(const CallBase &Call, const Value *Object) {
  return !Call.onlyReadsMemory() && !Call.isLifetimeStartOrEnd() &&
         any_of(Call.args(), [&](const Value *Argument) {
           return Argument->getType()->isPointerTy() &&
                  getUnderlyingObject(Argument) == Object;
         });
}

/// True if some write in \p L is to the address of \p Load by another name: an
/// equal address expression.
static bool assignsEqual(const Loop &L, const LoadInst &Load,
                         ScalarEvolution &SE) {
  const SCEV *Place = SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  const Value *Object = getUnderlyingObject(Load.getPointerOperand());
  auto MayBeSame = [&](Value *Written) {
    const SCEV *Address = SE.getSCEV(Written);
    // Elsewhere in the same object, unless at another constant offset.
    return Address == Place ||
           (getUnderlyingObject(Written) == Object &&
            !isa<SCEVConstant>(SE.getMinusSCEV(Address, Place)));
  };
  for (Instruction &I : instructionsIn(L.blocks())) {
    if (!I.mayWriteToMemory())
      continue;
    if (Value *Written = writtenAddress(I)) {
      if (MayBeSame(Written))
        return true;
    } else if (auto *Call = dyn_cast<CallBase>(&I);
               Call && handsToWriter(*Call, Object))
      return true;
  }
  return false;
}

/// True if the callee writes only to memory that its arguments point to.
static bool writesArgumentsOnly(const CallBase &Call) {
  const StringRef Name = calleeName(Call);
  return Name.starts_with("__kmpc_atomic_") || Name.starts_with("__atomic_") ||
         Name.starts_with("__ubsan_handle_");
}

/// True if an iteration may change the variable of \p Load by another name: in
/// a callee, like errno; or through a pointer, if the iteration itself reads
/// the variable afterwards, or if some iterations do not read it and so do not
/// rely on its value.
static bool mayChangeUnseen(const LoopContext &C, const LoadInst &Load,
                            bool InEveryIteration) {
  const Loop &L = C.L;
  AAResults &AA = C.AA;
  MemoryLocation Place = MemoryLocation::get(&Load);
  SmallPtrSet<BasicBlock *, 1> OtherIterations{L.getHeader()};
  for (Instruction &I : instructionsIn(L.blocks())) {
    if (!I.mayWriteToMemory() || I.isLifetimeStartOrEnd())
      continue;
    if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (!writesArgumentsOnly(*Call) &&
          isModSet(AA.getModRefInfo(Call, Place)))
        return true;
      continue;
    }
    // Nothing else lies in far memory.
    if (accessesFar(I) && !isFar(Load.getPointerOperand()))
      continue;
    std::optional<MemoryLocation> Written = MemoryLocation::getOrNone(&I);
    if ((!InEveryIteration ||
         isPotentiallyReachable(&I, &Load, &OtherIterations, &C.DT)) &&
        (!Written || !AA.isNoAlias(*Written, Place)))
      return true;
  }
  return false;
}

static bool isInClause(const Value *Variable, const Directive &D) {
  return is_contained(D.Private, Variable) ||
         is_contained(D.Shared, Variable) ||
         is_contained(D.Sequential, Variable);
}

namespace {

class Hoister {
  const LoopContext &C;
  Loop &L;
  const Directive &D;
  const TaskLocals &Locals;
  const bool HasBarrier;
  Instruction *const Preheader;

public:
  Hoister(const LoopContext &C, const Directive &D, const TaskLocals &Locals)
      : C(C), L(C.L), D(D), Locals(Locals), HasBarrier(hasBarrier(L)),
        Preheader(L.getLoopPreheader()->getTerminator()) {}

  bool run() {
    bool Changed = false;
    ReversePostOrderTraversal<BasicBlock *> RPO(L.getHeader());
    for (BasicBlock *Block : RPO)
      if (L.contains(Block))
        for (Instruction &I : make_early_inc_range(*Block))
          Changed |= hoist(I);
    if (Changed)
      C.SE.forgetLoop(&L);
    return Changed;
  }

private:
  /// True if \p I could be moved.
  bool hoist(Instruction &I) {
    // Addresses in objects whose pointers have been hoisted.
    auto *Gep = dyn_cast<GetElementPtrInst>(&I);
    auto *Load = dyn_cast<LoadInst>(&I);
    const bool IsHoisted =
        Gep ? L.hasLoopInvariantOperands(Gep) && !isTaskLocal(Gep)
            : Load && isInvariant(*Load) && canCompleteInPreheader(*Load);
    if (!IsHoisted)
      return false;
    I.moveBefore(Preheader->getIterator());
    // Its metadata held in the loop only.
    if (Load)
      Load->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
    C.SE.forgetValue(&I);
    return true;
  }

  bool isTaskLocal(const Value *Address) const {
    auto *Alloca = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
    return Alloca && Locals.contains(Alloca);
  }

  bool isInEveryIteration(const Instruction &I) const {
    return C.DT.dominates(I.getParent(), L.getLoopLatch());
  }

  /// True if \p Load reads the same value in all iterations.
  bool isInvariant(const LoadInst &Load) const {
    const Value *Variable = Load.getPointerOperand();
    if (!Load.isSimple() || !L.isLoopInvariant(Variable) ||
        isTaskLocal(Variable) || isInClause(Variable, D) ||
        assigns(L, Variable) || assignsEqual(L, Load, C.SE))
      return false;
    if (HasBarrier && !isConstantInRegion(Variable))
      return false;
    return isCapturedByRegion(Variable) ||
           !mayChangeUnseen(C, Load, isInEveryIteration(Load));
  }

  /// True if \p Load is reached in every iteration, or if its variable exists
  /// for certain.
  bool canCompleteInPreheader(LoadInst &Load) const {
    return isInEveryIteration(Load) ||
           isSafeToLoadUnconditionally(Load.getPointerOperand(), Load.getType(),
                                       Load.getAlign(), Load.getDataLayout(),
                                       Preheader, &C.AC, &C.DT);
  }
};

} // namespace

bool heddle::hoistInvariantLoads(const LoopContext &C, const Directive &D,
                                 const TaskLocals &Locals) {
  assert(C.L.getLoopPreheader() && C.L.getLoopLatch() && "normalised before");
  return Hoister(C, D, Locals).run();
}
