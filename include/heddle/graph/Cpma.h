//===- Cpma.h - Ordered sets and maps of compressed keys -------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_CPMA_H
#define HEDDLE_GRAPH_CPMA_H

#include "heddle/graph/detail/pma/PackedMap.h"
#include "heddle/graph/detail/pma/PackedSet.h"

#include <type_traits>

namespace heddle::graph {

/// An ordered set that stores each key as the difference to the key before, in
/// as few bytes as that takes (CPMA, section 5); or, with a Value, a map with
/// such keys. See PackedSet and PackedMap for costs and errors. `LeafBytes` is
/// the size of a leaf.
///
///   Cpma<std::uint64_t> set(std::span<const std::uint64_t>(keys));
///   set.rangeMap(10, 20, [&](std::uint64_t key) { sum += key; });
template <OrderedKey Key, typename Value = void, std::size_t LeafBytes = 256>
using Cpma = std::conditional_t<
    std::is_void_v<Value>, PackedSet<Key, detail::DeltaCodec<Key>, LeafBytes>,
    PackedMap<Key, Value, detail::DeltaCodec<Key>, LeafBytes>>;

} // namespace heddle::graph

#endif
