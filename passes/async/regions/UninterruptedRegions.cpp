//===- UninterruptedRegions.cpp - Code without suspensions ----------------===//

#include "async/regions/UninterruptedRegions.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/CalleeUses.h"
#include "async/analysis/VariableClasses.h"
#include "async/order/FreeAccesses.h"
#include "async/places/ArrayPointers.h"
#include "async/regions/ArrayOverlaps.h"
#include "async/regions/CheckedExchanges.h"
#include "async/regions/ElementRemovals.h"
#include "async/regions/ElementUpdates.h"
#include "async/regions/LikelyQueries.h"
#include "async/regions/ReadDependences.h"
#include "async/regions/RepeatedRegions.h"
#include "async/regions/SharedStates.h"
#include "inline/GuardTargets.h"
#include "ir/Instructions.h"
#include "loop/FarAccess.h"
#include "loop/LoopShape.h"
#include "loop/Tunables.h"
#include "loop/Worksharing.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

using Region = UninterruptedRegion;
using Reason = UninterruptedRegion::Reason;

namespace {

/// Finds the regions of a loop.
class RegionFinder {
  const LoopContext &C;
  const Loop &L;
  const LatencyAnalysis &Latency;
  const TaskLocals &Locals;
  ScalarEvolution &SE;
  AAResults &AA;
  FrameValues Frames;
  const SharedStates States;
  const LikelyQueries Queries;
  const ReadDependences Dependences;
  const ElementRemovals Removals;
  const FreeAccesses Free;
  /// Threads share the iterations.
  const CheckedExchanges Exchanges;
  SmallVector<Region> &Regions;
  SmallDenseSet<std::tuple<Instruction *, Instruction *, Reason>> Known;
  SmallSetVector<const SCEV *, 2> NonZero;

public:
  RegionFinder(const LoopContext &C, const LatencyAnalysis &Latency,
               const TaskLocals &Locals, SmallVector<Region> &Regions)
      : C(C), L(C.L), Latency(Latency), Locals(Locals), SE(C.SE), AA(C.AA),
        Frames(C, Locals), States(C, Locals, Frames),
        Queries(C, Latency, Locals, Frames, States.ofCalls()),
        Dependences(C.L, Locals, Frames),
        Removals(C, Latency, Locals, Frames, Dependences, Queries.ofOthers()),
        Free(C.L), Exchanges(C, Latency), Regions(Regions) {
    // Where the order of iterations matters, more may depend on an update than
    // is known.
    Frames.tellCycles(isWorksharing(C.L, C.DT));
  }

  void run() {
    auto AddAs = [&](Reason Why) {
      return [this, Why](Instruction *First, Instruction *Last) {
        add(First, Last, Why);
      };
    };
    addAccesses();
    ElementUpdates(C, Latency, Locals, Frames, Dependences, Queries.ofOthers())
        .find(AddAs(Reason::Modification));
    Removals.find(AddAs(Reason::Modification));
    SmallVector<ObjectUse> Whole;
    for (Instruction &I : instructionsIn(L.blocks()))
      addWholeUses(I, Whole);
    ArrayOverlaps(C, Latency, Locals, Frames, Dependences)
        .find(withHiddenArrays(Whole), NonZero, AddAs(Reason::Modification));
    Free.findUpdates([&](Instruction *First, Instruction *Last) {
      Known.insert({First, Last, Reason::Modification});
      Regions.push_back({First, Last, Reason::Modification, false, false});
    });
    addWholeObjects(Whole);
    addHiddenModifications();
    addLocks();
    addExceptions();
    States.findLocks(AddAs(Reason::Lock));
    addTickets();
    addOwnReads();
    addCalleeReads();
    States.findStates(AddAs(Reason::OwnUse));
    NonZero.insert_range(States.strides());
  }

  SmallSetVector<const SCEV *, 2> takeNonZero() { return std::move(NonZero); }

private:
  void add(Instruction *First, Instruction *Last, Reason Why) {
    assert(First && L.contains(First) && (!Last || L.contains(Last)) &&
           "a region lies in an iteration");
    if (Last && Free.areKeptApart(*First, *Last))
      return;
    if (Known.insert({First, Last, Why}).second)
      Regions.push_back(
          {First, Last, Why, /*IsPermitted=*/false,
           Why == Reason::Modification &&
               (Removals.leadsOn(First) || findsPlaces(*First, Last))});
  }

  /// True if \p First is a call that an inner loop makes again and again, and
  /// that finds the places of which \p Last writes to one.
  bool findsPlaces(const Instruction &First, const Instruction *Last) const {
    auto *Store = dyn_cast_or_null<StoreInst>(Last);
    const Loop *Inner = C.LI.getLoopFor(First.getParent());
    return isa<CallBase>(First) && Store && Inner != &L &&
           !Inner->contains(Store) &&
           Dependences.addressDependsOn(Store->getPointerOperand(), &First);
  }

