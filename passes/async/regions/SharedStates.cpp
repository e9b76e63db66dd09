//===- SharedStates.cpp - What accesses note for later ones ---------------===//

#include "async/regions/SharedStates.h"
#include "async/analysis/AccessRelations.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;

SharedStates::SharedStates(const LoopContext &C, const TaskLocals &Locals,
                           const FrameValues &Frames)
    : L(C.L), DT(C.DT), Locals(Locals), Frames(Frames), SE(C.SE), AA(C.AA) {
  CalleeUses Callees;
  for (Instruction &I : instructionsIn(L.blocks()))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && !hasCodeBeside(I))
      for (CalleeUse &What : Callees.of(*Call, L, Frames))
        Hidden.push_back({&I, std::move(What)});
  // What calls return is known now.
  for (Instruction &I : instructionsIn(L.blocks()))
    if ((accessedAddress(I) || isa<AnyMemIntrinsic>(I) ||
         isMemoryIntrinsic(I)) &&
        !isOwnAccess(I))
      for (CalleeUse &What : Callees.ofAccess(I, L))
        Plain.push_back({&I, std::move(What)});
  foldNeighbours();
}

/// Iterations that write to the places of their neighbours as well have none of
/// their own.
void SharedStates::foldNeighbours() {
  SmallVector<CalleeUse *> Writes;
  for (SmallVector<InstructionUse> *Uses : {&Hidden, &Plain})
    for (InstructionUse &Use : *Uses)
      if (Use.What.Writes && !Use.What.IsUpdate && !Use.What.Choice.empty())
        Writes.push_back(&Use.What);
  for (CalleeUse *One : Writes)
    for (CalleeUse *Other : Writes)
      if (One != Other && areNeighbours(*One, *Other))
        One->IsFolded = true;
}

/// True if the place of \p A in one iteration is that of \p B in another one
/// nearby.
bool SharedStates::areNeighbours(const CalleeUse &A, const CalleeUse &B) const {
  if (!A.Object.isSame(B.Object, Frames))
    return false;
  auto RecurrenceOf = [&](const Value *V) -> const SCEVAddRecExpr * {
    return SE.isSCEVable(V->getType())
               ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(V)))
               : nullptr;
  };
  auto Meet = [&](const SCEVAddRecExpr *One, const SCEVAddRecExpr *Other) {
    if (!One || !Other || One->getLoop() != &L || Other->getLoop() != &L ||
        One->getType() != Other->getType())
      return false;
    auto *Step = dyn_cast<SCEVConstant>(One->getStepRecurrence(SE));
    auto *Apart = dyn_cast<SCEVConstant>(SE.getMinusSCEV(Other, One));
    if (!Step || !Apart || Apart->isZero())
      return false;
    const APInt &Bytes = Apart->getAPInt(), &OfStep = Step->getAPInt();
    return Bytes.srem(OfStep).isZero() &&
           Bytes.sdiv(OfStep).abs().ule(tunable::NeighbourIterations);
  };
  return any_of(A.Choosers, [&](const Value *One) {
    return any_of(B.Choosers, [&](const Value *Other) {
      return Meet(RecurrenceOf(One), RecurrenceOf(Other));
    });
  });
}

/// True if \p I accesses memory of the iteration only.
bool SharedStates::isOwnAccess(const Instruction &I) const {
  auto *Copy = dyn_cast<AnyMemIntrinsic>(&I);
  if (!Copy)
    return accessedAddress(I) && isLocalObject(accessedAddress(I));
  auto *Transfer = dyn_cast<AnyMemTransferInst>(Copy);
  return isLocalObject(Copy->getRawDest()) &&
         (!Transfer || isLocalObject(Transfer->getRawSource()));
}

bool SharedStates::isLocalObject(const Value *Object) const {
  return isLocal(const_cast<Value *>(Object), Locals, Frames);
}

/// True for a variable of the iteration, or memory that it allocates.
bool SharedStates::isOfIteration(const UsedObject &Object) const {
  return Object.Root &&
         ((Object.Pointers.empty() && isLocalObject(Object.Root)) ||
          Frames.isOwnBehind(Object.Root, Object.Pointers));
}

