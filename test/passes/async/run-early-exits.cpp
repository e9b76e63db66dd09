// Iterations that begin in vain read nothing that the serial loop would not
// get to: what lies behind may not exist, may lead nowhere, or may have been
// written by others.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-12: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "Inputs/program.h"

#include <algorithm>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

/// An array that ends where memory does.
template <class T> struct AtEnd {
  T *values;
  explicit AtEnd(int64_t count) {
    const int64_t page = 1 << 16;
    const int64_t bytes = (count * sizeof(T) + page - 1) / page * page;
    char *all = (char *)mmap(nullptr, bytes + 3 * page, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(all + page, bytes, PROT_READ | PROT_WRITE);
    values = (T *)(all + page + bytes) - count;
  }
};

enum { Wild = INT64_MAX / 16 };

/// Elements of arrays at the end of memory; the last leads out of the loop.
static int64_t *indices, *links, *values;
static int64_t count;

static void fill(int64_t n) {
  count = n + 1;
  indices = AtEnd<int64_t>(count).values;
  values = AtEnd<int64_t>(count).values;
  links = AtEnd<int64_t>(count).values;
  for (int64_t i = 0; i < count; ++i) {
    indices[i] = scramble(i + 3) % count;
    values[i] = scramble(i) % 1000;
    links[i] = n - i;
  }
  values[links[indices[n]]] = -1;
  for (int64_t i = 0; i < n; ++i)
    if (indices[i] == indices[n])
      indices[i] = (indices[i] + 1) % count;
}

// The bound is wrong; the last element ends the search.
PROGRAM(sentinel) {
  fill(n);
  const int64_t *const in = indices, *const to = links, *const of = values;
#pragma heddle async
  for (int64_t i = 0; i < INT64_MAX; ++i)
    if (of[to[in[i]]] < 0)
      return i;
  return -1;
}

// So are the numbers behind the one that ends it.
PROGRAM(wildIndices) {
  fill(2 * n);
  int64_t end = 2 * n;
  for (int64_t i = 0; i < 2 * n; ++i)
    if (values[links[indices[i]]] < 0 || i == n + n / 2) {
      end = i;
      break;
    }
  for (int64_t i = end + 1; i < count; ++i)
    indices[i] = scramble(i) % Wild;
  if (n)
    values[links[indices[end]]] = -1;
  const int64_t *const in = indices, *const to = links, *const of = values;
  const int64_t all = count;
#pragma heddle async
  for (int64_t i = 0; i < all; ++i)
    if (of[to[in[i]]] < 0)
      return i;
  return -1;
}

// Pointers run over the elements.
PROGRAM(pointers) {
  fill(n);
  const int64_t *const to = links, *const of = values;
#pragma heddle async
  for (const int64_t *p = indices;; ++p)
    if (of[to[*p]] < 0)
      return p - indices;
}

// From the end to the beginning of memory.
PROGRAM(backwards) {
  fill(n);
  const int64_t *const in = indices, *const to = links, *const of = values;
  std::reverse(indices, indices + count);
  int64_t steps = 0;
#pragma heddle async
  for (int64_t i = n;; --i) {
    if (of[to[in[i]]] < 0)
      break;
    ++steps;
  }
  return steps;
}

// An index is not divided by zero, and does not overflow.
PROGRAM(divisors) {
  fill(n);
  for (int64_t i = 0; i < n; ++i)
    indices[i] += 1;
  indices[n] = count + 5;
  int64_t *const divisors = AtEnd<int64_t>(count + 64).values;
  memset(divisors, 0, (count + 64) * sizeof(int64_t));
  for (int64_t i = 0; i <= n; ++i)
    divisors[i] = 3 + values[i] * values[i];
  const int64_t *const in = indices, *const to = links, *const of = values;
  const int64_t limit = count;
  int64_t sum = 0;
#pragma heddle async
  for (int64_t i = 0; i < limit + 64; ++i) {
    int64_t part = (of[to[in[i] % limit]] + INT64_MIN) / divisors[i];
    if (in[i] > limit)
      return sum;
    sum += part;
  }
  return -sum;
}

// Inner loops end, although with what lies behind they would not.
PROGRAM(cycles) {
  fill(n);
  int32_t *const next = AtEnd<int32_t>(n + 64).values;
  for (int64_t i = 0; i < n; ++i)
    next[i] = i / 2;
  for (int64_t i = n; i < n + 64; ++i)
    next[i] = i;
  const int64_t *const of = values;
  int64_t sum = 0;
#pragma heddle async
  for (int64_t i = 0; i < n + 64; ++i) {
    if (i == n)
      break;
    int64_t steps = 0;
    for (int32_t at = i; at; at = next[at])
      steps += of[at];
    sum += steps;
    if (sum > INT64_MAX / 2)
      return -3;
  }
  return sum;
}

// What an iteration does happens only if no earlier one has left.
static int64_t done[2 * Elements];
PROGRAM(effects) {
  fill(n);
  memset(done, 0, sizeof(done));
  const int64_t *const in = indices, *const to = links, *const of = values;
#pragma heddle async
  for (int64_t i = 0; i < INT64_MAX; ++i) {
    int64_t value = of[to[in[i]]];
    if (value < 0)
      break;
    done[i] = value;
  }
  int64_t sum = 0;
  for (int64_t i = 0; i < 2 * Elements; ++i)
    sum = sum * 3 + done[i];
  return sum;
}

// Elements that may lie across pages.
struct __attribute__((packed)) Odd {
  char tag;
  int64_t index;
};
PROGRAM(unaligned) {
  fill(n);
  Odd *const odd = AtEnd<Odd>(count).values;
  for (int64_t i = 0; i < count; ++i)
    odd[i] = {'x', indices[i]};
  const int64_t *const to = links, *const of = values;
  int64_t i = 0;
#pragma heddle async
  while (of[to[odd[i].index]] >= 0)
    ++i;
  return i;
}

// Tasks have handlers of their own.
static NOINLINE void check(int64_t value) {
  if (value % 7 == 0)
    throw value;
}
PROGRAM(catches) {
  fill(n);
  const int64_t *const in = indices, *const to = links, *const of = values;
  int64_t sum = 0;
#pragma heddle async
  for (int64_t i = 0; i < INT64_MAX; ++i) {
    int64_t value = of[to[in[i]]];
    if (value < 0)
      return sum;
    try {
      check(value);
    } catch (int64_t caught) {
      sum -= caught;
    }
    sum += i;
  }
  return -9;
}

// Offsets in bytes: those behind the one that ends the search may be of no
// element, and so lie across the end of memory.
PROGRAM(acrossTheEnd) {
  const int64_t room = 8 * Elements;
  const AtEnd<int64_t> of(room);
  const AtEnd<int64_t> offsets(n + 33);
  for (int64_t i = 0; i < room; ++i)
    of.values[i] = i + 1 < room ? i % 100 : -1;
  for (int64_t i = 0; i < n + 33; ++i) {
    const int64_t last = 8 * (room - 1);
    offsets.values[i] = i < n    ? int64_t(scramble(i) % (room - 1) * 8)
                        : i == n ? last
                                 : last + 1 + i % 7;
  }
  const char *const base = (const char *)of.values;
  const int64_t *const in = offsets.values;
  int64_t sum = 0;
#pragma heddle async
  for (int64_t i = 0; i < n + 33; ++i) {
    const int64_t value = *(const int64_t *)(base + in[i]);
    sum += table[table[value < 0 ? 0 : value]];
    if (value < 0)
      return sum * 1000 + i;
  }
  return -1;
}

/// Pointers that advance with the iterations, up to the end of memory and
/// around a ring.
PROGRAM(walkingPointer) {
  fill(n);
  const int64_t *at = indices;
  int64_t sum = 0;
#pragma heddle async scheduler(fifo)
  for (int64_t i = 0; i < 3 * n + 9; ++i) {
    const int64_t index = *at++;
    sum += table[values[index] % Elements];
    if (at == indices + count)
      return sum * 1000 + i;
  }
  return -sum;
}

PROGRAM(ring) {
  fill(n);
  const int64_t *at = indices;
  int64_t sum = 0, i = 0;
#pragma heddle async scheduler(fifo)
  for (; i < 3 * n; ++i) {
    const int64_t index = *at;
    at = at + 1 == indices + count ? indices : at + 1;
    sum += table[values[index] % Elements];
    if (index % 97 == 11 && i > n / 2)
      break;
  }
  return sum * 1000 + i + (at - indices);
}

int main() {
  prepare();
  printPrograms();
}
