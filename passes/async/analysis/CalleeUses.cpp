//===- CalleeUses.cpp - Memory that callees read and write ----------------===//

#include "async/analysis/CalleeUses.h"
#include "async/analysis/AccessRelations.h"
#include "async/analysis/FrameValues.h"
#include "async/analysis/PlaceTerms.h"
#include "async/analysis/VariableClasses.h"
#include "async/places/ArrayPointers.h"
#include "async/places/ChoosingValues.h"
#include "async/places/ChosenPlaces.h"
#include "async/places/KeptPointers.h"
#include "ends/ProgramEnds.h"
#include "ir/Instructions.h"
#include "ir/OwnMemory.h"
#include "loop/LoopShape.h"
#include "loop/Tunables.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
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

void CalleeUses::addObjects(const Value *Address,
                            ArrayRef<std::optional<int64_t>> Behind,
                            ObjectSearch &Search,
                            SmallVectorImpl<UsedObject> &Objects) const {
  SmallVector<const Value *, 4> Roots;
  getUnderlyingObjects(Address, Roots);
  for (const Value *Root : Roots) {
    auto *Load = dyn_cast<LoadInst>(Root);
    auto *Call = dyn_cast<CallBase>(Root);
    auto *Variable = Search.L ? nullptr : dyn_cast<AllocaInst>(Root);
    if (isa<ConstantPointerNull, UndefValue>(Root) ||
        (!Search.L && Behind.empty() && (Variable || isNoAliasCall(Root))) ||
        (Call && addReturned(*Call, Behind, Search, Objects)))
      continue;
    if (Variable) {
      addKept(*Variable, Behind, Search, Objects);
    } else if (Load && Roots.size() == 1 &&
               Behind.size() < tunable::CalleePointers) {
      const Value *Place = Load->getPointerOperand();
      Pointers Longer(Behind);
      Longer.insert(Longer.begin(), placeIn(getUnderlyingObject(Place), Place,
                                            Load->getDataLayout()));
      addObjects(Place, Longer, Search, Objects);
    } else if (Search.L || isa<Argument, GlobalVariable>(Root)) {
      Objects.push_back({Root, Pointers(Behind)});
    } else {
      Objects.push_back({nullptr, {}});
    }
  }
}

void CalleeUses::addKept(const AllocaInst &Variable,
                         ArrayRef<std::optional<int64_t>> Behind,
                         ObjectSearch &Search,
                         SmallVectorImpl<UsedObject> &Objects) const {
  const auto Pointers = pointersIn(Variable);
  if (!Pointers || !Search.Variables.insert(&Variable).second) {
    Objects.push_back({nullptr, {}});
    return;
  }
  for (const Value *Pointer : *Pointers)
    addObjects(Pointer, Behind.drop_front(), Search, Objects);
  Search.Variables.erase(&Variable);
}

bool CalleeUses::addReturned(const CallBase &Call,
                             ArrayRef<std::optional<int64_t>> Behind,
                             ObjectSearch &Search,
                             SmallVectorImpl<UsedObject> &Objects) const {
  auto Found = Known.find(definedCallee(Call));
  if (Found == Known.end() || !Search.Calls.insert(&Call).second)
    return false;
  SmallVector<UsedObject> Returned;
  for (const CalleeUse &Use : Found->second) {
    if (!Use.IsResult)
      continue;
    if (auto *Parameter = dyn_cast_or_null<Argument>(Use.Object.Root))
      addHanded(Use.Object, Call.getArgOperand(Parameter->getArgNo()), Call,
                Search, Returned);
    else
      Returned.push_back(Use.Object);
  }
  if (Returned.empty() ||
      any_of(Returned, [](const UsedObject &Object) { return !Object.Root; }))
    return false;
  for (UsedObject &Object : Returned) {
    // Where in the object the result points is not known.
    if (!Behind.empty()) {
      Object.Pointers.push_back(std::nullopt);
      append_range(Object.Pointers, drop_begin(Behind));
    }
    if (Object.Pointers.size() > tunable::CalleePointers)
      Object = {nullptr, {}};
    Objects.push_back(std::move(Object));
  }
  return true;
}