/// True if nothing is known of the object, or only which variable of the
/// iteration points to it.
bool SharedStates::isAny(const UsedObject &Object) const {
  return !Object.Root ||
         (!Object.Pointers.empty() && isLocalObject(Object.Root));
}

/// True if all iterations use the same places of one object. A function that is
/// called with the same arguments may return the same object.
bool SharedStates::isShared(const CalleeUse &Use) const {
  const Value *Root = Use.Object.Root;
  if (!Use.IsFixed || !Root || isLocalObject(Root))
    return false;
  auto *Call = dyn_cast<CallBase>(Root);
  return L.isLoopInvariant(Root) ||
         (Call && L.hasLoopInvariantOperands(Call) && !isNoAliasCall(Call));
}

/// True if \p I accesses a variable at an address that is known before the
/// loop. Alias analysis tells which calls access it.
bool SharedStates::hasFixedAddress(const Instruction &I) const {
  Value *Address = accessedAddress(I);
  return Address && SE.isLoopInvariant(SE.getSCEV(Address), &L);
}

/// True if \p Counter may come back to a number while iterations with it are in
/// flight, as one of eight bits does.
static bool mayRepeat(const SCEVAddRecExpr &Counter, ScalarEvolution &SE) {
  const uint64_t Bits = SE.getTypeSizeInBits(Counter.getType());
  const uint64_t Zeros = SE.getMinTrailingZeros(Counter.getStepRecurrence(SE));
  return !Counter.hasNoUnsignedWrap() && !Counter.hasNoSignedWrap() &&
         Bits <= Zeros + Log2_64_Ceil(2 * tunable::MostTasks);
}

/// Notes that \p Stride must not be zero.
void SharedStates::noteStride(const SCEV *Stride) const {
  if (SE.isLoopInvariant(Stride, &L) && !SE.isKnownNonZero(Stride))
    Strides.insert(Stride);
}

/// True if \p Value is another one in each iteration, unless what it grows by
/// turns out to be zero.
bool SharedStates::isOfOneIteration(const Value *Value) const {
  auto *Phi = dyn_cast<PHINode>(Value);
  if (!Phi || Phi->getParent() != L.getHeader())
    return false;
  // A list ends.
  auto *Next =
      dyn_cast<LoadInst>(Phi->getIncomingValueForBlock(L.getLoopLatch()));
  if (Next && getUnderlyingObject(Next->getPointerOperand()) == Phi)
    return true;
  auto *Recurrence =
      dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(Phi)));
  if (!Recurrence || mayRepeat(*Recurrence, SE))
    return false;
  noteStride(Recurrence->getStepRecurrence(SE));
  return true;
}

/// True if each iteration has another place.
bool SharedStates::isOfOneIteration(const CalleeUse &Use) const {
  if (Use.IsFolded || none_of(Use.Choice, [&](const Value *Value) {
        return isOfOneIteration(Value);
      }))
    return false;
  for (const Value *Stride : Use.Strides)
    noteStride(SE.getSCEV(const_cast<Value *>(Stride)));
  return true;
}

/// True if what chooses the place of \p A, a row perhaps, chooses that of \p B
/// as well, and other iterations may choose it, too.
bool SharedStates::isInPlaceOf(const CalleeUse &B, const CalleeUse &A) const {
  return !A.Choice.empty() && all_of(A.Choice, [&](const Value *Value) {
    return any_of(B.Choice, [&](const llvm::Value *Other) {
      return sameExpression(Value, Other, Frames);
    });
  }) && !isOfOneIteration(A);
}

/// True if values of an iteration choose the same place for both, and other
/// iterations may choose it as well.
bool SharedStates::isSamePlace(const CalleeUse &A, const CalleeUse &B) const {
  return A.Choice.size() == B.Choice.size() && isInPlaceOf(B, A);
}

