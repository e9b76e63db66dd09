//===- LikelyTargets.cpp - What calls through pointers may call -----------===//

#include "inline/LikelyTargets.h"
#include "ir/TypeTags.h"
#include "loop/Tunables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;
using namespace heddle;

/// True for the table of virtual functions of a class.
static bool isOfClass(const GlobalVariable &Table) {
  return Table.getName().starts_with("_ZTV");
}

/// True for the run-time type of a class.
static bool isTypeInfo(const GlobalVariable &Variable) {
  return Variable.getName().starts_with("_ZTI");
}

/// True if a call may be to this body and no other.
static bool mayBeTarget(const Function &F) {
  return !F.isDeclaration() && !F.isInterposable() && !F.isVarArg() &&
         !F.hasAvailableExternallyLinkage() &&
         !F.hasFnAttribute(Attribute::Naked) &&
         !F.hasFnAttribute(Attribute::ReturnsTwice) && !F.hasOptNone();
}

/// Adds \p C to \p List, if it is such a function.
static void addTarget(const Constant *C, SmallVectorImpl<Function *> &List) {
  auto *F = dyn_cast<Function>(C->stripPointerCasts());
  if (F && mayBeTarget(*F) && !is_contained(List, F))
    List.push_back(const_cast<Function *>(F));
}

/// True if the address of \p F is used elsewhere than in calls of it and in
/// tables of classes.
static bool isAddressTaken(const Function &F) {
  SmallVector<const Use *> Worklist(make_pointer_range(F.uses()));
  SmallPtrSet<const User *, 8> Seen;
  while (!Worklist.empty()) {
    const Use &U = *Worklist.pop_back_val();
    const User *By = U.getUser();
    if (auto *Call = dyn_cast<CallBase>(By); Call && Call->isCallee(&U))
      continue;
    if (auto *Table = dyn_cast<GlobalVariable>(By);
        isa<BlockAddress>(By) || (Table && isOfClass(*Table)))
      continue;
    if (!isa<Constant>(By) || isa<GlobalValue>(By))
      return true;
    if (Seen.insert(By).second)
      append_range(Worklist, make_pointer_range(By->uses()));
  }
  return false;
}

LikelyTargets::LikelyTargets(Module &M) {
  for (const GlobalVariable &Table : M.globals()) {
    if (!Table.hasInitializer() || !Table.isConstant() ||
        Table.hasAvailableExternallyLinkage())
      continue;
    if (!isOfClass(Table))
      addTable(Table, *Table.getInitializer(), 0);
    else if (isa<StructType>(Table.getValueType()))
      for (const Use &Part : Table.getInitializer()->operands())
        addClass(Table, *cast<Constant>(Part));
  }
  for (const auto &[F, Types] : TypesOf)
    for (const GlobalVariable *Type : Types)
      Sizes[*Families.findLeader(Type)].insert(
          F->arg_empty() ? 0 : F->getParamDereferenceableBytes(0));
  for (Function &F : M)
    if (mayBeTarget(F) && isAddressTaken(F))
      ByType[F.getFunctionType()].push_back(&F);
}

/// The elements of an array are tables of one kind.
void LikelyTargets::addTable(const GlobalVariable &Table, const Constant &Part,
                             int64_t Offset) {
  const DataLayout &DL = Table.getDataLayout();
  auto *Struct = dyn_cast<StructType>(Part.getType());
  if (!isa<ConstantAggregate>(Part))
    return;
  for (auto [Number, Element] : enumerate(Part.operands())) {
    const int64_t Within =
        Struct ? DL.getStructLayout(Struct)->getElementOffset(Number) : 0;
    auto *C = cast<Constant>(Element);
    // An array of functions is chosen from by a number.
    if (Struct && C->getType()->isPointerTy())
      addTarget(C, OfTables[Offset + Within]);
    addTable(Table, *C, Offset + Within);
  }
}

/// In front of the first function there are offsets and the type.
void LikelyTargets::addClass(const GlobalVariable &Table,
                             const Constant &Part) {
  const int64_t Bytes = Table.getDataLayout().getPointerSize();
  std::optional<unsigned> First;
  const GlobalVariable *Type = nullptr;
  for (auto [Number, Element] : enumerate(Part.operands())) {
    auto *C = cast<Constant>(Element);
    auto *F = dyn_cast<Function>(C->stripPointerCasts());
    auto *Other = dyn_cast<GlobalVariable>(C->stripPointerCasts());
    if (!First && F)
      First = Number;
    if (!First && Other && isTypeInfo(*Other)) {
      Type = Other;
      addBases(*Type);
    }
    if (First)
      addTarget(C, OfClasses[(Number - *First) * Bytes]);
    if (F && Type && !is_contained(TypesOf[F], Type))
      TypesOf[F].push_back(Type);
  }
}

