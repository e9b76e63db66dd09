// A vector of a thread grows in any order, unless iterations read what others
// have appended.
//
// RUN: %same_output %fopenmp | FileCheck %s
// CHECK-NOT: {{remark: .*interleaved}}

#include "../../Inputs/program.h"
#include <algorithm>
#include <utility>
#include <vector>

static int64_t total;

static int64_t hashInOrder(const std::vector<int64_t> &values) {
  uint64_t hash = values.size();
  for (int64_t value : values)
    hash = scramble(hash + uint64_t(value));
  return int64_t(hash >> 8);
}

static int64_t hashOf(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  return hashInOrder(values);
}

static void addToTotal(int64_t hash) {
#pragma omp atomic
  total += hash;
}

static int64_t takeTotal() { return std::exchange(total, 0); }

static int64_t valueOf(int64_t i) {
  const Node *node = buckets[scramble(keys[i]) % Buckets];
  while (node->key != keys[i] && node->next)
    node = node->next;
  return node->value % 7;
}

// CHECK: :[[#@LINE + 5]]:{{.*}}remark: interleaved
PROGRAM(appends) {
#pragma omp parallel num_threads(2)
  {
    std::vector<int64_t> own;
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES)
      own.push_back(valueOf(i));
    addToTotal(hashOf(own));
  }
  return takeTotal();
}

// CHECK: :[[#@LINE + 6]]:{{.*}}remark: interleaved
PROGRAM(reserved) {
#pragma omp parallel num_threads(2)
  {
    std::vector<int64_t> own;
    own.reserve(Elements);
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES)
      if (const int64_t value = valueOf(i); value > 2)
        own.push_back(value);
    addToTotal(hashOf(own));
  }
  return takeTotal();
}

// CHECK: :[[#@LINE + 5]]:{{.*}}remark: interleaved
PROGRAM(appendsPairs) {
#pragma omp parallel num_threads(2)
  {
    std::vector<int64_t> own;
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES) {
      const int64_t pair[] = {valueOf(i), valueOf(i) + 1};
      own.insert(own.end(), pair, pair + 2);
    }
    addToTotal(hashOf(own));
  }
  return takeTotal();
}

// No two neighbours are the same.
// CHECK: :[[#@LINE + 5]]:{{.*}}remark: interleaved
PROGRAM(withoutRepetition) {
#pragma omp parallel num_threads(2)
  {
    std::vector<int64_t> own;
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES)
      if (const int64_t value = valueOf(i); own.empty() || own.back() != value)
        own.push_back(value);
    addToTotal(hashInOrder(own));
  }
  return takeTotal();
}

// CHECK: :[[#@LINE + 6]]:{{.*}}remark: interleaved
PROGRAM(beforeEnd) {
#pragma omp parallel num_threads(2)
  {
    std::vector<int64_t> own = {1};
    own.reserve(Elements + 1);
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES)
      if (const int64_t value = valueOf(i); own.end()[-1] <= value + 3)
        own.push_back(value);
    addToTotal(hashInOrder(own));
  }
  return takeTotal();
}

// CHECK: :[[#@LINE + 5]]:{{.*}}remark: interleaved
PROGRAM(fromBeginning) {
#pragma omp parallel num_threads(2)
  {
    std::vector<int64_t> own = {1};
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES)
      if (const int64_t value = valueOf(i); own[value % own.size()] != value)
        own.push_back(value);
    addToTotal(hashInOrder(own));
  }
  return takeTotal();
}

// CHECK: :[[#@LINE + 6]]:{{.*}}remark: interleaved
PROGRAM(stack) {
#pragma omp parallel num_threads(2)
  {
    std::vector<int64_t> own;
    int64_t last = 0;
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES) {
      const int64_t value = valueOf(i);
      if (value > 2 || own.empty()) {
        own.push_back(value);
      } else {
        last = (last * 3 + own.back()) % 1009;
        own.pop_back();
      }
    }
    addToTotal(hashInOrder(own) + last);
  }
  return takeTotal();
}

// CHECK: :[[#@LINE + 7]]:{{.*}}remark: interleaved
PROGRAM(keptIterator) {
#pragma omp parallel num_threads(2)
  {
    std::vector<int64_t> own;
    own.reserve(Elements);
    auto last = own.end();
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES)
      if (const int64_t value = valueOf(i); own.empty() || *last != value)
        last = own.insert(own.end(), value);
    addToTotal(hashInOrder(own));
  }
  return takeTotal();
}

// CHECK: :[[#@LINE + 5]]:{{.*}}remark: interleaved
PROGRAM(swapped) {
#pragma omp parallel num_threads(2)
  {
    std::vector<int64_t> own, other;
#pragma omp for schedule(static)
    ASYNC_LOOP(CLAUSES) {
      own.push_back(valueOf(i));
      if (own.back() == 3)
        own.swap(other);
    }
    addToTotal(hashInOrder(own) + 3 * hashInOrder(other));
  }
  return takeTotal();
}

// CHECK-NOT: {{remark: .*interleaved}}

int main() {
  prepare();
  printPrograms();
}
