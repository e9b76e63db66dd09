// The loops in which searches and updates of packed memory arrays wait for
// memory are interleaved, or request what they need ahead: many searches, for
// keys, for values and for their places, those of a small batch and of a large
// one, and the leaves that a batch changes.
//
// RUN: %clangxx -O2 -std=c++20 %fopenmp -gline-tables-only -Rpass=heddle -Rpass-missed=heddle -c -emit-llvm -o /dev/null %s 2>&1 | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-DAG: BatchSearch.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: BatchSearch.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: BatchSearch.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: Groups.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: Groups.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: Groups.h:{{.*}} interleaved the loop's iterations
// CHECK-DAG: NearLeaves.h:{{.*}} requested ahead what the loop's iterations access
// CHECK-NOT: not interleaved

#include "heddle/graph/Cpma.h"
#include "heddle/graph/Pma.h"

using namespace heddle::graph;

template <typename Set>
std::size_t update(Set &set, std::span<const typename Set::Key> keys,
                   std::span<bool> found) {
  return set.contains(keys, found) + set.insert(keys) + set.erase(keys);
}
template std::size_t update(Cpma<std::uint64_t> &,
                            std::span<const std::uint64_t>, std::span<bool>);
template std::size_t update(Cpma<std::uint32_t> &,
                            std::span<const std::uint32_t>, std::span<bool>);
template std::size_t update(Pma<std::uint64_t> &,
                            std::span<const std::uint64_t>, std::span<bool>);
template std::size_t update(Pma<std::uint32_t> &,
                            std::span<const std::uint32_t>, std::span<bool>);

template <typename Map>
std::size_t update(Map &map, std::span<const typename Map::Entry> entries,
                   std::span<const typename Map::Key> keys,
                   std::span<std::optional<typename Map::Value>> values) {
  return map.insertOrAssign(entries) + map.find(keys, values);
}
template std::size_t update(Cpma<std::uint64_t, float> &,
                            std::span<const KeyValue<std::uint64_t, float>>,
                            std::span<const std::uint64_t>,
                            std::span<std::optional<float>>);