/// The type of a class has those of its bases.
void LikelyTargets::addBases(const GlobalVariable &Type) {
  if (!is_contained(Families, &Type))
    Families.insert(&Type);
  if (!Type.hasInitializer())
    return;
  for (const Use &Part : Type.getInitializer()->operands())
    if (auto *Base =
            dyn_cast<GlobalVariable>(cast<Constant>(Part)->stripPointerCasts());
        Base && isTypeInfo(*Base) &&
        Families.findLeader(&Type) != Families.findLeader(Base)) {
      addBases(*Base);
      Families.unionSets(&Type, Base);
    }
}

bool LikelyTargets::mayBeOfSize(const Function &F, uint64_t Bytes) const {
  auto Types = TypesOf.find(&F);
  return Types == TypesOf.end() ||
         any_of(Types->second, [&](const GlobalVariable *Type) {
           auto Known = Sizes.find(*Families.findLeader(Type));
           return Known != Sizes.end() && Known->second.contains(Bytes);
         });
}

/// What the variable of the function that \p Load reads has been set to, if it
/// is set once; otherwise \p Load.
static const Value *valueOf(const LoadInst &Load) {
  auto *Variable = dyn_cast<AllocaInst>(Load.getPointerOperand());
  const Value *Only = nullptr;
  if (Variable)
    for (const User *U : Variable->users())
      if (auto *Store = dyn_cast<StoreInst>(U)) {
        if (Only || Store->getPointerOperand() != Variable)
          return &Load;
        Only = Store->getValueOperand();
      }
  return Only ? Only : &Load;
}

/// True if a volatile variable has the pointer to the function.
static bool isVolatile(const Value *Target) {
  auto *Load = dyn_cast<LoadInst>(Target);
  if (!Load || Load->isVolatile())
    return Load;
  auto *From = dyn_cast<LoadInst>(valueOf(*Load));
  return From && From->isVolatile();
}

TableSlot heddle::tableSlot(const CallBase &Call) {
  auto *Load = dyn_cast<LoadInst>(Call.getCalledOperand());
  if (!Load)
    return {};
  const DataLayout &DL = Load->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(Load->getType()), 0);
  auto *Table = dyn_cast<LoadInst>(
      Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true));
  if (!Table)
    return {};
  const bool IsTagged = taggedMember(*Table) == "vtable pointer";
  return {Load, Offset.getSExtValue(), IsTagged,
          !IsTagged && Table->hasMetadata(LLVMContext::MD_tbaa)};
}

/// True if the arguments of \p Call have the properties that \p F asks for, as
/// far as a function in the same place of a derived class asks for them.
static bool fitsArguments(const CallBase &Call, const Function &F) {
  for (unsigned I = 0; I < Call.arg_size(); ++I) {
    const uint64_t Given = Call.getParamDereferenceableBytes(I);
    const uint64_t Asked = F.getParamDereferenceableBytes(I);
    if (I == 0 ? Asked < Given : Asked != Given)
      return false;
  }
  return true;
}

SmallVector<Function *> LikelyTargets::of(const CallBase &Call) const {
  if (isVolatile(Call.getCalledOperand()))
    return {};
  SmallVector<Function *> Found;
  auto AddFitting = [&](ArrayRef<Function *> List) {
    for (Function *F : List)
      if (F->getFunctionType() == Call.getFunctionType() &&
          F->getCallingConv() == Call.getCallingConv() &&
          isLegalToPromote(Call, F) && !is_contained(Found, F))
        Found.push_back(F);
  };
  const TableSlot Slot = tableSlot(Call);
  if (Slot.Load) {
    if (!Slot.IsNoClass)
      AddFitting(OfClasses.lookup(Slot.Offset));
    if (!Slot.IsOfClass)
      AddFitting(OfTables.lookup(Slot.Offset));
  }
  // The static type of the object is seen by its size only.
  if (const uint64_t Bytes = Call.getParamDereferenceableBytes(0)) {
    auto IsOfOtherSize = [&](const Function *F) {
      return !mayBeOfSize(*F, Bytes);
    };
    if (!all_of(Found, IsOfOtherSize))
      erase_if(Found, IsOfOtherSize);
  }
  if (Found.empty() && !Slot.IsOfClass)
    AddFitting(ByType.lookup(Call.getFunctionType()));
  if (Found.size() > unsigned(tunable::LikelyTargets))
    erase_if(Found, [&](Function *F) { return !fitsArguments(Call, *F); });
  return Found;
}
