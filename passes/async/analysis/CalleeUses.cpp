//===- CalleeUses.cpp - Memory that callees read and write ----------------===//

#include "async/analysis/CalleeUses.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/VariableClasses.h"
#include "ir/Instructions.h"
#include "loop/LoopShape.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace heddle;

bool UsedObject::hasPointersOf(const UsedObject &Other) const {
  return Pointers.size() == Other.Pointers.size() &&
         all_of(zip(Pointers, Other.Pointers), [](auto Pair) {
           auto [One, Another] = Pair;
           return !One || !Another || One == Another;
         });
}

bool UsedObject::isSame(const UsedObject &Other,
                        const FrameValues &Frames) const {
  return Root && Other.Root && hasPointersOf(Other) &&
         sameExpression(Root, Other.Root, Frames);
}

/// The constant offset of \p Address in \p Object, if there is one.
static std::optional<int64_t> placeIn(const Value *Object, const Value *Address,
                                      const DataLayout &Layout) {
  APInt Offset(Layout.getIndexTypeSizeInBits(Address->getType()), 0);
  if (Address->stripAndAccumulateConstantOffsets(
          Layout, Offset, /*AllowNonInbounds=*/true) != Object)
    return std::nullopt;
  return Offset.getSExtValue();
}

UsedObject heddle::usedObject(const Value *Address) {
  UsedObject Object{getUnderlyingObject(Address), {}};
  while (auto *Load = dyn_cast<LoadInst>(Object.Root)) {
    if (Object.Pointers.size() == tunable::CalleePointers)
      break;
    const Value *Place = Load->getPointerOperand();
    Object.Root = getUnderlyingObject(Place);
    Object.Pointers.insert(Object.Pointers.begin(),
                           placeIn(Object.Root, Place, Load->getDataLayout()));
  }
  return Object;
}

using Pointers = SmallVector<std::optional<int64_t>, 2>;

/// Adds the objects that \p Address may point into, with \p Behind as the last
/// pointers of each chain. In a function, chains start at arguments and at
/// global variables, an object of another kind is any object, and the
/// function's own variables are left out. In the loop \p L, chains start
/// anywhere.
static void addObjects(const Value *Address, const Pointers &Behind,
                       const Loop *L, SmallVectorImpl<UsedObject> &Objects) {
  SmallVector<const Value *, 4> Roots;
  getUnderlyingObjects(Address, Roots);
  for (const Value *Root : Roots) {
    auto *Load = dyn_cast<LoadInst>(Root);
    if (isa<ConstantPointerNull, UndefValue>(Root) ||
        (!L && (isa<AllocaInst>(Root) || isNoAliasCall(Root))))
      continue;
    if (Load && Roots.size() == 1 && Behind.size() < tunable::CalleePointers) {
      const Value *Place = Load->getPointerOperand();
      Pointers Longer = Behind;
      Longer.insert(Longer.begin(), placeIn(getUnderlyingObject(Place), Place,
                                            Load->getDataLayout()));
      addObjects(Place, Longer, L, Objects);
    } else if (L || isa<Argument, GlobalVariable>(Root)) {
      Objects.push_back({Root, Behind});
    } else {
      Objects.push_back({nullptr, {}});
    }
  }
}

/// True if \p Address is the same place in each call of its function with the
/// same pointers, or in each iteration of the loop \p L: no other argument, and
/// nothing but pointers from memory, goes into it.
static bool isFixed(const Value *Address, const Loop *L) {
  SmallVector<const Value *> Worklist = {Address};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (!Seen.insert(V).second || isa<Constant, BasicBlock>(V))
      continue;
    if (L && L->isLoopInvariant(V))
      continue;
    auto *I = dyn_cast<Instruction>(V);
    const bool IsPointer = V->getType()->isPointerTy();
    if (!I) {
      if (!IsPointer)
        return false;
      continue;
    }
    if ((isa<LoadInst>(I) && !IsPointer) ||
        (isa<CallBase>(I) && !isa<IntrinsicInst>(I)) ||
        (L && isa<PHINode>(I) && I->getParent() == L->getHeader()))
      return false;
    append_range(Worklist, I->operand_values());
  }
  return true;
}

