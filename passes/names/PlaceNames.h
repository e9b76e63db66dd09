//===- PlaceNames.h - What a place is called in the source ------*- C++ -*-===//
//
// Spells an address as the source does, such as `t[#].v` or `this->count`, from
// debug information. '#' stands for an index, which is known at run time.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_NAMES_PLACENAMES_H
#define HEDDLE_PASSES_NAMES_PLACENAMES_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace llvm {
class DataLayout;
class Value;
} // namespace llvm

namespace heddle {

struct PlaceName {
  /// Empty if debug information knows nothing of it.
  std::string Text;
  /// What a clause could name: a variable or its member; or empty.
  std::string Variable;
  /// What indexes count from; or null.
  llvm::Value *Base = nullptr;
  /// Bytes: the strides of the indexes, in order, and the constant part.
  llvm::SmallVector<uint64_t, 2> Strides;
  int64_t Offset = 0;
};

/// The name of the \p Bytes at \p Address.
PlaceName namePlace(llvm::Value *Address, uint64_t Bytes,
                    const llvm::DataLayout &DL);

/// The name of the variable whose value \p V is; or empty.
std::string nameOfValue(llvm::Value &V);

} // namespace heddle

#endif
