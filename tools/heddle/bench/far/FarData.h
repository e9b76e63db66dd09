//===- FarData.h - The files of `heddle bench far` --------------*- C++ -*-===//
//
// Each file is a pure function of its size, so that it can be written from
// front to back although links lead to all parts of it. A link is the number of
// a node plus one, and 0 in the last node.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_FAR_FARDATA_H
#define HEDDLE_TOOLS_BENCH_FAR_FARDATA_H

#include "../Random.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::bench {

inline constexpr std::uint64_t FarPageBytes = 4096;

/// A chained hash table: four buckets in turn have one node to four.
struct HashLayout {
  struct Node {
    std::uint64_t key, value, next, unused;
  };

  explicit HashLayout(std::uint64_t fileBytes)
      : groups((fileBytes - FarPageBytes) / GroupBytes), buckets(4 * groups),
        nodes(10 * groups),
        nodesOffset((buckets * sizeof(std::uint64_t) + FarPageBytes - 1) /
                    FarPageBytes * FarPageBytes),
        scatter(nodes) {}

  static constexpr std::uint64_t lengthOf(std::uint64_t bucket) {
    return bucket % 4 + 1;
  }
  /// The number of a node before nodes are scattered.
  static constexpr std::uint64_t nodeOf(std::uint64_t bucket,
                                        std::uint64_t depth) {
    return 10 * (bucket / 4) + FirstNode[bucket % 4] + depth;
  }
  /// A key of the bucket, which is there if `depth` is below its length.
  std::uint64_t keyOf(std::uint64_t bucket, std::uint64_t depth) const {
    return depth * buckets + bucket;
  }

  std::uint64_t head(std::uint64_t bucket) const {
    return bucket < buckets ? scatter(nodeOf(bucket, 0)) + 1 : 0;
  }
  Node node(std::uint64_t slot) const {
    if (slot >= nodes)
      return {};
    const std::uint64_t number = scatter.inverse(slot);
    std::uint64_t inGroup = 3;
    while (FirstNode[inGroup] > number % 10)
      --inGroup;
    const std::uint64_t bucket = 4 * (number / 10) + inGroup;
    const std::uint64_t depth = number % 10 - FirstNode[inGroup];
    const std::uint64_t key = keyOf(bucket, depth);
    const bool isLast = depth + 1 == lengthOf(bucket);
    return {key, scramble(key), isLast ? 0 : scatter(number + 1) + 1, 0};
  }

  static constexpr std::uint64_t FirstNode[] = {0, 1, 3, 6};
  static constexpr std::uint64_t GroupBytes =
      4 * sizeof(std::uint64_t) + 10 * sizeof(Node);

  std::uint64_t groups, buckets, nodes, nodesOffset;
  Permutation scatter;
};

/// Lists of equal length, whose nodes are at random positions.
struct ListLayout {
  struct Node {
    std::uint64_t value, next, unused[6];
  };
  static constexpr std::uint64_t Length = 16;

  explicit ListLayout(std::uint64_t fileBytes)
      : lists(fileBytes / (Length * sizeof(Node))), nodes(Length * lists),
        scatter(nodes) {}

  std::uint64_t first(std::uint64_t list) const {
    return scatter(Length * list) + 1;
  }
  Node node(std::uint64_t slot) const {
    if (slot >= nodes)
      return {};
    const std::uint64_t number = scatter.inverse(slot);
    const bool isLast = number % Length == Length - 1;
    return {scramble(number), isLast ? 0 : scatter(number + 1) + 1, {}};
  }

  std::uint64_t lists, nodes;
  Permutation scatter;
};

/// These functions make files of `bytes` bytes, in whole pages, and throw
/// Error.
void writeNumbers(const std::string &path, std::uint64_t bytes);
void writeHashTable(const std::string &path, std::uint64_t bytes);
void writeLists(const std::string &path, std::uint64_t bytes);

/// The sum of all 64-bit words of a file. Throws Error.
std::uint64_t sumOfFile(const std::string &path);

/// Return the queries of the loops: numbers, keys and first nodes of lists.
/// They access about `accesses` pages.
std::vector<std::uint64_t> gatherQueries(std::uint64_t bytes,
                                         std::uint64_t accesses);
std::vector<std::uint64_t> probeQueries(std::uint64_t bytes,
                                        std::uint64_t accesses);
std::vector<std::uint64_t> listQueries(std::uint64_t bytes,
                                       std::uint64_t accesses);

} // namespace heddle::bench

#endif
