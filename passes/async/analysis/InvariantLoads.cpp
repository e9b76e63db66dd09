//===- InvariantLoads.cpp - Variables the loop does not change ------------===//

#include "async/analysis/InvariantLoads.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/Reloads.h"
#include "async/places/ArrayPointers.h"
#include "async/places/ChosenPlaces.h"
#include "ir/Instructions.h"
#include "ir/Islands.h"
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
#include "llvm/IR/IntrinsicInst.h"

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
    // The thread's own exceptions are handled as under a lock, but order
    // nothing between threads.
    if (lockEffect(*Call) != LockEffect::None &&
        !is_contained({"__cxa_begin_catch", "__cxa_end_catch"},
                      calleeName(*Call)))
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
    if (!I || !L.contains(I) || isa<LoadInst>(I) || I->isLifetimeStartOrEnd() ||
        hasCodeBeside(*I))
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
         !hasCodeBeside(Call) &&
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

/// True if \p Call throws an exception without a destructor, or one of the
/// standard library.
static bool throwsHarmlessly(const CallBase &Call) {
  const StringRef Name = calleeName(Call);
  if (Name == "__cxa_throw")
    return isa<ConstantPointerNull>(Call.getArgOperand(2));
  const Function *Callee = Call.getCalledFunction();
  return Name == "__cxa_rethrow" ||
         (Callee && Callee->isDeclaration() && Call.doesNotReturn() &&
          Name.starts_with("_ZSt") && Name.contains("__throw_"));
}

/// True if \p Call is part of throwing or catching an exception, and those
/// that are caught in \p L have no destructors of the program's, which could
/// write to anything.
static bool handlesException(const CallBase &Call, const Loop &L) {
  static constexpr StringLiteral Handlers[] = {
      "__cxa_allocate_exception", "__cxa_begin_catch", "__cxa_end_catch",
      "__cxa_free_exception"};
  if (!throwsHarmlessly(Call) && !is_contained(Handlers, calleeName(Call)))
    return false;
  return all_of(instructionsIn(L.blocks()), [](const Instruction &I) {
    auto *Throw = dyn_cast<InvokeInst>(&I);
    return !Throw || Throw->doesNotThrow() || throwsHarmlessly(*Throw);
  });
}

/// True if \p I writes to an exception that is about to be thrown.
static bool fillsException(Instruction &I) {
  const Value *Address = writtenAddress(I);
  auto *Call =
      Address ? dyn_cast<CallBase>(getUnderlyingObject(Address)) : nullptr;
  return Call && calleeName(*Call) == "__cxa_allocate_exception";
}

/// True if \p Load reads a pointer, as its type says, and \p I updates a number
/// atomically that is smaller: strict aliasing, which atomic updates carry no
/// mark of.
static bool countsBesidePointer(const Instruction &I, const LoadInst &Load) {
  auto *Update = dyn_cast<AtomicRMWInst>(&I);
  const MDNode *Tag = Load.getMetadata(LLVMContext::MD_tbaa);
  if (!Update || !Tag || !Load.getType()->isPointerTy() ||
      Load.getDataLayout().getTypeSizeInBits(Update->getType()) >=
          Load.getDataLayout().getTypeSizeInBits(Load.getType()))
    return false;
  // Members of unions count as characters, which may be anything.
  auto *Type = dyn_cast<MDNode>(Tag->getOperand(1));
  auto *Name = Type && Type->getNumOperands()
                   ? dyn_cast<MDString>(Type->getOperand(0))
                   : nullptr;
  if (!Name)
    return false;
  StringRef Text = Name->getString();
  return Text == "any pointer" ||
         (Text.consume_front("p") && !Text.empty() && isDigit(Text.front()));
}

/// True for calls that are code of another function, rather than writes of the
/// loop's own.
static bool isOtherCode(const Instruction &I) {
  return isa<CallBase>(I) && !isa<AnyMemIntrinsic>(I);
}

