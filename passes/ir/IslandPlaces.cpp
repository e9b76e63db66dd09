//===- IslandPlaces.cpp - What memory of an iteration holds ---------------===//

#include "ir/IslandPlaces.h"
#include "llvm/ADT/DenseSet.h"
#include <numeric>

using namespace llvm;
using namespace heddle;

/// More offsets of one object in a set are those of its elements.
static constexpr unsigned MostOffsets = 24;
/// More elements up to the end of an object are those of an array.
static constexpr uint64_t MostElements = 3;
/// Of an object that holds more at different offsets, these are not told from
/// each other, as where its contents are moved again and again.
static constexpr unsigned MostContents = 64;

unsigned IslandPlaces::objectOf(const Value *Of, uint64_t Bytes) {
  auto [Known, IsNew] = Numbers.try_emplace(Of, Objects.size());
  if (IsNew)
    Objects.push_back({Of, Bytes});
  return Known->second;
}

/// The remainder of \p Offset , as that of a position in an element.
static int64_t remainder(int64_t Offset, uint64_t Stride) {
  const int64_t Rest = Offset % int64_t(Stride);
  return Rest < 0 ? Rest + int64_t(Stride) : Rest;
}

int64_t IslandPlaces::normal(unsigned Object, int64_t Offset) const {
  const uint64_t Stride = Objects[Object].Stride;
  if (Object == OutsideObject)
    return 0;
  if (Objects[Object].IsBlurred)
    return AnyOffset;
  return Offset == AnyOffset || !Stride ? Offset : remainder(Offset, Stride);
}

bool IslandPlaces::overlap(unsigned Object, int64_t A, uint64_t BytesOfA,
                           int64_t B, uint64_t BytesOfB) const {
  if (A == AnyOffset || B == AnyOffset || BytesOfA == AnyBytes ||
      BytesOfB == AnyBytes)
    return true;
  const uint64_t Stride = Objects[Object].Stride;
  if (!Stride)
    return A < B + int64_t(BytesOfB) && B < A + int64_t(BytesOfA);
  const uint64_t Apart = remainder(B - A, Stride);
  return Apart < BytesOfA || Apart + BytesOfB > Stride;
}

void IslandPlaces::fold(unsigned Object, uint64_t Stride) {
  if (Object == OutsideObject)
    return;
  uint64_t &Known = Objects[Object].Stride;
  const uint64_t Common = std::gcd(Known, Stride);
  if (Common == Known)
    return;
  Known = Common;
  Changed = true;
  for (Entry &E : Objects[Object].Contents)
    E.Offset = normal(Object, E.Offset);
}

uint64_t IslandPlaces::distance(Place A, Place B) const {
  assert(A.Object == B.Object && "there is no distance between objects");
  if (A.Object == OutsideObject || A.Offset == AnyOffset ||
      B.Offset == AnyOffset)
    return 1;
  return std::gcd(Objects[A.Object].Stride,
                  uint64_t(std::abs(A.Offset - B.Offset)));
}

/// Has one set for all that is stored in \p O in one way.
void IslandPlaces::blur(Object &O) {
  SmallVector<Entry, 2> Blurred;
  for (const Entry &E : O.Contents) {
    auto Same = find_if(
        Blurred, [&](const Entry &Other) { return E.Kind == Other.Kind; });
    if (Same == Blurred.end()) {
      Blurred.push_back({AnyOffset, AnyBytes, E.Kind, {}});
      Same = std::prev(Blurred.end());
    }
    Same->What.insert(E.What);
  }
  O.Contents = std::move(Blurred);
  O.IsBlurred = Changed = true;
}

bool IslandPlaces::isOwn(const PlaceSet &Set) const {
  return !Set.empty() &&
         none_of(Set, [&](Place P) { return hasEscaped(P.Object); });
}

bool IslandPlaces::hasOwn(const PlaceSet &Set) const {
  return any_of(Set, [&](Place P) { return !hasEscaped(P.Object); });
}

void IslandPlaces::escape(const PlaceSet &Set) {
  SmallVector<unsigned, 4> Worklist;
  auto Add = [&](const PlaceSet &Some) {
    for (Place P : Some)
      if (!hasEscaped(P.Object))
        Worklist.push_back(P.Object);
  };
  Add(Set);
  while (!Worklist.empty()) {
    Object &O = Objects[Worklist.pop_back_val()];
    if (std::exchange(O.HasEscaped, true))
      continue;
    Changed = true;
    for (const Entry &E : O.Contents)
      Add(E.What);
  }
}

bool IslandPlaces::add(PlaceSet &To, Place P) {
  P.Offset = normal(P.Object, P.Offset);
  if (!To.insert(P))
    return false;
  if (P.Object != OutsideObject && P.Offset != AnyOffset)
    limitOffsets(To, P);
  return true;
}

/// Folds the object of \p P if there are too many offsets in it.
void IslandPlaces::limitOffsets(const PlaceSet &Set, Place P) {
  SmallDenseSet<int64_t, 32> Offsets;
  uint64_t Apart = 0;
  for (Place Other : Set)
    if (Other.Object == P.Object && Other.Offset != AnyOffset) {
      const int64_t Offset = normal(P.Object, Other.Offset);
      Offsets.insert(Offset);
      Apart = std::gcd(Apart, uint64_t(std::abs(Offset - P.Offset)));
    }
  if (Offsets.size() > MostOffsets)
    fold(P.Object, Apart);
}

bool IslandPlaces::add(PlaceSet &To, const PlaceSet &From) {
  bool IsNew = false;
  for (Place P : SmallVector<Place, 8>(From.begin(), From.end()))
    IsNew |= add(To, P);
  return IsNew;
}

