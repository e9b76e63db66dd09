//===- PlaceNames.cpp - What a place is called in the source --------------===//

#include "names/PlaceNames.h"
#include "ir/Instructions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace heddle;

namespace {

/// Pointers that are followed in one expression; longer ones are not spelled.
constexpr unsigned MostPointers = 6;

/// An expression of the source, and its type as far as it is known.
struct Named {
  std::string Text;
  const DIType *Type = nullptr;
};

const DIType *withoutQualifiers(const DIType *T) {
  while (auto *Derived = dyn_cast_or_null<DIDerivedType>(T)) {
    switch (Derived->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
    case dwarf::DW_TAG_member:
    case dwarf::DW_TAG_inheritance:
      T = Derived->getBaseType();
      continue;
    default:
      return T;
    }
  }
  return T;
}

bool isReference(const DIType *T) {
  return T && (T->getTag() == dwarf::DW_TAG_reference_type ||
               T->getTag() == dwarf::DW_TAG_rvalue_reference_type);
}

/// The type that a pointer or reference of type \p T points to; or null.
const DIType *pointee(const DIType *T) {
  auto *Pointer = dyn_cast_or_null<DIDerivedType>(withoutQualifiers(T));
  if (!Pointer || (Pointer->getTag() != dwarf::DW_TAG_pointer_type &&
                   !isReference(Pointer)))
    return nullptr;
  return withoutQualifiers(Pointer->getBaseType());
}

uint64_t bytesOfType(const DIType *T) {
  T = withoutQualifiers(T);
  return T ? T->getSizeInBits() / 8 : 0;
}

bool isArray(const DIType *T) {
  return T && T->getTag() == dwarf::DW_TAG_array_type;
}

/// True if \p Record says that its variable is in memory at \p V.
bool isPlaceOf(const DbgVariableRecord &Record, const Value *V) {
  return Record.isDbgDeclare() ||
         (Record.isDbgAssign() && Record.getAddress() == V);
}

bool isInlined(const DbgVariableRecord &Record) {
  const DebugLoc &Where = Record.getDebugLoc();
  return Where && Where->getInlinedAt();
}

/// The variable whose value or, if \p InMemory, whose place \p V is.
Named variableOf(Value *V, bool InMemory) {
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(V, Records);
  for (DbgVariableRecord *Record : Records)
    // Those of functions that were put here have the same value.
    if (isPlaceOf(*Record, V) == InMemory && !isInlined(*Record) &&
        Record->getNumVariableLocationOps() == 1 &&
        Record->getExpression()->getNumElements() == 0)
      return {Record->getVariable()->getName().str(),
              Record->getVariable()->getType()};
  return {};
}

Named variableOf(GlobalVariable &G) {
  SmallVector<DIGlobalVariableExpression *, 1> Expressions;
  G.getDebugInfo(Expressions);
  for (DIGlobalVariableExpression *Expression : Expressions)
    return {Expression->getVariable()->getName().str(),
            Expression->getVariable()->getType()};
  return {demangle(G.getName()), nullptr};
}

/// Spells one address.
class PlaceSpeller {
  const DataLayout &DL;
  unsigned Pointers;
  PlaceName Name;
  const DIType *Type = nullptr;
  /// True while Name.Text is a pointer rather than what it points to.
  bool IsPointer = false;
  SmallMapVector<Value *, APInt, 4> Indexes;
  APInt Rest;

public:
  PlaceSpeller(const DataLayout &DL, unsigned Pointers)
      : DL(DL), Pointers(Pointers) {}

  Named spell(Value *Address, uint64_t Bytes) {
    start(takeOffsets(Address));
    if (Name.Text.empty())
      return {};
    Name.Offset = Rest.getSExtValue();
    descend(Bytes);
    return {Name.Text, Type};
  }

  PlaceName take() { return std::move(Name); }

private:
  /// Returns what \p Address counts from.
  Value *takeOffsets(Value *Address) {
    Rest = APInt(DL.getIndexTypeSizeInBits(Address->getType()), 0);
    while (auto *GEP = dyn_cast<GEPOperator>(Address)) {
      if (!GEP->collectOffset(DL, Rest.getBitWidth(), Indexes, Rest))
        break;
      Address = GEP->getPointerOperand();
    }
    return Address;
  }

  /// Begins with the name of the base.
  void start(Value *Base) {
    Named Start;
    if (auto *Global = dyn_cast<GlobalVariable>(withoutThread(Base)))
      Start = variableOf(*Global);
    else if (isa<AllocaInst>(Base))
      Start = variableOf(Base, /*InMemory=*/true);
    if (!Start.Text.empty()) {
      Type = withoutQualifiers(Start.Type);
      Name.Variable = Start.Text;
    } else {
      Start = valueOf(Base);
      if (Start.Text.empty())
        return;
      Type = pointee(Start.Type);
      IsPointer = !isReference(withoutQualifiers(Start.Type));
    }
    Name.Base = Base;
    Name.Text = std::move(Start.Text);
  }

  /// Spells the pointer \p V.
  Named valueOf(Value *V) {
    Named Variable = variableOf(V, /*InMemory=*/false);
    if (!Variable.Text.empty() || !Pointers)
      return Variable;
    if (auto *Load = dyn_cast<LoadInst>(V))
      return PlaceSpeller(DL, Pointers - 1)
          .spell(Load->getPointerOperand(), DL.getPointerSize());
    auto *Call = dyn_cast<CallBase>(V);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      return {};
    const DISubprogram *Program = Callee->getSubprogram();
    std::string Text =
        Program ? Program->getName().str() : demangle(Callee->getName());
    Text = StringRef(Text).split('(').first.str() + "(...)";
    if (!Program || !Program->getType())
      return {Text, nullptr};
    auto Types = Program->getType()->getTypeArray();
    return {Text, Types.size() ? Types[0] : nullptr};
  }

