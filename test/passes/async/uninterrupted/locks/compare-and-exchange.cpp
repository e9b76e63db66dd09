// Other iterations may run between an atomic read and a compare-and-exchange
// that checks it, as long as no result depends on that.
//
// RUN: %same_output | FileCheck %s
// RUN: %same_output %fopenmp | FileCheck %s --check-prefixes=CHECK,OPENMP

#include "../../Inputs/program.h"

#include <algorithm>
#include <numeric>
#include <vector>

template <class T> static T load(T &place) {
  return __atomic_load_n(&place, __ATOMIC_RELAXED);
}
template <class T> static bool exchange(T &place, T expected, T to) {
  return __atomic_compare_exchange_n(&place, &expected, to, false,
                                     __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

static int64_t digest(const std::vector<int64_t> &values) {
  int64_t sum = 0;
  for (int64_t value : values)
    sum = sum * 31 + value;
  return sum;
}

/// A forest whose roots are the least elements of their trees.
struct Forest {
  std::vector<int64_t> parent;
  Forest() : parent(Elements) { std::iota(parent.begin(), parent.end(), 0); }
  int64_t find(int64_t v) {
    for (int64_t up; (up = load(parent[v])) != v; v = up)
      ;
    return v;
  }
  /// Halves the path.
  int64_t findHalving(int64_t v) {
    while (true) {
      const int64_t up = load(parent[v]), next = load(parent[up]);
      if (up == next)
        return up;
      exchange(parent[v], up, next);
      v = next;
    }
  }
  template <bool Halves> bool unite(int64_t one, int64_t other) {
    while (true) {
      one = Halves ? findHalving(one) : find(one);
      other = Halves ? findHalving(other) : find(other);
      if (one == other)
        return false;
      if (one < other)
        std::swap(one, other);
      if (exchange(parent[one], one, other))
        return true;
    }
  }
  int64_t digest() {
    for (int64_t &up : parent)
      up = find(up);
    return ::digest(parent);
  }
};

PROGRAM(united) {
  Forest forest;
  int64_t trees = Elements;
// OPENMP: :[[@LINE+1]]:1: remark: interleaved the loop's iterations
#pragma omp parallel for schedule(dynamic, 64) reduction(- : trees)
  ASYNC_LOOP(CLAUSES)
    trees -= forest.unite<false>(keys[i], table[i]);
  return trees + forest.digest();
}

PROGRAM(unitedByOneThread) {
  Forest forest;
  int64_t trees = Elements;
  // CHECK: :[[@LINE+1]]:3: remark: interleaved the loop's iterations
  ASYNC_LOOP(CLAUSES)
    trees -= forest.unite<false>(keys[i], table[i]);
  return trees + forest.digest();
}

PROGRAM(unitedHalving) {
  Forest forest;
  int64_t trees = Elements;
#pragma omp parallel for schedule(dynamic, 1) reduction(- : trees)
  ASYNC_LOOP(CLAUSES)
    trees -= forest.unite<true>(keys[i], table[i]);
  return trees + forest.digest();
}

PROGRAM(unitedHalvingByOneThread) {
  Forest forest;
  int64_t trees = Elements;
  ASYNC_LOOP(CLAUSES)
    trees -= forest.unite<true>(keys[i], table[i]);
  return trees + forest.digest();
}

/// What the largest elements are decided by: another place that waits.
static int64_t weightOf(int64_t i) { return table[table[keys[i]]]; }

PROGRAM(largest) {
  std::vector<int64_t> most(Buckets);
#pragma omp parallel for schedule(dynamic, 16)
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = most[keys[i] % Buckets];
    while (true) {
      const int64_t old = load(place), weight = weightOf(i);
      if (old >= weight || exchange(place, old, weight))
        break;
    }
  }
  return digest(most);
}

// Without other threads, a compare-and-exchange does not fail.
PROGRAM(largestWithoutRetry) {
  std::vector<int64_t> most(Buckets);
  int64_t failed = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = most[keys[i] % 64];
    const int64_t old = load(place), weight = weightOf(i);
    if (old < weight && !exchange(place, old, weight))
      ++failed;
  }
  return digest(most) + failed;
}

PROGRAM(largestOfNeighboursWithoutRetry) {
  std::vector<int64_t> most(Buckets);
  ASYNC_LOOP(CLAUSES)
    for (int64_t k = 0; k < 4; ++k) {
      int64_t &place = most[table[(keys[i] + k) % Elements] % 64];
      const int64_t old = load(place), weight = weightOf(i) + k;
      if (old < weight)
        exchange(place, old, weight);
    }
  return digest(most);
}

PROGRAM(addedByExchange) {
  std::vector<int64_t> sums(Buckets);
#pragma omp parallel for
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = sums[keys[i] % Buckets];
    int64_t old;
    do
      old = load(place);
    while (!exchange(place, old, old + weightOf(i)));
  }
  return digest(sums);
}

PROGRAM(addedByStore) {
  std::vector<int64_t> sums(Buckets);
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = sums[keys[i] % 64];
    const int64_t old = load(place);
    __atomic_store_n(&place, old + weightOf(i), __ATOMIC_RELAXED);
  }
  return digest(sums);
}

