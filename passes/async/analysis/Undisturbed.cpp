//===- Undisturbed.cpp - Stretches of code no suspension may cut ----------===//

#include "async/analysis/Undisturbed.h"
#include "async/analysis/CalleeUses.h"
#include "async/analysis/ObjectAddress.h"
#include "async/analysis/VariableClasses.h"
#include "loop/FarAccess.h"
#include "loop/Refusal.h"
#include "loop/Tunables.h"
#include "mark/Marks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <numeric>

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

/// True if what \p I does stands beside it.
static bool isOverflow(const Instruction &I) {
  return I.hasMetadata(OverflowMetadata);
}

bool heddle::acquires(const Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return isAcquireOrStronger(Load->getOrdering());
  if (auto *Update = dyn_cast<AtomicRMWInst>(&I))
    return isAcquireOrStronger(Update->getOrdering());
  auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
  return Exchange && isAcquireOrStronger(Exchange->getMergedOrdering());
}

static bool isLocal(Value *Address, const TaskLocals &Locals,
                    const FrameValues &Frames) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects);
  SmallPtrSet<const Value *, 8> Seen;
  while (!Objects.empty()) {
    const Value *Object = Objects.pop_back_val();
    if (!Seen.insert(Object).second || isa<UndefValue>(Object))
      continue;
    ArrayRef<const Value *> Saved = Frames.saved(Object);
    for (const Value *Way : Saved)
      getUnderlyingObjects(Way, Objects);
    auto *Alloca = dyn_cast<AllocaInst>(Object);
    if (Saved.empty() && !(Alloca && Locals.contains(Alloca)))
      return false;
  }
  return true;
}

bool heddle::flowsInto(const Instruction *Load, const Instruction *Store,
                       const Loop &L, const FrameValues &Frames) {
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
    append_range(Worklist, Frames.saved(I));
  }
  return false;
}

/// True if \p A and \p B are computed alike, from the same places in memory
/// where they load, as deep as is looked; or if one of the ways to a merged
/// \p B is.
static bool sameExpression(const Value *A, const Value *B,
                           const FrameValues &Frames, unsigned Depth = 0) {
  A = Frames.origin(A);
  B = Frames.origin(B);
  if (A == B)
    return true;
  auto *IA = dyn_cast<Instruction>(A), *IB = dyn_cast<Instruction>(B);
  if (Depth == tunable::ExpressionDepth)
    return true;
  for (auto [Merge, Other] : {std::pair(IB, A), std::pair(IA, B)}) {
    auto IsOther = [&, Other = Other](const Value *Way) {
      return sameExpression(Other, Way, Frames, Depth + 1);
    };
    if (Merge && isa<PHINode, SelectInst>(Merge))
      return any_of(drop_begin(Merge->operand_values(), isa<SelectInst>(Merge)),
                    IsOther);
    if (Merge && !Frames.saved(Merge).empty())
      return any_of(Frames.saved(Merge), IsOther);
  }
  if (!IA || !IB || IA->getOpcode() != IB->getOpcode() ||
      IA->getType() != IB->getType() ||
      !isa<GetElementPtrInst, CastInst, BinaryOperator, LoadInst, FreezeInst>(
          IA) ||
      IA->getNumOperands() != IB->getNumOperands())
    return false;
  if (auto *Gep = dyn_cast<GetElementPtrInst>(IA);
      Gep && Gep->getSourceElementType() !=
                 cast<GetElementPtrInst>(IB)->getSourceElementType())
    return false;
  return all_of(zip(IA->operands(), IB->operands()), [&](auto Pair) {
    return sameExpression(std::get<0>(Pair).get(), std::get<1>(Pair).get(),
                          Frames, Depth + 1);
  });
}

static bool sameAddress(Value *A, Value *B, ScalarEvolution &SE,
                        const FrameValues &Frames) {
  return A == B || SE.getSCEV(A) == SE.getSCEV(B) ||
         sameExpression(A, B, Frames);
}

