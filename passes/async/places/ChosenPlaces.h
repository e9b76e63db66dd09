//===- ChosenPlaces.h - Places that iterations share ------------*- C++ -*-===//
//
// A variable in memory is at one place in all iterations, or behind the same
// pointers. An iteration may also choose one of few variables: by `?:` between
// pointers, through a small table of pointers, or by an index with few values,
// which is what the compiler makes of a choice between members of one object.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_ASYNC_PLACES_CHOSENPLACES_H
#define HEDDLE_PASSES_ASYNC_PLACES_CHOSENPLACES_H

namespace llvm {
class Loop;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace heddle {

/// How iterations find a place.
enum class PlaceKind {
  Moving,  ///< They have places of their own, as far as can be seen.
  Fixed,   ///< All have the same one.
  Element, ///< One of few in an object that is the same for all.
  Chosen   ///< One of few, of which some are behind pointers or in two objects.
};

/// The kind of the place at \p Address in \p L.
PlaceKind placeKind(llvm::Value *Address, const llvm::Loop &L,
                    llvm::ScalarEvolution &SE);

/// True if all iterations of \p L find \p Address , or all calls of the
/// function that it is in, where \p L is null, have one of few places there.
/// Pointers that a function is handed count as the same in all calls.
bool isOneOfFew(const llvm::Value *Address, const llvm::Loop *L);

} // namespace heddle

#endif
