//===- UninterruptedRegions.cpp - Code without suspensions ----------------===//

#include "async/analysis/UninterruptedRegions.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/CalleeUses.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/VariableClasses.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "loop/LoopShape.h"
#include "loop/Refusal.h"
#include "mark/Marks.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

using Region = UninterruptedRegion;
using Reason = UninterruptedRegion::Reason;

/// True if \p I is the call that replaces the code beside it when the stack of
/// frames is full.
static bool isOverflow(const Instruction &I) {
  return I.hasMetadata(OverflowMetadata);
}

namespace {

/// An access to an object, by an instruction that may make several.
struct ObjectUse {
  Instruction *I;
  Value *Address;
  bool Reads, Writes;
};

/// An access to an object that is known by the chain of pointers that leads to
/// it.
struct PointedUse {
  Instruction *I;
  CalleeUse What;
};

/// Finds the regions of a loop.
class RegionFinder {
  const Loop &L;
  const LatencyAnalysis &Latency;
  const TaskLocals &Locals;
  ScalarEvolution &SE;
  AAResults &AA;
  const FrameValues Frames;
  SmallVector<Region> &Regions;

public:
  RegionFinder(const LoopContext &C, const LatencyAnalysis &Latency,
               const TaskLocals &Locals, SmallVector<Region> &Regions)
      : L(C.L), Latency(Latency), Locals(Locals), SE(C.SE), AA(C.AA),
        Frames(C.L), Regions(Regions) {}

  void run() {
    addAccesses();
    addElements();
    addWholeObjects();
    const SmallVector<PointedUse> Hidden = usesOfCallees();
    addHiddenModifications(Hidden);
    addLocks();
    addCalleeLocks(Hidden);
    addOwnReads();
    addCalleeReads();
    addCalleeStates(Hidden);
  }

private:
  void add(Instruction *First, Instruction *Last, Reason Why) {
    assert(First && L.contains(First) && (!Last || L.contains(Last)) &&
           "a region lies in an iteration");
    if (none_of(Regions, [&](const Region &R) {
          return R.First == First && R.Last == Last && R.Why == Why;
        }))
      Regions.push_back({First, Last, Why});
  }

  bool isLocal(Value *Address) const {
    return ::isLocal(Address, Locals, Frames);
  }

  bool isSame(Value *A, Value *B) const {
    return sameAddress(A, B, SE, Frames);
  }

  bool dependsOn(const Instruction *Write, const Instruction *Read) const {
    return dependsOnRead(Write, Read, L, Locals, Frames);
  }

  /// True if \p Address points into the same object as \p Other.
  bool isSameObject(const Value *Address, const Value *Other) const {
    return Frames.object(Address) == Frames.object(Other);
  }

  /// True if all iterations use the one variable at \p Address.
  bool isOneForAll(Value *Address) const {
    return !isLocal(Address) && SE.isLoopInvariant(SE.getSCEV(Address), &L);
  }

  /// Loads and stores that are the halves of a read-modify-write, and atomic
  /// accesses that acquire and release.
  void addAccesses() {
    for (const Access &Write : Latency.accesses()) {
      if (!Write.Writes || isa<MemIntrinsic>(Write.I) || isLocal(Write.Address))
        continue;
      for (const Access &Read : Latency.accesses())
        if (Read.I != Write.I && !isa<StoreInst, MemIntrinsic>(Read.I))
          if (std::optional<Reason> Why = reasonBetween(Read, Write))
            add(Read.I, Write.I, *Why);
    }
  }

  std::optional<Reason> reasonBetween(const Access &Read,
                                      const Access &Write) const {
    const bool Same = isSame(Read.Address, Write.Address);
    const bool IsStore = isa<StoreInst>(Write.I);
    // An atomic access is a whole read-modify-write; followed by another write
    // to the same address it is a lock.
    if (!isa<LoadInst>(Read.I))
      return Same && (IsStore || acquires(*Read.I))
                 ? std::optional(Reason::Lock)
                 : std::nullopt;
    const bool AreHalves =
        Same ? !isOfOneIteration(Write) : IsStore && mayBeHalves(Read, Write);
    return AreHalves ? std::optional(Reason::Modification) : std::nullopt;
  }

