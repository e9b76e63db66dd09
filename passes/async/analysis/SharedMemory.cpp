//===- SharedMemory.cpp - Variables in memory that tasks share ------------===//

#include "async/analysis/SharedMemory.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/CalleeUses.h"
#include "async/analysis/InvariantLoads.h"
#include "async/analysis/VariableClasses.h"
#include "async/places/ChosenPlaces.h"
#include "inline/GuardTargets.h"
#include "ir/Instructions.h"
#include "loop/Tunables.h"
#include "loop/Worksharing.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;

namespace {

/// What iterations do to a variable where their order does not matter: they
/// update it by one operation, or set it to one value.
struct Effect {
  RecurKind Operation = RecurKind::None;
  const Value *Set = nullptr;

  bool operator==(const Effect &) const = default;
};

/// The plain accesses of a loop to one address that is the same in all
/// iterations or one of few, or to all elements of one array.
struct Variable {
  PlaceKind Kind = PlaceKind::Fixed;
  SmallVector<Instruction *, 2> Reads, Writes;
  /// The writes that overwrite the same elements in all iterations.
  SmallVector<Instruction *, 2> Sweeps;

  /// True if one of the writes \p Some is not computed from an earlier value,
  /// as in an array that each iteration fills and then reads.
  bool isScratch(ArrayRef<Instruction *> Some, const Loop &L,
                 const FrameValues &Frames) const {
    return !Reads.empty() && any_of(Some, [&](const Instruction *Write) {
      return none_of(Reads, [&](const Instruction *Read) {
        return flowsInto(Read, Write, L, Frames);
      });
    });
  }

  /// What all iterations do if the result does not depend on their order: all
  /// update it by one commutative operation and do not use its value otherwise,
  /// or all set it to one value and do not read it.
  std::optional<Effect> commutativeEffect(const Loop &L) const {
    Effect All;
    for (const Instruction *Write : Writes) {
      auto *Store = dyn_cast<StoreInst>(Write);
      if (!Store)
        return std::nullopt;
      const Value *New = Store->getValueOperand();
      auto *Update = dyn_cast<Instruction>(New);
      auto IsUpdated = [&](const Instruction *Read) {
        const RecurKind Kind = commutativeOperation(Update, Read);
        RecurKind &Operation = All.Operation;
        const bool IsOnly = Operation == RecurKind::None || Operation == Kind;
        if (Kind == RecurKind::None || !IsOnly)
          return false;
        Operation = Kind;
        return true;
      };
      if (Update && Update->hasOneUse() && any_of(Reads, IsUpdated))
        continue;
      if (!Reads.empty() || !L.isLoopInvariant(New) ||
          (All.Set && All.Set != New))
        return std::nullopt;
      All.Set = New;
    }
    const bool OnlyUpdates = all_of(Reads, [&](const Instruction *Read) {
      return all_of(Read->users(), [&](const User *U) {
        auto *Update = cast<Instruction>(U);
        return isCommutativeUpdate(Update, Read) && Update->hasOneUse() &&
               is_contained(Writes, *Update->user_begin());
      });
    });
    return OnlyUpdates ? std::optional(All) : std::nullopt;
  }

  /// True if iterations may tell what others have done to it.
  bool isRead(const Loop &L) const {
    return !Reads.empty() && !commutativeEffect(L);
  }

  /// True if the iteration chooses the place.
  bool isChosen() const { return Kind != PlaceKind::Fixed; }

  /// What is accessed at the place.
  MemoryLocation location() const {
    Instruction *I = (Writes.empty() ? Reads : Writes).front();
    auto *Filled = dyn_cast<MemIntrinsic>(I);
    return Filled ? MemoryLocation::getForDest(Filled) : MemoryLocation::get(I);
  }
};

/// True if \p Place is another address in each iteration of \p L.
bool movesWith(const SCEV *Place, const Loop &L) {
  auto *Recurrence = dyn_cast<SCEVAddRecExpr>(Place);
  return Recurrence && Recurrence->getLoop() == &L;
}

/// True if an inner loop visits the same addresses in all iterations of \p L.
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

/// True if the value that \p Write stores comes from the previous iteration.
bool continuesIteration(const Instruction *Write, const Loop &L,
                        const FrameValues &Frames, ScalarEvolution &SE) {
  return any_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
    bool IsInduction =
        SE.isSCEVable(Phi.getType()) &&
        isa<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)));
    return !IsInduction && flowsInto(&Phi, Write, L, Frames);
  });
}