  bool isLocal(Value *Address) const {
    return ::isLocal(Address, Locals, Frames);
  }

  bool isSame(Value *A, Value *B) const {
    return sameAddress(A, B, SE, Frames);
  }

  bool dependsOn(const Instruction *Write, const Instruction *Read) const {
    return Dependences.dependsOn(Write, Read);
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
        if (Read.I != Write.I && !isa<StoreInst, MemIntrinsic>(Read.I) &&
            !isLocal(Read.Address))
          if (std::optional<Reason> Why = reasonBetween(Read, Write))
            add(Read.I, Write.I, *Why);
    }
  }

  std::optional<Reason> reasonBetween(const Access &Read,
                                      const Access &Write) const {
    const bool Same = isSame(Read.Address, Write.Address);
    if (!Same && mayTakeAndRelease(Read, Write))
      return Reason::Lock;
    const bool IsStore = isa<StoreInst>(Write.I);
    // An atomic access is a whole read-modify-write; followed by another write
    // to the same address it is a lock, if it may tell that it is taken.
    if (!isa<LoadInst>(Read.I))
      return Same && (IsStore ||
                      (acquires(*Read.I) && !(isa<AtomicCmpXchgInst>(Read.I) &&
                                              Read.I->use_empty())))
                 ? std::optional(Reason::Lock)
                 : std::nullopt;
    if (Exchanges.areChecked(Read, Write))
      return std::nullopt;
    const bool AreHalves = (Same || (IsStore && mayBeHalves(Read, Write))) &&
                           !isOfOneIteration(Write);
    return AreHalves ? std::optional(Reason::Modification) : std::nullopt;
  }

  /// True if \p Read may take the lock that \p Write releases although their
  /// addresses are computed in two ways, as where locks are taken in the order
  /// of their addresses, or in a loop.
  bool mayTakeAndRelease(const Access &Read, const Access &Write) const {
    auto *Update = dyn_cast<AtomicRMWInst>(Write.I);
    const bool Unlocks =
        isa<StoreInst>(Write.I)
            ? releases(*Write.I)
            : Update && Update->getOrdering() == AtomicOrdering::Release;
    return Unlocks && acquires(*Read.I) && !Read.I->use_empty() &&
           (!isa<LoadInst>(Read.I) || Exchanges.isRepeated(Read)) &&
           mayBeSameField(Read, Write, L, Frames, AA);
  }

  /// True if no other iteration accesses the memory that \p Write accesses.
  bool isOfOneIteration(const Access &Write) const {
    return distinctPerIteration(Write.Address, Write.Bytes, L, SE) &&
           !writtenElsewhere(Write, L, AA, Locals, Frames);
  }

  /// True if each iteration reads another element by \p Read, which nothing
  /// writes to by its number, as where the rest of an array is appended to.
  bool isInput(const Access &Read) const {
    return distinctPerIteration(Read.Address, Read.Bytes, L, SE) &&
           none_of(Latency.accesses(), [&](const Access &Write) {
             return Write.Writes && isSame(Read.Address, Write.Address);
           });
  }

  /// True if \p Write may be to the same part of an object as \p Read and
  /// writes a value computed from it.
  bool mayBeHalves(const Access &Read, const Access &Write) const {
    return isSameObject(Read.Address, Write.Address) && !isInput(Read) &&
           !AA.isNoAlias(MemoryLocation::get(cast<LoadInst>(Read.I)),
                         MemoryLocation::get(Write.I)) &&
           !areDifferentFields(Read, Write, L, Frames) &&
           flowsInto(Read.I, Write.I, L, Frames);
  }

  /// Copies of whole objects, and callees that are handed the address of one,
  /// may be halves of a read-modify-write, too.
  void addWholeObjects(ArrayRef<ObjectUse> Whole) {
    SmallVector<ObjectUse> All(Whole);
    for (const Access &A : Latency.accesses())
      if (!A.I->isAtomic())
        addUse(All, {A.I, A.Address, isa<LoadInst>(A.I), A.Writes}, A.Bytes);
    for (const ObjectUse &One : Whole)
      for (const ObjectUse &Other : All) {
        addIfHalves(One, Other);
        addIfHalves(Other, One);
      }
  }