  /// True if no other iteration accesses the memory that \p Write accesses.
  bool isOfOneIteration(const Access &Write) const {
    return distinctPerIteration(Write.Address, Write.Bytes, L, SE) &&
           !writtenElsewhere(Write.Address, L, AA);
  }

  /// True if \p Write may be to the same part of an object as \p Read and
  /// writes a value computed from it.
  bool mayBeHalves(const Access &Read, const Access &Write) const {
    return isSameObject(Read.Address, Write.Address) &&
           !AA.isNoAlias(MemoryLocation::get(cast<LoadInst>(Read.I)),
                         MemoryLocation::get(Write.I)) &&
           !areDifferentFields(Read, Write, Frames) &&
           flowsInto(Read.I, Write.I, L, Frames);
  }

  /// The fields of an element change together: from the access that decides on
  /// it to the last store.
  void addElements() {
    for (const Access &Last : Latency.accesses()) {
      auto *Store = dyn_cast<StoreInst>(Last.I);
      if (!Store || isLocal(Last.Address) || isOfOneIteration(Last))
        continue;
      for (const Access &First : Latency.accesses())
        if (First.I != Last.I &&
            mayBeOneElement(First.Address, Last.Address, Frames) &&
            (beginsElement(First, *Store) || decidesOn(First, *Store)))
          add(First.I, Last.I, Reason::Modification);
    }
  }

  /// True if \p First and \p Store store fields of one element which are more
  /// than counters.
  bool beginsElement(const Access &First, const StoreInst &Store) const {
    auto *Earlier = dyn_cast<StoreInst>(First.I);
    return Earlier && !isCommutativeUpdate(*Earlier) &&
           !isCommutativeUpdate(Store) &&
           isSameObject(First.Address, Store.getPointerOperand());
  }

  /// True if \p Store depends on what \p First loads, and iterations change
  /// that.
  bool decidesOn(const Access &First, const StoreInst &Store) const {
    return isa<LoadInst>(First.I) && dependsOn(&Store, First.I) &&
           any_of(Latency.accesses(), [&](const Access &Write) {
             return Write.Writes && !isLocal(Write.Address) &&
                    mayBeSameField(First, Write, L, Frames, AA);
           });
  }

  /// Copies of whole objects, and callees that are handed the address of one,
  /// may be halves of a read-modify-write, too.
  void addWholeObjects() {
    SmallVector<ObjectUse> Whole;
    for (Instruction &I : instructionsIn(L.blocks()))
      addWholeUses(I, Whole);
    SmallVector<ObjectUse> All = Whole;
    for (const Access &A : Latency.accesses())
      if (!A.I->isAtomic())
        addUse(All, {A.I, A.Address, isa<LoadInst>(A.I), A.Writes}, A.Bytes);
    for (const ObjectUse &One : Whole)
      for (const ObjectUse &Other : All) {
        addIfHalves(One, Other);
        addIfHalves(Other, One);
      }
  }

  /// Adds \p Use of \p Bytes to \p Uses, unless each iteration has an object of
  /// its own.
  void addUse(SmallVectorImpl<ObjectUse> &Uses, ObjectUse Use,
              uint64_t Bytes) const {
    if (!isLocal(Use.Address) &&
        !distinctPerIteration(Use.Address, Bytes, L, SE))
      Uses.push_back(Use);
  }