void CalleeUses::addHanded(const UsedObject &Object, const Value *Operand,
                           const CallBase &Call, ObjectSearch &Search,
                           SmallVectorImpl<UsedObject> &Objects) const {
  SmallVector<UsedObject> Handed;
  addObjects(Operand, {}, Search, Handed);
  for (UsedObject &Of : Handed) {
    // Chains would grow with each level of recursion.
    if (!Object.Pointers.empty() && Recursive.contains(&Call))
      Of = {nullptr, {}};
    if (Of.Root && !Object.Pointers.empty()) {
      const std::optional<int64_t> First = Object.Pointers.front();
      const std::optional<int64_t> Place =
          placeIn(getUnderlyingObject(Operand), Operand, Call.getDataLayout());
      Of.Pointers.push_back(First && Place
                                ? std::optional<int64_t>(*First + *Place)
                                : std::nullopt);
      append_range(Of.Pointers, drop_begin(Object.Pointers));
      if (Of.Pointers.size() > tunable::CalleePointers)
        Of = {nullptr, {}};
    }
    Objects.push_back(std::move(Of));
  }
}

std::optional<SmallVector<const Value *, 2>>
CalleeUses::choiceOfResult(const CallBase &Call, bool &IsFolded) const {
  auto Found = Known.find(definedCallee(Call));
  if (Found == Known.end())
    return std::nullopt;
  SmallVector<const Value *, 2> Choice;
  bool IsKnown = false;
  for (const CalleeUse &Use : Found->second) {
    if (!Use.IsResult)
      continue;
    IsKnown = true;
    if (!Use.Object.Root || (!Use.IsFixed && Use.Choice.empty()))
      return std::nullopt;
    IsFolded |= Use.IsFolded;
    auto AddOperand = [&](const Value *Parameter) {
      if (auto *A = dyn_cast<Argument>(Parameter))
        Choice.push_back(Call.getArgOperand(A->getArgNo()));
    };
    AddOperand(Use.Object.Root);
    for_each(Use.Choice, AddOperand);
  }
  return IsKnown ? std::optional(Choice) : std::nullopt;
}

/// The variable of the function that \p I reads a pointer from, or null.
static const AllocaInst *variableRead(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  return Load && Load->getType()->isPointerTy()
             ? dyn_cast<AllocaInst>(
                   getUnderlyingObject(Load->getPointerOperand()))
             : nullptr;
}