/// True if a clause names the variable at \p Address.
bool isNamed(const Value *Address, const Directive &D) {
  const Value *Object = getUnderlyingObject(Address);
  auto Names = [&](ArrayRef<Value *> Clause) {
    return any_of(Clause, [&](Value *Named) {
      return getUnderlyingObject(Named) == Object;
    });
  };
  return Names(D.Private) || Names(D.Shared) || Names(D.Sequential);
}

/// The plain accesses of a loop to memory that is named in no clause.
class PlainAccesses {
  const Loop &L;
  ScalarEvolution &SE;
  MapVector<const SCEV *, Variable> Variables;
  MapVector<const Value *, Variable> Arrays;

public:
  PlainAccesses(const LoopContext &C, const Directive &D,
                const TaskLocals &Locals, const FrameValues &Frames)
      : L(C.L), SE(C.SE) {
    for (Instruction &I : instructionsIn(L.blocks())) {
      Value *Address = plainAddress(I);
      if (Address && !isNamed(Address, D) && !isLocal(Address, Locals, Frames))
        add(I, Address);
    }
  }

  /// The accesses to each address that is the same in all iterations.
  const MapVector<const SCEV *, Variable> &variables() const {
    return Variables;
  }
  /// The accesses to each object that iterations access at several addresses.
  const MapVector<const Value *, Variable> &arrays() const { return Arrays; }

private:
  /// The address that \p I writes to or else reads from; null if it does
  /// neither or is atomic.
  static Value *plainAddress(Instruction &I) {
    if (I.isAtomic())
      return nullptr;
    if (auto *Copy = dyn_cast<MemIntrinsic>(&I))
      return Copy->getRawDest();
    return getLoadStorePointerOperand(&I);
  }

  void add(Instruction &I, Value *Address) {
    const SCEV *Place = SE.getSCEV(Address);
    const PlaceKind Kind = placeKind(Address, L, SE);
    const bool IsFixed = Kind == PlaceKind::Fixed || Kind == PlaceKind::Chosen;
    const bool IsRead = isa<LoadInst>(I);
    if (isa<MemIntrinsic>(I) || (!IsFixed && !movesWith(Place, L))) {
      Variable &Array = Arrays[getUnderlyingObject(Address)];
      (IsRead ? Array.Reads : Array.Writes).push_back(&I);
      if (!IsRead && (IsFixed || isSweep(Place, L)))
        Array.Sweeps.push_back(&I);
    }
    if (Kind == PlaceKind::Moving)
      return;
    Variable &V = Variables[Place];
    V.Kind = Kind;
    (IsRead ? V.Reads : V.Writes).push_back(&I);
  }
};

/// Whether accesses to other variables are to the same memory, in any two
/// iterations.
class OtherVariables {
  using Place = std::pair<const SCEV *, Variable>;
  const PlainAccesses &Accesses;
  const Loop &L;
  ScalarEvolution &SE;
  BatchAAResults AA;

public:
  OtherVariables(const PlainAccesses &Accesses, const LoopContext &C)
      : Accesses(Accesses), L(C.L), SE(C.SE), AA(C.AA) {
    AA.enableCrossIterationMode();
  }

  /// True if writes to others may change what \p V , at \p At , reads.
  bool write(const SCEV *At, const Variable &V) {
    return any_of(Accesses.variables(), [&](const Place &Other) {
      return Other.first != At && !Other.second.Writes.empty() &&
             mayBeOne({At, V}, Other);
    });
  }

