//===- AnyStore.cpp - A graph in the store of the user's choice -----------===//
//
// There are many stores, which take long to compile: commands share them.
//
//===----------------------------------------------------------------------===//

#include "AnyStore.h"

#include "heddle/graph/ToVectorSparse.h"

namespace heddle {

template <graph::EdgeWeight Weight>
AnyStore<Weight> toStore(graph::Csr<std::uint32_t, Weight> graph,
                         const StoreChoice &choice) {
  using graph::toCBList, graph::toCpmaGraph, graph::toVectorSparse,
      graph::VectorSparse;
  if (choice.store == "csr")
    return graph;
  if (choice.store == "cblist")
    return toCBList<graph::CBList<std::uint32_t, Weight>>(graph);
  if (choice.store == "cpma")
    return toCpmaGraph<graph::CpmaGraph<std::uint32_t, Weight>>(graph);
  if (choice.lanes == "8x32")
    return toVectorSparse<VectorSparse<std::uint32_t, 8, Weight>>(graph);
  if (choice.lanes == "16x32")
    return toVectorSparse<VectorSparse<std::uint32_t, 16, Weight>>(graph);
  if (choice.lanes == "4x64")
    return toVectorSparse<VectorSparse<std::uint64_t, 4, Weight>>(graph);
  return toVectorSparse<VectorSparse<std::uint64_t, 8, Weight>>(graph);
}

#define HEDDLE_COMPILE_STORES(Weight)                                          \
  HEDDLE_STORE_INSTANCES(, Weight)                                             \
  template AnyStore<Weight> toStore(graph::Csr<std::uint32_t, Weight>,         \
                                    const StoreChoice &);

HEDDLE_COMPILE_STORES(graph::Unweighted)
HEDDLE_COMPILE_STORES(std::int32_t)
HEDDLE_COMPILE_STORES(float)

} // namespace heddle
