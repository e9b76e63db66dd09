// In a loop of OpenMP, the directive goes between OpenMP's and the loop; the
// loops over chunks are none of the user's, nor are those of system headers.
// Records have the parts of a remark.
//
// REQUIRES: plugin
// RUN: %heddle_clangxx -fheddle-advise -O2 %fopenmp -c %s -o /dev/null -fsave-optimization-record -foptimization-record-file=%t.yaml 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=RECORD < %t.yaml
//
// CHECK-COUNT-2: remark: {{.*}}; add '#pragma heddle async' behind the directive of OpenMP
// CHECK-NOT: remark:
// RECORD: --- !Analysis
// RECORD-NEXT: Pass: heddle-advise
// RECORD-NEXT: Name: Advice
// RECORD: Rank: '1'
// RECORD: Waits: {{.*}}line
// RECORD: Directive: '#pragma heddle async'
// RECORD: Promise:

#include <algorithm>
#include <vector>

long count(const std::vector<std::vector<int>> &graph,
           const std::vector<long> &next, const std::vector<char> &seen) {
  long found = 0;
#pragma omp parallel for reduction(+ : found) schedule(dynamic, 1024)
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (int u : graph[v])
      found += seen[next[u]];
  return found;
}

long search(const std::vector<long> &sorted, const std::vector<long> &keys) {
  long found = 0;
#pragma omp parallel for reduction(+ : found) schedule(static, 4096)
  for (std::size_t i = 0; i < keys.size(); ++i)
    found +=
        *std::lower_bound(sorted.begin(), sorted.end(), keys[i]) == keys[i];
  return found;
}