/// True if \p Address, and what is computed from it, is used for accesses only.
static bool isOnlyAccessed(const Value *Address) {
  return all_of(Address->uses(), [](const Use &U) {
    const User *By = U.getUser();
    return isa<LoadInst, CmpInst>(By) ||
           (isa<GEPOperator>(By) && isOnlyAccessed(By)) ||
           (isa<StoreInst>(By) &&
            U.getOperandNo() == StoreInst::getPointerOperandIndex());
  });
}

/// True if pointers in memory may lead to \p Object in the loop, too. What
/// frees it behind the loop does not count.
bool SharedStates::isHandedOn(const Value *Object) const {
  if (auto *Global = dyn_cast<GlobalVariable>(Object))
    return !Global->hasLocalLinkage() || !isOnlyAccessed(Global);
  return !(isa<AllocaInst>(Object) || isNoAliasCall(Object)) ||
         PointerMayBeCapturedBefore(Object, /*ReturnCaptures=*/false,
                                    L.getLoopLatch()->getTerminator(), &DT,
                                    /*IncludeI=*/true);
}

/// True if both may be one object although they are reached in different ways.
bool SharedStates::mayBeReachedTwice(const UsedObject &A,
                                     const UsedObject &B) const {
  if (A.Pointers.empty() && B.Pointers.empty())
    return false;
  return (!A.Pointers.empty() || isHandedOn(A.Root)) &&
         (!B.Pointers.empty() || isHandedOn(B.Root));
}

/// True if a function other than \p F uses \p Address.
static bool isUsedOutside(const Value *Address, const Function &F) {
  return any_of(Address->users(), [&](const User *U) {
    auto *I = dyn_cast<Instruction>(U);
    return I ? I->getFunction() != &F : isUsedOutside(U, F);
  });
}

/// True if \p Call, whose function is not seen, may find \p Object: it is
/// reached from a global variable, or handed to the call. A call through a
/// pointer may lead to a function of the same file.
bool SharedStates::mayKnow(const CallBase &Call,
                           const UsedObject &Object) const {
  if (auto *Global = dyn_cast_or_null<GlobalVariable>(Object.Root))
    return !Global->isConstant() &&
           (isHandedOn(Global) || (!Call.getCalledFunction() &&
                                   isUsedOutside(Global, *Call.getFunction())));
  return Object.Root && any_of(Call.args(), [&](const Value *Argument) {
           return Argument->getType()->isPointerTy() &&
                  sameExpression(Object.Root, getUnderlyingObject(Argument),
                                 Frames);
         });
}

/// True if \p Call returns what chooses the place of \p Use, or leaves it in a
/// variable.
bool SharedStates::choosesPlace(const CallBase &Call,
                                const CalleeUse &Use) const {
  return any_of(Use.Choice, [&](const Value *Choosing) {
    auto *Load = dyn_cast<LoadInst>(Choosing);
    if (!Load)
      return Choosing == &Call;
    const Value *Variable = getUnderlyingObject(Load->getPointerOperand());
    return isa<AllocaInst>(Variable) &&
           any_of(Call.args(), [&](const Value *Argument) {
             return Argument->getType()->isPointerTy() &&
                    getUnderlyingObject(Argument) == Variable;
           });
  });
}

/// Another write counts as well: it ends a state in which other iterations
/// wait.
bool SharedStates::continuesState(const InstructionUse &Write,
                                  const InstructionUse &Later) const {
  const CalleeUse &Use = Later.What, &Noted = Write.What;
  if (Write.I == Later.I || !Noted.Writes || !(Use.Reads || Use.Writes) ||
      (Noted.IsUpdate && Use.IsUpdate) || isOfIteration(Noted.Object) ||
      isOfIteration(Use.Object))
    return false;
  // What a function returns may be one buffer for all calls.
  if (Use.Reads && Use.Object.Root == Write.I && Use.Object.Pointers.empty() &&
      !isNoAliasCall(Write.I))
    return true;
  // A place that it has chosen is where it has noted something.
  if (auto *Call = dyn_cast<CallBase>(Write.I); Call && isAny(Noted.Object) &&
                                                choosesPlace(*Call, Use) &&
                                                mayKnow(*Call, Use.Object))
    return true;
  if (isAny(Use.Object) || isAny(Noted.Object))
    return Use.Reads && (isAny(Use.Object) || isShared(Use)) &&
           (isAny(Noted.Object) || isShared(Noted));
  const bool AreShared = isShared(Use) && isShared(Noted);
  if (!Use.Object.isSame(Noted.Object, Frames))
    return AreShared && mayBeReachedTwice(Use.Object, Noted.Object);
  // A write elsewhere in the object ends nothing.
  if (!Use.Reads)
    return AreShared || isSamePlace(Use, Noted);
  // The place that a callee has returned is where it has noted something.
  return isShared(Use) || isShared(Noted) || isInPlaceOf(Use, Noted) ||
         is_contained(Use.Choice, Write.I);
}

