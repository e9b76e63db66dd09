//===- ElementUpdates.cpp - Where updates of elements begin ---------------===//

#include "async/regions/ElementUpdates.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/SameElement.h"
#include "ir/Instructions.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

/// True if \p A stores, by an instruction that does nothing else.
static bool isStore(const Access &A) {
  return A.Writes && isa<StoreInst, AnyMemIntrinsic>(A.I);
}

/// True if \p A is the second half of a commutative update.
static bool isCounter(const Access &A) {
  auto *Store = dyn_cast<StoreInst>(A.I);
  return Store && isCommutativeUpdate(*Store);
}

ElementUpdates::ElementUpdates(const LoopContext &C,
                               const LatencyAnalysis &Latency,
                               const TaskLocals &Locals,
                               const FrameValues &Frames,
                               const ReadDependences &Dependences,
                               ArrayRef<InstructionUse> Hidden)
    : C(C), L(C.L), Locals(Locals), Frames(Frames), SE(C.SE), AA(C.AA),
      Dependences(Dependences), Hidden(Hidden), Accesses(Latency.accesses()) {
  addCopies();
}

void ElementUpdates::addCopies() {
  auto IsKnown = [&](const Instruction &I) {
    return any_of(Accesses, [&](const Access &A) { return A.I == &I; });
  };
  for (Instruction &I : instructionsIn(L.blocks())) {
    auto *Copy = dyn_cast<AnyMemIntrinsic>(&I);
    if (!Copy || IsKnown(I))
      continue;
    auto *Length = dyn_cast<ConstantInt>(Copy->getLength());
    Access A = {};
    A.I = &I;
    A.Bytes = Length ? Length->getLimitedValue() : UINT32_MAX;
    A.Address = Copy->getRawDest();
    A.Writes = true;
    Accesses.push_back(A);
    if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&I)) {
      A.Address = Transfer->getRawSource();
      A.Writes = false;
      Accesses.push_back(A);
    }
  }
}

bool ElementUpdates::mayBeSame(const Access &A, const Access &B) const {
  return mayBeSameField(A, B, L, Frames, AA);
}

/// True if a call accesses an object, which may be that of \p A, and is handed
/// the number of the element. Functions that are not seen do not count.
bool ElementUpdates::isHandedNumber(const InstructionUse &Use,
                                    const Access &A) const {
  const MemoryLocation Place(A.Address, LocationSize::precise(A.Bytes));
  auto &Call = *cast<CallBase>(Use.I);
  const UsedObject &Object = Use.What.Object;
  const bool IsApart =
      Object.Root && Object.Pointers.empty() &&
      AA.isNoAlias(MemoryLocation::getBeforeOrAfter(Object.Root), Place);
  return Object.Root && !IsApart && !Use.What.IsFixed && !isNewOrDelete(Call) &&
         isModOrRefSet(AA.getModRefInfo(&Call, Place)) &&
         mayBeElementOf(Call, A.Address, L, Frames);
}

/// True if \p First reads what other iterations change.
bool ElementUpdates::isChanged(const Access &Read) const {
  if (Read.Writes)
    return true;
  if (isLocal(Read.Address, Locals, Frames))
    return false;
  auto [Found, IsNew] = Changed.try_emplace(&Read);
  if (IsNew) {
    const UsedObject Object = usedObject(Read.Address);
    Found->second = any_of(Accesses,
                           [&](const Access &Write) {
                             return Write.Writes &&
                                    !isLocal(Write.Address, Locals, Frames) &&
                                    mayBeSame(Read, Write);
                           }) ||
                    any_of(Hidden, [&](const InstructionUse &Write) {
                      return Write.What.Writes &&
                             (Write.What.Object.isSame(Object, Frames) ||
                              isHandedNumber(Write, Read));
                    });
  }
  return Found->second;
}

/// True if something in the loop reads what \p Write stores.
bool ElementUpdates::isRead(const Access &Write) const {
  auto [Found, IsNew] = AreRead.try_emplace(&Write);
  if (IsNew)
    Found->second = any_of(Accesses, [&](const Access &Read) {
      return !isStore(Read) && mayBeSame(Read, Write);
    });
  return Found->second;
}

/// True if \p First and \p Last store fields of one element which are more
/// than counters.
bool ElementUpdates::begins(const Access &First, const Access &Last) const {
  if (isCounter(First) || isCounter(Last))
    return false;
  return Frames.object(First.Address) == Frames.object(Last.Address)
             ? mayBeOneElement(First.Address, Last.Address, L, Frames)
             : mayBeOneElement(First.Address, Last.Address, L, Frames) &&
                   (isRead(First) || isRead(Last));
}