void CalleeUses::findChoice(CalleeUse &Use, ArrayRef<const Value *> Addresses,
                            const Loop *L) const {
  SmallVector<const Value *> Worklist(Addresses);
  SmallPtrSet<const Value *, 16> Seen;
  bool IsKnown = true;
  Use.Choice.clear();
  if (L)
    Use.Choosers.assign(Addresses.begin(), Addresses.end());
  for (const Value *Address : Addresses) {
    const PlaceTerms Terms(Address, L);
    Use.IsFolded |= L ? Terms.areShifted() : Terms.haveSameScale();
  }
  while (!Worklist.empty()) {
    const Value *V = Worklist.pop_back_val();
    if (!Seen.insert(V).second || isa<Constant, BasicBlock>(V))
      continue;
    if (L && L->isLoopInvariant(V))
      continue;
    auto *I = dyn_cast<Instruction>(V);
    const bool IsPointer = V->getType()->isPointerTy();
    auto *Call =
        isa_and_present<IntrinsicInst>(I) ? nullptr : dyn_cast<CallBase>(V);
    if (std::optional<SmallVector<const Value *, 2>> Of =
            Call ? choiceOfResult(*Call, Use.IsFolded) : std::nullopt) {
      append_range(Worklist, *Of);
    } else if (!I) {
      // The object that a pointer leads to is known by the pointer.
      if (!IsPointer)
        Use.Choice.push_back(V);
    } else if (const AllocaInst *Variable = variableRead(*I); Variable && !L) {
      const auto Pointers = pointersIn(*Variable);
      IsKnown &= Pointers.has_value();
      if (Pointers)
        append_range(Worklist, *Pointers);
    } else if (L && readsTheSame(*I, *L)) {
      continue;
    } else if ((isa<LoadInst>(I) && !IsPointer) || Call ||
               isa<AtomicRMWInst, AtomicCmpXchgInst>(I) ||
               (L && isa<PHINode>(I) && I->getParent() == L->getHeader())) {
      IsKnown &= L != nullptr;
      Use.Choice.push_back(V);
    } else {
      Use.IsFolded |= mayFold(*I, L);
      if (L && I->getOpcode() == Instruction::Mul)
        copy_if(I->operand_values(), std::back_inserter(Use.Strides),
                [&](const Value *Factor) {
                  return Factor->getType()->isIntegerTy() &&
                         !isa<Constant>(Factor) && L->isLoopInvariant(Factor);
                });
      append_range(Worklist, I->operand_values());
    }
  }
  Use.IsFixed = IsKnown && Use.Choice.empty();
  if (!IsKnown)
    Use.Choice.clear();
  // Recursive calls may swap arguments. Sorted, the same ones are one choice.
  if (!L)
    llvm::sort(Use.Choice, [](const Value *One, const Value *Other) {
      return cast<Argument>(One)->getArgNo() <
             cast<Argument>(Other)->getArgNo();
    });
}

/// Adds what \p Other does to what \p Use does.
static void addEffects(CalleeUse &Use, const CalleeUse &Other) {
  Use.Reads |= Other.Reads;
  Use.Writes |= Other.Writes;
  Use.StoresVary |= Other.StoresVary;
  Use.Acquires |= Other.Acquires;
  Use.Releases |= Other.Releases;
}

/// Adds \p Use to the uses of a function, unless nothing outside the function
/// can see it.
static void addUse(SmallVector<CalleeUse> &Uses, CalleeUse Use) {
  if (!Use.IsFixed && !Use.IsOneOfFew)
    Use.Extents = {};
  auto *Variable = dyn_cast_or_null<GlobalVariable>(Use.Object.Root);
  if (Variable && Variable->isConstant() && Use.Object.Pointers.empty())
    return;
  // All together, they lead to any object.
  auto AddToAll = [&](CalleeUse &All, const CalleeUse &Other) {
    addEffects(All, Other);
    All.Reads |= Other.IsUpdate;
  };
  if (!Uses.empty() && Uses.front().AreAll)
    return AddToAll(Uses.front(), Use);
  auto Same = find_if(Uses, [&](const CalleeUse &Other) {
    return Use.Object.Root == Other.Object.Root &&
           Use.Object.Pointers == Other.Object.Pointers &&
           Use.IsFixed == Other.IsFixed && Use.IsOneOfFew == Other.IsOneOfFew &&
           Use.Choice == Other.Choice && Use.IsFolded == Other.IsFolded &&
           Use.IsUpdate == Other.IsUpdate && Use.IsResult == Other.IsResult;
  });
  if (Same != Uses.end()) {
    Same->Extents.add(Use.Extents);
    addEffects(*Same, Use);
    return;
  }
  Uses.push_back(Use);
  if (Uses.size() <= tunable::CalleeUses && !Use.AreAll)
    return;
  CalleeUse All = {.Object = {nullptr, {}}, .Reads = false, .Writes = false};
  All.AreAll = true;
  for (const CalleeUse &Other : Uses)
    AddToAll(All, Other);
  Uses = {All};
}