/// Adds \p First and the few places behind it that are left in the object;
/// false if there may be more. What is behind the last one is at its end.
bool IslandPlaces::addFew(PlaceSet &To, Place First, uint64_t Stride) {
  const Object &O = Objects[First.Object];
  if (O.Stride || O.IsBlurred || !O.Bytes || First.Offset < 0 ||
      uint64_t(First.Offset) > O.Bytes ||
      (O.Bytes - First.Offset) / Stride > MostElements)
    return false;
  for (; uint64_t(First.Offset) <= O.Bytes; First.Offset += int64_t(Stride))
    add(To, First);
  return true;
}

void IslandPlaces::addMoved(PlaceSet &To, const PlaceSet &From, int64_t Bytes,
                            ArrayRef<uint64_t> Scales, bool IsForward) {
  uint64_t Stride = 0;
  for (uint64_t Scale : Scales)
    Stride = std::gcd(Stride, Scale);
  for (Place P : SmallVector<Place, 8>(From.begin(), From.end())) {
    if (P.Offset != AnyOffset)
      P.Offset += Bytes;
    if (Stride && IsForward && P.Offset != AnyOffset && addFew(To, P, Stride))
      continue;
    if (Stride)
      fold(P.Object, Stride);
    add(To, P);
  }
}

void IslandPlaces::addSomewhere(PlaceSet &To, const PlaceSet &From) {
  for (Place P : SmallVector<Place, 8>(From.begin(), From.end()))
    add(To, {P.Object, AnyOffset});
}

/// True if what is stored as \p A may be read as \p B .
static bool mayBeOne(ContentKind A, ContentKind B) {
  return A == B || A == ContentKind::Any || B == ContentKind::Any;
}

void IslandPlaces::load(PlaceSet &To, const PlaceSet &At, uint64_t Bytes,
                        ContentKind Kind) const {
  for (Place P : SmallVector<Place, 8>(At.begin(), At.end())) {
    const Object &O = Objects[P.Object];
    if (O.HasEscaped)
      To.insert({OutsideObject, 0});
    for (const Entry &E : O.Contents)
      if (mayBeOne(Kind, E.Kind) &&
          overlap(P.Object, normal(P.Object, P.Offset), Bytes, E.Offset,
                  E.Bytes))
        To.insert(E.What);
  }
}

void IslandPlaces::store(const PlaceSet &At, uint64_t Bytes,
                         const PlaceSet &What, ContentKind Kind) {
  if (What.empty())
    return;
  const PlaceSet Stored = What;
  for (Place P : SmallVector<Place, 8>(At.begin(), At.end())) {
    Object &O = Objects[P.Object];
    if (O.HasEscaped)
      escape(Stored);
    if (P.Object == OutsideObject)
      continue;
    if (O.Contents.size() > MostContents && !O.IsBlurred)
      blur(O);
    const int64_t Offset = normal(P.Object, P.Offset);
    auto Same = find_if(O.Contents, [&](const Entry &E) {
      return E.Offset == Offset && (O.IsBlurred || E.Bytes == Bytes) &&
             E.Kind == Kind;
    });
    if (Same == O.Contents.end()) {
      O.Contents.push_back({Offset, Bytes, Kind, {}});
      Same = std::prev(O.Contents.end());
    }
    const unsigned Index = Same - O.Contents.begin();
    for (Place Q : Stored)
      Changed |= add(Objects[P.Object].Contents[Index].What, Q);
  }
}

void IslandPlaces::copy(const PlaceSet &To, const PlaceSet &From,
                        uint64_t Bytes) {
  for (Place P : SmallVector<Place, 8>(From.begin(), From.end())) {
    if (hasEscaped(P.Object))
      store(To, Bytes, outsidePlaces());
    const uint64_t Stride = Objects[P.Object].Stride;
    const int64_t Start = normal(P.Object, P.Offset);
    // What is stored meanwhile counts in the next round.
    const SmallVector<Entry, 2> Contents = Objects[P.Object].Contents;
    for (const Entry &E : Contents) {
      if (!overlap(P.Object, Start, Bytes, E.Offset, E.Bytes))
        continue;
      PlaceSet Behind;
      if (Start == AnyOffset || E.Offset == AnyOffset || E.Bytes == AnyBytes)
        addSomewhere(Behind, To);
      else if (!Stride)
        addMoved(Behind, To, E.Offset - Start, {});
      else
        // One of the elements, or all of them.
        addMoved(Behind, To, remainder(E.Offset - Start, Stride),
                 Bytes > Stride ? ArrayRef<uint64_t>(Stride)
                                : ArrayRef<uint64_t>());
      // A part of what lies there may be all of the rest of it.
      if (Stride && E.Offset != AnyOffset && Start != AnyOffset &&
          uint64_t(remainder(E.Offset - Start, Stride)) + E.Bytes > Stride)
        addSomewhere(Behind, To);
      // It may be read in another way there.
      store(Behind, E.Bytes, E.What);
    }
  }
}

PlaceSet IslandPlaces::reachOf(const PlaceSet &From) const {
  PlaceSet Reach;
  auto Add = [&](const PlaceSet &Some) {
    for (Place P : Some)
      Reach.insert({P.Object, P.Object == OutsideObject ? 0 : AnyOffset});
  };
  Add(From);
  for (unsigned N = 0; N < Reach.size(); ++N) {
    const unsigned At = Reach[N].Object;
    if (hasEscaped(At))
      Reach.insert({OutsideObject, 0});
    for (const Entry &E : Objects[At].Contents)
      Add(E.What);
  }
  return Reach;
}

void IslandPlaces::forEachStored(
    function_ref<void(const PlaceSet &)> Look) const {
  for (const Object &O : Objects)
    for (const Entry &E : O.Contents)
      Look(E.What);
}
