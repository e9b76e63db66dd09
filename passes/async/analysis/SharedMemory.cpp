//===- SharedMemory.cpp - Variables in memory that all tasks see ----------===//

#include "async/analysis/SharedMemory.h"
#include "async/analysis/InvariantLoads.h"
#include "async/analysis/Undisturbed.h"
#include "async/analysis/VariableClasses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

namespace {

/// The plain accesses of a loop to one place that is the same in all
/// iterations, or to all elements of one array.
struct Variable {
  SmallVector<Instruction *, 2> Reads, Writes;
  /// Those of the writes that go over the same elements in all iterations.
  SmallVector<Instruction *, 2> Sweeps;

  /// True if what iterations write by \p Some of the writes is not made of what
  /// was there, but some of it is read.
  bool isScratch(ArrayRef<Instruction *> Some, const Loop &L,
                 const FrameValues &Frames) const {
    return !Reads.empty() && any_of(Some, [&](const Instruction *Write) {
      return none_of(Reads, [&](const Instruction *Read) {
        return flowsInto(Read, Write, L, Frames);
      });
    });
  }

  /// True if the result does not depend on the order of the iterations: all
  /// update it by commutative operations and use it for nothing else, or all
  /// set it to one value and do not look at it.
  bool isCommutative(const Loop &L) const {
    const Value *Set = nullptr;
    for (const Instruction *Write : Writes) {
      auto *Store = dyn_cast<StoreInst>(Write);
      if (!Store)
        return false;
      const Value *New = Store->getValueOperand();
      auto *Update = dyn_cast<Instruction>(New);
      if (Update && Update->hasOneUse() &&
          any_of(Reads, [&](const Instruction *Read) {
            return isCommutativeUpdate(Update, Read);
          }))
        continue;
      if (!Reads.empty() || !L.isLoopInvariant(New) || (Set && Set != New))
        return false;
      Set = New;
    }
    return all_of(Reads, [&](const Instruction *Read) {
      return all_of(Read->users(), [&](const User *U) {
        auto *Update = cast<Instruction>(U);
        return isCommutativeUpdate(Update, Read) && Update->hasOneUse() &&
               is_contained(Writes, *Update->user_begin());
      });
    });
  }
};

/// True if each iteration of \p L has a place of its own at \p Place.
bool movesWith(const SCEV *Place, const Loop &L) {
  auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Place);
  return Recurrence && Recurrence->getLoop() == &L;
}

/// True if an inner loop goes through the same addresses in all iterations of
/// \p L.
bool isSweep(const SCEV *Place, const Loop &L) {
  return isa<SCEVAddRecExpr>(Place) &&
         !SCEVExprContains(Place, [&](const SCEV *S) {
           if (auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S))
             return Recurrence->getLoop() == &L;
           auto *Unknown = dyn_cast<SCEVUnknown>(S);
           auto *I =
               Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
           return I && L.contains(I);
         });
}

/// True if the value that \p Write stores comes from the iteration before.
bool continuesIteration(const Instruction *Write, const Loop &L,
                        const FrameValues &Frames, ScalarEvolution &SE) {
  return any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
    bool IsInduction =
        SE.isSCEVable(Phi.getType()) &&
        isa<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)));
    return !IsInduction && flowsInto(&Phi, Write, L, Frames);
  });
}

/// True if \p Address is named in a clause that says what to do.
bool isNamed(const Value *Address, const Directive &D) {
  const Value *Object = getUnderlyingObject(Address);
  auto Names = [&](ArrayRef<Value *> Clause) {
    return any_of(Clause, [&](Value *Named) {
      return getUnderlyingObject(Named) == Object;
    });
  };
  return Names(D.Private) || Names(D.Shared) || Names(D.Sequential);
}

/// True if \p L is the loop of an OpenMP worksharing construct, whose
/// iterations may be in any thread's hands: none relies on the one before.
bool isWorksharing(const Loop &L, const DominatorTree &DT) {
  const BasicBlock *Header = L.getHeader();
  const CallBase *Begin = nullptr, *End = nullptr;
  for (const BasicBlock &Block : *Header->getParent())
    for (const Instruction &I : Block) {
      auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !DT.dominates(&Block, Header))
        continue;
      StringRef Name = Callee->getName();
      if (Name.starts_with("__kmpc_for_static_init_") ||
          Name.starts_with("__kmpc_dispatch_init_")) {
        if (!Begin || DT.dominates(Begin, Call))
          Begin = Call;
      } else if (Name == "__kmpc_for_static_fini") {
        if (!End || DT.dominates(End, Call))
          End = Call;
      }
    }
  return Begin && !(End && DT.dominates(Begin, End));
}

} // namespace

SmallVector<Instruction *>
heddle::findOrderedAccesses(const LoopContext &C, const Directive &D,
                            const TaskLocals &Locals) {
  const Loop &L = C.L;
  ScalarEvolution &SE = C.SE;
  MapVector<const SCEV *, Variable> Variables;
  MapVector<const Value *, Variable> Arrays;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      Value *Address = getLoadStorePointerOperand(&I);
      if (auto *Copy = dyn_cast<MemIntrinsic>(&I))
        Address = Copy->getRawDest();
      if (!Address || I.isAtomic())
        continue;
      const SCEV *Place = SE.getSCEV(Address);
      auto *Alloca = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
      if (Locals.contains(Alloca) || isNamed(Address, D))
        continue;
      bool Fixed = SE.isLoopInvariant(Place, &L);
      if (isa<MemIntrinsic>(I) || (!Fixed && !movesWith(Place, L))) {
        Variable &Array = Arrays[getUnderlyingObject(Address)];
        (isa<LoadInst>(I) ? Array.Reads : Array.Writes).push_back(&I);
        if (!isa<LoadInst>(I) && (Fixed || isSweep(Place, L)))
          Array.Sweeps.push_back(&I);
      }
      if (!Fixed)
        continue;
      Variable &V = Variables[Place];
      (isa<LoadInst>(I) ? V.Reads : V.Writes).push_back(&I);
    }
  const FrameValues Frames(L);
  bool Worksharing = isWorksharing(L, C.DT);
  SmallVector<Instruction *> Ordered;
  for (auto &[Place, V] : Variables) {
    // Threads would race for the order, unless it is that of a register whose
    // value the compiler also keeps in memory.
    if (V.isCommutative(L) ||
        (Worksharing && none_of(V.Writes, [&](Instruction *Write) {
           return continuesIteration(Write, L, Frames, SE);
         })))
      continue;
    Ordered.append(V.Reads);
    Ordered.append(V.Writes);
  }
  if (!Worksharing)
    for (auto &[Object, Array] : Arrays)
      // What lies elsewhere than on the stack is seldom meant for one iteration
      // alone, unless all overwrite the same elements.
      if (Array.isScratch(isa<AllocaInst>(Object) ? Array.Writes : Array.Sweeps,
                          L, Frames)) {
        Ordered.append(Array.Reads);
        Ordered.append(Array.Writes);
      }
  return Ordered;
}