/// True if each turn of \p Inner has another place at \p Address: one that an
/// atomic counter hands out, or the next element.
bool ElementUpdates::isOfTurn(const Access &A, const Loop &Inner) const {
  return SCEVExprContains(SE.getSCEV(A.Address), [&](const SCEV *S) {
    if (auto *Counted = dyn_cast<SCEVAddRecExpr>(S)) {
      auto *Step = dyn_cast<SCEVConstant>(Counted->getStepRecurrence(SE));
      return Counted->getLoop() == &Inner && Step &&
             Step->getAPInt().abs().uge(A.Bytes);
    }
    auto *Unknown = dyn_cast<SCEVUnknown>(S);
    auto *Claim =
        Unknown ? dyn_cast<AtomicRMWInst>(Unknown->getValue()) : nullptr;
    return Claim && Claim->getOperation() == AtomicRMWInst::Add &&
           Inner.contains(Claim);
  });
}

/// True if \p First comes before \p Last only in an earlier turn of an inner
/// loop, at another place.
bool ElementUpdates::areOfTwoTurns(const Access &First,
                                   const Access &Last) const {
  const Loop *Inner = C.LI.getLoopFor(First.I->getParent());
  if (Inner == &L || Inner != C.LI.getLoopFor(Last.I->getParent()) ||
      !isOfTurn(First, *Inner) || !isOfTurn(Last, *Inner))
    return false;
  SmallPtrSet<BasicBlock *, 1> NextTurn{Inner->getHeader()};
  return !isPotentiallyReachable(First.I, Last.I, &NextTurn, &C.DT);
}

/// True if \p Last completes an update that \p First begins or decides on.
bool ElementUpdates::isUpdateBy(const Access &First, const Access &Last) const {
  if (isLocal(First.Address, Locals, Frames))
    return false;
  if (isStore(First))
    return begins(First, Last) && !areOfTwoTurns(First, Last);
  return (mayBeOneElement(First.Address, Last.Address, L, Frames) ||
          mayBeFoundByIndex(First.Address, Last.Address, L, Frames)) &&
         Dependences.dependsOn(Last.I, First.I) && isChanged(First);
}

void ElementUpdates::find(
    function_ref<void(Instruction *, Instruction *)> Add) {
  SmallVector<const Access *> Stores;
  for (const Access &A : Accesses)
    if (isStore(A) && !isLocal(A.Address, Locals, Frames) &&
        !(distinctPerIteration(A.Address, A.Bytes, L, SE) &&
          !writtenElsewhere(A, L, AA, Locals, Frames)))
      Stores.push_back(&A);
  for (const Access *Last : Stores)
    for (const Access &First : Accesses)
      if (First.I != Last->I && isUpdateBy(First, *Last))
        Add(First.I, Last->I);
  for (const Access *Link : Stores)
    findFilled(*Link, Add);
  for (const Access &Link : Accesses)
    if (isa<LoadInst>(Link.I) && !isLocal(Link.Address, Locals, Frames) &&
        !distinctPerIteration(Link.Address, Link.Bytes, L, SE)) {
      findLinked(Link, Stores, Add);
      findMoved(Link, Add);
      findHooked(Link, Add);
      findFilledByCalls(Link, Add);
    }
  for (const InstructionUse &Use : Hidden) {
    if (isClaim(Use))
      findClaimed(Use, Stores, Add);
    if (isClaim(Use) || isQuestion(Use))
      findAsked(Use, Stores, Add);
    if (Use.What.Reads && isShared(Use.What.Object))
      findPlaced(*Use.I, Stores, Add);
  }
}

/// A callee has told, of the element with a number, what decides on updates of
/// that element, or has claimed it.
void ElementUpdates::findAsked(
    const InstructionUse &Use, ArrayRef<const Access *> Stores,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  auto &Call = *cast<CallBase>(Use.I);
  const bool IsClaimed = isClaim(Use);
  for (const Access *Last : Stores)
    if (!(IsClaimed && isCounter(*Last)) &&
        Dependences.dependsOrChooses(Last->I, &Call) &&
        mayBeElementOf(Call, Last->Address, L, Frames))
      Add(&Call, Last->I);
  for (const InstructionUse &Last : Hidden)
    if (Last.I != &Call && Last.What.Writes &&
        !(IsClaimed && Last.What.IsUpdate) &&
        Dependences.dependsOrChooses(Last.I, &Call) &&
        haveCommonNumber(Call, *cast<CallBase>(Last.I), L, Frames))
      Add(&Call, Last.I);
}