/// Adds \p Use to the uses of a function, unless nothing outside the function
/// can see it.
static void addUse(SmallVector<CalleeUse> &Uses, const CalleeUse &Use) {
  auto *Variable = dyn_cast_or_null<GlobalVariable>(Use.Object.Root);
  if (Variable && Variable->isConstant() && Use.Object.Pointers.empty())
    return;
  auto Same = find_if(Uses, [&](const CalleeUse &Other) {
    return Use.Object.Root == Other.Object.Root &&
           Use.Object.Pointers == Other.Object.Pointers &&
           Use.IsFixed == Other.IsFixed && Use.IsUpdate == Other.IsUpdate;
  });
  if (Same == Uses.end()) {
    Uses.push_back(Use);
    return;
  }
  Same->Reads |= Use.Reads;
  Same->Writes |= Use.Writes;
  Same->StoresVary |= Use.StoresVary;
  Same->Acquires |= Use.Acquires;
  Same->Releases |= Use.Releases;
}

/// Adds a use of the objects that \p Address may point into; \p Use has what is
/// done with them.
static void addUses(SmallVector<CalleeUse> &Uses, const Value *Address,
                    CalleeUse Use, const Loop *L = nullptr) {
  SmallVector<UsedObject> Objects;
  addObjects(Address, {}, L, Objects);
  Use.IsFixed = isFixed(Address, L);
  for (UsedObject &Object : Objects) {
    Use.Object = std::move(Object);
    addUse(Uses, Use);
  }
}

/// Adds the accesses that \p I makes itself.
static void addAccesses(SmallVector<CalleeUse> &Uses, const Instruction &I) {
  CalleeUse Read = {.Object = {}, .Reads = true, .Writes = false};
  CalleeUse Write = {.Object = {}, .Reads = false, .Writes = true};
  CalleeUse Update = {
      .Object = {}, .Reads = true, .Writes = true, .IsUpdate = true};
  for (CalleeUse *Use : {&Read, &Write, &Update}) {
    Use->Acquires = acquires(I);
    Use->Releases = releases(I);
  }
  if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
    auto *Transfer = dyn_cast<AnyMemTransferInst>(&I);
    Write.StoresVary = Transfer || !isa<Constant>(I.getOperand(1));
    addUses(Uses, Copy->getRawDest(), Write);
    if (Transfer)
      addUses(Uses, Transfer->getRawSource(), Read);
  } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
    addUses(Uses, Load->getPointerOperand(),
            commutativeUpdateOf(*Load) ? Update : Read);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Write.StoresVary = !isa<Constant>(Store->getValueOperand());
    addUses(Uses, Store->getPointerOperand(),
            isCommutativeUpdate(*Store) ? Update : Write);
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    addUses(Uses, I.getOperand(0), Update);
  }
}

/// True if \p Call has no effect on what other calls see, as far as
/// interleaving goes.
static bool isStateless(const CallBase &Call) {
  const StringRef Name = calleeName(Call);
  return isa<IntrinsicInst>(Call) || Call.doesNotReturn() ||
         Call.hasFnAttr(Attribute::AllocKind) || Name.starts_with("__kmpc_") ||
         Name.starts_with("omp_") || Name.starts_with("heddle_");
}

/// Adds what a call of a function that is not known may access.
static void addUsesOfUnknown(SmallVector<CalleeUse> &Uses, const CallBase &Call,
                             const Loop *L) {
  const LockEffect Effect = lockEffect(Call);
  if (Effect != LockEffect::None) {
    if (!Call.arg_empty() && Call.getArgOperand(0)->getType()->isPointerTy())
      addUses(Uses, Call.getArgOperand(0),
              {.Object = {},
               .Reads = false,
               .Writes = false,
               .Acquires = Effect == LockEffect::Acquire,
               .Releases = Effect == LockEffect::Release},
              L);
    return;
  }
  const MemoryEffects Effects = Call.getMemoryEffects();
  const ModRefInfo Any = Effects.getModRef(IRMemLocation::Other);
  const ModRefInfo Handed = Effects.getModRef(IRMemLocation::ArgMem);
  if (isModOrRefSet(Any) && !Call.isInlineAsm())
    addUse(Uses, {.Object = {nullptr, {}},
                  .Reads = isRefSet(Any),
                  .Writes = isModSet(Any)});
  for (auto [Number, Argument] : enumerate(Call.args()))
    if (Argument->getType()->isPointerTy() && isModOrRefSet(Handed) &&
        !Call.doesNotAccessMemory(Number))
      addUses(Uses, Argument,
              {.Object = {},
               .Reads = isRefSet(Handed) && !Call.onlyWritesMemory(Number),
               .Writes = isModSet(Handed) && !Call.onlyReadsMemory(Number)},
              L);
}