  /// Adds the uses of objects as a whole that \p I makes.
  void addWholeUses(Instruction &I, SmallVectorImpl<ObjectUse> &Uses) const {
    if (I.isLifetimeStartOrEnd())
      return;
    if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
      auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
      const uint64_t Bytes = Length ? Length->getLimitedValue() : UINT64_MAX;
      addUse(Uses, {&I, Copy->getRawDest(), false, true}, Bytes);
      if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&I))
        addUse(Uses, {&I, Transfer->getRawSource(), true, false}, Bytes);
      return;
    }
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || isa<IntrinsicInst>(Call) || isOverflow(I))
      return;
    for (Value *Argument : Call->args())
      if (Argument->getType()->isPointerTy())
        addUse(
            Uses,
            {&I, Argument, !Call->onlyWritesMemory(), !Call->onlyReadsMemory()},
            isFar(Argument) ? 1 : UINT64_MAX);
  }

  void addIfHalves(const ObjectUse &Read, const ObjectUse &Write) {
    if (!Read.Reads || !Write.Writes || Read.I == Write.I ||
        !(isSame(Read.Address, Write.Address) ||
          isSameObject(Read.Address, Write.Address)))
      return;
    const bool MayShare = isHandedByAll(Read) || isHandedByAll(Write);
    if (isa<MemIntrinsic>(Read.I) || !MayShare || dependsOn(Write.I, Read.I))
      add(Read.I, Write.I, Reason::Modification);
  }

  /// True for arguments that all iterations share, or that are adjacent in
  /// memory without a known size. Their uses are no halves of a
  /// read-modify-write, unless one use depends on the other.
  bool isHandedByAll(const ObjectUse &U) const {
    return isa<CallBase>(U.I) && !isa<MemIntrinsic>(U.I) && !isFar(U.Address) &&
           (L.isLoopInvariant(U.Address) ||
            distinctPerIteration(U.Address, 1, L, SE));
  }

  SmallVector<PointedUse> usesOfCallees() const {
    CalleeUses Callees;
    SmallVector<PointedUse> Uses;
    for (Instruction &I : instructionsIn(L.blocks()))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !isOverflow(I))
        for (CalleeUse &What : Callees.of(*Call, L, Frames))
          Uses.push_back({&I, std::move(What)});
    return Uses;
  }

  /// The halves may be in callees that find the object without being handed its
  /// address.
  void addHiddenModifications(ArrayRef<PointedUse> Hidden) {
    SmallVector<PointedUse> All(Hidden);
    for (Instruction &I : instructionsIn(L.blocks()))
      if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I))
        addCopy(*Copy, All);
    for (const Access &A : Latency.accesses())
      if (!isa<MemIntrinsic>(A.I))
        All.push_back(
            {A.I, {usedObject(A.Address), !isa<StoreInst>(A.I), A.Writes}});
    SmallDenseSet<std::pair<Instruction *, Instruction *>> Seen;
    auto AddIfHalves = [&](const PointedUse &Read, const PointedUse &Write) {
      if (mayBeHalves(Read, Write) && Seen.insert({Read.I, Write.I}).second &&
          dependsOn(Write.I, Read.I))
        add(Read.I, Write.I, Reason::Modification);
    };
    for (const PointedUse &One : Hidden)
      for (const PointedUse &Other : All) {
        AddIfHalves(One, Other);
        AddIfHalves(Other, One);
      }
  }

  void addCopy(AnyMemIntrinsic &Copy, SmallVectorImpl<PointedUse> &Uses) const {
    Uses.push_back({&Copy, {usedObject(Copy.getRawDest()), false, true}});
    if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&Copy))
      Uses.push_back(
          {&Copy, {usedObject(Transfer->getRawSource()), true, false}});
  }

  bool mayBeHalves(const PointedUse &Read, const PointedUse &Write) const {
    return Read.What.Reads && Write.What.Writes && Read.I != Write.I &&
           Read.What.Object.isSame(Write.What.Object, Frames) &&
           !isOfIteration(Read.What.Object);
  }

  /// True for a variable of the iteration.
  bool isOfIteration(const UsedObject &Object) const {
    return Object.Root && Object.Pointers.empty() &&
           isLocal(const_cast<Value *>(Object.Root));
  }

  /// A callee may read what an earlier one has noted in memory that all
  /// iterations share.
  void addCalleeStates(ArrayRef<PointedUse> Hidden) {
    SmallDenseSet<std::pair<Instruction *, Instruction *>> Seen;
    for (const PointedUse &Write : Hidden)
      for (const PointedUse &Later : Hidden)
        if (Write.I != Later.I && continuesState(Later.What, Write.What) &&
            Seen.insert({Write.I, Later.I}).second)
          add(Write.I, Later.I, Reason::OwnUse);
  }

  /// A lock may be taken or released in a callee, or in both.
  void addCalleeLocks(ArrayRef<PointedUse> Hidden) {
    SmallVector<PointedUse> All(Hidden);
    for (const Access &A : Latency.accesses())
      if (A.I->isAtomic())
        All.push_back({A.I,
                       {.Object = usedObject(A.Address),
                        .Reads = true,
                        .Writes = A.Writes,
                        .Acquires = acquires(*A.I),
                        .Releases = releases(*A.I)}});
    for (const PointedUse &Acquire : All)
      for (const PointedUse &Release : All)
        if (Acquire.What.Acquires && Release.What.Releases &&
            Acquire.I != Release.I &&
            (isa<CallBase>(Acquire.I) || isa<CallBase>(Release.I)) &&
            (isAny(Acquire.What.Object) || isAny(Release.What.Object) ||
             Acquire.What.Object.isSame(Release.What.Object, Frames)))
          add(Acquire.I, Release.I, Reason::Lock);
  }

  /// Another write counts as well: it ends a state in which other iterations
  /// wait.
  bool continuesState(const CalleeUse &Later, const CalleeUse &Write) const {
    if (!Write.Writes || !(Later.Reads || Later.Writes) ||
        (Write.IsUpdate && Later.IsUpdate))
      return false;
    if (isAny(Later.Object) || isAny(Write.Object))
      return Later.Reads && (isAny(Later.Object) || isShared(Later)) &&
             (isAny(Write.Object) || isShared(Write));
    return (isShared(Later) || isShared(Write)) &&
           Later.Object.isSame(Write.Object, Frames);
  }

  /// True if nothing is known of the object, or only which variable of the
  /// iteration points to it.
  bool isAny(const UsedObject &Object) const {
    return !Object.Root || (!Object.Pointers.empty() &&
                            isLocal(const_cast<Value *>(Object.Root)));
  }

  /// True if all iterations use the same places of one object.
  bool isShared(const CalleeUse &Use) const {
    return Use.IsFixed && L.isLoopInvariant(Use.Object.Root) &&
           !isLocal(const_cast<Value *>(Use.Object.Root));
  }

  /// An iteration that always writes a variable before it reads it, itself or
  /// in a callee, reads its own value, as from errno.
  void addOwnReads() {
    for (const Access &Read : Latency.accesses()) {
      auto *Load = dyn_cast<LoadInst>(Read.I);
      if (!Load || !isOneForAll(Read.Address))
        continue;
      const auto Writers = writersOf(*Load);
      if (readsWhatOthersWrote(*Load, Writers.getArrayRef()))
        continue;
      for (Instruction *Writer : Writers)
        add(Writer, Load, Reason::OwnUse);
    }
  }

  /// A callee may read the variable.
  void addCalleeReads() {
    for (const Access &Write : Latency.accesses()) {
      auto *Store = dyn_cast<StoreInst>(Write.I);
      if (Store && isOneForAll(Write.Address))
        for (Instruction *Reader : calls([&](Instruction &Call) {
               return isRefSet(
                   AA.getModRefInfo(&Call, MemoryLocation::get(Store)));
             }))
          add(Store, Reader, Reason::OwnUse);
    }
  }

  /// Returns the stores and calls that write the variable that \p Load reads.
  /// Stores do not count where the variable is only updated.
  SmallSetVector<Instruction *, 4> writersOf(LoadInst &Load) const {
    const bool OnlyUpdates = all_of(Load.users(), [&](User *U) {
      return isCommutativeUpdate(cast<Instruction>(U), &Load);
    });
    SmallSetVector<Instruction *, 4> Writers;
    for (const Access &Write : Latency.accesses())
      if (isa<StoreInst>(Write.I) && !OnlyUpdates &&
          isSame(Load.getPointerOperand(), Write.Address))
        Writers.insert(Write.I);
    Writers.insert_range(calls([&](Instruction &Call) {
      return isModSet(AA.getModRefInfo(&Call, MemoryLocation::get(&Load)));
    }));
    return Writers;
  }

  /// The calls in the loop for which \p Matches.
  SmallVector<Instruction *>
  calls(function_ref<bool(Instruction &)> Matches) const {
    SmallVector<Instruction *> Found;
    for (Instruction &I : instructionsIn(L.blocks()))
      if (isa<CallBase>(I) && !I.isLifetimeStartOrEnd() && !isOverflow(I) &&
          Matches(I))
        Found.push_back(&I);
    return Found;
  }

  /// True if an iteration can get to \p Load without passing one of \p Writers.
  bool readsWhatOthersWrote(const LoadInst &Load,
                            ArrayRef<Instruction *> Writers) const {
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

  void addLocks() {
    SmallVector<CallBase *> Acquires, Releases;
    for (Instruction &I : instructionsIn(L.blocks()))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        LockEffect Effect = lockEffect(*Call);
        if (Effect == LockEffect::Acquire)
          Acquires.push_back(Call);
        else if (Effect == LockEffect::Release)
          Releases.push_back(Call);
      }
    for (CallBase *Acquire : Acquires) {
      for (CallBase *Release : Releases)
        add(Acquire, Release, Reason::Lock);
      if (Releases.empty())
        add(Acquire, nullptr, Reason::Lock);
    }
  }
};

} // namespace