/// True if \p A and \p B are to different fields of one object, or of elements
/// of one array, of which the address may have been saved meanwhile.
static bool areDifferentFields(const Access &A, const Access &B,
                               const FrameValues &Frames) {
  const ObjectAddress First(A.Address), Second(B.Address);
  if (Frames.origin(First.base()) != Frames.origin(Second.base()))
    return false;
  uint64_t Stride = 0;
  for (const ObjectAddress *Address : {&First, &Second})
    for (auto &[Index, Scale] : Address->variables())
      Stride = std::gcd(Stride, uint64_t(std::abs(Scale)));
  int64_t Apart = Second.constant() - First.constant();
  if (!Stride)
    return Apart >= int64_t(A.Bytes) || -Apart >= int64_t(B.Bytes);
  Apart %= int64_t(Stride);
  const uint64_t Behind = uint64_t(Apart) + (Apart < 0 ? Stride : 0);
  return Behind >= A.Bytes && Stride - Behind >= B.Bytes;
}

UndisturbedStretches::UndisturbedStretches(const LoopContext &C,
                                           const LoopShape &Shape,
                                           const LatencyAnalysis &Latency,
                                           const TaskLocals &Locals)
    : Shape(Shape), Frames(*Shape.L) {
  addModifications(C, Latency, Locals);
  addOwnUses(C, Latency, Locals);
  addLocks();
  findCalls();
}

void UndisturbedStretches::findCalls() {
  SmallVector<const Instruction *, 4> Calls;
  for (const BasicBlock *Block : Shape.L->blocks())
    for (const Instruction &I : *Block)
      if (isOverflow(I))
        Calls.push_back(&I);
  for (Stretch &S : Stretches)
    S.IsAroundCall = any_of(
        Calls, [&](const Instruction *Call) { return contains(S, Call); });
}

void UndisturbedStretches::addModifications(const LoopContext &C,
                                            const LatencyAnalysis &Latency,
                                            const TaskLocals &Locals) {
  ScalarEvolution &SE = C.SE;
  AAResults &AA = C.AA;
  const Loop &L = *Shape.L;
  for (const Access &Write : Latency.accesses()) {
    if (!Write.Writes || isa<MemIntrinsic>(Write.I) ||
        isLocal(Write.Address, Locals, Frames))
      continue;
    for (const Access &Read : Latency.accesses()) {
      if (Read.I == Write.I || isa<StoreInst, MemIntrinsic>(Read.I))
        continue;
      bool Same = sameAddress(Read.Address, Write.Address, SE, Frames);
      // Atomics are whole in themselves; one followed by another write to the
      // same place is a lock.
      bool Lock = !isa<LoadInst>(Read.I);
      if (Lock && (!Same || !(isa<StoreInst>(Write.I) || acquires(*Read.I))))
        continue;
      if (!Lock && !isa<StoreInst>(Write.I) && !Same)
        continue;
      if (!Same) {
        if (Frames.object(Read.Address) != Frames.object(Write.Address))
          continue;
        if (AA.isNoAlias(MemoryLocation::get(cast<LoadInst>(Read.I)),
                         MemoryLocation::get(Write.I)) ||
            areDifferentFields(Read, Write, Frames) ||
            !flowsInto(Read.I, Write.I, L, Frames))
          continue;
      }
      if (!Lock && Same &&
          distinctPerIteration(Write.Address, Write.Bytes, L, SE) &&
          !writtenElsewhere(Write.Address, L, AA))
        continue;
      Stretches.push_back(
          {Read.I, Write.I, Lock ? Reason::Lock : Reason::Modification});
    }
  }
  addWholeObjects(Latency, Locals, SE);
  addHiddenModifications(Latency, Locals);
}

