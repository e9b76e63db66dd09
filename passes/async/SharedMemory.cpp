//===- SharedMemory.cpp - Variables in memory that all tasks see ----------===//

#include "async/SharedMemory.h"
#include "async/InvariantLoads.h"
#include "async/Undisturbed.h"
#include "async/VariableClasses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace heddle;

namespace {

/// The plain accesses of a loop to one place that is the same in all
/// iterations.
struct Variable {
  SmallVector<LoadInst *, 2> Reads;
  SmallVector<StoreInst *, 2> Writes;
};

/// True if \p Read only serves commutative updates of the variable itself.
bool servesCommutativeUpdates(const LoadInst &Read, const Variable &V) {
  return all_of(Read.users(), [&](const User *U) {
    auto *Update = cast<Instruction>(U);
    if (!isCommutativeUpdate(Update, &Read) || !Update->hasOneUse())
      return false;
    auto *Write = dyn_cast<StoreInst>(*Update->user_begin());
    return Write && Write->getValueOperand() == Update &&
           is_contained(V.Writes, Write);
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

MaybeRefusal heddle::checkSharedMemory(const Loop &L, const Directive &D,
                                       const TaskLocals &Locals,
                                       const DominatorTree &DT,
                                       ScalarEvolution &SE) {
  if (isWorksharing(L, DT))
    return std::nullopt;
  MapVector<const SCEV *, Variable> Variables;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      Value *Address = getLoadStorePointerOperand(&I);
      if (!Address)
        continue;
      const SCEV *Place = SE.getSCEV(Address);
      auto *Alloca = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
      if (!SE.isLoopInvariant(Place, &L) || Locals.contains(Alloca) ||
          isNamed(Address, D))
        continue;
      if (auto *Read = dyn_cast<LoadInst>(&I); Read && !Read->isAtomic())
        Variables[Place].Reads.push_back(Read);
      else if (auto *Write = dyn_cast<StoreInst>(&I);
               Write && !Write->isAtomic())
        Variables[Place].Writes.push_back(Write);
    }
  for (auto &[Place, V] : Variables)
    for (LoadInst *Read : V.Reads) {
      if (V.Writes.empty() || servesCommutativeUpdates(*Read, V) ||
          any_of(V.Writes,
                 [&](StoreInst *Write) { return DT.dominates(Write, Read); }))
        continue;
      const Value *Object = getUnderlyingObject(Read->getPointerOperand());
      // Threads update what an OpenMP region captures in any order anyway.
      bool Ordered = isa<AllocaInst>(Object);
      if (!isCapturedByRegion(Object))
        Ordered |= any_of(V.Writes, [&](StoreInst *Write) {
          return flowsInto(Read, Write, L);
        });
      if (Ordered)
        return refuse("an iteration reads " +
                          describeVariable(Read->getPointerOperand()) +
                          ", which the one before may have written; say "
                          "private, shared or sequential for it",
                      Read);
    }
  return std::nullopt;
}