UninterruptedRegions::UninterruptedRegions(const LoopContext &C,
                                           const LatencyAnalysis &Latency,
                                           const TaskLocals &Locals)
    : L(C.L) {
  RegionFinder(C, Latency, Locals, Regions).run();
  SmallVector<const Instruction *, 4> NestedCalls;
  for (const Instruction &I : instructionsIn(L.blocks()))
    if (isOverflow(I))
      NestedCalls.push_back(&I);
  for (Region &R : Regions)
    R.HasNestedCall = any_of(NestedCalls, [&](const Instruction *Call) {
      return contains(R, Call);
    });
}

bool UninterruptedRegions::contains(const Region &R,
                                    const Instruction *At) const {
  assert(L.contains(At) && "asked about code of the loop only");
  const Instruction *Avoiding = R.HasNestedCall ? nullptr : R.First;
  if (Avoiding == At || !reaches(R.First, At, Avoiding, L))
    return false;
  // From just in front of At, which may itself be anything.
  return !R.Last || At == R.Last || reaches(At, R.Last, Avoiding, L);
}

static RefusalKind refusalOf(Reason Why) {
  switch (Why) {
  case Reason::Modification:
    return RefusalKind::SplitsUpdate;
  case Reason::Lock:
    return RefusalKind::UnderLock;
  case Reason::OwnUse:
    return RefusalKind::SplitsShared;
  }
  llvm_unreachable("one of the reasons");
}