/// False if one of the two is a call that cannot access what the other does,
/// or if both are accesses to different places.
bool SharedStates::mayTouch(const Instruction *One,
                            const Instruction *Other) const {
  if (isa<CallBase>(Other))
    std::swap(One, Other);
  const std::optional<MemoryLocation> Place = MemoryLocation::getOrNone(Other);
  return !Place || isModOrRefSet(AA.getModRefInfo(One, *Place));
}

/// True if each iteration writes to the object by \p Write before it reads it.
bool SharedStates::isFilledFirst(const InstructionUse &Write) const {
  auto IsBehind = [&](const InstructionUse &Use) {
    return !Use.What.Reads ||
           !(isAny(Use.What.Object) ||
             Use.What.Object.isSame(Write.What.Object, Frames)) ||
           DT.dominates(Write.I, Use.I);
  };
  return all_of(Plain, IsBehind) && all_of(Hidden, IsBehind);
}

/// True if other iterations may write the places that \p Write does before the
/// iteration reads them by \p Later, as in a buffer that each of them fills.
bool SharedStates::fillsAgain(const InstructionUse &Write,
                              const InstructionUse &Later) const {
  const CalleeUse &Use = Later.What, &Filled = Write.What;
  if (isAny(Use.Object) || isAny(Filled.Object))
    return continuesState(Write, Later);
  if (isOfIteration(Filled.Object))
    return false;
  if (!Use.Object.isSame(Filled.Object, Frames))
    return isShared(Filled) && mayBeReachedTwice(Use.Object, Filled.Object);
  return isShared(Filled) || isShared(Use) || isInPlaceOf(Use, Filled) ||
         (isFilledFirst(Write) && !isOfOneIteration(Filled));
}

/// The first of the writes to the object that have to be executed before \p
/// Write, and whose places are chosen in the same way.
const InstructionUse *
SharedStates::firstFill(const InstructionUse &Write) const {
  const InstructionUse *First = &Write;
  for (const InstructionUse &Other : Plain)
    if (Other.What.Writes && Other.I != First->I &&
        Other.What.IsFixed == Write.What.IsFixed &&
        Other.What.IsFolded == Write.What.IsFolded &&
        Other.What.IsUpdate == Write.What.IsUpdate &&
        Other.What.Choice == Write.What.Choice &&
        hasFixedAddress(*Other.I) == hasFixedAddress(*Write.I) &&
        DT.dominates(Other.I, First->I) &&
        Other.What.Object.isSame(Write.What.Object, Frames))
      First = &Other;
  return First;
}

/// True if \p Write stores a value that is computed from the one before.
bool SharedStates::writesComputed(const Instruction &Write) const {
  return any_of(Plain, [&](const InstructionUse &Read) {
    return isa<LoadInst>(Read.I) && accessedAddress(Write) &&
           sameAddress(accessedAddress(*Read.I), accessedAddress(Write), SE,
                       Frames) &&
           flowsInto(Read.I, &Write, L, Frames);
  });
}