  /// \p Uses and those of the arrays that callees choose elements of.
  SmallVector<ObjectUse> withHiddenArrays(ArrayRef<ObjectUse> Uses) const {
    SmallVector<ObjectUse> All(Uses);
    for (const InstructionUse &Use : Queries.ofOthers()) {
      auto *Root = const_cast<Value *>(Use.What.Object.Root);
      if (Root && !Use.What.IsFixed && L.isLoopInvariant(Root) &&
          !isLocal(Root))
        All.push_back({Use.I, Root, Use.What.Reads, Use.What.Writes});
    }
    return All;
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
    if (!Call || (isa<IntrinsicInst>(Call) && !isMemoryIntrinsic(I)) ||
        hasCodeBeside(I) || Frames.isOwnCall(*Call) || Queries.isQuery(I))
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

  /// The halves may be in callees that find the object without being handed its
  /// address.
  void addHiddenModifications() {
    SmallVector<InstructionUse> All(Queries.ofOthers());
    for (Instruction &I : instructionsIn(L.blocks()))
      if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I))
        addCopy(*Copy, All);
    for (const Access &A : Latency.accesses())
      if (!isa<MemIntrinsic>(A.I) && !isLocal(A.Address))
        All.push_back(
            {A.I, {usedObject(A.Address), !isa<StoreInst>(A.I), A.Writes}});
    SmallDenseSet<std::pair<Instruction *, Instruction *>> Seen;
    auto AddIfHalves = [&](const InstructionUse &Read,
                           const InstructionUse &Write) {
      if (mayBeHalves(Read, Write) && Seen.insert({Read.I, Write.I}).second &&
          dependsOn(Write.I, Read.I))
        add(Read.I, Write.I, Reason::Modification);
    };
    for (const InstructionUse &One : Queries.ofOthers())
      for (const InstructionUse &Other : All) {
        AddIfHalves(One, Other);
        AddIfHalves(Other, One);
      }
  }

  void addCopy(AnyMemIntrinsic &Copy,
               SmallVectorImpl<InstructionUse> &Uses) const {
    if (!isLocal(Copy.getRawDest()))
      Uses.push_back({&Copy, {usedObject(Copy.getRawDest()), false, true}});
    if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&Copy);
        Transfer && !isLocal(Transfer->getRawSource()))
      Uses.push_back(
          {&Copy, {usedObject(Transfer->getRawSource()), true, false}});
  }

  bool mayBeHalves(const InstructionUse &Read,
                   const InstructionUse &Write) const {
    return Read.What.Reads && Write.What.Writes && Read.I != Write.I &&
           Read.What.Object.isSame(Write.What.Object, Frames) &&
           !isOfIteration(Read.What.Object);
  }

  /// True for a variable of the iteration.
  bool isOfIteration(const UsedObject &Object) const {
    return Object.Root && ((Object.Pointers.empty() &&
                            isLocal(const_cast<Value *>(Object.Root))) ||
                           Frames.isOwnBehind(Object.Root, Object.Pointers));
  }

  /// An iteration that always writes a variable before it reads it, itself or
  /// in a callee, reads its own value, as from errno.
  void addOwnReads() {
    for (const Access &Read : Latency.accesses()) {
      auto *Load = dyn_cast<LoadInst>(Read.I);
      if (!Load || !(isOneForAll(Read.Address) || States.isReloaded(*Load)))
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
               return mayKnow(Call, *Store) &&
                      isRefSet(
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
    const bool IsReloaded = !isOneForAll(Load.getPointerOperand());
    SmallSetVector<Instruction *, 4> Writers;
    for (const Access &Write : Latency.accesses())
      if (isa<StoreInst>(Write.I) && !OnlyUpdates &&
          (isSame(Load.getPointerOperand(), Write.Address) ||
           (IsReloaded && States.writesReloaded(*Write.I, Load))))
        Writers.insert(Write.I);
    Writers.insert_range(calls([&](Instruction &Call) {
      return IsReloaded ? States.writesReloaded(Call, Load)
                        : mayKnow(Call, Load) &&
                              !leavesArray(cast<CallBase>(Call), Load, L) &&
                              isModSet(AA.getModRefInfo(
                                  &Call, MemoryLocation::get(&Load)));
    }));
    return Writers;
  }

  /// False if \p Call is none of the program's own that \p Access , a load or a
  /// store, may have to do with.
  static bool mayKnow(Instruction &Call, const Instruction &Access) {
    return !isNewOrDelete(cast<CallBase>(Call)) || mayBeAccount(Access);
  }

  /// The calls in the loop for which \p Matches.
  SmallVector<Instruction *>
  calls(function_ref<bool(Instruction &)> Matches) const {
    SmallVector<Instruction *> Found;
    for (Instruction &I : instructionsIn(L.blocks()))
      if (isa<CallBase>(I) &&
          (!isa<IntrinsicInst>(I) || isa<AnyMemIntrinsic>(I) ||
           isMemoryIntrinsic(I)) &&
          !hasCodeBeside(I) && !Frames.isOwnCall(cast<CallBase>(I)) &&
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

  /// Others wait for an iteration that has drawn a number by which it waits for
  /// a lock, or chooses the place where it waits.
  void addTickets() {
    // What is added is such a region itself.
    for (size_t Number = 0; Number < Regions.size(); ++Number) {
      const Region Lock = Regions[Number];
      if (Lock.Why != Reason::Lock && !acquires(*Lock.First))
        continue;
      SmallVector<const Value *> Inputs(Lock.First->operand_values());
      // The loop in which the iteration waits, if there is one.
      const Loop *Wait = C.LI.getLoopFor(Lock.First->getParent());
      if (Wait != &L) {
        SmallVector<BasicBlock *> Ways;
        Wait->getExitingBlocks(Ways);
        for (const BasicBlock *Way : Ways)
          append_range(Inputs, Way->getTerminator()->operand_values());
      }
      const Sources Of = sourcesOf(std::move(Inputs), L, Frames);
      SmallPtrSet<const Value *, 4> Variables;
      for (const Instruction &I : instructionsIn(L.blocks()))
        if (auto *Load = dyn_cast<LoadInst>(&I); Load && Of.contains(Load))
          Variables.insert(Frames.object(Load->getPointerOperand()));
      auto IsInput = [&](const Instruction &I) {
        auto *Call = dyn_cast<CallBase>(&I);
        return Of.contains(&I) ||
               (Call && any_of(Call->args(), [&](const Value *Argument) {
                  return Argument->getType()->isPointerTy() &&
                         isa<AllocaInst>(Frames.object(Argument)) &&
                         Variables.contains(Frames.object(Argument));
                }));
      };
      for (Instruction &I : instructionsIn(L.blocks()))
        if (&I != Lock.First && (Wait == &L || !Wait->contains(&I)) &&
            drawsNumber(I) && IsInput(I))
          add(&I, Lock.Last, Reason::Lock);
    }
  }

  /// True if \p I may update what all threads draw their numbers from.
  static bool drawsNumber(const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      return isa<AtomicRMWInst, AtomicCmpXchgInst>(I);
    const Function *Callee = calleeOf(*Call);
    return I.mayWriteToMemory() && !isa<IntrinsicInst>(I) &&
           !isNewOrDelete(*Call) &&
           (!Callee || Callee->isDeclaration() || updatesAtomically(*Callee));
  }

  /// True if \p F , or what it calls, has an atomic update.
  static bool updatesAtomically(const Function &F) {
    SmallSetVector<const Function *, 8> Called;
    Called.insert(&F);
    for (size_t Number = 0; Number < Called.size(); ++Number)
      for (const Instruction &I : instructions(*Called[Number])) {
        if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I) ||
            Called.size() == tunable::CalleeUses)
          return true;
        auto *Call = dyn_cast<CallBase>(&I);
        if (const Function *Inner = Call ? calleeOf(*Call) : nullptr)
          Called.insert(Inner);
      }
    return false;
  }

  /// An exception is the thread's from its landing to the end of its handler,
  /// which begins and ends as a lock is acquired and released.
  void addExceptions() {
    SmallVector<Instruction *> Landings, Handlers;
    for (Instruction &I : instructionsIn(L.blocks()))
      if (isa<LandingPadInst>(I))
        Landings.push_back(&I);
      else if (calleeName(I) == "__cxa_begin_catch")
        Handlers.push_back(&I);
    for (Instruction *Landing : Landings)
      for (Instruction *Handler : Handlers)
        add(Landing, Handler, Reason::Lock);
  }
};

} // namespace

UninterruptedRegions::UninterruptedRegions(const LoopContext &C,
                                           const LatencyAnalysis &Latency,
                                           const TaskLocals &Locals,
                                           bool MayEnd)
    : L(C.L), Paths(C.L) {
  RegionFinder Finder(C, Latency, Locals, Regions);
  Finder.run();
  NonZero = Finder.takeNonZero();
  BlocksToEnd.resize(Regions.size());
  SmallVector<const Instruction *, 4> NestedCalls;
  for (const Instruction &I : instructionsIn(L.blocks()))
    if (isOfRecursion(I))
      NestedCalls.push_back(&I);
  for (Region &R : Regions)
    R.EndsSuspensions = MayEnd && isUnlikelyCall(*R.First);
  for (Region &R : Regions)
    R.MayRepeat = R.MayRepeat || isRepeatedInside(R, C) ||
                  any_of(NestedCalls, [&](const Instruction *Call) {
                    return contains(R, Call);
                  });
  // Found with MayRepeat unknown.
  BlocksToEnd.assign(Regions.size(), std::nullopt);
}
