// A function with containers of its own is a step of the iteration: it is
// inlined although they clean up and throw again where they cannot grow. What
// makes a container around the loop grow stays a call. The call is in a hot
// loop, for which LLVM has a threshold of its own.
//
// RUN: %clangxx -O2 -S -emit-llvm -Rpass=heddle -Rpass-missed=heddle %s -o - 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARKS --input-file=%t.remarks %s
// RUN: %clangxx -O3 -S -emit-llvm %s -o - | FileCheck %s

#include <cstdint>
#include <vector>

struct Graph {
  std::vector<uint32_t> begin, target;
};

/// The community that most neighbours have.
uint32_t mostFrequent(const Graph &graph, uint32_t vertex,
                      const std::vector<uint32_t> &community) {
  std::vector<uint32_t> seen, counts;
  try {
    for (uint32_t e = graph.begin[vertex]; e < graph.begin[vertex + 1]; ++e) {
      const uint32_t found = community[graph.target[e]];
      uint32_t at = 0;
      while (at < seen.size() && seen[at] != found)
        ++at;
      if (at == seen.size()) {
        seen.push_back(found);
        counts.push_back(0);
      }
      ++counts[at];
    }
  } catch (...) {
    throw;
  }
  uint32_t best = community[vertex], most = 0;
  for (uint32_t at = 0; at < seen.size(); ++at)
    if (counts[at] > most) {
      most = counts[at];
      best = seen[at];
    }
  return best;
}

// REMARKS: [[#@LINE+7]]:{{.*}} interleaved the loop's iterations
// CHECK-LABEL: @_Z4move
// CHECK-NOT: mostFrequent
// CHECK: {{^}}}
void move(const Graph &graph, const std::vector<uint32_t> &community,
          std::vector<uint32_t> &moved) {
#pragma heddle async
  for (uint32_t vertex = 0; vertex < moved.size(); ++vertex)
    moved[vertex] = mostFrequent(graph, vertex, community);
}