  /// True if others may be \p V , at \p At , and their accesses do not commute.
  /// Of two that are fixed, it is to be known of one which object it is in.
  bool disturb(const SCEV *At, const Variable &V) {
    return any_of(Accesses.variables(), [&](const Place &Other) {
      return Other.first != At &&
             (V.isChosen() || Other.second.isChosen() ||
              isOneKnown(At, Other.first)) &&
             V.commutativeEffect(L) != Other.second.commutativeEffect(L) &&
             mayBeOne({At, V}, Other);
    });
  }

private:
  static bool isKnownObject(const SCEV *Base) {
    auto *Unknown = dyn_cast<SCEVUnknown>(Base);
    return Unknown && isIdentifiedObject(Unknown->getValue());
  }

  bool isOneKnown(const SCEV *A, const SCEV *B) {
    return isKnownObject(SE.getPointerBase(A)) ||
           isKnownObject(SE.getPointerBase(B));
  }

  bool mayBeOne(const Place &A, const Place &B) {
    const bool IsElement = A.second.Kind == PlaceKind::Element ||
                           B.second.Kind == PlaceKind::Element;
    return (!IsElement || overlap(A, B)) &&
           !AA.isNoAlias(A.second.location(), B.second.location());
  }

  /// True if \p A and \p B are in one object, and may overlap there. Pointers
  /// that do not change in the loop are taken to point to different objects, if
  /// it is not known of one of these which it is.
  bool overlap(const Place &A, const Place &B) {
    if (SE.getPointerBase(A.first) != SE.getPointerBase(B.first))
      return isOneKnown(A.first, B.first);
    const auto IsBehind = [&](const Place &First, const Place &Second) {
      const LocationSize Size = First.second.location().Size;
      const APInt Least =
                      SE.getSignedRangeMin(SE.removePointerBase(Second.first)),
                  Most =
                      SE.getSignedRangeMax(SE.removePointerBase(First.first));
      return Size.hasValue() &&
             (Least - Most).sge(Size.getValue().getKnownMinValue()) &&
             Least.sgt(Most);
    };
    return !IsBehind(A, B) && !IsBehind(B, A);
  }
};

/// Adds to \p Ordered the calls that access what \p Writes write, such as a
/// counter that is handed to a function. Where the result of the call is
/// written, the two are a read-modify-write.
void addCallsThatAccess(ArrayRef<Instruction *> Writes, const LoopContext &C,
                        const FrameValues &Frames,
                        SmallVectorImpl<Instruction *> &Ordered) {
  for (Instruction &I : instructionsIn(C.L.blocks())) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || (isa<IntrinsicInst>(Call) && !isMemoryIntrinsic(I)) ||
        hasCodeBeside(I) || Frames.isOwnCall(*Call))
      continue;
    if (any_of(Writes, [&](const Instruction *Write) {
          const std::optional<MemoryLocation> Place =
              MemoryLocation::getOrNone(Write);
          return Place && isModOrRefSet(C.AA.getModRefInfo(Call, *Place)) &&
                 !flowsInto(Call, Write, C.L, Frames);
        }))
      Ordered.push_back(Call);
  }
}

