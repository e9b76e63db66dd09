// Every clause leaves the result as it is.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-9: {{interleaved|requested ahead what}} the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

NOINLINE int64_t condition(int64_t n, int64_t wanted) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES if (wanted > n))
    sum += table[table[keys[i]]];
  return sum;
}

// Reached only if there are iterations.
NOINLINE int64_t conditionInMemory(const int64_t *wanted, int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES if (*wanted))
    sum += table[table[keys[i]]];
  return sum;
}

PROGRAM(coalesce) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES coalesce(1))
    sum += table[table[keys[i]]] + table[scramble(i) % Elements] * 3 +
           table[scramble(i + 1) % Elements];
  return sum;
}

NOINLINE int64_t remoteAndNear(const int64_t *first, const int64_t *second,
                               int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES remote(first) near(second))
    sum += second[first[i]];
  return sum;
}

NOINLINE void add(int64_t *sum, int64_t value) noexcept { *sum += value; }

// The address of a shared variable escapes.
PROGRAM(shared) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES shared(sum))
    add(&sum, table[table[keys[i]]]);
  return sum;
}

PROGRAM(privateOfLoop) {
  int64_t sum = 0, scratch = 5;
  ASYNC_LOOP(CLAUSES private(scratch)) {
    scratch = table[keys[i]];
    scratch += table[scratch];
    sum += scratch;
  }
  return sum;
}

template <int N> NOINLINE int64_t parameter(int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES coalesce(N + 1) if (N * n > 3))
    sum += table[table[keys[i]]] * N;
  return sum;
}

PROGRAM(suspendedAtMostTwice) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES suspensions(2)) {
    int64_t at = keys[i];
    for (int64_t steps = 0; steps < i % 6; ++steps)
      at = table[at];
    sum += at * (i + 1);
  }
  return sum;
}

// Requests go out for several rounds of the inner loop at once.
PROGRAM(suspendedForOneBlock) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES suspensions(1)) {
    int64_t most = 0;
    for (int64_t j = 0; j < i % 50; ++j) {
      const int64_t value = table[table[keys[(i + j) % Elements]]];
      most = value > most ? value : most;
    }
    sum += most;
  }
  return sum;
}

int main() {
  prepare();
  printForAllCounts("if", [](int64_t n) { return condition(n, 100); });
  int64_t flags[] = {0, 5};
  printForAllCounts("if in memory", [&](int64_t n) {
    return conditionInMemory(n ? &flags[n & 1] : nullptr, n);
  });
  printPrograms();
  printForAllCounts("remote and near",
                    [](int64_t n) { return remoteAndNear(keys, table, n); });
  printForAllCounts("parameter", parameter<3>);
}
