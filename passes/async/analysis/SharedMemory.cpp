//===- SharedMemory.cpp - Variables in memory that tasks share ------------===//

#include "async/analysis/SharedMemory.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/CalleeUses.h"
#include "async/analysis/InvariantLoads.h"
#include "async/analysis/VariableClasses.h"
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

/// The plain accesses of a loop to one address that is the same in all
/// iterations, or to all elements of one array.
struct Variable {
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

  /// True if the result does not depend on the order of the iterations: all
  /// update it by one commutative operation and do not use its value otherwise,
  /// or all set it to one value and do not read it.
  bool isCommutative(const Loop &L) const {
    const Value *Set = nullptr;
    RecurKind Operation = RecurKind::None;
    for (const Instruction *Write : Writes) {
      auto *Store = dyn_cast<StoreInst>(Write);
      if (!Store)
        return false;
      const Value *New = Store->getValueOperand();
      auto *Update = dyn_cast<Instruction>(New);
      auto IsUpdated = [&](const Instruction *Read) {
        const RecurKind Kind = commutativeOperation(Update, Read);
        const bool IsOnly = Operation == RecurKind::None || Operation == Kind;
        if (Kind == RecurKind::None || !IsOnly)
          return false;
        Operation = Kind;
        return true;
      };
      if (Update && Update->hasOneUse() && any_of(Reads, IsUpdated))
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
                const TaskLocals &Locals)
      : L(C.L), SE(C.SE) {
    for (Instruction &I : instructionsIn(L.blocks())) {
      Value *Address = plainAddress(I);
      if (!Address || isNamed(Address, D))
        continue;
      auto *Alloca = dyn_cast<AllocaInst>(getUnderlyingObject(Address));
      if (!Locals.contains(Alloca))
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

  /// True if all iterations find \p Address behind the same pointers, although
  /// not all of them read these.
  bool isBehindFixed(const Value *Address, unsigned Depth = 0) const {
    while (auto *Gep = dyn_cast<GEPOperator>(Address)) {
      if (!all_of(Gep->indices(),
                  [&](const Value *Index) { return L.isLoopInvariant(Index); }))
        return false;
      Address = Gep->getPointerOperand();
    }
    if (Depth == tunable::CalleePointers)
      return false;
    if (Depth && L.isLoopInvariant(Address))
      return true;
    auto *Merge = dyn_cast<Instruction>(Address);
    if (Merge && isa<PHINode, SelectInst>(Merge))
      return L.contains(Merge) &&
             !(isa<PHINode>(Merge) && Merge->getParent() == L.getHeader()) &&
             all_of(drop_begin(Merge->operand_values(), isa<SelectInst>(Merge)),
                    [&](const Value *Way) {
                      return isBehindFixed(Way, Depth + 1);
                    });
    auto *Load = dyn_cast<LoadInst>(Address);
    return Load && L.contains(Load) &&
           (isAssignedNowhere(*Load, L, SE) ||
            (Load->isSimple() &&
             isBehindFixed(Load->getPointerOperand(), Depth + 1)));
  }

  void add(Instruction &I, Value *Address) {
    const SCEV *Place = SE.getSCEV(Address);
    const bool IsFixed =
        SE.isLoopInvariant(Place, &L) || isBehindFixed(Address);
    const bool IsRead = isa<LoadInst>(I);
    if (isa<MemIntrinsic>(I) || (!IsFixed && !movesWith(Place, L))) {
      Variable &Array = Arrays[getUnderlyingObject(Address)];
      (IsRead ? Array.Reads : Array.Writes).push_back(&I);
      if (!IsRead && (IsFixed || isSweep(Place, L)))
        Array.Sweeps.push_back(&I);
    }
    if (!IsFixed)
      return;
    Variable &V = Variables[Place];
    (IsRead ? V.Reads : V.Writes).push_back(&I);
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
        hasCodeBeside(I))
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
      if (auto *Call = dyn_cast<CallBase>(&I))
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

  /// Adds the calls, and of \p Plain the accesses, to variables whose value
  /// depends on which iteration has called last.
  void addOrdered(const PlainAccesses &Plain, const Directive &D,
                  const TaskLocals &Locals,
                  SmallVectorImpl<Instruction *> &Ordered) const {
    for (const Use &Write : Uses) {
      const UsedObject &Object = Write.What.Object;
      if (!Write.What.Writes || Write.What.IsUpdate || !Write.What.IsFixed ||
          !Write.What.StoresVary || !Object.Root ||
          !L.isLoopInvariant(Object.Root) || isNamed(Object.Root, D) ||
          isLocal(const_cast<Value *>(Object.Root), Locals, Frames) ||
          isModification(Write))
        continue;
      for (const Use &Other : Uses)
        if (Object.isSame(Other.What.Object, Frames))
          Ordered.push_back(Other.Call);
      for (auto &[Place, V] : Plain.variables())
        for (ArrayRef<Instruction *> Accesses :
             {ArrayRef(V.Reads), ArrayRef(V.Writes)})
          for (Instruction *I : Accesses)
            if (const Value *Address = getLoadStorePointerOperand(I);
                Address && Object.isSame(usedObject(Address), Frames))
              Ordered.push_back(I);
    }
  }

private:
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

/// True if writes to other variables may change what \p V reads.
static bool isWrittenByOther(const Variable &V, const PlainAccesses &Accesses,
                             const LoopContext &C) {
  const MemoryLocation Place = MemoryLocation::get(V.Reads.front());
  return any_of(Accesses.variables(), [&](const auto &Other) {
    return any_of(Other.second.Writes, [&](Instruction *I) {
      return isModSet(C.AA.getModRefInfo(I, Place));
    });
  });
}

/// True if the loop only reads \p V: by its name, and as far as callees and
/// writes to other variables are known. A function that is none of the likely
/// targets of a call is taken to change no more than those do.
static bool isOnlyRead(const Variable &V, const PlainAccesses &Accesses,
                       const LoopContext &C) {
  if (!V.Writes.empty())
    return false;
  const MemoryLocation Place = MemoryLocation::get(V.Reads.front());
  const bool MayBeAccount = mayBeAccount(*cast<LoadInst>(V.Reads.front()));
  auto MayWrite = [&](Instruction &I) {
    return isModSet(C.AA.getModRefInfo(&I, Place));
  };
  return !isWrittenByOther(V, Accesses, C) &&
         none_of(instructionsIn(C.L.blocks()), [&](Instruction &I) {
           auto *Call = dyn_cast<CallBase>(&I);
           return Call && !I.isLifetimeStartOrEnd() && !hasCodeBeside(I) &&
                  !isUnlikelyCall(I) &&
                  (MayBeAccount || !isNewOrDelete(*Call)) && MayWrite(I);
         });
}

SmallVector<Instruction *>
heddle::findOrderedAccesses(const LoopContext &C, const Directive &D,
                            const TaskLocals &Locals) {
  const Loop &L = C.L;
  const PlainAccesses Accesses(C, D, Locals);
  const FrameValues Frames(L);
  const bool Worksharing = isWorksharing(L, C.DT);
  const CalleeAccesses Callees(L, Frames);
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
        V.isCommutative(L) &&
        !(Written && Callees.write(*Written, /*Updates=*/V.Reads.empty()));
    // What callees do to it is not looked at where it is behind a pointer.
    const bool IsRead = V.Writes.empty() && !C.SE.isLoopInvariant(Place, &L) &&
                        !isWrittenByOther(V, Accesses, C);
    if (!IsRace && !IsShared && !IsRead && !isOnlyRead(V, Accesses, C))
      Add(V);
  }
  if (Worksharing)
    return Ordered;
  Callees.addOrdered(Accesses, D, Locals, Ordered);
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