/// What the calls of a loop access.
class CalleeAccesses {
  struct Use {
    Instruction *Call;
    CalleeUse What;
  };
  const Loop &L;
  const FrameValues &Frames;
  SmallVector<Use> Uses;

public:
  CalleeAccesses(const Loop &L, const FrameValues &Frames)
      : L(L), Frames(Frames) {
    CalleeUses Callees;
    for (Instruction &I : instructionsIn(L.blocks()))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && !hasCodeBeside(I))
        for (CalleeUse &What : Callees.of(*Call, L, Frames))
          Uses.push_back({&I, std::move(What)});
  }

  /// True if callees write to the variable at \p Address, by other means than
  /// commutative updates where \p Updates is false.
  bool write(const Value &Address, bool Updates) const {
    return any_of(Uses, [&](const Use &Write) {
      const UsedObject &Object = Write.What.Object;
      return Write.What.Writes && (Updates || !Write.What.IsUpdate) &&
             Object.Root && Object.isSame(usedObject(&Address), Frames);
    });
  }

  /// True if callees tell what iterations leave in \p V .
  bool tell(const Variable &V, AAResults &AA) const {
    const MemoryLocation Place = V.location();
    const UsedObject Object = usedObject(Place.Ptr);
    const PlaceExtents Extents(Place, L.getHeader()->getDataLayout());
    return any_of(Uses, [&](const Use &Read) {
      const CalleeUse &What = Read.What;
      if (!What.Reads || What.IsUpdate || !What.Object.Root ||
          !(What.IsFixed || What.IsOneOfFew) ||
          !isRefSet(AA.getModRefInfo(Read.Call, Place)))
        return false;
      return V.Kind == PlaceKind::Chosen ||
             (What.Extents.overlap(Extents) &&
              Object.isSame(What.Object, Frames));
    });
  }

  /// Adds the calls, and of \p Plain the accesses, to variables whose value
  /// depends on which iteration has called last, or how many have.
  void addOrdered(const PlainAccesses &Plain, const Directive &D,
                  const TaskLocals &Locals, AAResults &AA,
                  SmallVectorImpl<Instruction *> &Ordered) const {
    for (const Use &Write : Uses) {
      const UsedObject &Object = Write.What.Object;
      if (!Write.What.Writes ||
          !(Write.What.IsFixed || Write.What.IsOneOfFew) || !Object.Root ||
          !L.isLoopInvariant(Object.Root) || isNamed(Object.Root, D) ||
          isLocal(const_cast<Value *>(Object.Root), Locals, Frames) ||
          isModification(Write))
        continue;
      const bool Varies = !Write.What.IsUpdate && Write.What.StoresVary;
      // What other functions write is not seen.
      const bool IsSeen = definedCallee(*Write.Call) != nullptr;
      for (const Use &Other : Uses)
        if (mayBeOne(Write.What, Other.What) &&
            (Varies ||
             (Write.What.IsUpdate && mayTell(Other.What, Write.What)))) {
          Ordered.push_back(Write.Call);
          Ordered.push_back(Other.Call);
        }
      for (auto &[Place, V] : Plain.variables())
        if (mayBeOne(Write, V, AA) && (Varies || (IsSeen && V.isRead(L)))) {
          Ordered.push_back(Write.Call);
          Ordered.append(V.Reads);
          Ordered.append(V.Writes);
        }
    }
  }

private:
  /// True if \p Use tells what \p Update has left in a variable.
  bool mayTell(const CalleeUse &Use, const CalleeUse &Update) const {
    if (!Use.Reads || Use.IsUpdate)
      return false;
    auto *Variable = dyn_cast<GlobalVariable>(Use.Object.Root);
    if (Variable && Use.Object.Pointers.empty() &&
        Variable->getValueType()->isSingleValueType())
      return true;
    return Use.Extents.overlap(Update.Extents) &&
           Use.Object.isSame(Update.Object, Frames);
  }

  /// True if two calls may access one variable.
  bool mayBeOne(const CalleeUse &A, const CalleeUse &B) const {
    auto IsAny = [](const CalleeUse &Use) {
      return Use.IsOneOfFew && !Use.IsFixed && !Use.Object.Pointers.empty();
    };
    return A.Object.isSame(B.Object, Frames) ||
           ((IsAny(A) || IsAny(B)) && B.Object.Root &&
            (B.IsFixed || B.IsOneOfFew) && (B.Reads || B.Writes) &&
            L.isLoopInvariant(B.Object.Root));
  }

  /// True if \p Write may be to \p V .
  bool mayBeOne(const Use &Write, const Variable &V, AAResults &AA) const {
    const UsedObject &Object = Write.What.Object;
    const bool IsAny =
        V.isChosen() || !Object.Pointers.empty() ||
        (isIdentifiedObject(Object.Root) &&
         !isIdentifiedObject(getUnderlyingObject(V.location().Ptr)));
    return (IsAny || Object.isSame(usedObject(V.location().Ptr), Frames)) &&
           isModSet(AA.getModRefInfo(Write.Call, V.location()));
  }

  /// True if \p Write writes what is computed from the old value, which another
  /// call has read.
  bool isModification(const Use &Write) const {
    return any_of(Uses, [&](const Use &Read) {
      return Read.What.Reads && Read.Call != Write.Call &&
             Write.What.Object.isSame(Read.What.Object, Frames) &&
             flowsInto(Read.Call, Write.Call, L, Frames);
    });
  }
};

} // namespace