void CalleeUses::addUses(SmallVector<CalleeUse> &Uses, const Value *Address,
                         CalleeUse Use, const Loop *L) const {
  SmallVector<UsedObject> Objects;
  ObjectSearch Search = {L};
  addObjects(Address, {}, Search, Objects);
  findChoice(Use, Address, L);
  Use.IsOneOfFew = isOneOfFew(Address, L);
  for (UsedObject &Object : Objects) {
    Use.Object = std::move(Object);
    addUse(Uses, Use);
  }
}

/// Gathers and scatters may use all places of the objects that they are given
/// addresses in.
void CalleeUses::addUsesOfIntrinsic(SmallVector<CalleeUse> &Uses,
                                    const IntrinsicInst &Call,
                                    const Loop *L) const {
  const MemoryEffects Effects = Call.getMemoryEffects();
  const ModRefInfo Any = Effects.getModRef();
  // A masked store leaves what it does not write as it is.
  const bool Reads = isRefSet(Any) && !Call.getType()->isVoidTy();
  bool IsKnown = false;
  for (auto [Number, Argument] : enumerate(Call.args())) {
    if (!Argument->getType()->isPtrOrPtrVectorTy())
      continue;
    const Value *Address = Argument;
    if (Argument->getType()->isVectorTy())
      Address = getUnderlyingObject(Address);
    CalleeUse Use = {.Object = {},
                     .Reads = Reads && !Call.onlyWritesMemory(Number),
                     .Writes = isModSet(Any) && !Call.onlyReadsMemory(Number),
                     .StoresVary = true};
    if (Address->getType()->isVectorTy())
      continue;
    addUses(Uses, Address, Use, L);
    IsKnown = true;
  }
  if (!IsKnown)
    addUse(Uses,
           {.Object = {nullptr, {}}, .Reads = Reads, .Writes = isModSet(Any)});
}

/// What \p I loads, stores or updates in an object, if that is known.
static PlaceExtents extentsOf(const Instruction &I) {
  const std::optional<MemoryLocation> Place =
      accessedAddress(I) ? MemoryLocation::getOrNone(&I) : std::nullopt;
  return Place ? PlaceExtents(*Place, I.getDataLayout()) : PlaceExtents();
}

void CalleeUses::addAccesses(SmallVector<CalleeUse> &Uses, const Instruction &I,
                             const Loop *L) const {
  CalleeUse Read = {.Object = {}, .Reads = true, .Writes = false};
  CalleeUse Write = {.Object = {}, .Reads = false, .Writes = true};
  CalleeUse Update = {
      .Object = {}, .Reads = true, .Writes = true, .IsUpdate = true};
  for (CalleeUse *Use : {&Read, &Write, &Update}) {
    Use->Acquires = acquires(I);
    Use->Releases = releases(I);
    Use->Extents = extentsOf(I);
  }
  if (auto *Copy = dyn_cast<AnyMemIntrinsic>(&I)) {
    auto *Transfer = dyn_cast<AnyMemTransferInst>(&I);
    Write.StoresVary = Transfer || !isa<Constant>(I.getOperand(1));
    Write.Extents =
        PlaceExtents(MemoryLocation::getForDest(Copy), I.getDataLayout());
    if (Transfer)
      Read.Extents = PlaceExtents(MemoryLocation::getForSource(Transfer),
                                  I.getDataLayout());
    addUses(Uses, Copy->getRawDest(), Write, L);
    if (Transfer)
      addUses(Uses, Transfer->getRawSource(), Read, L);
  } else if (isMemoryIntrinsic(I)) {
    addUsesOfIntrinsic(Uses, cast<IntrinsicInst>(I), L);
  } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
    addUses(Uses, Load->getPointerOperand(),
            commutativeUpdateOf(*Load) ? Update : Read, L);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    Write.StoresVary = !isa<Constant>(Store->getValueOperand());
    addUses(Uses, Store->getPointerOperand(),
            isCommutativeUpdate(*Store) ? Update : Write, L);
  } else if (isa<AtomicRMWInst, AtomicCmpXchgInst>(I)) {
    Update.Reads = !I.use_empty();
    addUses(Uses, I.getOperand(0), Update, L);
  } else if (auto *Return = dyn_cast<ReturnInst>(&I)) {
    const Value *Result = Return->getReturnValue();
    if (Result && Result->getType()->isPointerTy())
      addUses(Uses, Result,
              {.Object = {}, .Reads = false, .Writes = false, .IsResult = true},
              nullptr);
  }
}

