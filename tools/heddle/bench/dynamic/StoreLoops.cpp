//===- StoreLoops.cpp - The dynamic stores, for one way to compile -------===//
//
// HEDDLE_BENCH_STORES names the table that this compilation defines, and the
// macro `heddle` the namespace that its copy of the library is in.
//
//===----------------------------------------------------------------------===//

#include "TestedStore.h"

#include "heddle/graph/Cpma.h"
#include "heddle/graph/ToCBList.h"
#include "heddle/graph/ToCpmaGraph.h"
#include "heddle/graph/algorithms/BreadthFirstSearch.h"
#include "heddle/graph/algorithms/ShortestPaths.h"

#include <algorithm>
#include <ranges>
#include <vector>

namespace bench_dynamic {

namespace {

using namespace heddle::graph;

/// A weight from 1 to 255 that depends on the ends of an edge alone.
template <EdgeWeight Weight>
Weight weightOf(std::uint32_t from, std::uint32_t to) {
  if constexpr (std::same_as<Weight, Unweighted>)
    return {};
  else
    return static_cast<Weight>(1 + ((from * UINT64_C(0x9e3779b97f4a7c15) ^ to) *
                                        UINT64_C(0xbf58476d1ce4e5b9) >>
                                    32) %
                                       255);
}

/// A SourceGraph as a Graph.
template <EdgeWeight WeightType> class Source {
public:
  using VertexId = std::uint32_t;
  using EdgeId = std::uint64_t;
  using Weight = WeightType;

  explicit Source(const SourceGraph &graph) : graph(graph) {}

  VertexId vertexCount() const { return graph.vertices; }
  EdgeId edgeCount() const { return graph.edges; }
  bool isDirected() const { return true; }
  EdgeId outDegree(VertexId v) const { return degree(graph.out, v); }
  EdgeId inDegree(VertexId v) const { return degree(graph.in, v); }

  auto outEdges(VertexId v) const {
    return targets(graph.out, v) | std::views::transform([v](VertexId target) {
             return Neighbour<VertexId, Weight>{target,
                                                weightOf<Weight>(v, target)};
           });
  }
  auto inEdges(VertexId v) const {
    return targets(graph.in, v) | std::views::transform([v](VertexId source) {
             return Neighbour<VertexId, Weight>{source,
                                                weightOf<Weight>(source, v)};
           });
  }

private:
  static EdgeId degree(const EdgeRows &rows, VertexId v) {
    return rows.offsets[v + 1] - rows.offsets[v];
  }
  static std::span<const VertexId> targets(const EdgeRows &rows, VertexId v) {
    return {rows.targets + rows.offsets[v], degree(rows, v)};
  }

  const SourceGraph &graph;
};

/// Calls `change` for `batch` elements at a time, and adds up its results.
template <typename Element, typename Change>
std::size_t forEachBatch(std::span<const Element> elements, std::size_t batch,
                         Change change) {
  std::size_t changed = 0;
  for (std::size_t done = 0; done < elements.size(); done += batch)
    changed +=
        change(elements.subspan(done, std::min(batch, elements.size() - done)));
  return changed;
}

template <UpdatableGraph Store> class Tested : public TestedStore {
public:
  explicit Tested(Store graph) : graph(std::move(graph)) {}

  void setQueries(std::span<const Edge> edges) override {
    queries.clear();
    for (const auto &[from, to] : edges)
      queries.push_back({from, to});
    found = std::make_unique<bool[]>(edges.size());
  }

  void setUpdates(std::span<const Edge> edges) override {
    additions.clear();
    for (const auto &[from, to] : edges)
      additions.push_back(
          {{from, to, weightOf<typename Store::Weight>(from, to)},
           UpdateMode::Add});
    deletions = additions;
    for (Update &update : deletions)
      update.mode = UpdateMode::Delete;
  }

  std::size_t find() override {
    return graph.findEdges(queries, {found.get(), queries.size()});
  }

  std::size_t add(std::size_t batch) override {
    return apply(additions, batch);
  }
  std::size_t erase(std::size_t batch) override {
    return apply(deletions, batch);
  }

  std::uint64_t traverse(std::uint32_t source) override {
    std::uint64_t sum = 0;
    if constexpr (IsWeighted<Store>) {
      const auto distances = shortestPaths(graph, source);
      using Distance = std::ranges::range_value_t<decltype(distances)>;
      for (const auto distance : distances)
        if (distance != Unreachable<Distance>)
          sum += static_cast<std::uint64_t>(distance);
    } else {
      const auto parents = breadthFirstSearch(graph, source);
      for (const std::uint32_t parent : parents)
        sum += parent != NoVertex<std::uint32_t>;
    }
    return sum;
  }

private:
  using Update = EdgeUpdate<std::uint32_t, typename Store::Weight>;

  std::size_t apply(std::span<const Update> updates, std::size_t batch) {
    return forEachBatch(updates, batch,
                        [this](auto some) { return graph.updateEdges(some); });
  }

  Store graph;
  std::vector<EdgeQuery<std::uint32_t>> queries;
  std::unique_ptr<bool[]> found;
  std::vector<Update> additions, deletions;
};

class TestedSet : public TestedStore {
public:
  explicit TestedSet(const SourceGraph &graph) {
    std::vector<Key> all;
    all.reserve(graph.edges);
    for (std::uint32_t v = 0; v < graph.vertices; ++v)
      for (std::uint64_t i = graph.out.offsets[v]; i < graph.out.offsets[v + 1];
           ++i)
        all.push_back(keyOf({v, graph.out.targets[i]}));
    set.insert(all);
  }