/// True if a callee may change the variable of \p Load, like errno; an
/// allocator may if \p MayBeAccount .
static bool mayChangeInCallee(const LoopContext &C, const LoadInst &Load,
                              bool MayBeAccount) {
  const MemoryLocation Place = MemoryLocation::get(&Load);
  return any_of(instructionsIn(C.L.blocks()), [&](Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && isOtherCode(I) && Call->mayWriteToMemory() &&
           !Call->isLifetimeStartOrEnd() && !writesArgumentsOnly(*Call) &&
           !hasCodeBeside(*Call) && (MayBeAccount || !isNewOrDelete(*Call)) &&
           !(C.Memory && C.Memory->isOwnCall(*Call)) &&
           !handlesException(*Call, C.L) && !leavesArray(*Call, Load, C.L) &&
           isModSet(C.AA.getModRefInfo(Call, Place));
  });
}

/// True if an iteration may change the variable of \p Load by a plain store to
/// one of few variables that it chooses, or to one that another pointer leads
/// to, as to a flag that it has found not to be set. Pointers, such as those of
/// vectors that it appends to, are not taken for such flags.
static bool mayChangeByChoice(const LoopContext &C, const LoadInst &Load) {
  const MemoryLocation Place = MemoryLocation::get(&Load);
  return any_of(instructionsIn(C.L.blocks()), [&](Instruction &I) {
    auto *Store = dyn_cast<StoreInst>(&I);
    // Nothing else lies in far memory.
    if (!Store || !Store->isSimple() || fillsException(I) ||
        (accessesFar(I) && !isFar(Load.getPointerOperand())) ||
        C.AA.isNoAlias(MemoryLocation::get(Store), Place))
      return false;
    const PlaceKind Kind = placeKind(Store->getPointerOperand(), C.L, C.SE);
    return Kind == PlaceKind::Chosen ||
           (Kind == PlaceKind::Fixed && !Load.getType()->isPointerTy() &&
            !isCommutativeUpdate(*Store));
  });
}

/// True if an iteration may change the variable of \p Load by another name: in
/// a callee; where it chooses one of several variables; or through a pointer,
/// if the iteration itself reads the variable afterwards, or if some iterations
/// do not read it and so do not rely on its value.
static bool mayChangeUnseen(const LoopContext &C, const LoadInst &Load,
                            bool InEveryIteration) {
  if (mayChangeInCallee(C, Load, mayBeAccount(Load)) ||
      mayChangeByChoice(C, Load))
    return true;
  const Loop &L = C.L;
  AAResults &AA = C.AA;
  MemoryLocation Place = MemoryLocation::get(&Load);
  SmallPtrSet<BasicBlock *, 1> OtherIterations{L.getHeader()};
  for (Instruction &I : instructionsIn(L.blocks())) {
    if (!I.mayWriteToMemory() || I.isLifetimeStartOrEnd() || isOtherCode(I))
      continue;
    // Nothing else lies in far memory.
    if (accessesFar(I) && !isFar(Load.getPointerOperand()))
      continue;
    if (countsBesidePointer(I, Load) || fillsException(I))
      continue;
    auto *Filled = dyn_cast<AnyMemIntrinsic>(&I);
    const std::optional<MemoryLocation> Written =
        Filled ? MemoryLocation::getForDest(Filled)
               : MemoryLocation::getOrNone(&I);
    if ((!InEveryIteration ||
         isPotentiallyReachable(&I, &Load, &OtherIterations, &C.DT)) &&
        (!Written || !AA.isNoAlias(*Written, Place)))
      return true;
  }
  return false;
}

namespace {

/// The phis and loads that a variable of the loop gets its value from.
struct Carried {
  SmallSetVector<PHINode *, 8> Phis;
  SmallSetVector<LoadInst *, 4> Reloads;

