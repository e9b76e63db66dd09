//===- AnyStore.h - A graph in the store of the user's choice --*- C++ -*-===//
//
// Algorithms are compiled once for every store; the command line chooses one of
// them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_RUN_ANYSTORE_H
#define HEDDLE_TOOLS_RUN_ANYSTORE_H

#include "../command/Options.h"

#include "heddle/graph/CBList.h"
#include "heddle/graph/CpmaGraph.h"
#include "heddle/graph/Csr.h"
#include "heddle/graph/ToCBList.h"
#include "heddle/graph/ToCpmaGraph.h"
#include "heddle/graph/VectorSparse.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <string>
#include <variant>
#include <vector>

namespace heddle {

/// A graph in one of the stores that `heddle run` knows.
template <graph::EdgeWeight Weight>
using AnyStore = std::variant<graph::Csr<std::uint32_t, Weight>,
                              graph::CBList<std::uint32_t, Weight>,
                              graph::CpmaGraph<std::uint32_t, Weight>,
                              graph::VectorSparse<std::uint32_t, 8, Weight>,
                              graph::VectorSparse<std::uint32_t, 16, Weight>,
                              graph::VectorSparse<std::uint64_t, 4, Weight>,
                              graph::VectorSparse<std::uint64_t, 8, Weight>>;

struct StoreChoice {
  std::string store = "csr";
  std::string lanes = "8x32"; ///< of vectorsparse

  static std::vector<std::string> stores() {
    return {"csr", "vectorsparse", "cblist", "cpma"};
  }
  bool hasLanes() const { return store == "vectorsparse"; }
  bool hasParallelEdges() const { return store != "cblist" && store != "cpma"; }
  static std::vector<std::string> lanesOfStores() {
    return {"8x32", "16x32", "4x64", "8x64"};
  }
};

/// Throws CLI::ValidationError if the options keep parallel edges but the store
/// cannot.
inline void checkParallelEdges(const InputOptions &input,
                               const StoreChoice &choice) {
  if (input.build.parallelEdges == graph::ParallelEdges::KeepAll &&
      !choice.hasParallelEdges())
    throw CLI::ValidationError(
        "--keep-parallel-edges",
        fmt::format("{} has no parallel edges", choice.store));
}

/// Moves a graph to the store. Throws Error if it does not fit. A store that
/// can be changed has no parallel edges: the lightest of them stays. Compiled
/// in AnyStore.cpp for all weights of weightless and weighted algorithms.
template <graph::EdgeWeight Weight>
AnyStore<Weight> toStore(graph::Csr<std::uint32_t, Weight> graph,
                         const StoreChoice &choice);

/// Declares the functions that make stores which can be changed if Prefix is
/// `extern`, and compiles them if it is empty.
#define HEDDLE_STORE_INSTANCES(Prefix, Weight)                                 \
  Prefix template graph::CBList<std::uint32_t, Weight>                         \
  graph::toCBList<graph::CBList<std::uint32_t, Weight>>(                       \
      const graph::Csr<std::uint32_t, Weight> &);                              \
  Prefix template graph::CpmaGraph<std::uint32_t, Weight>                      \
  graph::toCpmaGraph<graph::CpmaGraph<std::uint32_t, Weight>>(                 \
      const graph::Csr<std::uint32_t, Weight> &, const graph::PmaOptions &);

HEDDLE_STORE_INSTANCES(extern, graph::Unweighted)
HEDDLE_STORE_INSTANCES(extern, std::int32_t)
HEDDLE_STORE_INSTANCES(extern, float)

} // namespace heddle

#endif