void SharedStates::findStates(AddPair Add) const {
  auto AddIfContinued = [&](const InstructionUse &Write,
                            const InstructionUse &Later) {
    if (continuesState(Write, Later) && mayTouch(Write.I, Later.I))
      Add(Write.I, Later.I);
  };
  auto IsNewOrDelete = [](const InstructionUse &Use) {
    return isNewOrDelete(*cast<CallBase>(Use.I));
  };
  for (const InstructionUse &Write : Hidden) {
    for (const InstructionUse &Later : Hidden)
      if (!IsNewOrDelete(Write) || !IsNewOrDelete(Later))
        AddIfContinued(Write, Later);
    // Reads of what all iterations share depend on the way to them.
    for (const InstructionUse &Later : Plain)
      if (!Later.What.IsUpdate && (Later.What.Writes ? !writesComputed(*Later.I)
                                                     : !isShared(Later.What)))
        AddIfContinued(Write, Later);
  }
  for (const InstructionUse &Write : Plain) {
    if (!Write.What.Writes || Write.What.IsUpdate)
      continue;
    const bool IsFixed = hasFixedAddress(*Write.I);
    if (!IsFixed)
      for (const InstructionUse &Later : Hidden)
        AddIfContinued(Write, Later);
    // The region from the first write of a buffer contains the others.
    const InstructionUse *First = firstFill(Write);
    for (const InstructionUse &Later : Plain)
      if (!Later.What.Writes && !(IsFixed && hasFixedAddress(*Later.I)) &&
          (First == &Write || !mayTouch(First->I, Later.I)) &&
          fillsAgain(Write, Later) && mayTouch(Write.I, Later.I))
        Add(Write.I, Later.I);
  }
}

void SharedStates::findLocks(AddPair Add) const {
  SmallVector<InstructionUse> All(Hidden);
  append_range(All, Plain);
  // A counter that nothing looks at is no lock.
  auto IsCounter = [&](const CalleeUse &Use) {
    return Use.IsUpdate && !Use.Reads &&
           none_of(All, [&](const InstructionUse &Other) {
             const UsedObject &Object = Other.What.Object;
             return Other.What.Reads && (isAny(Object) || isAny(Use.Object) ||
                                         Object.isSame(Use.Object, Frames));
           });
  };
  for (const InstructionUse &Acquire : All)
    for (const InstructionUse &Release : All)
      if (Acquire.What.Acquires && Release.What.Releases &&
          Acquire.I != Release.I && mayBeOneLock(Acquire, Release) &&
          !IsCounter(Acquire.What))
        Add(Acquire.I, Release.I);
}

/// True if a callee has returned the address that \p I accesses.
static bool isReturned(const Instruction &I) {
  return isa<CallBase>(getUnderlyingObject(accessedAddress(I)));
}

bool SharedStates::mayBeOneLock(const InstructionUse &Acquire,
                                const InstructionUse &Release) const {
  const UsedObject &Of = Acquire.What.Object, &Other = Release.What.Object;
  if (isa<CallBase>(Acquire.I) || isa<CallBase>(Release.I))
    return isAny(Of) || isAny(Other) || Of.isSame(Other, Frames);
  // A callee has looked up the address again.
  return isReturned(*Acquire.I) && isReturned(*Release.I) &&
         Of.isSame(Other, Frames) && isSamePlace(Acquire.What, Release.What);
}

bool SharedStates::isReloaded(const LoadInst &Load) const {
  return any_of(Plain, [&](const InstructionUse &Use) {
    return Use.I == &Load && isShared(Use.What) && !hasFixedAddress(Load);
  });
}

bool SharedStates::writesReloaded(const Instruction &Write,
                                  const LoadInst &Load) const {
  auto IsWriteTo = [&](const InstructionUse &Use, const InstructionUse &Read) {
    return Use.I == &Write && Read.I == &Load && Use.What.Writes &&
           (isAny(Use.What.Object) ||
            Use.What.Object.isSame(Read.What.Object, Frames) ||
            (isShared(Use.What) &&
             mayBeReachedTwice(Use.What.Object, Read.What.Object)));
  };
  return isModSet(AA.getModRefInfo(&Write, MemoryLocation::get(&Load))) &&
         any_of(Plain, [&](const InstructionUse &Read) {
           return any_of(
               isa<CallBase>(Write) ? Hidden : Plain,
               [&](const InstructionUse &Use) { return IsWriteTo(Use, Read); });
         });
}
