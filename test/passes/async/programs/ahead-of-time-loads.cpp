// Loads run ahead of their iteration only where the source executes them, and
// see what the iteration has stored before.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-5: remark: {{(loop not )?}}interleaved

#include "../Inputs/program.h"
#include <sys/mman.h>
#include <unistd.h>

/// \p bytes of memory, behind which there is none.
static void *endOfPage(size_t bytes) {
  size_t page = sysconf(_SC_PAGESIZE);
  size_t length = (bytes + page - 1) / page * page;
  char *start = (char *)mmap(nullptr, length + page, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED || mprotect(start + length, page, PROT_NONE)) {
    perror("memory at the end of a page");
    _exit(1);
  }
  return start + length - bytes;
}

// The loop is left in the middle: the last time, its load is not executed.
enum { Steps = 64 };

NOINLINE int64_t leftInTheMiddle(const int32_t *steps, int64_t count,
                                 int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    uint64_t value = i;
    for (int64_t j = 0;; ++j) {
      for (int round = 0; round < 6; ++round)
        value = scramble(value + j);
      if (j == count)
        break;
      value += table[keys[steps[j]]];
    }
    sum += value;
  }
  return sum;
}

// The load is executed for some steps only, and not for the last.
NOINLINE int64_t notForAll(const int32_t *steps, int64_t count, int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    for (int64_t j = 0; j <= count; ++j) {
      if (j < count)
        sum += table[table[keys[(steps[j] + i) % Elements]]];
      else
        sum += j;
    }
  return sum;
}

// The iteration sets, by another name, the pointers that it follows next.
enum { Run = 24 };

NOINLINE int64_t setByTheIteration(Node **read, Node **written, int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    Node **from = read + i * (Run + 1), **to = written + i * (Run + 1);
    to[0] = &nodes[i];
    for (int64_t j = 0; j < Run; ++j) {
      sum += table[from[j]->key];
      to[j + 1] = &nodes[(i * 7919 + j * 104729) % Elements];
    }
  }
  return sum;
}

// The same with indices, which all lie outside of the table before.
NOINLINE int64_t indexSetByTheIteration(int64_t *read, int64_t *written,
                                        int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t *from = read + i * (Run + 1), *to = written + i * (Run + 1);
    to[0] = i;
    for (int64_t j = 0; j < Run; ++j) {
      sum += table[keys[from[j]]];
      to[j + 1] = (i * 7919 + j * 104729) % Elements;
    }
  }
  return sum;
}

// The iteration sets a variable through a pointer and reads it by its name.
int64_t factor;

NOINLINE int64_t setThroughPointer(int64_t *pointer, int64_t n) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    *pointer = keys[i] & 15;
    sum += value * factor;
  }
  return sum;
}

int main() {
  prepare();
  static int32_t *const steps = (int32_t *)endOfPage(Steps * sizeof(int32_t));
  for (int64_t j = 0; j < Steps; ++j)
    steps[j] = table[j];
  printForAllCounts("left in the middle",
                    [](int64_t n) { return leftInTheMiddle(steps, Steps, n); });
  printForAllCounts("not for all",
                    [](int64_t n) { return notForAll(steps, Steps, n); });
  printForAllCounts("set by the iteration", [](int64_t n) {
    size_t bytes = n * (Run + 1) * sizeof(Node *);
    // Null pointers, all of them.
    static Node **const pointers =
        (Node **)endOfPage(Elements * (Run + 1) * sizeof(Node *));
    for (int64_t k = 0; k < n * (Run + 1); ++k)
      pointers[k] = nullptr;
    return setByTheIteration(pointers, pointers, n);
  });
  printForAllCounts("index set by the iteration", [](int64_t n) {
    static int64_t indices[Elements * (Run + 1)];
    for (int64_t &index : indices)
      index = INT64_MAX / 64;
    return indexSetByTheIteration(indices, indices, n);
  });
  printForAllCounts("set through pointer",
                    [](int64_t n) { return setThroughPointer(&factor, n); });
}