/// True if the loop only reads \p V: by its name, and as far as callees are
/// known. A function that is none of the likely
/// targets of a call is taken to change no more than those do.
static bool isOnlyRead(const Variable &V, const LoopContext &C,
                       const TaskLocals &Locals, const FrameValues &Frames) {
  if (!V.Writes.empty())
    return false;
  const auto &Load = *cast<LoadInst>(V.Reads.front());
  const bool MayBeAccount = mayBeAccount(Load);
  CalleeUses Callees;
  auto MayWrite = [&](Instruction &I) {
    auto *Copy = dyn_cast<AnyMemIntrinsic>(&I);
    return Copy && isLocal(Copy->getRawDest(), Locals, Frames)
               ? false
               : Callees.mayWrite(cast<CallBase>(I), Load, C, Frames);
  };
  return none_of(instructionsIn(C.L.blocks()), [&](Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && !I.isLifetimeStartOrEnd() && !hasCodeBeside(I) &&
           !isUnlikelyCall(I) && (MayBeAccount || !isNewOrDelete(*Call)) &&
           MayWrite(I);
  });
}

SmallVector<Instruction *>
heddle::findOrderedAccesses(const LoopContext &C, const Directive &D,
                            const TaskLocals &Locals) {
  const Loop &L = C.L;
  const FrameValues Frames(C);
  const PlainAccesses Accesses(C, D, Locals, Frames);
  const bool Worksharing = isWorksharing(L, C.DT);
  const CalleeAccesses Callees(L, Frames);
  OtherVariables Others(Accesses, C);
  SmallVector<Instruction *> Ordered;
  auto Add = [&](const Variable &V) {
    Ordered.append(V.Reads);
    Ordered.append(V.Writes);
    addCallsThatAccess(V.Writes, C, Frames, Ordered);
  };
  for (auto &[Place, V] : Accesses.variables()) {
    // Threads would race for the order, unless it is the order of a register
    // whose value the compiler also keeps in memory.
    const bool IsRace =
        Worksharing && none_of(V.Writes, [&](Instruction *Write) {
          return continuesIteration(Write, L, Frames, C.SE);
        });
    const Value *Written =
        V.Writes.empty() ? nullptr : accessedAddress(*V.Writes.front());
    // What callees do besides, such as adding to what iterations set.
    const bool IsShared =
        V.commutativeEffect(L) && !Others.disturb(Place, V) &&
        !(Written && Callees.tell(V, C.AA)) &&
        !(Written && Callees.write(*Written, /*Updates=*/V.Reads.empty()));
    // What callees do to it is not looked at where it is behind a pointer.
    const bool IsRead =
        V.Writes.empty() && !Others.write(Place, V) &&
        (!C.SE.isLoopInvariant(Place, &L) || isOnlyRead(V, C, Locals, Frames));
    if (!IsRace && !IsShared && !IsRead)
      Add(V);
  }
  if (Worksharing)
    return Ordered;
  Callees.addOrdered(Accesses, D, Locals, C.AA, Ordered);
  for (auto &[Object, Array] : Accesses.arrays()) {
    // Arrays that are not on the stack are seldom scratch space of one
    // iteration, unless all iterations overwrite the same elements.
    ArrayRef<Instruction *> Overwrites =
        isa<AllocaInst>(Object) ? Array.Writes : Array.Sweeps;
    if (Array.isScratch(Overwrites, L, Frames))
      Add(Array);
  }
  return Ordered;
}
