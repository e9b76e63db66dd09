//===- Pma.h - Ordered sets of keys side by side ---------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_PMA_H
#define HEDDLE_GRAPH_PMA_H

#include "heddle/graph/detail/pma/PackedSet.h"

namespace heddle::graph {

/// An ordered set that stores its keys uncompressed (CPMA, section 3). With few
/// threads, updates are faster than those of a Cpma; it takes about three times
/// as much memory. See PackedSet for costs and errors.
///
///   Pma<std::uint32_t> set(std::span<const std::uint32_t>(keys));
template <OrderedKey Key, std::size_t LeafBytes = 256>
using Pma = PackedSet<Key, detail::PlainCodec<Key>, LeafBytes>;

} // namespace heddle::graph

#endif