/// \p Told decides on a call that is handed the number of its element, and may
/// fill it in.
void ElementUpdates::findFilledByCalls(
    const Access &Told,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  for (const InstructionUse &Last : Hidden)
    if (auto &Call = *cast<CallBase>(Last.I);
        Last.What.Writes && Last.What.Object.Root && !isNewOrDelete(Call) &&
        mayBeElementOf(Call, Told.Address, L, Frames) &&
        Dependences.dependsOrChooses(&Call, Told.I) && isChanged(Told))
      Add(Told.I, &Call);
}

/// A callee has looked up, in what iterations share, the places that stores
/// link something to.
void ElementUpdates::findPlaced(
    Instruction &Call, ArrayRef<const Access *> Stores,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  if (isNoAliasCall(&Call))
    return;
  for (const Access *Last : Stores)
    if (auto *Store = dyn_cast<StoreInst>(Last->I);
        Store && Store->getValueOperand()->getType()->isPointerTy() &&
        Dependences.addressDependsOn(Last->Address, &Call))
      Add(&Call, Store);
}

/// \p Link leads to an element. Where the iteration decides by it to link
/// another one, that one is filled in before others see it.
void ElementUpdates::findLinked(
    const Access &Link, ArrayRef<const Access *> Stores,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  SmallVector<const Access *> Reached;
  for (const Access &A : Accesses)
    if (!isStore(A) && Dependences.addressDependsOn(A.Address, Link.I))
      Reached.push_back(&A);
  if (Reached.empty() || none_of(Stores, [&](const Access *Write) {
        return mayBeSame(Link, *Write) &&
               mayBeOneElement(Link.Address, Write->Address, L, Frames) &&
               Dependences.dependsOn(Write->I, Link.I);
      }))
    return;
  for (const Access *Last : Stores)
    if (!isCounter(*Last) &&
        any_of(Reached,
               [&](const Access *Read) { return mayBeSame(*Read, *Last); }) &&
        Dependences.dependsOn(Last->I, Link.I))
      Add(Link.I, Last->I);
}

/// The iteration decides by \p Link to hand its place to a callee, or something
/// that it has found there together with what that is linked to, as a node of a
/// list with a new one. A single node may be handed to code that only looks at
/// it.
void ElementUpdates::findHooked(
    const Access &Link,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  if (!Link.I->getType()->isPointerTy())
    return;
  auto IsHooked = [&](const CallBase &Call) {
    unsigned Handed = 0;
    bool IsPlace = false, IsFound = false;
    for (Value *Pointer : Call.args()) {
      if (!Pointer->getType()->isPointerTy() || L.isLoopInvariant(Pointer))
        continue;
      const bool FollowsLink = Dependences.addressDependsOn(Pointer, Link.I);
      IsFound |= FollowsLink;
      IsPlace |=
          !FollowsLink && mayBeOneElement(Link.Address, Pointer, L, Frames);
      ++Handed;
    }
    return IsPlace || (IsFound && Handed > 1);
  };
  for (const InstructionUse &Use : Hidden)
    if (auto &Call = *cast<CallBase>(Use.I);
        Use.What.Writes && !Use.What.IsUpdate && !isNewOrDelete(Call) &&
        IsHooked(Call) && Dependences.dependsOn(Use.I, Link.I))
      Add(Link.I, Use.I);
}

/// \p Link links new memory to what iterations share: others may copy it, or
/// free it, before the iteration has filled it in.
void ElementUpdates::findFilled(
    const Access &Link,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  auto *Store = dyn_cast<StoreInst>(Link.I);
  if (!Store || !Store->getValueOperand()->getType()->isPointerTy())
    return;
  const Value *New = Frames.object(Store->getValueOperand());
  if (!isNoAliasCall(New) || !L.contains(cast<Instruction>(New)))
    return;
  const bool MayGo = isFreed(Link);
  for (const Access &A : Accesses)
    if (A.I != Store && (A.Writes || MayGo) && Frames.object(A.Address) == New)
      Add(Store, A.I);
}