SmallVector<CalleeUse> CalleeUses::ofAccess(const Instruction &I,
                                            const Loop &L) const {
  SmallVector<CalleeUse> Uses;
  addAccesses(Uses, I, &L);
  return Uses;
}

/// True if \p Call has no effect on what other calls see, as far as
/// interleaving goes.
static bool isStateless(const CallBase &Call, const Loop *L) {
  const StringRef Name = calleeName(Call);
  if (lockEffect(Call) != LockEffect::None)
    return false;
  // Of functions that end the program, only what iterations call counts.
  const bool Ends = Call.doesNotReturn() &&
                    !(definedCallee(Call) && (L || mayEndByThrowing(Call)));
  return isa<IntrinsicInst>(Call) || Ends ||
         Call.hasFnAttr(Attribute::AllocKind) || Name.starts_with("__kmpc_") ||
         Name.starts_with("omp_") || Name.starts_with("heddle_");
}

void CalleeUses::addUsesOfUnknown(SmallVector<CalleeUse> &Uses,
                                  const CallBase &Call, const Loop *L,
                                  const FrameValues *Frames) const {
  const LockEffect Effect = lockEffect(Call);
  if (Effect != LockEffect::None) {
    CalleeUse Lock = {.Object = {nullptr, {}},
                      .Reads = false,
                      .Writes = false,
                      .Acquires = Effect == LockEffect::Acquire,
                      .Releases = Effect == LockEffect::Release};
    if (!Call.arg_empty() && Call.getArgOperand(0)->getType()->isPointerTy())
      addUses(Uses, Call.getArgOperand(0), Lock, L);
    else
      addUse(Uses, Lock);
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
        !Call.doesNotAccessMemory(Number) &&
        !(Frames && Frames->isInOwn(Argument)))
      addUses(Uses, Argument,
              {.Object = {},
               .Reads = isRefSet(Handed) && !Call.onlyWritesMemory(Number),
               .Writes = isModSet(Handed) && !Call.onlyReadsMemory(Number)},
              L);
}

void CalleeUses::addUsesOfCall(SmallVector<CalleeUse> &Uses,
                               const CallBase &Call, const Loop *L,
                               const FrameValues *Frames) const {
  if (isStateless(Call, L))
    return;
  if (!definedCallee(Call))
    return addUsesOfUnknown(Uses, Call, L, Frames);
  auto Found = Known.find(definedCallee(Call));
  if (Found == Known.end())
    return;
  auto OperandOf = [&](const Value *Parameter) {
    const Value *Operand =
        Call.getArgOperand(cast<Argument>(Parameter)->getArgNo());
    return Frames ? Frames->origin(Operand) : Operand;
  };
  // Uses may be those of the same function.
  const SmallVector<CalleeUse> OfCallee = Found->second;
  for (const CalleeUse &Use : OfCallee) {
    if (Use.IsResult)
      continue;
    CalleeUse Mapped = Use;
    Mapped.AreAll = false;
    SmallVector<const Value *, 2> Choosing;
    for (const Value *Parameter : Use.Choice)
      Choosing.push_back(OperandOf(Parameter));
    SmallVector<UsedObject> Objects = {Use.Object};
    if (isa_and_present<Argument>(Use.Object.Root)) {
      const Value *Operand = OperandOf(Use.Object.Root);
      Choosing.push_back(Operand);
      Mapped.IsOneOfFew &= isOneOfFew(Operand, L);
      // Extents would move on with each level of recursion.
      if (Use.Object.Pointers.empty() && Recursive.contains(&Call))
        Mapped.Extents = {};
      else if (Use.Object.Pointers.empty())
        Mapped.Extents = Use.Extents.from(Operand, Call.getDataLayout());
      Objects.clear();
      ObjectSearch Search = {L};
      addHanded(Use.Object, Operand, Call, Search, Objects);
    }
    if (Use.IsFixed || !Use.Choice.empty())
      findChoice(Mapped, Choosing, L);
    for (UsedObject &Object : Objects) {
      Mapped.Object = std::move(Object);
      addUse(Uses, Mapped);
    }
  }
}

