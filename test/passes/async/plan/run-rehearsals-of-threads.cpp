// What threads append, each to its own vector, or take from a pool of its own,
// is rehearsed: other threads meanwhile make and delete what they have.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK-COUNT-6: remark: {{interleaved|requested ahead|loop not interleaved}}

#include "../Inputs/program.h"

#include <atomic>
#include <vector>

template <class Values> static int64_t digest(const Values &values) {
  int64_t sum = 0;
  for (int64_t value : values)
    sum += int64_t(scramble(value));
  return sum;
}

/// Of all threads, in any order.
static std::atomic<int64_t> total;

#define OF_THREADS(name)                                                       \
  static void name##Run(int64_t n);                                            \
  PROGRAM(name) {                                                              \
    total = 0;                                                                 \
    _Pragma("omp parallel num_threads(2)") name##Run(n);                       \
    return total;                                                              \
  }                                                                            \
  NOINLINE void name##Run(int64_t n)

OF_THREADS(matches) {
  std::vector<int64_t> own;
#pragma omp for schedule(dynamic, 1)
  ASYNC_LOOP(CLAUSES)
    for (const Node *node = buckets[table[keys[i]] % Buckets]; node;
         node = node->next)
      if (node->key % 2 == i % 2)
        own.push_back(node->value);
  total += digest(own);
}

OF_THREADS(flushed) {
  std::vector<const Node *> own;
  int64_t sum = 0;
  const auto flush = [&] {
    for (const Node *node : own)
      sum += node->value;
    own.clear();
    own.shrink_to_fit();
  };
#pragma omp for schedule(dynamic, 16) nowait
  ASYNC_LOOP(CLAUSES) {
    if (const Node *node = nodes[table[keys[i]]].next)
      own.push_back(node);
    if (own.size() > 20)
      flush();
  }
  flush();
  total += sum;
}

OF_THREADS(pool) {
  std::vector<Node *> free;
  int64_t sum = 0;
#pragma omp for schedule(dynamic, 1)
  ASYNC_LOOP(CLAUSES) {
    Node *node;
    if (free.empty()) {
      node = new Node;
    } else {
      node = free.back();
      free.pop_back();
    }
    *node = {nullptr, table[keys[i]], i};
    const int64_t value = nodes[node->key].value;
    sum += value;
    if (value % 3)
      free.push_back(node);
    else
      delete node;
  }
  for (Node *node : free)
    delete node;
  total += sum;
}

OF_THREADS(cache) {
  Node *kept[64] = {};
  std::vector<int64_t> own;
#pragma omp for schedule(static)
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[keys[i]];
    Node *&place = kept[key % 64];
    if (!place || place->key != key) {
      delete place;
      place = new Node{nullptr, key, nodes[key].value};
    }
    own.push_back(place->value);
  }
  for (Node *node : kept)
    delete node;
  total += digest(own);
}

static int64_t closest[Elements];

OF_THREADS(bins) {
#pragma omp single
  for (int64_t &distance : closest)
    distance = 1 << 30;
  std::vector<std::vector<int64_t>> bins;
#pragma omp for schedule(dynamic, 16)
  ASYNC_LOOP(CLAUSES)
    for (const Node *node = buckets[table[keys[i]] % Buckets]; node;
         node = node->next) {
      const int64_t distance = node->value;
      int64_t old = closest[node->key];
      while (distance < old)
        if (__atomic_compare_exchange_n(&closest[node->key], &old, distance,
                                        true, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST)) {
          const size_t bin = distance / 64;
          if (bin >= bins.size())
            bins.resize(bin + 1);
          bins[bin].push_back(node->key);
          break;
        }
    }
#pragma omp single
  total += digest(closest);
}

static std::atomic<bool> taken[Elements];

OF_THREADS(claims) {
#pragma omp single
  for (std::atomic<bool> &flag : taken)
    flag = false;
  std::vector<int64_t> own;
#pragma omp for schedule(dynamic, 1)
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[keys[i]];
    if (!taken[key].load(std::memory_order_relaxed) &&
        !taken[key].exchange(true))
      own.push_back(key);
  }
  total += digest(own);
}

int main() {
  prepare();
  printPrograms();
}