/// Copies of whole objects, and callees that are handed the address of one, may
/// be halves of a read-modify-write, too.
void UndisturbedStretches::addWholeObjects(const LatencyAnalysis &Latency,
                                           const TaskLocals &Locals,
                                           ScalarEvolution &SE) {
  struct Use {
    Instruction *I;
    Value *Address;
    bool Reads, Writes;
  };
  const Loop &L = *Shape.L;
  SmallVector<Use> Whole, All;
  auto Add = [&](SmallVector<Use> &Uses, Instruction *I, Value *Address,
                 uint64_t Bytes, bool Reads, bool Writes) {
    if (!isLocal(Address, Locals, Frames) &&
        !distinctPerIteration(Address, Bytes, L, SE))
      Uses.push_back({I, Address, Reads, Writes});
  };
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block) {
      if (I.isLifetimeStartOrEnd())
        continue;
      if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
        auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
        const uint64_t Bytes = Length ? Length->getLimitedValue() : UINT64_MAX;
        Add(Whole, &I, Copy->getRawDest(), Bytes, false, true);
        if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&I))
          Add(Whole, &I, Transfer->getRawSource(), Bytes, true, false);
      } else if (auto *Call = dyn_cast<CallBase>(&I);
                 Call && !isa<IntrinsicInst>(Call) && !isOverflow(I))
        for (Value *Argument : Call->args())
          if (Argument->getType()->isPointerTy())
            Add(Whole, &I, Argument, isFar(Argument) ? 1 : UINT64_MAX,
                !Call->onlyWritesMemory(), !Call->onlyReadsMemory());
    }
  All = Whole;
  for (const Access &A : Latency.accesses())
    if (!A.I->isAtomic())
      Add(All, A.I, A.Address, A.Bytes, isa<LoadInst>(A.I), A.Writes);
  // What all iterations hand to callees is theirs to share, as long as nothing
  // goes from one use to the next; so is what neighbours hand to them, of which
  // nobody knows how far it goes.
  auto IsShared = [&](const Use &U) {
    return isa<CallBase>(U.I) && !isa<MemIntrinsic>(U.I) && !isFar(U.Address) &&
           (L.isLoopInvariant(U.Address) ||
            distinctPerIteration(U.Address, 1, L, SE));
  };
  auto Pair = [&](const Use &Read, const Use &Write) {
    if (Read.Reads && Write.Writes && Read.I != Write.I &&
        (sameAddress(Read.Address, Write.Address, SE, Frames) ||
         Frames.object(Read.Address) == Frames.object(Write.Address)) &&
        (isa<MemIntrinsic>(Read.I) || (!IsShared(Read) && !IsShared(Write)) ||
         dependsOn(Write.I, Read.I, Locals)))
      Stretches.push_back({Read.I, Write.I, Reason::Modification});
  };
  for (const Use &One : Whole)
    for (const Use &Other : All) {
      Pair(One, Other);
      Pair(Other, One);
    }
}

/// The halves may also be in callees that are not handed the address, or not
/// the object's own.
void UndisturbedStretches::addHiddenModifications(
    const LatencyAnalysis &Latency, const TaskLocals &Locals) {
  struct Use {
    Instruction *I;
    CalleeUse What;
  };
  const Loop &L = *Shape.L;
  CalleeUses Callees;
  SmallVector<Use> Hidden, All;
  for (BasicBlock *Block : L.blocks())
    for (Instruction &I : *Block)
      if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
        All.push_back({&I, {usedObject(Copy->getRawDest()), false, true}});
        if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&I))
          All.push_back(
              {&I, {usedObject(Transfer->getRawSource()), true, false}});
      } else if (auto *Call = dyn_cast<CallBase>(&I); Call && !isOverflow(I)) {
        for (CalleeUse &What : Callees.of(*Call, Frames))
          Hidden.push_back({&I, std::move(What)});
      }
  append_range(All, Hidden);
  for (const Access &A : Latency.accesses())
    if (!isa<MemIntrinsic>(A.I))
      All.push_back(
          {A.I, {usedObject(A.Address), !isa<StoreInst>(A.I), A.Writes}});
  SmallDenseSet<std::pair<Instruction *, Instruction *>> Seen;
  auto Pair = [&](const Use &Read, const Use &Write) {
    if (Read.What.Reads && Write.What.Writes && Read.I != Write.I &&
        Read.What.Object.hasPointersOf(Write.What.Object) &&
        sameExpression(Read.What.Object.Root, Write.What.Object.Root, Frames) &&
        Seen.insert({Read.I, Write.I}).second &&
        dependsOn(Write.I, Read.I, Locals))
      Stretches.push_back({Read.I, Write.I, Reason::Modification});
  };
  for (const Use &One : Hidden)
    for (const Use &Other : All) {
      Pair(One, Other);
      Pair(Other, One);
    }
}

