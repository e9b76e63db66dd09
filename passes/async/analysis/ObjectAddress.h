//===- ObjectAddress.h - Addresses as offsets in an object ------*- C++ -*-===//
//
// Splits an address into the object that it points into and an offset, so that
// accesses to one object can be requested together: fields on one cache line,
// and elements of a small array whose index is bounded.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_ANALYSIS_OBJECTADDRESS_H
#define HEDDLE_PASSES_ASYNC_ANALYSIS_OBJECTADDRESS_H

#include "loop/LoopContext.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace heddle {

class ObjectAddress {
public:
  explicit ObjectAddress(llvm::Value *Address);

  llvm::Value *base() const { return Base; }
  int64_t constant() const { return Constant; }
  /// The values that the offset depends on, each with the number of bytes by
  /// which the offset grows with it.
  const llvm::SmallMapVector<llvm::Value *, int64_t, 4> &variables() const {
    return Variables;
  }
  /// Returns the address with this offset in the object at \p NewBase.
  ObjectAddress withBase(llvm::Value *NewBase) const;
  /// Returns the address so many \p Bytes further.
  ObjectAddress behind(int64_t Bytes) const {
    ObjectAddress Address = *this;
    Address.Constant += Bytes;
    return Address;
  }

private:
  llvm::Value *Base;
  int64_t Constant = 0;
  llvm::SmallMapVector<llvm::Value *, int64_t, 4> Variables;

  void strip();
};

/// \p Address , or the pointer that it is if it leads from the begin of an
/// array to an element by the distance of a pointer to that element.
const llvm::Value *withoutDetour(const llvm::Value *Address);

/// The bytes from one address to another, within bounds.
struct Distance {
  int64_t Least, Most;
};

/// The distance from \p From to \p To, if it is bounded at \p At.
std::optional<Distance> distance(const ObjectAddress &From,
                                 const ObjectAddress &To,
                                 const llvm::Instruction *At,
                                 const LoopContext &C);

} // namespace heddle

#endif
