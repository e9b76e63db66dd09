//===- Undisturbed.cpp - Stretches of code no suspension may cut ----------===//

#include "async/Undisturbed.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// True if each iteration of \p L has a location of its own at \p Address.
static bool distinctPerIteration(Value *Address, uint64_t Bytes, const Loop &L,
                                 ScalarEvolution &SE) {
  auto *Recurrence = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Address));
  if (!Recurrence || Recurrence->getLoop() != &L || !Recurrence->isAffine())
    return false;
  auto *Step = dyn_cast<SCEVConstant>(Recurrence->getStepRecurrence(SE));
  return Step && Step->getAPInt().abs().uge(Bytes);
}

/// True if something in \p L other than the accesses at \p Address itself may
/// write to the object that it points into.
static bool writtenElsewhere(Value *Address, const Loop &L, AAResults &AA) {
  MemoryLocation Object =
      MemoryLocation::getBeforeOrAfter(getUnderlyingObject(Address));
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (!I.mayWriteToMemory() || I.isLifetimeStartOrEnd())
        continue;
      if (auto *Store = dyn_cast<StoreInst>(&I))
        if (Store->getPointerOperand() == Address)
          continue;
      if (isModSet(AA.getModRefInfo(&I, Object)))
        return true;
    }
  return false;
}

static bool isLocal(Value *Address, const TaskLocals &Locals) {
  auto *Alloca = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
  return Alloca && Locals.contains(Alloca);
}

/// True if the value of \p Load flows, through computation in \p L, into what
/// \p Store writes.
static bool flowsInto(const Instruction *Load, const Instruction *Store,
                      const Loop &L) {
  SmallVector<const Value *> Worklist;
  if (auto *S = dyn_cast<StoreInst>(Store))
    Worklist.push_back(S->getValueOperand());
  else
    append_range(Worklist, Store->operand_values());
  SmallPtrSet<const Value *, 32> Seen;
  while (!Worklist.empty()) {
    auto *I = dyn_cast<Instruction>(Worklist.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (I == Load)
      return true;
    if (isa<PHINode>(I) && I->getParent() == L.getHeader())
      continue;
    append_range(Worklist, I->operand_values());
  }
  return false;
}

UndisturbedStretches::UndisturbedStretches(const LoopShape &Shape,
                                           const LatencyAnalysis &Latency,
                                           const TaskLocals &Locals,
                                           ScalarEvolution &SE, AAResults &AA)
    : Shape(Shape) {
  const Loop &L = *Shape.L;
  auto SameAddress = [&](Value *A, Value *B) {
    return A == B || SE.getSCEV(A) == SE.getSCEV(B);
  };
  for (const Access &Write : Latency.accesses()) {
    if (!Write.Writes || isLocal(Write.Address, Locals))
      continue;
    for (const Access &Read : Latency.accesses()) {
      if (Read.I == Write.I || isa<StoreInst>(Read.I))
        continue;
      bool Same = SameAddress(Read.Address, Write.Address);
      // Atomics are whole in themselves; one followed by a plain write to the
      // same place is a lock.
      bool Lock = !isa<LoadInst>(Read.I);
      if (Lock && (!Same || !isa<StoreInst>(Write.I)))
        continue;
      if (!Lock && !isa<StoreInst>(Write.I) && !Same)
        continue;
      if (!Same) {
        if (getUnderlyingObject(Read.Address) !=
            getUnderlyingObject(Write.Address))
          continue;
        if (AA.isNoAlias(MemoryLocation::get(cast<LoadInst>(Read.I)),
                         MemoryLocation::get(Write.I)) ||
            !flowsInto(Read.I, Write.I, L))
          continue;
      }
      if (!Lock && Same &&
          distinctPerIteration(Write.Address, Write.Bytes, L, SE) &&
          !writtenElsewhere(Write.Address, L, AA))
        continue;
      Stretches.push_back({Read.I, Write.I, Lock});
    }
  }
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      if (lockEffect(*Call) == LockEffect::Acquire) {
        bool Released = false;
        for (BasicBlock *Other : L.blocks())
          for (Instruction &End : *Other)
            if (auto *EndCall = dyn_cast<CallBase>(&End))
              if (lockEffect(*EndCall) == LockEffect::Release) {
                Stretches.push_back({Call, EndCall, true});
                Released = true;
              }
        if (!Released)
          Stretches.push_back({Call, nullptr, true});
        continue;
      }
      // A callee that is handed the address of something read before may
      // complete its modification.
      if (isa<IntrinsicInst>(Call) && !isa<AnyMemIntrinsic>(Call))
        continue;
      if (Call->onlyReadsMemory())
        continue;
      for (const Access &Read : Latency.accesses())
        if (isa<LoadInst>(Read.I) && !isLocal(Read.Address, Locals))
          for (Value *Argument : Call->args())
            if (Argument->getType()->isPointerTy() &&
                SameAddress(Argument, Read.Address) &&
                !L.isLoopInvariant(Argument))
              Stretches.push_back({Read.I, Call, false});
    }
}

/// True if control can go from behind \p From to \p To within one iteration
/// without passing \p Avoiding.
bool UndisturbedStretches::reaches(const Instruction *From,
                                   const Instruction *To,
                                   const Instruction *Avoiding) const {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<BasicBlock::const_iterator> Worklist{
      std::next(From->getIterator())};
  const Loop &L = *Shape.L;
  while (!Worklist.empty()) {
    BasicBlock::const_iterator It = Worklist.pop_back_val();
    const BasicBlock *Block = It->getParent();
    bool Stopped = false;
    for (; It != Block->end() && !Stopped; ++It) {
      if (&*It == To)
        return true;
      Stopped = &*It == Avoiding;
    }
    if (Stopped)
      continue;
    for (const BasicBlock *Successor : successors(Block))
      if (L.contains(Successor) && Successor != L.getHeader() &&
          Seen.insert(Successor).second)
        Worklist.push_back(Successor->begin());
  }
  return false;
}

bool UndisturbedStretches::contains(const Stretch &S,
                                    const Instruction *At) const {
  if (S.First == At)
    return false;
  if (!reaches(S.First, At, S.First))
    return false;
  if (!S.Last || At == S.Last)
    return true;
  // From just in front of At, which may itself be anything.
  if (reaches(At, S.Last, S.First))
    return true;
  return false;
}

const char *UndisturbedStretches::forbids(const Instruction *At) const {
  for (const Stretch &S : Stretches)
    if (contains(S, At))
      return S.IsLock ? "it lies between the acquire and the release of a lock"
                      : "a suspension here would split a read-modify-write";
  return nullptr;
}

Instruction *UndisturbedStretches::readAround(const Instruction *At) const {
  for (const Stretch &S : Stretches)
    if (!S.IsLock && contains(S, At))
      return S.First;
  return nullptr;
}

bool UndisturbedStretches::isModified(const Instruction *Load) const {
  return any_of(Stretches,
                [&](const Stretch &S) { return S.First == Load && !S.IsLock; });
}