  void appendIndex(uint64_t Stride) {
    for (auto &[Index, Scale] : Indexes) {
      if (Scale.abs() != Stride)
        continue;
      Name.Text += "[#]";
      Name.Strides.push_back(Stride);
      Indexes.erase(Index);
      Rest = 0; // part of the index at run time
      return;
    }
    int64_t Constant = Stride ? Rest.getSExtValue() / int64_t(Stride) : 0;
    Name.Text += "[" + std::to_string(Constant) + "]";
    Rest -= Constant * int64_t(Stride);
  }

  bool hasIndex(uint64_t Stride) const {
    return Stride && any_of(Indexes, [&](const auto &Index) {
             return Index.second.abs() == Stride;
           });
  }

  /// Adds indexes and fields up to what is accessed.
  void descend(uint64_t Bytes) {
    const uint64_t Whole = bytesOfType(Type);
    if (IsPointer &&
        (hasIndex(Whole) ||
         (Whole && uint64_t(std::abs(Rest.getSExtValue())) >= Whole))) {
      keepFieldOffset(Whole);
      IsPointer = false;
    }
    while (step(Bytes))
      ;
    if (IsPointer)
      Name.Text = (Indexes.empty() ? "*" : "") + Name.Text +
                  (Indexes.empty() ? "" : "[...]");
    else if (!Indexes.empty())
      Name.Text += "[...]";
  }

  /// Adds an index of elements of \p Stride bytes, and keeps what is added to
  /// it to reach a field.
  void keepFieldOffset(uint64_t Stride) {
    const int64_t Before = Rest.getSExtValue();
    int64_t Field = Before % int64_t(Stride);
    if (Field < 0)
      Field += Stride;
    // What is added to an index that is known at run time is part of it.
    if (hasIndex(Stride))
      Name.Offset -= Before - Field;
    appendIndex(Stride);
    Rest = APInt(Rest.getBitWidth(), Field, true);
  }

  bool step(uint64_t Bytes) {
    auto *Composite = dyn_cast_or_null<DICompositeType>(Type);
    if (!Composite)
      return false;
    if (isArray(Type)) {
      if (bytesOfType(Type) == Bytes && Indexes.empty() && Bytes)
        return false;
      const DIType *Element = withoutQualifiers(Composite->getBaseType());
      return enterArray(*Composite, Element);
    }
    if (Indexes.empty() && bytesOfType(Type) == Bytes && Rest.isZero() &&
        Bytes > 8)
      return false;
    return enterField(*Composite, Bytes);
  }

  /// Arrays of arrays are one type with several counts.
  bool enterArray(const DICompositeType &Array, const DIType *Element) {
    SmallVector<uint64_t, 2> Strides;
    uint64_t Stride = bytesOfType(Element);
    const DINodeArray Counts = Array.getElements();
    for (unsigned Dimension = Counts.size(); Dimension-- > 0;) {
      auto *Range = dyn_cast<DISubrange>(Counts[Dimension]);
      if (!Range || !Stride)
        return false;
      Strides.push_back(Stride);
      auto *Count = dyn_cast_if_present<ConstantInt *>(Range->getCount());
      Stride *= Count ? Count->getZExtValue() : 0;
    }
    for (uint64_t Bytes : reverse(Strides))
      keepFieldOffset(Bytes);
    Type = Element;
    IsPointer = false;
    return true;
  }

  void appendField(const DICompositeType &Struct, StringRef Field) {
    // A variable that a lambda captures has a field of the same name.
    if (IsPointer && Name.Text == "this" && Struct.getName().empty())
      Name.Text = Field;
    // The elements of a vector, rather than its pointer to them.
    else if (IsPointer ||
             (Field != "_M_impl" && Field != "_M_start" && Field != "_M_elems"))
      Name.Text += (IsPointer ? "->" : ".") + Field.str();
  }

  bool enterField(const DICompositeType &Struct, uint64_t Bytes) {
    const uint64_t At = Rest.getZExtValue();
    for (const DINode *Element : Struct.getElements()) {
      auto *Member = dyn_cast<DIDerivedType>(Element);
      if (!Member || Member->isStaticMember() ||
          (Member->getTag() != dwarf::DW_TAG_member &&
           Member->getTag() != dwarf::DW_TAG_inheritance))
        continue;
      const uint64_t Begin = Member->getOffsetInBits() / 8;
      // An empty base class begins where the first field does.
      const uint64_t Size = bytesOfType(Member);
      if (At < Begin || At >= Begin + Size || Size < Bytes)
        continue;
      if (!Member->getName().empty())
        appendField(Struct, Member->getName());
      if (!Member->getName().empty())
        IsPointer = false;
      Rest = APInt(Rest.getBitWidth(), At - Begin);
      Type = withoutQualifiers(Member);
      return true;
    }
    return false;
  }
};

} // namespace

PlaceName heddle::namePlace(Value *Address, uint64_t Bytes,
                            const DataLayout &DL) {
  PlaceSpeller Speller(DL, MostPointers);
  Speller.spell(Address, Bytes);
  PlaceName Name = Speller.take();
  StringRef Text = Name.Text;
  if (!Text.contains_insensitive("[") && !Text.starts_with("*") &&
      !Text.contains('('))
    Name.Variable = Name.Text;
  return Name;
}

std::string heddle::nameOfValue(Value &V) {
  return variableOf(&V, /*InMemory=*/false).Text;
}
