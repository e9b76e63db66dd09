//===- TestedStore.h - A dynamic store in one of its compilations -*- C++ -*-=//
//
// One source file, StoreLoops.cpp, is compiled once for each way to treat the
// directives in the stores. The linker would keep one of these compilations of
// a template and drop the rest, so that each gives the namespace of the library
// a name of its own; the names in this file are in no renamed one, and use
// nothing of the library.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_DYNAMIC_TESTEDSTORE_H
#define HEDDLE_TOOLS_BENCH_DYNAMIC_TESTEDSTORE_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

namespace bench_dynamic {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// The edges of all vertices in one direction, sorted: vertex `v` has targets
/// offsets[v] to offsets[v + 1] - 1.
struct EdgeRows {
  const std::uint64_t *offsets;
  const std::uint32_t *targets;
};

/// A directed graph.
struct SourceGraph {
  std::uint32_t vertices;
  std::uint64_t edges;
  EdgeRows out, in;
};

class TestedStore {
public:
  virtual ~TestedStore() = default;

  /// Set the edges for find(), and for add() and erase(). The caller owns them.
  virtual void setQueries(std::span<const Edge> edges) = 0;
  virtual void setUpdates(std::span<const Edge> edges) = 0;

  /// Returns the number of queries that name an edge.
  virtual std::size_t find() = 0;

  /// Adds or deletes the edges that were set, `batch` at once. Returns the
  /// number of those that did not exist, or did.
  virtual std::size_t add(std::size_t batch) = 0;
  virtual std::size_t erase(std::size_t batch) = 0;

  /// Shortest paths: by edges in a store without weights, by a sum of weights
  /// in one with. In a set, visits all elements. The result does not depend on
  /// the choice among several shortest paths.
  virtual std::uint64_t traverse(std::uint32_t source) = 0;
};

/// Copies a graph to a store, with weights made up if it has any. Throws
/// std::exception.
using StoreMaker = std::unique_ptr<TestedStore>(const SourceGraph &);

struct NamedStore {
  const char *name;
  StoreMaker *make;
};

/// The stores of one compilation: CBList and Cpma without weights and with, and
/// an ordered set of out-edges as numbers, with its source in the high half.
using StoreMakers = std::array<NamedStore, 5>;

extern const StoreMakers plainStores, prefetchStores, interleavedStores,
    fullStores;

} // namespace bench_dynamic

#endif
