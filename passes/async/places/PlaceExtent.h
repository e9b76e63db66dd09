//===- PlaceExtent.h - Where in an object an access is ----------*- C++ -*-===//
//
// Functions that are handed one object often use different members of it. This
// says which bytes an access may be to.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLACES_PLACEEXTENT_H
#define HEDDLE_PASSES_ASYNC_PLACES_PLACEEXTENT_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class DataLayout;
class MemoryLocation;
class Value;
} // namespace llvm

namespace heddle {

/// Bytes of an object, from \c Begin to the one in front of \c End.
struct PlaceExtent {
  int64_t Begin, End;

  bool operator==(const PlaceExtent &) const = default;
};

/// What several accesses are to. Where they are to many places, what lies
/// between these counts as well.
class PlaceExtents {
  /// In ascending order, apart from each other.
  llvm::SmallVector<PlaceExtent, 1> Extents;

  void add(PlaceExtent Extent);

public:
  /// Nothing is known of the accesses.
  PlaceExtents() = default;
  /// An access at \p Place .
  PlaceExtents(const llvm::MemoryLocation &Place,
               const llvm::DataLayout &Layout);

  void add(const PlaceExtents &Others);
  /// The same accesses in the object that \p Address points into, if they are
  /// as far from \p Address as these from the beginning of the object.
  PlaceExtents from(const llvm::Value *Address,
                    const llvm::DataLayout &Layout) const;
  bool overlap(const PlaceExtents &Others) const;

  bool operator==(const PlaceExtents &) const = default;
};

} // namespace heddle

#endif