PROGRAM(countedUpToThree) {
  std::vector<int64_t> counts(Buckets);
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = counts[keys[i] % 64];
    if (load(place) < 3 && weightOf(i) % 2)
      __atomic_fetch_add(&place, 1, __ATOMIC_RELAXED);
  }
  return digest(counts);
}

// Slots of a table are claimed, in one way or the other.
PROGRAM(inserted) {
  std::vector<int64_t> slots(2 * Elements);
#pragma omp parallel for schedule(dynamic, 8)
  ASYNC_LOOP(CLAUSES) {
    const int64_t key = table[keys[i]] + 1;
    for (uint64_t at = scramble(key);; ++at) {
      int64_t &slot = slots[at % slots.size()];
      const int64_t found = load(slot);
      if (found == key || (!found && exchange(slot, found, key)))
        break;
      if (!found)
        --at;
    }
  }
  std::sort(slots.begin(), slots.end());
  return digest(slots);
}

struct Item {
  Item *next;
  int64_t value;
};

static int64_t sumOf(Item *item) {
  int64_t sum = 0;
  for (; item; item = item->next)
    sum += scramble(item->value);
  return sum;
}

PROGRAM(pushed) {
  std::vector<Item> items(Elements);
  std::vector<Item *> stacks(Buckets);
#pragma omp parallel for
  ASYNC_LOOP(CLAUSES) {
    Item *&top = stacks[table[keys[i]] % Buckets];
    items[i].value = i;
    Item *old;
    do
      items[i].next = old = load(top);
    while (!exchange(top, old, &items[i]));
  }
  int64_t sum = 0;
  for (Item *top : stacks)
    sum = sum * 31 + sumOf(top);
  return sum;
}

// An item is taken from a stack and put back behind another one: a pointer is
// the same again, and what it points to is not.
PROGRAM(takenAndPutBack) {
  std::vector<Item> items(Elements);
  std::vector<Item *> stacks(4);
  for (int64_t k = 0; k < Elements; ++k) {
    items[k] = {stacks[k % 4], k};
    stacks[k % 4] = &items[k];
  }
  int64_t taken = 0;
  ASYNC_LOOP(CLAUSES) {
    Item *&top = stacks[table[keys[i]] % 4];
    Item *first[2] = {};
    for (Item *&item : first)
      while ((item = load(top)) && !exchange(top, item, item->next))
        ;
    for (Item *item : first)
      if (item) {
        taken += weightOf(item->value % Elements);
        do
          item->next = load(top);
        while (!exchange(top, item->next, item));
      }
  }
  taken = 0;
  for (Item *top : stacks)
    taken = taken * 31 + sumOf(top);
  return taken;
}

// What decides is read by another access than what the exchange expects.
PROGRAM(readTwice) {
  std::vector<int64_t> most(64);
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = most[keys[i] % 64];
    while (load(place) < weightOf(i)) {
      const int64_t weight = weightOf(i);
      if (exchange(place, load(place), weight))
        break;
    }
  }
  return digest(most);
}

// Each try leaves a trace, and in order the first one succeeds.
PROGRAM(triesCounted) {
  std::vector<int64_t> sums(64), tries(64);
  int64_t attempts = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t k = keys[i] % 64;
    int64_t old;
    do {
      old = load(sums[k]);
      ++tries[k];
      ++attempts;
    } while (!exchange(sums[k], old, old + weightOf(i)));
  }
  return digest(sums) + digest(tries) + attempts;
}
PROGRAM(triedElsewhere) {
  std::vector<int64_t> sums(128);
  ASYNC_LOOP(CLAUSES)
    for (int64_t k = keys[i] % 64;; ++k)
      if (const int64_t old = load(sums[k % 128]);
          exchange(sums[k % 128], old, old + weightOf(i)))
        break;
  return digest(sums);
}
PROGRAM(triesLonger) {
  std::vector<int64_t> sums(64);
  ASYNC_LOOP(CLAUSES) {
    int64_t &place = sums[keys[i] % 64], step = 1;
    for (int64_t old = load(place); !exchange(place, old, old + step);
         old = load(place))
      step += weightOf(i);
  }
  return digest(sums);
}

// Elements of the thread's own, which no other thread changes.
PROGRAM(ofTheThread) {
  int64_t failed = 0, total = 0;
#pragma omp parallel reduction(+ : failed, total)
  {
    std::vector<int64_t> most(64);
    int64_t sums[64] = {};
#pragma omp for schedule(static) nowait
    ASYNC_LOOP(CLAUSES) {
      const int64_t k = keys[i] % 64, weight = weightOf(i);
      const int64_t old = load(most[k]);
      failed += old < weight && !exchange(most[k], old, weight);
      const int64_t sum = load(sums[k]);
      exchange(sums[k], sum, sum + weightOf(weight % Elements));
    }
    for (int64_t sum : sums)
      total += sum;
  }
  return failed + total;
}

int main() {
  prepare();
  printPrograms();
}