std::optional<Obstacle>
UninterruptedRegions::forbids(const Instruction *At) const {
  for (const Region &R : Regions)
    if (!R.IsPermitted && contains(R, At))
      return Obstacle{textOf(refusalOf(R.Why)), R.First, R.Last};
  return std::nullopt;
}

Instruction *UninterruptedRegions::readAround(const Instruction *At) const {
  for (const Region &R : Regions)
    if (!R.IsPermitted && R.Why == Reason::Modification && contains(R, At))
      return R.First;
  return nullptr;
}

const Region *
UninterruptedRegions::onlyModificationAround(const Instruction *At) const {
  const Region *Only = nullptr;
  for (const Region &R : Regions) {
    if (!contains(R, At))
      continue;
    if (R.IsPermitted || R.Why != Reason::Modification ||
        (Only && (R.First != Only->First || R.Last != Only->Last)))
      return nullptr;
    Only = &R;
  }
  return Only;
}

std::optional<Modification>
UninterruptedRegions::onlyAround(const Instruction *At) const {
  const Region *Only = onlyModificationAround(At);
  if (!Only)
    return std::nullopt;
  const Modification M{dyn_cast<LoadInst>(Only->First),
                       dyn_cast<StoreInst>(Only->Last)};
  if (!M.Load || !M.Store)
    return std::nullopt;
  const bool Overlaps = any_of(Regions, [&](const Region &R) {
    return (R.First == M.Load && R.Last != M.Store) || contains(R, M.Load) ||
           (R.IsPermitted && contains(*Only, R.First));
  });
  return Overlaps ? std::nullopt : std::optional(M);
}

void UninterruptedRegions::permit(const Modification &M) {
  assert(M.Load && M.Store && "as onlyAround() has found it");
  for (Region &R : Regions)
    R.IsPermitted |= R.First == M.Load && R.Last == M.Store;
}

SmallVector<Instruction *, 1>
UninterruptedRegions::modificationsFrom(const Instruction *Load) const {
  SmallVector<Instruction *, 1> Writes;
  for (const Region &R : Regions)
    if (R.First == Load && R.Why == Reason::Modification)
      Writes.push_back(R.Last);
  return Writes;
}
