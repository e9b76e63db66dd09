//===- pma/PackedArray.h - The base of sets and maps ------------*- C++ -*-===//
//
// The leaves, the number of their elements, and the operations that sets and
// maps share. An element of a set is a key, an element of a map is a key with
// its value; visitors are called with the key or with both.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_PACKEDARRAY_H
#define HEDDLE_GRAPH_DETAIL_PMA_PACKEDARRAY_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/pma/BatchSearch.h"
#include "heddle/graph/detail/pma/BatchUpdate.h"
#include "heddle/graph/detail/pma/Check.h"
#include "heddle/graph/detail/pma/ElementIterator.h"
#include "heddle/graph/detail/pma/MergeRebuild.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <span>
#include <string>

namespace heddle::graph {

struct PmaOptions {
  /// The factor by which an array grows when it is full, 1.05 to 4. A smaller
  /// factor takes less memory, a larger one makes updates faster. The default
  /// is from appendix C of the paper.
  double growingFactor = 1.2;
};

namespace detail {

/// The documentation of PackedSet applies. Functions that change the array
/// throw std::bad_alloc and have then changed nothing.
template <typename Traits> class PackedArray {
public:
  using Key = typename Traits::Key;
  using Iterator = ElementIterator<Traits>;
  using key_type = Key;
  using value_type = typename Iterator::value_type;
  using size_type = std::size_t;
  using iterator = Iterator;
  using const_iterator = Iterator;

  /// The number of keys.
  std::size_t size() const { return count; }
  bool empty() const { return size() == 0; }

  /// The memory that this takes, in bytes.
  std::size_t bytes() const { return leaves.bytes() + sizeof(*this); }

  /// Whether a key is there. Takes logarithmic time.
  bool contains(Key key) const {
    if (leaves.empty())
      return false;
    const LeafView<Traits> leaf = leaves.view(leaves.find(key));
    return Traits::Codec::contains(leaf.codes, leaf.codeBytes, leaf.head, key);
  }

  /// Searches for many keys, in any order; their cache misses overlap. Sets
  /// `found[i]` to whether `keys[i]` is there; both must have the same size.
  /// Returns the number of keys found.
  std::size_t contains(std::span<const Key> keys, std::span<bool> found) const;

  /// The lowest and the highest key. There must be a key.
  Key min() const {
    HEDDLE_ASSERT(!empty());
    return leaves.head(0);
  }
  Key max() const {
    HEDDLE_ASSERT(!empty());
    return lastKey(leaves.view(leaves.size() - 1));
  }

  /// Erases one key. Returns false if it was not there.
  bool erase(Key key);

  /// Erases many keys. Returns the number of keys erased.
  std::size_t erase(std::span<const Key> keys) {
    return erase(SortedBatch<Traits>(keys));
  }

  /// Erases all keys and frees the memory.
  void clear() {
    leaves = Leaves<Traits>();
    count = 0;
  }

  /// All elements, with their keys ascending.
  Iterator begin() const { return {leaves, 0}; }
  Iterator end() const { return {leaves, leaves.size()}; }

  /// The first element whose key is not below `key`, and the first above it.
  Iterator lowerBound(Key key) const {
    if (leaves.empty())
      return end();
    Iterator at(leaves, leaves.find(key));
    while (!at.isEnd() && at.key() < key)
      ++at;
    return at;
  }
  Iterator upperBound(Key key) const {
    Iterator at = lowerBound(key);
    if (!at.isEnd() && at.key() == key)
      ++at;
    return at;
  }

  /// Calls `visit` with all elements, ascending.
  template <typename Visit> void map(Visit visit) const {
    for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf)
      mapLeaf(leaf, visit);
  }

  /// Calls `visit` with all elements on the threads of OpenMP. Each thread
  /// visits ranges of neighbouring elements, ascending within each range.
  template <typename Visit> void parallelMap(Visit visit) const {
    constexpr std::size_t leavesAtOnce = 64;
    forEachRange(leaves.size(), leavesAtOnce, worthThreads(size()),
                 [&](std::size_t first, std::size_t last) {
                   for (std::size_t leaf = first; leaf < last; ++leaf)
                     mapLeaf(leaf, visit);
                 });
  }

  /// Calls `visit`, ascending, with the elements whose keys are in [`first`,
  /// `last`), or with all elements whose keys are at least `first`.
  template <typename Visit>
  void rangeMap(Key first, Key last, Visit visit) const {
    for (auto at = lowerBound(first); !at.isEnd() && at.key() < last; ++at)
      call(visit, at.key(), at.valueBytes());
  }
  template <typename Visit> void rangeMap(Key first, Visit visit) const {
    for (auto at = lowerBound(first); !at.isEnd(); ++at)
      call(visit, at.key(), at.valueBytes());
  }

  /// For tests: describes the first violated invariant; empty if there is none.
  /// Takes time in proportion to the number of elements.
  std::string check() const { return checkLeaves(leaves, size()); }

  friend bool operator==(const PackedArray &a, const PackedArray &b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  }

protected:
  using Value = typename Traits::Value;

  explicit PackedArray(const PmaOptions &options)
      : density(options.growingFactor) {}

  /// The address of the value of a key, or null if there is no such key.
  const std::byte *find(Key key) const {
    if (leaves.empty())
      return nullptr;
    const LeafView<Traits> leaf = leaves.view(leaves.find(key));
    const auto place = locate(leaf, key);
    return place.found ? leaf.values + place.index * Traits::ValueBytes
                       : nullptr;
  }

  std::size_t find(std::span<const Key> keys,
                   std::span<std::optional<Value>> values) const;

  /// Changes a value at an address that find() has returned.
  void assign(const std::byte *place, Value value) {
    storeValue(leaves.mutableAt(place), value);
  }

  bool insert(Key key, Value value);

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

private:
  /// Batches with more than one key for this many elements rebuild the array.
  static constexpr std::size_t ElementsForRebuild = 2;

  template <typename Visit>
  static void call(Visit &visit, Key key,
                   [[maybe_unused]] const std::byte *value) {
    if constexpr (Traits::HasValues)
      visit(key, loadValue<Value>(value));
    else
      visit(key);
  }

  template <typename Visit> void mapLeaf(std::size_t leaf, Visit &visit) const {
    LeafCursor<Traits> cursor(leaves.view(leaf));
    call(visit, cursor.key(), cursor.valueBytes());
    while (!cursor.isLast()) {
      cursor.advance();
      call(visit, cursor.key(), cursor.valueBytes());
    }
  }

  /// Replaces the values of keys, all of which must exist. `places` is scratch
  /// space of the size of the batch.
  void assignAll(const SortedBatch<Traits> &batch,
                 std::span<std::size_t> places);

  /// Brings the array back within its bounds after one leaf has changed.
  void rebalance(std::size_t leaf, std::size_t elements);

  /// First, as an assignment fails here or nowhere.
  Leaves<Traits> leaves;
  Density<Traits> density;
  ZeroWhenMoved<std::size_t> count;
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
  const auto viewOf = [&](std::size_t i) { return leaves.view(i); };
  Rebalance(leaves, density, viewOf).run({&region, 1}, elements);
}

} // namespace detail
} // namespace heddle::graph

#endif