void CalleeUses::addUsesOfCall(SmallVector<CalleeUse> &Uses,
                               const CallBase &Call, const Loop *L,
                               const FrameValues *Frames) const {
  if (isStateless(Call))
    return;
  const Function *Callee = definedCallee(Call);
  if (!Callee)
    return addUsesOfUnknown(Uses, Call, L);
  for (const CalleeUse &Use : Known.lookup(Callee)) {
    auto *Parameter = dyn_cast_or_null<Argument>(Use.Object.Root);
    if (!Parameter) {
      addUse(Uses, Use);
      continue;
    }
    const Value *Operand = Call.getArgOperand(Parameter->getArgNo());
    if (Frames)
      Operand = Frames->origin(Operand);
    SmallVector<UsedObject> Objects;
    addObjects(Operand, {}, L, Objects);
    CalleeUse Mapped = Use;
    Mapped.IsFixed &= isFixed(Operand, L);
    for (UsedObject &Object : Objects) {
      // Chains would grow with each level of recursion.
      if (!Use.Object.Pointers.empty() && Recursive.contains(&Call))
        Object = {nullptr, {}};
      if (Object.Root && !Use.Object.Pointers.empty()) {
        const std::optional<int64_t> First = Use.Object.Pointers.front();
        const std::optional<int64_t> Place = placeIn(
            getUnderlyingObject(Operand), Operand, Call.getDataLayout());
        Object.Pointers.push_back(First && Place
                                      ? std::optional<int64_t>(*First + *Place)
                                      : std::nullopt);
        append_range(Object.Pointers, drop_begin(Use.Object.Pointers));
        if (Object.Pointers.size() > tunable::CalleePointers)
          Object = {nullptr, {}};
      }
      Mapped.Object = Object;
      addUse(Uses, Mapped);
    }
  }
}

SmallVector<CalleeUse> CalleeUses::usesSoFar(const Function &F) const {
  SmallVector<CalleeUse> Uses;
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && !isa<AnyMemIntrinsic>(Call))
      addUsesOfCall(Uses, *Call, nullptr, nullptr);
    else
      addAccesses(Uses, I);
  return Uses;
}

void CalleeUses::addCallees(const Function &F,
                            SetVector<const Function *> &Found,
                            SmallPtrSetImpl<const Function *> &Entered) {
  Entered.insert(&F);
  for (const Instruction &I : instructions(F)) {
    const Function *Callee = definedCallee(I);
    if (!Callee || Known.contains(Callee))
      continue;
    if (!Entered.contains(Callee))
      addCallees(*Callee, Found, Entered);
    else if (!Found.contains(Callee))
      Recursive.insert(cast<CallBase>(&I));
  }
  Found.insert(&F);
}

const SmallVector<CalleeUse> &CalleeUses::of(const Function &F) {
  if (auto Found = Known.find(&F); Found != Known.end())
    return Found->second;
  SetVector<const Function *> Callees;
  SmallPtrSet<const Function *, 16> Entered;
  addCallees(F, Callees, Entered);
  // Functions that call each other are looked at until nothing is added.
  for (bool IsComplete = false; !IsComplete;) {
    IsComplete = true;
    for (const Function *G : Callees) {
      SmallVector<CalleeUse> Uses = usesSoFar(*G);
      SmallVector<CalleeUse> &Before = Known[G];
      IsComplete &= Uses == Before;
      Before = std::move(Uses);
    }
  }
  return Known.find(&F)->second;
}

SmallVector<CalleeUse> CalleeUses::of(const CallBase &Call, const Loop &L,
                                      const FrameValues &Frames) {
  if (const Function *Callee = definedCallee(Call))
    of(*Callee);
  SmallVector<CalleeUse> Uses;
  addUsesOfCall(Uses, Call, &L, &Frames);
  return Uses;
}
