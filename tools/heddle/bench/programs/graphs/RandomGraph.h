//===- RandomGraph.h - The graph of several programs ------------*- C++ -*-===//
//
// Rows of random neighbours, one after the other: the least that an everyday
// program has. Every vertex has between one and 2 * `degree` - 1 edges, in both
// directions if the graph is symmetric.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_PROGRAMS_GRAPHS_RANDOMGRAPH_H
#define HEDDLE_TOOLS_BENCH_PROGRAMS_GRAPHS_RANDOMGRAPH_H

#include "../Program.h"

#include <vector>

namespace heddle::bench {

struct RandomGraph {
  std::int64_t size;
  std::vector<std::uint32_t> begin; ///< of each vertex's row, and their end
  std::vector<std::uint32_t> target;

  RandomGraph(std::int64_t size, std::uint64_t degree, bool symmetric = false)
      : size(size), begin(size + 1) {
    const auto forAll = [&](auto visit) {
      for (std::int64_t i = 0; i < size; ++i) {
        const std::uint64_t edges = 1 + randomBelow(11, i, 2 * degree - 1);
        for (std::uint64_t k = 0; k < edges; ++k) {
          const auto to = static_cast<std::uint32_t>(
              randomBelow(12, 2 * degree * i + k, size));
          visit(static_cast<std::uint32_t>(i), to);
          if (symmetric)
            visit(to, static_cast<std::uint32_t>(i));
        }
      }
    };
    forAll([&](std::uint32_t from, std::uint32_t) { ++begin[from]; });
    std::uint32_t sum = 0;
    for (std::uint32_t &place : begin)
      place = sum += place;
    target.resize(sum);
    // Each row is filled from its end, which leaves its begin.
    forAll([&](std::uint32_t from, std::uint32_t to) {
      target[--begin[from]] = to;
    });
  }
};

} // namespace heddle::bench

#endif
