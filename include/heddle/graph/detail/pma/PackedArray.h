//===- pma/PackedArray.h - The base of sets and maps ------------*- C++ -*-===//
//
// The leaves, the number of their elements, and the operations on both. Sets
// and maps are thin interfaces to this class.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_PACKEDARRAY_H
#define HEDDLE_GRAPH_DETAIL_PMA_PACKEDARRAY_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/BatchSearch.h"
#include "heddle/graph/detail/pma/BatchUpdate.h"
#include "heddle/graph/detail/pma/MergeRebuild.h"
#include "heddle/graph/detail/pma/Position.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <utility>

namespace heddle::graph::detail {

/// Functions that change the array throw std::bad_alloc and have then changed
/// nothing.
template <typename TraitsType> class PackedArray {
public:
  using Traits = TraitsType;
  using Key = typename Traits::Key;
  using Value = typename Traits::Value;

  explicit PackedArray(double growingFactor) : density(growingFactor) {}

  PackedArray(PackedArray &&other) noexcept
      : density(other.density), leaves(std::move(other.leaves)),
        count(std::exchange(other.count, 0)) {}
  PackedArray &operator=(PackedArray &&other) noexcept {
    density = other.density;
    leaves = std::move(other.leaves);
    count = std::exchange(other.count, 0);
    return *this;
  }
  PackedArray(const PackedArray &other)
      : density(other.density), leaves(copyOf(other.leaves)),
        count(other.count) {}
  PackedArray &operator=(const PackedArray &other) {
    if (this != &other)
      *this = PackedArray(other);
    return *this;
  }

  std::size_t size() const { return count; }
  std::size_t bytes() const { return leaves.bytes(); }
  const Leaves<Traits> &allLeaves() const { return leaves; }

  bool contains(Key key) const {
    return !leaves.empty() && leafContains(leaves.view(leaves.find(key)), key);
  }

  std::size_t contains(std::span<const Key> keys, std::span<bool> found) const;

  std::size_t find(std::span<const Key> keys,
                   std::span<std::optional<Value>> values) const;

  /// The address of the value of a key, or null if there is no such key.
  const std::byte *find(Key key) const {
    if (leaves.empty())
      return nullptr;
    const LeafView<Traits> leaf = leaves.view(leaves.find(key));
    const auto place = locate(leaf, key);
    return place.found ? leaf.values + place.index * Traits::ValueBytes
                       : nullptr;
  }

  /// Changes a value at an address that find() has returned.
  void assign(const std::byte *place, Value value) {
    storeValue(leaves.mutableAt(place), value);
  }

  bool insert(Key key, Value value);

  bool erase(Key key);

  std::size_t insert(const SortedBatch<Traits> &batch);

  /// Inserts all keys of a batch or replaces their values. Returns the number
  /// of keys inserted.
  std::size_t insertOrAssign(const SortedBatch<Traits> &batch) {
    Scratch<std::size_t> places(batch.size());
    const std::size_t inserted = insert(batch);
    if (inserted < batch.size())
      assignAll(batch, {places.begin(), places.end()});
    return inserted;
  }

  std::size_t erase(const SortedBatch<Traits> &batch);

  void clear() {
    leaves = Leaves<Traits>();
    count = 0;
  }

  /// The first element that is not below `key`.
  Position<Traits> lowerBound(Key key) const {
    if (leaves.empty())
      return Position<Traits>(leaves, 0);
    Position<Traits> position(leaves, leaves.find(key));
    while (!position.isEnd() && position.key() < key)
      position.advance();
    return position;
  }

private:
  /// Batches with more than one key for this many elements rebuild the array.
  static constexpr std::size_t ElementsForRebuild = 2;

  static Leaves<Traits> copyOf(const Leaves<Traits> &leaves) {
    if (leaves.empty())
      return {};
    Leaves<Traits> copy(leaves.size());
    copy.copyFrom(leaves);
    return copy;
  }

  /// Replaces the values of keys, all of which must exist. `places` is scratch
  /// space of the size of the batch.
  void assignAll(const SortedBatch<Traits> &batch,
                 std::span<std::size_t> places);

  /// Brings the array back within its bounds after one leaf has changed.
  void rebalance(std::size_t leaf, std::size_t elements);

  Density<Traits> density;
  Leaves<Traits> leaves;
  std::size_t count = 0;
};

// Large functions are not inline, so that a program can compile them once, with
// an explicit instantiation.

template <typename Traits>
std::size_t PackedArray<Traits>::contains(std::span<const Key> keys,
                                          std::span<bool> found) const {
  if (leaves.empty()) {
    std::fill(found.begin(), found.end(), false);
    return 0;
  }
  return containsAll(leaves, keys, found);
}

template <typename Traits>
std::size_t
PackedArray<Traits>::find(std::span<const Key> keys,
                          std::span<std::optional<Value>> values) const {
  if (leaves.empty()) {
    std::fill(values.begin(), values.end(), std::nullopt);
    return 0;
  }
  return findAll(leaves, keys, values);
}

template <typename Traits>
bool PackedArray<Traits>::insert(Key key, Value value) {
  HEDDLE_ASSERT(leaves.empty() == (count == 0));
  if (leaves.empty()) {
    leaves = Leaves<Traits>(1);
    leaves.fill(0) = {0, 0};
  }
  const std::size_t leaf = leaves.find(key);
  if (!insertOne(leaves, leaf, key, value))
    return false;
  try {
    rebalance(leaf, count + 1);
  } catch (const std::bad_alloc &) {
    eraseOne(leaves, leaf, key, value);
    throw;
  }
  ++count;
  return true;
}

template <typename Traits> bool PackedArray<Traits>::erase(Key key) {
  HEDDLE_ASSERT(leaves.empty() == (count == 0));
  if (leaves.empty())
    return false;
  const std::size_t leaf = leaves.find(key);
  Value value;
  if (!eraseOne(leaves, leaf, key, value))
    return false;
  if (count == 1)
    return clear(), true;
  try {
    rebalance(leaf, count - 1);
  } catch (const std::bad_alloc &) {
    insertOne(leaves, leaf, key, value);
    throw;
  }
  --count;
  return true;
}

template <typename Traits>
std::size_t PackedArray<Traits>::insert(const SortedBatch<Traits> &batch) {
  if (batch.size() == 0)
    return 0;
  if (batch.size() == 1)
    return insert(batch[0], loadValue<Value>(batch.value(0)));
  std::size_t inserted;
  if (batch.size() < count / ElementsForRebuild) {
    inserted = BatchUpdate<Traits>(leaves, density, batch).insert(count);
  } else {
    const Merge<Traits> merge(leaves, batch);
    inserted = merge.count() - count;
    if (inserted > 0)
      leaves = rebuild(merge, leaves.size(), density);
  }
  count += inserted;
  HEDDLE_ASSERT(inserted <= batch.size() && batch.size() <= count);
  return inserted;
}

template <typename Traits>
std::size_t PackedArray<Traits>::erase(const SortedBatch<Traits> &batch) {
  if (batch.size() == 0 || leaves.empty())
    return 0;
  if (batch.size() == 1)
    return erase(batch[0]);
  const std::size_t erased =
      BatchUpdate<Traits>(leaves, density, batch).erase(count);
  HEDDLE_ASSERT(erased <= count && erased <= batch.size());
  if (erased == count)
    clear();
  else
    count -= erased;
  return erased;
}

template <typename Traits>
void PackedArray<Traits>::assignAll(const SortedBatch<Traits> &batch,
                                    std::span<std::size_t> places) {
  locateAll(leaves, {batch.begin(), batch.end()}, places);
  std::byte *const bytes = leaves.start(0);
#pragma omp parallel for if (worthThreads(batch.size()))
  for (std::size_t i = 0; i < batch.size(); ++i) {
    HEDDLE_ASSERT(places[i] != NotFound);
    std::memcpy(bytes + places[i], batch.value(i), Traits::ValueBytes);
  }
}

template <typename Traits>
void PackedArray<Traits>::rebalance(std::size_t leaf, std::size_t elements) {
  const RegionFinder<Traits> finder(leaves, density);
  Region region = {leaf, leaves.load(leaf), 0, false};
  if (density.leafIsWithin(finder.rootLevel(), region.load,
                           leaves.fill(leaf).count))
    return;
  finder.climb(&region, &region + 1, 0, finder.rootLevel());
  const InPlace<Traits> contents = {leaves};
  Rebalance<Traits, InPlace<Traits>>(leaves, density, contents)
      .run({&region, 1}, elements);
}

} // namespace heddle::graph::detail

#endif
