//===- IslandPlaces.h - What memory of an iteration holds -------*- C++ -*-===//
//
// Islands.h asks where pointers that lie in memory of an iteration lead to. A
// place is an object and an offset in it; what is stored at a place is a set of
// places again. The offsets of an object in which iterations choose elements
// count modulo the size of its elements.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_IR_ISLANDPLACES_H
#define HEDDLE_PASSES_IR_ISLANDPLACES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace llvm {
class Value;
} // namespace llvm

namespace heddle {

struct Place {
  unsigned Object;
  int64_t Offset;

  bool operator==(const Place &) const = default;
};

/// Few places, in the order in which they have come.
class PlaceSet {
  llvm::SmallVector<Place, 4> Places;

public:
  auto begin() const { return Places.begin(); }
  auto end() const { return Places.end(); }
  /// False if \p P was there before.
  bool insert(Place P) {
    if (llvm::is_contained(Places, P))
      return false;
    Places.push_back(P);
    return true;
  }
  void insert(const PlaceSet &Others) {
    for (Place P : Others)
      insert(P);
  }

  bool empty() const { return Places.empty(); }
  size_t size() const { return Places.size(); }
  Place operator[](size_t N) const { return Places[N]; }
};

/// All memory that is not of the iteration, or that others may access.
constexpr unsigned OutsideObject = 0;
/// Anywhere in an object.
constexpr int64_t AnyOffset = INT64_MIN;
constexpr uint64_t AnyBytes = UINT64_MAX;

/// Where pointers lead to of which nothing is known.
inline PlaceSet outsidePlaces() {
  PlaceSet Set;
  Set.insert({OutsideObject, 0});
  return Set;
}

/// How something is accessed. The language does not permit to read as a number
/// what has been written as a pointer, nor the other way round.
enum class ContentKind { Any, Pointer, Number };

class IslandPlaces {
  struct Entry {
    int64_t Offset;
    uint64_t Bytes;
    ContentKind Kind;
    PlaceSet What;
  };
  struct Object {
    const llvm::Value *Of;
    /// Zero if it is not known.
    uint64_t Bytes = 0;
    /// The size of elements; zero where none are chosen.
    uint64_t Stride = 0;
    bool HasEscaped = false;
    /// Its offsets are not told from each other any more.
    bool IsBlurred = false;
    llvm::SmallVector<Entry, 2> Contents = {};
  };
  llvm::SmallVector<Object, 8> Objects{{nullptr, 0, 0, true}};
  llvm::DenseMap<const llvm::Value *, unsigned> Numbers;
  bool Changed = false;

  int64_t normal(unsigned Object, int64_t Offset) const;
  bool overlap(unsigned Object, int64_t A, uint64_t BytesOfA, int64_t B,
               uint64_t BytesOfB) const;
  bool addFew(PlaceSet &To, Place First, uint64_t Stride);
  void fold(unsigned Object, uint64_t Stride);
  void blur(Object &O);
  void limitOffsets(const PlaceSet &Set, Place P);

public:
  /// The number of the object that \p Of stands for, of \p Bytes if it is not
  /// zero.
  unsigned objectOf(const llvm::Value *Of, uint64_t Bytes);
  /// The same, if objectOf() has been asked before; else OutsideObject.
  unsigned find(const llvm::Value *Of) const { return Numbers.lookup(Of); }
  const llvm::Value *valueOf(unsigned Object) const {
    return Objects[Object].Of;
  }
  unsigned size() const { return Objects.size(); }

  /// True if objects have come to hold more since the last call.
  bool takeChanged() { return std::exchange(Changed, false); }

  bool hasEscaped(unsigned Object) const { return Objects[Object].HasEscaped; }
  /// True if \p Set has places, all of them in memory of the iteration.
  bool isOwn(const PlaceSet &Set) const;
  bool hasOwn(const PlaceSet &Set) const;
  /// Lets others access the objects of \p Set, and what they lead to.
  void escape(const PlaceSet &Set);

  /// What the distance of \p A and \p B , in one object, is a multiple of; zero
  /// if there is none between them.
  uint64_t distance(Place A, Place B) const;

  /// Adds a place, or some, and returns whether any is new there.
  bool add(PlaceSet &To, Place P);
  bool add(PlaceSet &To, const PlaceSet &From);
  /// Adds the places \p Bytes behind those in \p From , where \p Scales are
  /// what unknown numbers are multiplied with. \p IsForward says that these are
  /// not negative.
  void addMoved(PlaceSet &To, const PlaceSet &From, int64_t Bytes,
                llvm::ArrayRef<uint64_t> Scales, bool IsForward = false);
  /// Adds the objects of \p From , at any offset.
  void addSomewhere(PlaceSet &To, const PlaceSet &From);

  /// Adds to \p To what \p Bytes at \p At hold.
  void load(PlaceSet &To, const PlaceSet &At, uint64_t Bytes,
            ContentKind Kind = ContentKind::Any) const;
  void store(const PlaceSet &At, uint64_t Bytes, const PlaceSet &What,
             ContentKind Kind = ContentKind::Any);
  /// Copies what \p Bytes at \p From hold to \p To .
  void copy(const PlaceSet &To, const PlaceSet &From, uint64_t Bytes);
  /// The objects of \p From , and all that they lead to, at any offset.
  PlaceSet reachOf(const PlaceSet &From) const;
  /// Calls \p Look with each set of places that is stored somewhere.
  void forEachStored(llvm::function_ref<void(const PlaceSet &)> Look) const;
};

} // namespace heddle

#endif
