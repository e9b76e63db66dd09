//===- IdMap.h - Names for vertices ----------------------------*- C++ -*-===//
//
// Input files may give vertices any ids; the library numbers them from 0 on, in
// the order of their first occurrence (GastCoCo, section 4.1). This is the
// table between external and logical ids.
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

/// Maps external to logical ids and back. Every value of `External` may be an
/// id. Takes, per id, up to four slots of an external and a logical id, and an
/// array element. Any number of threads may look up ids while none inserts.
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

  std::size_t size() const { return count; }

  /// The logical id of `id`, and whether it is new. A new id gets the lowest
  /// free logical id. Takes amortised constant time. Throws Error if no logical
  /// id is free, and std::bad_alloc; the map is then unchanged.
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

  /// Returns the logical id of `id`, or NoVertex if there is none. Takes
  /// constant time.
  VertexId find(External id) const {
    return count == 0 ? NoVertex<VertexId> : slots[slotOf(slots, id)].vertex;
  }

  /// Sets `results[i]` to find(ids[i]). Runs on the threads of OpenMP, each of
  /// which interleaves many searches. Throws Error if `ids` and `results` have
  /// different sizes.
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

  /// The external id of a logical id, which must exist.
  External external(VertexId vertex) const {
    HEDDLE_ASSERT(vertex < count);
    return externals[vertex];
  }

private:
  struct Slot {
    External external;
    VertexId vertex; ///< NoVertex: the slot is free
  };

  /// Distributes neighbouring ids, which are common in files, over the whole
  /// table.
  static std::size_t hash(External id) {
    std::uint64_t value = id;
    value ^= value >> 32;
    value *= 0x9e3779b97f4a7c15u;
    value ^= value >> 29;
    value *= 0xbf58476d1ce4e5b9u;
    return static_cast<std::size_t>(value ^ value >> 32);
  }

  /// Returns the slot of `id`, or the one where it would be inserted. At least
  /// half of the slots are free.
  static std::size_t slotOf(const VertexArray<Slot> &slots, External id) {
    const std::size_t mask = slots.size() - 1;
    std::size_t slot = hash(id) & mask;
    while (slots[slot].vertex != NoVertex<VertexId> &&
           slots[slot].external != id)
      slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    const std::size_t room = std::max<std::size_t>(64, 2 * slots.size());
    VertexArray<Slot> largerSlots(room, {0, NoVertex<VertexId>});
    Array<External> largerExternals(room / 2);
    std::copy_n(externals.begin(), size(), largerExternals.begin());
    for (std::size_t i = 0; i < count; ++i)
      largerSlots[slotOf(largerSlots, externals[i])] = {
          externals[i], static_cast<VertexId>(i)};
    slots = std::move(largerSlots);
    externals = std::move(largerExternals);
  }

  VertexArray<Slot> slots;
  Array<External> externals; ///< of all logical ids
  ZeroWhenMoved<std::size_t> count;
};

} // namespace heddle::graph

#endif