SmallVector<CalleeUse> CalleeUses::usesSoFar(const Function &F) const {
  SmallVector<CalleeUse> Uses;
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && !isa<AnyMemIntrinsic>(Call) && !isMemoryIntrinsic(I))
      addUsesOfCall(Uses, *Call, nullptr, nullptr);
    else
      addAccesses(Uses, I, nullptr);
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
  // Functions that call each other are looked at until nothing is added. Later
  // rounds only add uses, so that they end.
  constexpr unsigned MostReplaced = 16;
  SmallPtrSet<const Function *, 16> Changed, ChangedBefore;
  for (unsigned Round = 0; Round == 0 || !ChangedBefore.empty(); ++Round) {
    for (const Function *G : Callees) {
      if (Round > 0 && none_of(instructions(*G), [&](const Instruction &I) {
            const Function *Callee = definedCallee(I);
            return Changed.contains(Callee) || ChangedBefore.contains(Callee);
          }))
        continue;
      SmallVector<CalleeUse> Uses = usesSoFar(*G);
      SmallVector<CalleeUse> &Before = Known[G];
      if (Round >= MostReplaced)
        for (const CalleeUse &Use : Before)
          addUse(Uses, Use);
      // Recursive calls may swap objects.
      if (!std::is_permutation(Uses.begin(), Uses.end(), Before.begin(),
                               Before.end()))
        Changed.insert(G);
      Before = std::move(Uses);
    }
    ChangedBefore = std::move(Changed);
    Changed.clear();
  }
  return Known.find(&F)->second;
}

bool CalleeUses::mayWrite(const CallBase &Call, const LoadInst &Load,
                          const LoopContext &C, const FrameValues &Frames) {
  const MemoryLocation Place = MemoryLocation::get(&Load);
  if (Frames.isOwnCall(Call) || leavesArray(Call, Load, C.L) ||
      !isModSet(C.AA.getModRefInfo(&Call, Place)))
    return false;
  // Accounts of allocators are not among the uses.
  const Function *Callee = definedCallee(Call);
  if (!Callee || (mayBeAccount(Load) && allocates(*Callee)))
    return true;
  return any_of(of(Call, C.L, Frames), [&](const CalleeUse &Use) {
    const Value *Root = Use.Object.Root;
    return Use.Writes &&
           !(Root && Use.Object.Pointers.empty() &&
             C.AA.isNoAlias(MemoryLocation::getBeforeOrAfter(Root), Place));
  });
}

SmallVector<CalleeUse> CalleeUses::of(const CallBase &Call, const Loop &L,
                                      const FrameValues &Frames) {
  if (Frames.isOwnCall(Call))
    return {};
  if (const Function *Callee = definedCallee(Call))
    of(*Callee);
  SmallVector<CalleeUse> Uses;
  addUsesOfCall(Uses, Call, &L, &Frames);
  erase_if(Uses, [&](const CalleeUse &Use) {
    const auto &[Root, Pointers] = Use.Object;
    return Root && Frames.isOwnBehind(Root, Pointers);
  });
  return Uses;
}
