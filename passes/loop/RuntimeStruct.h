//===- RuntimeStruct.h - Structures shared with the runtime -----*- C++ -*-===//
//
// Compiled loops fill in and read structures of the runtime, whose headers
// describe the fields. A pass lists the fields once, in order; the LLVM type
// and the numbers of the fields follow from the list:
//
//   static constexpr RuntimeStruct Plan{
//       {HEDDLE_FIELD(heddle_plan, version), HEDDLE_FIELD(heddle_plan, tasks)},
//       sizeof(heddle_plan)};
//   static_assert(Plan.isWhole());
//
// The assertion fails where the list and the runtime's header disagree.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_LOOP_RUNTIMESTRUCT_H
#define HEDDLE_PASSES_LOOP_RUNTIMESTRUCT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DerivedTypes.h"
#include <cassert>
#include <cstddef>
#include <type_traits>

namespace heddle {

/// A pointer, an integer or an array of integers.
struct RuntimeField {
  size_t Offset;
  size_t ElementBytes;
  size_t Length; ///< 0 unless it is an array.
  bool IsPointer;

  constexpr size_t bytes() const {
    return ElementBytes * (Length ? Length : 1);
  }

  llvm::Type *type(llvm::LLVMContext &C) const {
    if (IsPointer)
      return llvm::PointerType::get(C, 0);
    llvm::Type *Element = llvm::Type::getIntNTy(C, 8 * ElementBytes);
    return Length ? llvm::ArrayType::get(Element, Length) : Element;
  }
};

template <typename T> constexpr RuntimeField runtimeField(size_t Offset) {
  using Element = std::remove_extent_t<T>;
  static_assert(std::is_integral_v<Element> || std::is_pointer_v<T>);
  return {Offset, sizeof(Element), std::extent_v<T>, std::is_pointer_v<T>};
}

#define HEDDLE_FIELD(STRUCT, NAME)                                             \
  heddle::runtimeField<decltype(STRUCT::NAME)>(offsetof(STRUCT, NAME))

template <size_t Count> struct RuntimeStruct {
  RuntimeField Fields[Count];
  size_t Bytes;

  /// Whether LLVM's offset of each field is C's, and no field is missing at the
  /// end.
  constexpr bool isWhole() const {
    size_t End = 0;
    for (const RuntimeField &Field : Fields) {
      if (Field.Offset != roundUp(End, Field.ElementBytes))
        return false;
      End = Field.Offset + Field.bytes();
    }
    return roundUp(End, sizeof(void *)) == Bytes;
  }

  /// The number of \p Field, one of the list.
  constexpr unsigned numberOf(const RuntimeField &Field) const {
    unsigned Number = 0;
    while (Number < Count && Fields[Number].Offset != Field.Offset)
      ++Number;
    assert(Number < Count && "a field of the list");
    return Number;
  }

  llvm::StructType *type(llvm::LLVMContext &C) const {
    llvm::SmallVector<llvm::Type *, Count> Types;
    for (const RuntimeField &Field : Fields)
      Types.push_back(Field.type(C));
    return llvm::StructType::get(C, Types);
  }

private:
  static constexpr size_t roundUp(size_t N, size_t To) {
    return (N + To - 1) / To * To;
  }
};

} // namespace heddle

#endif