/// An iteration that always writes a variable outside the loop, itself or by a
/// call, before it reads it, as errno is used, reads what it wrote.
void UndisturbedStretches::addOwnUses(const LoopContext &C,
                                      const LatencyAnalysis &Latency,
                                      const TaskLocals &Locals) {
  ScalarEvolution &SE = C.SE;
  AAResults &AA = C.AA;
  for (const Access &Read : Latency.accesses()) {
    auto *Load = dyn_cast<LoadInst>(Read.I);
    if (!Load || isLocal(Read.Address, Locals, Frames) ||
        !SE.isLoopInvariant(SE.getSCEV(Read.Address), Shape.L))
      continue;
    bool OnlyUpdates = all_of(Load->users(), [&](User *U) {
      return isCommutativeUpdate(cast<Instruction>(U), Load);
    });
    SmallSetVector<Instruction *, 4> Writers;
    for (const Access &Write : Latency.accesses())
      if (isa<StoreInst>(Write.I) && !OnlyUpdates &&
          sameAddress(Read.Address, Write.Address, SE, Frames))
        Writers.insert(Write.I);
    for (BasicBlock *Block : Shape.L->blocks())
      for (Instruction &I : *Block)
        if (isa<CallBase>(I) && !I.isLifetimeStartOrEnd() && !isOverflow(I) &&
            isModSet(AA.getModRefInfo(&I, MemoryLocation::get(Load))))
          Writers.insert(&I);
    if (readsWhatOthersWrote(*Load, Writers.getArrayRef()))
      continue;
    for (Instruction *Writer : Writers)
      Stretches.push_back({Writer, Load, Reason::OwnUse});
  }
  // A callee may read it, too.
  for (const Access &Write : Latency.accesses()) {
    auto *Store = dyn_cast<StoreInst>(Write.I);
    if (!Store || isLocal(Write.Address, Locals, Frames) ||
        !SE.isLoopInvariant(SE.getSCEV(Write.Address), Shape.L))
      continue;
    for (BasicBlock *Block : Shape.L->blocks())
      for (Instruction &I : *Block)
        if (isa<CallBase>(I) && !I.isLifetimeStartOrEnd() && !isOverflow(I) &&
            isRefSet(AA.getModRefInfo(&I, MemoryLocation::get(Store))))
          Stretches.push_back({Store, &I, Reason::OwnUse});
  }
}

/// True if an iteration can get to \p Load without passing one of \p Writers.
bool UndisturbedStretches::readsWhatOthersWrote(
    const LoadInst &Load, ArrayRef<Instruction *> Writers) const {
  const Loop &L = *Shape.L;
  SmallSetVector<const BasicBlock *, 16> Reached;
  Reached.insert(L.getHeader());
  for (unsigned N = 0; N < Reached.size(); ++N) {
    bool Written = false;
    for (const Instruction &I : *Reached[N]) {
      if (&I == &Load)
        return true;
      if ((Written = is_contained(Writers, &I)))
        break;
    }
    if (Written)
      continue;
    for (const BasicBlock *Successor : successors(Reached[N]))
      if (L.contains(Successor))
        Reached.insert(Successor);
  }
  return false;
}

