//===- Churn.h - Updates that end where they began -------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_DYNAMIC_CHURN_H
#define HEDDLE_TOOLS_BENCH_DYNAMIC_CHURN_H

#include "../Random.h"

#include "heddle/graph/Csr.h"
#include "heddle/graph/Update.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <vector>

namespace heddle::bench {

/// Ages a store that holds the edges of `csr`: `factor` updates for each edge,
/// `batch` at once, that delete edges and add others and undo all that. Calls
/// `announce` with the share that is done, 0 to 1.
template <graph::UpdatableGraph Store, graph::EdgeWeight Weight,
          typename Announce>
void churn(Store &store, const graph::Csr<std::uint32_t, Weight> &csr,
           double factor, std::size_t batch, Announce announce) {
  using Update = graph::EdgeUpdate<std::uint32_t, Weight>;
  using graph::UpdateMode;
  constexpr std::uint64_t Share = 16; // of all edges, is deleted in a round
  const std::uint64_t entries = csr.edgeCount();
  const auto wanted = static_cast<std::uint64_t>(
      factor * static_cast<double>(csr.isDirected() ? entries : entries / 2));

  const auto apply = [&](const std::vector<Update> &updates) {
    const std::size_t batches = (updates.size() + batch - 1) / batch;
    std::vector<Update> some;
    for (std::size_t first = 0; first < batches; ++first) {
      some.clear();
      for (std::size_t i = first; i < updates.size(); i += batches)
        some.push_back(updates[i]);
      store.updateEdges(some);
    }
  };

  std::vector<Update> updates;
  std::uint64_t done = 0;
  for (std::uint64_t round = 0; done < wanted; ++round) {
    updates.clear();
    std::uint64_t index = 0;
    for (std::uint32_t v = 0; v < csr.vertexCount(); ++v)
      for (const auto [target, weight] : csr.outEdges(v)) {
        const std::uint64_t drawn = scramble(scramble(round) ^ index++);
        if (!csr.isDirected() && target < v)
          continue;
        if (drawn % Share == 0)
          updates.push_back({{v, target, weight}, UpdateMode::Delete});
        if (drawn % Share == 1) {
          const std::uint32_t other =
              csr.outRows().targets[randomBelow(round, index, entries)];
          const auto targetOf = [](const auto &edge) { return edge.target; };
          if (!std::ranges::binary_search(csr.outEdges(v), other, {}, targetOf))
            updates.push_back({{v, other, weight}, UpdateMode::Add});
        }
      }
    if (updates.empty())
      return;
    apply(updates);
    for (Update &update : updates)
      update.mode =
          update.mode == UpdateMode::Add ? UpdateMode::Delete : UpdateMode::Add;
    apply(updates);
    done += 2 * updates.size();
    announce(static_cast<double>(done) / static_cast<double>(wanted));
  }
}

} // namespace heddle::bench

#endif
