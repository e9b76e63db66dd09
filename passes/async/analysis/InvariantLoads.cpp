//===- InvariantLoads.cpp - Variables the loop does not change ------------===//

#include "async/analysis/InvariantLoads.h"
#include "async/analysis/Undisturbed.h"
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

/// True if something in \p L asks for memory to be read again or takes a lock.
static bool hasBarrier(const Loop &L) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
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

/// True if some write in \p L goes to the same place as \p Load by another
/// name: an equal address expression.
static bool assignsEqual(const Loop &L, const LoadInst &Load,
                         ScalarEvolution &SE) {
  const SCEV *Place = SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  const Value *Object = getUnderlyingObject(Load.getPointerOperand());
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (!I.mayWriteToMemory())
        continue;
      Value *Written = nullptr;
      if (auto *Store = dyn_cast<StoreInst>(&I))
        Written = Store->getPointerOperand();
      else if (auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
        Written = Atomic->getPointerOperand();
      else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
        Written = Exchange->getPointerOperand();
      if (Written) {
        if (SE.getSCEV(Written) == Place)
          return true;
        // Elsewhere in the same object, unless at another constant offset.
        if (getUnderlyingObject(Written) == Object &&
            !isa<SCEVConstant>(SE.getMinusSCEV(SE.getSCEV(Written), Place)))
          return true;
        continue;
      }
      if (auto *Call = dyn_cast<CallBase>(&I))
        for (Value *Argument : Call->args())
          if (Argument->getType()->isPointerTy() &&
              getUnderlyingObject(Argument) == Object &&
              !Call->onlyReadsMemory() && !I.isLifetimeStartOrEnd())
            return true;
    }
  return false;
}

/// Callees that write to nothing but what their arguments point to.
static bool writesArgumentsOnly(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && (Callee->getName().starts_with("__kmpc_atomic_") ||
                    Callee->getName().starts_with("__atomic_") ||
                    Callee->getName().starts_with("__ubsan_handle_"));
}

/// True if an iteration may change what \p Load reads by a name that it is not
/// known by here: in a callee, as errno is changed; or through a pointer, if
/// it then reads it itself, or if not all iterations read it and thus need it
/// to stay as it is.
static bool mayChangeUnseen(const LoopContext &C, const LoadInst &Load,
                            bool InEveryIteration) {
  const Loop &L = C.L;
  AAResults &AA = C.AA;
  MemoryLocation Place = MemoryLocation::get(&Load);
  SmallPtrSet<BasicBlock *, 1> OtherIterations{L.getHeader()};
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
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

bool heddle::hoistInvariantLoads(const LoopContext &C, const Directive &D,
                                 const TaskLocals &Locals) {
  Loop &L = C.L;
  DominatorTree &DT = C.DT;
  ScalarEvolution &SE = C.SE;
  bool Barrier = hasBarrier(L);
  Instruction *Preheader = L.getLoopPreheader()->getTerminator();
  bool Changed = false;
  auto IsTaskLocal = [&](const Value *Address) {
    auto *Alloca = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
    return Alloca && Locals.contains(Alloca);
  };
  ReversePostOrderTraversal<BasicBlock *> RPO(L.getHeader());
  for (BasicBlock *Block : RPO) {
    if (!L.contains(Block))
      continue;
    for (Instruction &I : make_early_inc_range(*Block)) {
      // Addresses of members of hoisted objects follow.
      if (auto *Gep = dyn_cast<GetElementPtrInst>(&I)) {
        if (L.hasLoopInvariantOperands(Gep) && !IsTaskLocal(Gep)) {
          Gep->moveBefore(Preheader->getIterator());
          SE.forgetValue(Gep);
          Changed = true;
        }
        continue;
      }
      auto *Load = dyn_cast<LoadInst>(&I);
      if (!Load || !Load->isSimple() ||
          !L.isLoopInvariant(Load->getPointerOperand()) ||
          IsTaskLocal(Load->getPointerOperand()))
        continue;
      const Value *Variable = Load->getPointerOperand();
      if (is_contained(D.Private, Variable) ||
          is_contained(D.Shared, Variable) ||
          is_contained(D.Sequential, Variable))
        continue;
      if (assigns(L, Variable) || assignsEqual(L, *Load, SE))
        continue;
      if (Barrier && !isConstantInRegion(Variable))
        continue;
      bool InEveryIteration = DT.dominates(Block, L.getLoopLatch());
      if (!isCapturedByRegion(Variable) &&
          mayChangeUnseen(C, *Load, InEveryIteration))
        continue;
      // In front of the loop the load must be able to complete: it is reached
      // in every iteration, or its variable exists for certain.
      if (!InEveryIteration &&
          !isSafeToLoadUnconditionally(
              Load->getPointerOperand(), Load->getType(), Load->getAlign(),
              Load->getDataLayout(), Preheader, &C.AC, &DT))
        continue;
      Load->moveBefore(Preheader->getIterator());
      // What was known of the value held where it was loaded.
      Load->dropUnknownNonDebugMetadata({LLVMContext::MD_tbaa});
      SE.forgetValue(Load);
      Changed = true;
    }
  }
  if (Changed)
    SE.forgetLoop(&L);
  return Changed;
}