  void setQueries(std::span<const Edge> edges) override {
    queries = keysOf(edges);
    found = std::make_unique<bool[]>(edges.size());
  }
  void setUpdates(std::span<const Edge> edges) override {
    updates = keysOf(edges);
  }

  std::size_t find() override {
    return set.contains(queries, {found.get(), queries.size()});
  }
  std::size_t add(std::size_t batch) override {
    return forEachBatch<Key>(updates, batch,
                             [this](auto keys) { return set.insert(keys); });
  }
  std::size_t erase(std::size_t batch) override {
    return forEachBatch<Key>(updates, batch,
                             [this](auto keys) { return set.erase(keys); });
  }
  std::uint64_t traverse(std::uint32_t) override {
    std::uint64_t sum = 0;
    set.map([&](Key key) { sum += key; });
    return sum;
  }

private:
  using Key = std::uint64_t;

  static Key keyOf(const Edge &edge) {
    return Key(edge.first) << 32 | edge.second;
  }
  static std::vector<Key> keysOf(std::span<const Edge> edges) {
    std::vector<Key> keys(edges.size());
    std::ranges::transform(edges, keys.begin(), keyOf);
    return keys;
  }

  Cpma<Key> set;
  std::vector<Key> queries, updates;
  std::unique_ptr<bool[]> found;
};

template <EdgeWeight Weight>
std::unique_ptr<TestedStore> makeCBList(const SourceGraph &graph) {
  using Store = CBList<std::uint32_t, Weight>;
  return std::make_unique<Tested<Store>>(
      toCBList<Store>(Source<Weight>(graph)));
}

template <EdgeWeight Weight>
std::unique_ptr<TestedStore> makeCpma(const SourceGraph &graph) {
  using Store = CpmaGraph<std::uint32_t, Weight>;
  return std::make_unique<Tested<Store>>(
      toCpmaGraph<Store>(Source<Weight>(graph)));
}

std::unique_ptr<TestedStore> makeSet(const SourceGraph &graph) {
  return std::make_unique<TestedSet>(graph);
}

} // namespace

extern const StoreMakers HEDDLE_BENCH_STORES = {
    {{"cblist", makeCBList<Unweighted>},
     {"cblist+w", makeCBList<std::int32_t>},
     {"cpma", makeCpma<Unweighted>},
     {"cpma+w", makeCpma<std::int32_t>},
     {"set", makeSet}}};

} // namespace bench_dynamic
