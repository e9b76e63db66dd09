//===- IdMap.h - Names for vertices ----------------------------*- C++ -*-===//
//
// Outside, vertices have names of all kinds; inside, they are numbered from 0
// on, in the order in which they were first seen (GastCoCo, section 4.1). This
// is the table between the two.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_IDMAP_H
#define HEDDLE_GRAPH_IDMAP_H

#include "heddle/graph/Error.h"
#include "heddle/graph/Graph.h"
#include "heddle/graph/VertexArray.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace heddle::graph {

/// Maps external to logical ids and back. All values of `External` may be ids.
/// Grows as needed, and takes up to four slots of an id of each kind, and the
/// external id once more. Any number of threads may look up ids while none
/// inserts any.
///
///   IdMap<> ids;
///   std::uint32_t vertex = ids.insert(0x1234'5678'9abc).first;
template <std::unsigned_integral ExternalId = std::uint64_t,
          VertexIdentifier VertexIdType = std::uint32_t>
class IdMap {
public:
  using External = ExternalId;
  using VertexId = VertexIdType;

  /// Without ids.
  IdMap() = default;

  IdMap(IdMap &&other) noexcept
      : slots(std::move(other.slots)), externals(std::move(other.externals)),
        count(std::exchange(other.count, 0)) {}
  IdMap &operator=(IdMap &&other) noexcept {
    IdMap taken(std::move(other));
    std::swap(slots, taken.slots);
    std::swap(externals, taken.externals);
    std::swap(count, taken.count);
    return *this;
  }

  std::size_t size() const { return count; }

  /// The logical id of an external one, the lowest that is free if it has had
  /// none, and whether that is so. Throws Error if all are taken, and
  /// std::bad_alloc; the map then is what it was.
  std::pair<VertexId, bool> insert(External id) {
    if (2 * (count + 1) > slots.size())
      grow();
    HEDDLE_ASSERT(std::has_single_bit(slots.size()) &&
                  count < externals.size());
    const std::size_t slot = slotOf(slots, id);
    if (slots[slot].vertex != NoVertex<VertexId>)
      return {slots[slot].vertex, false};
    if (count == MostVertices<VertexId>)
      throw Error("id map: expected at most " +
                  std::to_string(MostVertices<VertexId>) + " ids");
    const auto vertex = static_cast<VertexId>(count);
    slots[slot] = {id, vertex};
    externals[count++] = id;
    return {vertex, true};
  }

  /// The logical id of an external one, or NoVertex.
  VertexId find(External id) const {
    return count == 0 ? NoVertex<VertexId> : slots[slotOf(slots, id)].vertex;
  }

  /// The same for many at once, with a result for each, on the threads of
  /// OpenMP, each of which has many searches going. Throws Error if there are
  /// not as many results as ids.
  void find(std::span<const External> ids, std::span<VertexId> results) const {
    if (results.size() != ids.size())
      throw Error("id map: expected results for " + std::to_string(ids.size()) +
                  " ids, found room for " + std::to_string(results.size()));
    if (count == 0) {
      std::fill(results.begin(), results.end(), NoVertex<VertexId>);
      return;
    }
    const Slot *const table = slots.data();
    const std::size_t mask = slots.size() - 1;
#pragma omp parallel for schedule(dynamic, 4096) if (worthThreads(ids.size()))
#pragma heddle async
    for (std::size_t i = 0; i < ids.size(); ++i) {
      std::size_t slot = hash(ids[i]) & mask;
      while (table[slot].vertex != NoVertex<VertexId> &&
             table[slot].external != ids[i])
        slot = (slot + 1) & mask;
      results[i] = table[slot].vertex;
    }
  }

  /// The external id of a logical one that has been given out.
  External external(VertexId vertex) const {
    HEDDLE_ASSERT(vertex < count);
    return externals[vertex];
  }

private:
  struct Slot {
    External external;
    VertexId vertex; ///< NoVertex: the slot is free
  };

  /// Neighbouring ids, as files have them, are spread over the whole table.
  static std::size_t hash(External id) {
    std::uint64_t value = id;
    value ^= value >> 32;
    value *= 0x9e3779b97f4a7c15u;
    value ^= value >> 29;
    value *= 0xbf58476d1ce4e5b9u;
    return static_cast<std::size_t>(value ^ value >> 32);
  }

  /// Where `id` is, or else would be. At least half of the slots are free.
  static std::size_t slotOf(const VertexArray<Slot> &slots, External id) {
    const std::size_t mask = slots.size() - 1;
    std::size_t slot = hash(id) & mask;
    while (slots[slot].vertex != NoVertex<VertexId> &&
           slots[slot].external != id)
      slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    const std::size_t size = std::max<std::size_t>(64, 2 * slots.size());
    VertexArray<Slot> largerSlots(size, {0, NoVertex<VertexId>});
    Array<External> largerExternals(size / 2);
    std::copy_n(externals.begin(), count, largerExternals.begin());
    for (std::size_t i = 0; i < count; ++i)
      largerSlots[slotOf(largerSlots, externals[i])] = {
          externals[i], static_cast<VertexId>(i)};
    slots = std::move(largerSlots);
    externals = std::move(largerExternals);
  }

  VertexArray<Slot> slots;
  Array<External> externals; ///< of all logical ids
  std::size_t count = 0;
};

} // namespace heddle::graph

#endif
