//===- CpmaGraphStores.h - Graphs in sets of all kinds ---------*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_CPMAGRAPHSTORES_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_CPMAGRAPHSTORES_H

#include "Kinds.h"
#include "heddle/graph/ToCpmaGraph.h"

#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>

namespace heddle::test {

/// The smallest possible leaves: even short rows have several, and small graphs
/// many.
template <graph::EdgeWeight Weight>
inline constexpr std::size_t TinyLeafBytes =
    std::same_as<Weight, graph::Unweighted> ? 48 : 6 * (8 + sizeof(Weight));
template <graph::EdgeWeight Weight>
using TinyCpmaGraph =
    graph::CpmaGraph<std::uint32_t, Weight, TinyLeafBytes<Weight>>;

using CpmaGraphStores = UsualOrSmallest<
    testing::Types<graph::CpmaGraph<>,
                   graph::CpmaGraph<std::uint32_t, std::int8_t, 128>>,
    testing::Types<TinyCpmaGraph<graph::Unweighted>, TinyCpmaGraph<float>>>;

template <typename Store, typename Source> Store storeOf(const Source &graph) {
  return graph::toCpmaGraph<Store>(graph);
}

} // namespace heddle::test

#endif
