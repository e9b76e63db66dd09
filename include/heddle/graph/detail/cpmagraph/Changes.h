//===- cpmagraph/Changes.h - The changes of a batch ------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_CPMAGRAPH_CHANGES_H
#define HEDDLE_GRAPH_DETAIL_CPMAGRAPH_CHANGES_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/RowUpdates.h"
#include "heddle/graph/detail/cpmagraph/Layout.h"
#include "heddle/graph/detail/pma/SortedBatch.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace heddle::graph::cpmagraph {

enum class Effect : std::uint8_t { None, Insert, Erase, Assign };

/// The change of one edge in one direction.
template <typename Layout> struct Change {
  Key key;
  [[no_unique_address]] typename Layout::Weight weight;
  Effect effect;
};

/// The changes that result from updates of rows: one for each edge, in order of
/// keys. Each is decided once it is known whether the edge exists.
template <typename Layout> class PlayedChanges {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Update = detail::RowUpdate<VertexId, Weight>;

  /// `sorted` must be sorted by key. Throws std::bad_alloc.
  explicit PlayedChanges(Array<Update> sorted) : updates(std::move(sorted)) {
    // At first the number of edges that begin in a block, then the index of the
    // next one.
    constexpr std::size_t Blocks = 64;
    std::array<std::size_t, Blocks> places;
    const std::size_t blockSize = (updates.size() + Blocks - 1) / Blocks;
    const bool isShared = worthThreads(updates.size());
    const auto forEachFirst = [&](std::size_t block, auto visit) {
      const std::size_t end = std::min((block + 1) * blockSize, updates.size());
      for (std::size_t i = block * blockSize; i < end; ++i)
        if (i == 0 || updates[i].key() != updates[i - 1].key())
          visit(i);
    };
    detail::forEachTask(Blocks, isShared, [&](std::size_t block) {
      places[block] = 0;
      forEachFirst(block, [&](std::size_t) { ++places[block]; });
    });
    std::size_t edges = 0;
    for (std::size_t &place : places)
      edges += std::exchange(place, edges);
    begins = Array<std::size_t>(edges + 1);
    changes = Array<Change<Layout>>(edges);
    keys = Array<Key>(edges);
    begins[edges] = updates.size();
    detail::forEachTask(Blocks, isShared, [&](std::size_t block) {
      forEachFirst(block, [&](std::size_t i) {
        const std::size_t edge = places[block]++;
        keys[edge] = keyOf(updates[i].row, updates[i].target);
        begins[edge] = i;
      });
    });
    HEDDLE_ASSERT(std::ranges::is_sorted(keys, std::less_equal()));
  }

  std::span<const Key> allKeys() const { return {keys.data(), keys.size()}; }

  /// Decides the change of edge `i`. Returns the number of its updates that
  /// have an effect.
  std::size_t decide(std::size_t i, bool exists) {
    const Update *update = updates.data() + begins[i];
    HEDDLE_ASSERT(i < keys.size());
    const bool existed = exists;
    Weight weight = Weight();
    const std::size_t done = detail::playUpdates(
        update, updates.data() + begins[i + 1], exists, weight);
    HEDDLE_ASSERT(update == updates.data() + begins[i + 1]);
    const Effect effect =
        exists != existed ? exists ? Effect::Insert : Effect::Erase
        : exists && done != 0 && Layout::IsWeighted ? Effect::Assign
                                                    : Effect::None;
    changes[i] = {keys[i], weight, effect};
    return done;
  }
  const Change<Layout> &operator[](std::size_t i) const { return changes[i]; }

private:
  const Array<Update> updates;
  Array<std::size_t> begins; ///< where the updates of each edge begin
  Array<Key> keys;
  Array<Change<Layout>> changes;
};

/// The changes in the other direction, without those that have no effect.
template <typename Layout> class ReversedChanges {
public:
  /// Reverses `forward`, all of whose changes must have been decided. Throws
  /// std::bad_alloc.
  ReversedChanges(const PlayedChanges<Layout> &forward) {
    const std::size_t size = forward.allKeys().size();
    Array<Change<Layout>> reversed(size);
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const Change<Layout> &change = forward[i];
      if (change.effect != Effect::None)
        reversed[count++] = {keyOf(targetOf(change.key), rowOf(change.key)),
                             change.weight, change.effect};
    }
    changes = Array<Change<Layout>>(count);
    detail::sortByKey([&](std::size_t i) { return reversed[i]; },
                      std::span(changes.data(), count),
                      [](const Change<Layout> &change) { return change.key; });
    keys = Array<Key>(count);
    for (std::size_t i = 0; i < count; ++i)
      keys[i] = changes[i].key;
    HEDDLE_ASSERT(std::ranges::is_sorted(keys, std::less_equal()));
  }

  std::span<const Key> allKeys() const { return {keys.data(), keys.size()}; }
  std::size_t decide(std::size_t, bool) { return 1; }
  const Change<Layout> &operator[](std::size_t i) const { return changes[i]; }

private:
  Array<Change<Layout>> changes;
  Array<Key> keys;
};

} // namespace heddle::graph::cpmagraph

#endif
