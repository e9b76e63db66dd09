//===- cpmagraph/Changes.h - What happens to keys --------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_CPMAGRAPH_CHANGES_H
#define HEDDLE_GRAPH_CPMAGRAPH_CHANGES_H

#include "heddle/graph/RowUpdates.h"
#include "heddle/graph/cpmagraph/Layout.h"
#include "heddle/graph/pma/SortedBatch.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace heddle::graph::cpmagraph {

enum class Effect : std::uint8_t { None, Insert, Erase, Assign };

/// What happens to an edge in one direction.
template <typename Layout> struct Change {
  Key key;
  [[no_unique_address]] typename Layout::Weight weight;
  Effect effect;
};

/// The changes that updates of rows will turn out to be: one for each edge, in
/// order. What each does is not known before it is known whether the edge is
/// there.
template <typename Layout> class PlayedChanges {
public:
  using VertexId = typename Layout::VertexId;
  using Weight = typename Layout::Weight;
  using Update = cblist::RowUpdate<VertexId, Weight>;

  /// Of updates in the order in which they would be done one by one, of rows
  /// and targets below `vertices`. Throws std::bad_alloc.
  PlayedChanges(detail::RowUpdates<VertexId, Weight> batch, VertexId vertices)
      : updates(std::move(batch)),
        sorted(cblist::UpdateSort<VertexId, Weight>(vertices).sort(
            updates.first(), updates.scratch(), updates.count)) {
    std::size_t edges = 0;
    for (std::size_t i = 0; i < updates.count; ++i)
      edges += isFirst(i);
    begins = Array<std::size_t>(edges + 1);
    changes = Array<Change<Layout>>(edges);
    keys = Array<Key>(edges);
    std::size_t edge = 0;
    for (std::size_t i = 0; i < updates.count; ++i)
      if (isFirst(i)) {
        keys[edge] = keyOf(sorted[i].row, sorted[i].target);
        begins[edge++] = i;
      }
    begins[edges] = updates.count;
  }

  std::span<const Key> allKeys() const { return {keys.data(), keys.size()}; }

  /// What happens to edge `i`. Returns how many of its updates do something.
  std::size_t decide(std::size_t i, bool exists) {
    const Update *update = sorted + begins[i];
    const bool existed = exists;
    Weight weight = Weight();
    const std::size_t done =
        detail::playUpdates(update, sorted + begins[i + 1], exists, weight);
    const Effect effect =
        exists != existed ? exists ? Effect::Insert : Effect::Erase
        : exists && done != 0 && Layout::IsWeighted ? Effect::Assign
                                                    : Effect::None;
    changes[i] = {keys[i], weight, effect};
    return done;
  }
  const Change<Layout> &operator[](std::size_t i) const { return changes[i]; }

private:
  bool isFirst(std::size_t i) const {
    return i == 0 || sorted[i].row != sorted[i - 1].row ||
           sorted[i].target != sorted[i - 1].target;
  }

  detail::RowUpdates<VertexId, Weight> updates;
  const Update *sorted;
  Array<std::size_t> begins; ///< of an edge's updates
  Array<Key> keys;
  Array<Change<Layout>> changes;
};

/// The same changes in the other direction. That they do something is known.
template <typename Layout> class ReversedChanges {
public:
  /// Of the `count` changes that have been decided. Throws std::bad_alloc.
  ReversedChanges(const PlayedChanges<Layout> &forward) {
    const std::size_t size = forward.allKeys().size();
    Array<Change<Layout>> reversed(size), scratch(size);
    std::size_t count = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const Change<Layout> &change = forward[i];
      if (change.effect != Effect::None)
        reversed[count++] = {keyOf(targetOf(change.key), rowOf(change.key)),
                             change.weight, change.effect};
    }
    reversed.shrink(count);
    scratch.shrink(count);
    if (count != 0 &&
        detail::sortByKey(
            std::span(reversed.data(), count), std::span(scratch.data(), count),
            [](const Change<Layout> &change) {
              return change.key;
            }).data() != reversed.data())
      std::swap(reversed, scratch);
    changes = std::move(reversed);
    keys = Array<Key>(count);
    for (std::size_t i = 0; i < count; ++i)
      keys[i] = changes[i].key;
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