void UndisturbedStretches::addLocks() {
  SmallVector<CallBase *> Acquires, Releases;
  for (BasicBlock *Block : Shape.L->blocks())
    for (Instruction &I : *Block)
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        LockEffect Effect = lockEffect(*Call);
        if (Effect == LockEffect::Acquire)
          Acquires.push_back(Call);
        else if (Effect == LockEffect::Release)
          Releases.push_back(Call);
      }
  for (CallBase *Acquire : Acquires) {
    for (CallBase *Release : Releases)
      Stretches.push_back({Acquire, Release, Reason::Lock});
    if (Releases.empty())
      Stretches.push_back({Acquire, nullptr, Reason::Lock});
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

bool UndisturbedStretches::dependsOn(const Instruction *Write,
                                     const Instruction *Read,
                                     const TaskLocals &Locals) const {
  const Loop &L = *Shape.L;
  // What is read may be put into variables of the iteration.
  auto LocalAt = [&](const Value *Address) -> const AllocaInst * {
    auto *Variable = Address->getType()->isPointerTy()
                         ? dyn_cast<AllocaInst>(getUnderlyingObject(Address))
                         : nullptr;
    return Variable && Locals.contains(Variable) ? Variable : nullptr;
  };
  SmallVector<const Instruction *> Values{Read};
  SmallPtrSet<const AllocaInst *, 2> Filled;
  if (auto *Call = dyn_cast<CallBase>(Read))
    for (const Value *Argument : Call->args())
      if (const AllocaInst *Local = LocalAt(Argument))
        Filled.insert(Local);
  if (!Filled.empty())
    for (const BasicBlock *Block : L.blocks())
      for (const Instruction &I : *Block)
        if (auto *Load = dyn_cast<LoadInst>(&I);
            Load && Filled.contains(LocalAt(Load->getPointerOperand())))
          Values.push_back(Load);
  auto Decides = [&](const Instruction *I) {
    return any_of(Values,
                  [&](const Instruction *Value) {
                    return flowsInto(Value, I, L, Frames);
                  }) ||
           (isa<CallBase>(I) &&
            any_of(I->operand_values(), [&](const Value *V) {
              return Filled.contains(LocalAt(V));
            }));
  };
  if (Decides(Write))
    return true;
  auto LeadsToWrite = [&](const BasicBlock *Block) {
    return L.contains(Block) && Block != L.getHeader() &&
           (&Block->front() == Write ||
            reaches(&Block->front(), Write, nullptr));
  };
  return any_of(L.blocks(), [&](const BasicBlock *Block) {
    const Instruction *Branch = Block->getTerminator();
    return Branch->getNumSuccessors() > 1 &&
           any_of(successors(Branch), LeadsToWrite) &&
           !all_of(successors(Branch), LeadsToWrite) && Decides(Branch);
  });
}

bool UndisturbedStretches::contains(const Stretch &S,
                                    const Instruction *At) const {
  const Instruction *Avoiding = S.IsAroundCall ? nullptr : S.First;
  if (Avoiding == At || !reaches(S.First, At, Avoiding))
    return false;
  // From just in front of At, which may itself be anything.
  return !S.Last || At == S.Last || reaches(At, S.Last, Avoiding);
}

const char *UndisturbedStretches::forbids(const Instruction *At) const {
  for (const Stretch &S : Stretches)
    if (!S.IsPermitted && contains(S, At))
      switch (S.Why) {
      case Reason::Modification:
        return textOf(RefusalKind::SplitsUpdate);
      case Reason::Lock:
        return textOf(RefusalKind::UnderLock);
      case Reason::OwnUse:
        return textOf(RefusalKind::SplitsShared);
      }
  return nullptr;
}

Instruction *UndisturbedStretches::readAround(const Instruction *At) const {
  for (const Stretch &S : Stretches)
    if (!S.IsPermitted && S.Why == Reason::Modification && contains(S, At))
      return S.First;
  return nullptr;
}

std::optional<Modification>
UndisturbedStretches::onlyAround(const Instruction *At) const {
  const Stretch *Only = nullptr;
  for (const Stretch &S : Stretches) {
    if (!contains(S, At))
      continue;
    if (S.IsPermitted || S.Why != Reason::Modification ||
        (Only && (S.First != Only->First || S.Last != Only->Last)))
      return std::nullopt;
    Only = &S;
  }
  if (!Only)
    return std::nullopt;
  Modification M{dyn_cast<LoadInst>(Only->First),
                 dyn_cast<StoreInst>(Only->Last)};
  if (!M.Load || !M.Store)
    return std::nullopt;
  for (const Stretch &S : Stretches)
    if ((S.First == M.Load && S.Last != M.Store) || contains(S, M.Load) ||
        (S.IsPermitted && contains(*Only, S.First)))
      return std::nullopt;
  return M;
}

void UndisturbedStretches::permit(const Modification &M) {
  for (Stretch &S : Stretches)
    S.IsPermitted |= S.First == M.Load && S.Last == M.Store;
}

SmallVector<Instruction *, 1>
UndisturbedStretches::modificationsFrom(const Instruction *Load) const {
  SmallVector<Instruction *, 1> Writes;
  for (const Stretch &S : Stretches)
    if (S.First == Load && S.Why == Reason::Modification)
      Writes.push_back(S.Last);
  return Writes;
}