  /// False if \p Phi may get another value than \p Entry, on entry, and what
  /// iterations read from one place.
  bool collect(PHINode &Phi, const Value *Entry, const Loop &L,
               ScalarEvolution &SE) {
    Phis.insert(&Phi);
    for (unsigned Next = 0; Next < Phis.size(); ++Next)
      for (Value *Incoming : Phis[Next]->incoming_values()) {
        auto *I = dyn_cast<Instruction>(Incoming);
        if (Incoming == Entry)
          continue;
        if (!I || !L.contains(I))
          return false;
        if (auto *Merged = dyn_cast<PHINode>(I))
          Phis.insert(Merged);
        else if (auto *Load = dyn_cast<LoadInst>(I))
          Reloads.insert(Load);
        else
          return false;
      }
    return all_of(Reloads, [&](LoadInst *Load) {
      return SE.getSCEV(Load->getPointerOperand()) ==
             SE.getSCEV(Reloads.front()->getPointerOperand());
    });
  }
};

class Hoister {
  const LoopContext &C;
  Loop &L;
  const Directive &D;
  const TaskLocals &Locals;
  const ArrayRef<EarlyExit> EarlyExits;
  const bool HasBarrier;
  Instruction *const Preheader;

public:
  Hoister(const LoopContext &C, const Directive &D, const TaskLocals &Locals,
          ArrayRef<EarlyExit> EarlyExits)
      : C(C), L(C.L), D(D), Locals(Locals), EarlyExits(EarlyExits),
        HasBarrier(hasBarrier(L)),
        Preheader(L.getLoopPreheader()->getTerminator()) {}

