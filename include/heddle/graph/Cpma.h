//===- Cpma.h - Ordered sets of compressed keys ----------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_CPMA_H
#define HEDDLE_GRAPH_CPMA_H

#include "heddle/graph/pma/PackedSet.h"

namespace heddle::graph {

/// An ordered set that keeps of each key how far it is from the one before, in
/// as few bytes as that takes.
///
///   Cpma<std::uint64_t> set(std::span<const std::uint64_t>(keys));
///   set.rangeMap(10, 20, [&](std::uint64_t key) { sum += key; });
template <OrderedKey Key, std::size_t LeafBytes = 256>
using Cpma = PackedSet<Key, detail::DeltaCodec<Key>, LeafBytes>;

} // namespace heddle::graph

#endif
