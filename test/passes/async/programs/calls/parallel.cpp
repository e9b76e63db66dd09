// What threads share and what belongs to each, in worksharing loops that call
// what may throw: results do not depend on the order.
//
// RUN: %same_output %fopenmp -std=c++20 | FileCheck %s

#include "../../Inputs/program.h"
#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

static std::mutex mutex, locks[16];
static int64_t out[Elements];

static int64_t digest(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  uint64_t hash = values.size();
  for (int64_t value : values)
    hash = scramble(hash + uint64_t(value));
  return int64_t(hash >> 1);
}

static const Node *find(int64_t key) {
  const Node *node = buckets[scramble(key) % Buckets];
  while (node && node->key != key)
    node = node->next;
  return node;
}

// CHECK-DAG: :[[#@LINE + 6]]:{{.*}}remark: interleaved
PROGRAM(pushesToOwnOfThread) {
  std::vector<int64_t> all;
#pragma omp parallel
  {
    std::vector<int64_t> mine;
#pragma omp for nowait schedule(dynamic, 256)
    ASYNC_LOOP(CLAUSES)
      if (const Node *node = find(table[keys[i]]); node->value % 3)
        mine.push_back(node->value);
#pragma omp critical
    all.insert(all.end(), mine.begin(), mine.end());
  }
  return digest(all);
}

extern "C" int omp_get_thread_num(void);

// CHECK-DAG: :[[#@LINE + 4]]:{{.*}}remark: interleaved
static NOINLINE void pushAll(std::vector<std::vector<int64_t>> &all, int64_t n,
                             int thread) {
  std::vector<int64_t> &mine = all[thread];
#pragma omp for nowait
  ASYNC_LOOP(CLAUSES)
    if (const Node *node = find(table[keys[i]]); node->value % 3)
      mine.push_back(node->value);
}
PROGRAM(pushesToVectorOfThread) {
  std::vector<std::vector<int64_t>> all(2);
#pragma omp parallel num_threads(2)
  pushAll(all, n, omp_get_thread_num());
  all[0].insert(all[0].end(), all[1].begin(), all[1].end());
  return digest(all[0]);
}

// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
PROGRAM(pushesUnderLock) {
  std::vector<std::vector<int64_t>> bins(16);
#pragma omp parallel for
  ASYNC_LOOP(CLAUSES) {
    const Node *node = find(table[keys[i]]);
    std::lock_guard<std::mutex> guard(locks[node->value % 16]);
    bins[node->value % 16].push_back(node->key);
  }
  int64_t sum = 0;
  for (auto &bin : bins)
    sum = sum * 31 % 1000003 + digest(bin) % 1000003;
  return sum;
}

// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
PROGRAM(mapUnderLock) {
  std::map<int64_t, int64_t> counts;
#pragma omp parallel for schedule(static, 100)
  ASYNC_LOOP(CLAUSES) {
    const Node *node = find(table[keys[i]]);
    std::unique_lock<std::mutex> lock(mutex);
    counts[node->value % 50] += 1;
  }
  return std::accumulate(counts.begin(), counts.end(), int64_t(0),
                         [](int64_t sum, auto &one) {
                           return (sum * 7 + one.first * one.second) % 1000003;
                         });
}

// CHECK-DAG: :[[#@LINE + 4]]:{{.*}}remark: interleaved
PROGRAM(throwsOnError) {
  std::string text = "cleaned up if an exception gets here, but none does";
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  ASYNC_LOOP(CLAUSES) {
    const Node *node = find(table[keys[i]]);
    if (!node)
      throw std::runtime_error(text + std::to_string(i));
    sum += node->value;
  }
  return sum + int64_t(text.size());
}

NOINLINE static int64_t mayThrow(int64_t value) {
  if (value % 5 == 0)
    throw value;
  return value;
}

// CHECK-DAG: :[[#@LINE + 3]]:{{.*}}remark: interleaved
PROGRAM(catchesInParallel) {
  int64_t sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(guided)
  ASYNC_LOOP(CLAUSES) {
    try {
      sum += mayThrow(table[table[keys[i]]]);
    } catch (int64_t value) {
      sum += value * 3 + find(value)->value;
    }
  }
  return sum;
}

// CHECK-DAG: :[[#@LINE + 5]]:{{.*}}remark: interleaved
PROGRAM(callsFunctionObject) {
  std::function<int64_t(const Node *)> weigh = [&](const Node *node) {
    return node->value + n;
  };
#pragma omp parallel for
  ASYNC_LOOP(CLAUSES)
    out[i] = weigh(find(table[keys[i]]));
  return digest(std::vector<int64_t>(out, out + n));
}

int main() {
  prepare();
  printPrograms();
}