  bool run() {
    bool Changed = false;
    while (any_of(L.getHeader()->phis(),
                  [&](PHINode &Phi) { return foldReloads(Phi); }))
      Changed = true;
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
  /// Gives \p Phi the value that it has on entry, if iterations hand on to the
  /// next one only what they have read again from a variable that they do not
  /// change. The compiler does so where they read it at their beginning, too,
  /// and an atomic access lies in between. True if the phi is gone.
  bool foldReloads(PHINode &Phi) {
    Value *Entry = Phi.getIncomingValueForBlock(Preheader->getParent());
    Carried Web;
    if (!Web.collect(Phi, Entry, L, C.SE))
      return false;
    if (!isReadOnEntry(*Entry, Web.Reloads.getArrayRef()))
      return false;
    // An iteration that has waited for another thread reads anew.
    if (!all_of(Web.Reloads,
                [&](const LoadInst *Load) { return isInvariant(*Load); })) {
      replace(Phi, *Entry);
      return true;
    }
    for (PHINode *Merged : Web.Phis)
      replace(*Merged, *Entry);
    for (LoadInst *Load : Web.Reloads)
      replace(*Load, *Entry);
    return true;
  }

  /// True if \p Reloads, from one place, read what the variable holds on entry,
  /// as far as other iterations are concerned.
  bool isReadOnEntry(const Value &Entry, ArrayRef<LoadInst *> Reloads) const {
    return Reloads.empty() ||
           (all_of(Reloads,
                   [&](const LoadInst *Load) { return isUnassigned(*Load); }) &&
            (isCapturedByRegion(Reloads.front()->getPointerOperand()) ||
             !(mayChangeInCallee(C, *Reloads.front(),
                                 mayBeAccount(*Reloads.front())) ||
               mayChangeByChoice(C, *Reloads.front()))) &&
            heddle::isReadOnEntry(C, Entry, *Reloads.front()));
  }

  void replace(Instruction &I, Value &By) {
    C.SE.forgetValue(&I);
    I.replaceAllUsesWith(&By);
    I.eraseFromParent();
  }

  /// True if \p I could be moved.
  bool hoist(Instruction &I) {
    // Addresses in objects whose pointers have been hoisted.
    auto *Gep = dyn_cast<GetElementPtrInst>(&I);
    auto *Load = dyn_cast<LoadInst>(&I);
    auto *Call = dyn_cast<CallInst>(&I);
    const bool IsHoisted =
        Gep    ? L.hasLoopInvariantOperands(Gep) && !isTaskLocal(Gep)
        : Call ? isConstant(*Call)
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

  /// True if \p Call returns the same in all iterations and does nothing, as
  /// the function that says where errno is. LLVM leaves it in the loop where a
  /// call in front of it may not return.
  bool isConstant(const CallInst &Call) const {
    return !isa<IntrinsicInst>(Call) && Call.doesNotAccessMemory() &&
           Call.doesNotThrow() && Call.willReturn() && !Call.isConvergent() &&
           !Call.isInlineAsm() && L.hasLoopInvariantOperands(&Call) &&
           (Call.arg_empty() || isInEveryIteration(Call));
  }

  bool isTaskLocal(const Value *Address) const {
    auto *Alloca = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
    return Alloca && Locals.contains(Alloca);
  }

  bool isInEveryIteration(const Instruction &I) const {
    return C.DT.dominates(I.getParent(), L.getLoopLatch());
  }

  /// True if no iteration leaves the loop in front of \p I.
  bool isInFrontOfExits(const Instruction &I) const {
    return all_of(EarlyExits, [&](const EarlyExit &Exit) {
      return C.DT.dominates(&I, Exit.From->getTerminator());
    });
  }

  /// True if the loop does not change the variable of \p Load by its name.
  bool isUnassigned(const LoadInst &Load) const {
    const Value *Variable = Load.getPointerOperand();
    return isAssignedNowhere(Load, L, C.SE) && !isTaskLocal(Variable) &&
           !isInClause(Variable, D);
  }

  /// True if \p Load reads the same value in all iterations.
  bool isInvariant(const LoadInst &Load) const {
    const Value *Variable = Load.getPointerOperand();
    if (!isUnassigned(Load))
      return false;
    if (HasBarrier && !isConstantInRegion(Variable))
      return false;
    return isCapturedByRegion(Variable) ||
           (isOnlyBound(Load)
                ? !mayChangeInCallee(C, Load, /*MayBeAccount=*/false)
                : !mayChangeUnseen(C, Load, isInEveryIteration(Load)));
  }

  /// True if all that \p Load decides is whether there is another iteration. An
  /// iteration that changed it would decide for the next one.
  bool isOnlyBound(const LoadInst &Load) const {
    SmallPtrSet<const Value *, 8> Seen;
    SmallVector<const Value *> Worklist{&Load};
    bool Decides = false;
    while (!Worklist.empty())
      for (const User *U : Worklist.pop_back_val()->users()) {
        auto *I = cast<Instruction>(U);
        const bool IsEnd = I == L.getLoopLatch()->getTerminator();
        Decides |= IsEnd;
        if (IsEnd || !Seen.insert(I).second)
          continue;
        if (!L.contains(I) || !isa<BinaryOperator, CastInst, CmpInst,
                                   FreezeInst, GetElementPtrInst, LoadInst>(I))
          return false;
        Worklist.push_back(I);
      }
    return Decides;
  }

  /// True if \p Load is reached in every iteration, or if its variable exists
  /// for certain.
  bool canCompleteInPreheader(LoadInst &Load) const {
    return (isInEveryIteration(Load) && isInFrontOfExits(Load)) ||
           isSafeToLoadUnconditionally(Load.getPointerOperand(), Load.getType(),
                                       Load.getAlign(), Load.getDataLayout(),
                                       Preheader, &C.AC, &C.DT);
  }
};

} // namespace

bool heddle::isAssignedNowhere(const LoadInst &Load, const Loop &L,
                               ScalarEvolution &SE) {
  return Load.isSimple() && L.isLoopInvariant(Load.getPointerOperand()) &&
         !assigns(L, Load.getPointerOperand()) && !assignsEqual(L, Load, SE);
}

bool heddle::hoistInvariantLoads(const LoopContext &C, const Directive &D,
                                 const TaskLocals &Locals,
                                 ArrayRef<EarlyExit> EarlyExits) {
  assert(C.L.getLoopPreheader() && C.L.getLoopLatch() && "normalised before");
  return Hoister(C, D, Locals, EarlyExits).run();
}