/// The pointer that \p Call frees, as free(), realloc() and operator delete do;
/// null if it is none of them.
static const Value *freedBy(const CallBase &Call) {
  if (const Value *Freed =
          Call.getArgOperandWithAttribute(Attribute::AllocatedPointer))
    return Freed;
  const StringRef Name = calleeName(Call);
  const bool IsDelete =
      Name.starts_with("_ZdlPv") || Name.starts_with("_ZdaPv");
  return IsDelete ? Call.getArgOperand(0) : nullptr;
}

/// True if the loop frees what pointers that lie where \p Link reads one point
/// to, itself or in a callee. Pointers in one element, such as those to the
/// begin and the end of a vector, may lead to one object.
bool ElementUpdates::isFreed(const Access &Link) const {
  for (const Instruction &I : instructionsIn(L.blocks())) {
    auto *Call = dyn_cast<CallBase>(&I);
    const Value *Freed = Call ? freedBy(*Call) : nullptr;
    if (!Freed || isLocal(const_cast<Value *>(Freed), Locals, Frames))
      continue;
    const Sources From = sourcesOf({Freed}, L, Frames);
    if (any_of(Accesses, [&](const Access &Read) {
          return From.contains(Read.I) &&
                 (mayBeSame(Read, Link) ||
                  mayBeOneElement(Read.Address, Link.Address, L, Frames));
        }))
      return true;
  }
  const UsedObject Place = usedObject(Link.Address);
  return any_of(Hidden, [&](const InstructionUse &Use) {
    auto *Call = cast<CallBase>(Use.I);
    return Use.What.Writes && !Call->hasFnAttr(Attribute::NoFree) &&
           Use.What.Object.isSame(Place, Frames);
  });
}

/// What \p Link points to may be elsewhere when the iteration goes on.
void ElementUpdates::findMoved(
    const Access &Link,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  if (!Link.I->getType()->isPointerTy() || !isFreed(Link))
    return;
  for (const Access &A : Accesses)
    if (A.I != Link.I && Dependences.addressDependsOn(A.Address, Link.I))
      Add(Link.I, A.I);
}

/// True if a call may have changed what other iterations see.
bool ElementUpdates::isClaim(const InstructionUse &Use) const {
  return Use.What.Writes && !Use.What.IsUpdate &&
         !isNewOrDelete(*cast<CallBase>(Use.I)) &&
         !Use.I->getType()->isVoidTy() && isShared(Use.What.Object);
}

/// True if a call tells what the loop changes.
bool ElementUpdates::isQuestion(const InstructionUse &Use) const {
  if (!Use.What.Reads || isNewOrDelete(*cast<CallBase>(Use.I)) ||
      !isShared(Use.What.Object))
    return false;
  auto IsSame = [&](const UsedObject &Object) {
    return Object.isSame(Use.What.Object, Frames);
  };
  return any_of(Hidden,
                [&](const InstructionUse &Write) {
                  return Write.I != Use.I && Write.What.Writes &&
                         !Write.What.IsUpdate && IsSame(Write.What.Object);
                }) ||
         any_of(Accesses, [&](const Access &Write) {
           return Write.Writes && !isCounter(Write) &&
                  (IsSame(usedObject(Write.Address)) ||
                   isHandedNumber(Use, Write));
         });
}

/// True unless \p Object is reached from a variable of the iteration.
bool ElementUpdates::isShared(const UsedObject &Object) const {
  return !(Object.Root &&
           isLocal(const_cast<Value *>(Object.Root), Locals, Frames));
}

/// True if another instruction uses what \p Write writes.
bool ElementUpdates::isUsedByOther(const InstructionUse &Write) const {
  return any_of(Hidden, [&](const InstructionUse &Other) {
    return Other.I != Write.I && Other.What.Reads &&
           Other.What.Object.isSame(Write.What.Object, Frames);
  });
}

/// A callee has chosen or made the element that stores behind it fill in.
void ElementUpdates::findClaimed(
    const InstructionUse &Claim, ArrayRef<const Access *> Stores,
    function_ref<void(Instruction *, Instruction *)> Add) const {
  for (const Access *Last : Stores)
    if (!isCounter(*Last) && isRead(*Last) &&
        (Dependences.dependsOn(Last->I, Claim.I) ||
         Dependences.addressDependsOn(Last->Address, Claim.I)))
      Add(Claim.I, Last->I);
  for (const InstructionUse &Last : Hidden)
    if (Last.I != Claim.I && Last.What.Writes && !Last.What.IsUpdate &&
        isUsedByOther(Last) && Dependences.dependsOn(Last.I, Claim.I))
      Add(Claim.I, Last.I);
}
