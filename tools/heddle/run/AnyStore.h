//===- AnyStore.h - A graph in the store of the user's choice --*- C++ -*-===//
//
// Algorithms are compiled once for every store; a command line chooses among
// what is there.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_RUN_ANYSTORE_H
#define HEDDLE_TOOLS_RUN_ANYSTORE_H

#include "heddle/graph/Csr.h"
#include "heddle/graph/ToVectorSparse.h"
#include "heddle/graph/VectorSparse.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace heddle {

/// A graph in one of the stores that `heddle run` knows.
template <graph::EdgeWeight Weight>
using AnyStore = std::variant<graph::Csr<std::uint32_t, Weight>,
                              graph::VectorSparse<std::uint32_t, 8, Weight>,
                              graph::VectorSparse<std::uint32_t, 16, Weight>,
                              graph::VectorSparse<std::uint64_t, 4, Weight>,
                              graph::VectorSparse<std::uint64_t, 8, Weight>>;

struct StoreChoice {
  std::string store = "csr";
  std::string lanes = "8x32"; ///< of vectorsparse

  static std::vector<std::string> stores() { return {"csr", "vectorsparse"}; }
  static std::vector<std::string> lanesOfStores() {
    return {"8x32", "16x32", "4x64", "8x64"};
  }
};

/// Moves a graph to the store. Throws Error if it does not fit.
template <graph::EdgeWeight Weight>
AnyStore<Weight> toStore(graph::Csr<std::uint32_t, Weight> graph,
                         const StoreChoice &choice) {
  using graph::toVectorSparse, graph::VectorSparse;
  if (choice.store == "csr")
    return graph;
  if (choice.lanes == "8x32")
    return toVectorSparse<VectorSparse<std::uint32_t, 8, Weight>>(graph);
  if (choice.lanes == "16x32")
    return toVectorSparse<VectorSparse<std::uint32_t, 16, Weight>>(graph);
  if (choice.lanes == "4x64")
    return toVectorSparse<VectorSparse<std::uint64_t, 4, Weight>>(graph);
  return toVectorSparse<VectorSparse<std::uint64_t, 8, Weight>>(graph);
}

} // namespace heddle

#endif
