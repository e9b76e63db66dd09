// The loops whose times docs/check.md gives, one after another, without a
// conflict. "costs ITERATIONS ELEMENTS" prints nanoseconds per iteration.
//
// REQUIRES: plugin
// RUN: %heddle_clang -fheddle-check -O1 %s -o %t
// RUN: HEDDLE_CHECK=json:%t.json %t 2000 512 && FileCheck %s < %t.json
// CHECK: {"conflicts": []}

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

typedef struct {
  uint32_t hits, last;
  uint64_t sum;
} Record;
typedef struct Node {
  struct Node *next;
  uint64_t value;
} Node;

static size_t n, m; // m divides n, or nearly
static uint32_t *any, *permutation, *keys, *counts;
static uint8_t *seen;
static uint64_t *table, *sums, *out, total;
static Record *records, *copies;
static Node *nodes, **buckets;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * 1e9 + t.tv_nsec;
}
static uint64_t scramble(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
  return x ^ (x >> 29);
}
NOINLINE static uint64_t get(size_t at) { return table[at]; }

NOINLINE static void gather(void) {
  uint64_t s = 0;
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    s += table[any[i]];
  }
  total += s;
}

NOINLINE static void chains(void) {
  uint64_t s = 0;
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    for (Node *p = buckets[any[i]]; p; p = p->next)
      s += p->value;
    s += 0;
  }
  total += s;
}

NOINLINE static void probes(void) {
  uint64_t s = 0;
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    size_t h = scramble(any[i]) % m;
    while (keys[h] && keys[h] != any[i])
      h = h + 1 == m ? 0 : h + 1;
    s += keys[h];
  }
  total += s;
}

NOINLINE static void in_callee(void) {
  uint64_t s = 0;
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    s += get(any[i]);
  }
  total += s;
}

NOINLINE static void histogram_8(void) {
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    sums[any[i]] += 1;
  }
}

NOINLINE static void histogram_4(void) {
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    counts[any[i]] += 1;
  }
}

NOINLINE static void maximum(void) {
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    if (sums[any[i]] < i)
      sums[any[i]] = i;
  }
}

NOINLINE static void visited(void) {
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    if (!seen[any[i]])
      seen[any[i]] = 1;
  }
}

NOINLINE static void scatter_once(void) {
#pragma heddle async
  for (size_t i = 0; i < m; ++i) {
    out[permutation[i]] = i;
  }
}
static void scatter(void) {
  for (size_t done = 0; done < n; done += m)
    scatter_once();
}

NOINLINE static void marks(void) {
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    out[any[i]] = 7;
  }
}

NOINLINE static void copy_through_index_once(void) {
#pragma heddle async
  for (size_t i = 0; i < m; ++i) {
    out[i] = table[permutation[i]];
  }
}
static void copy_through_index(void) {
  for (size_t done = 0; done < n; done += m)
    copy_through_index_once();
}

NOINLINE static void own_element_twice_once(void) {
#pragma heddle async
  for (size_t i = 0; i < m; ++i) {
    const uint32_t at = permutation[i];
    uint64_t s = out[at];
    s = s * 3 + 1;
    out[at] = s;
    out[at] = s + out[at];
  }
}
static void own_element_twice(void) {
  for (size_t done = 0; done < n; done += m)
    own_element_twice_once();
}

NOINLINE static void two_fields(void) {
#pragma heddle async
  for (size_t i = 0; i < n; ++i) {
    Record *r = &records[any[i]];
    ++r->hits;
    r->sum += i;
  }
}

NOINLINE static void copy_structures_once(void) {
#pragma heddle async
  for (size_t i = 0; i < m; ++i) {
    copies[i] = records[permutation[i]];
  }
}
static void copy_structures(void) {
  for (size_t done = 0; done < n; done += m)
    copy_structures_once();
}

static void prepare(void) {
  any = malloc(n * sizeof *any);
  permutation = malloc(m * sizeof *permutation);
  keys = calloc(m, sizeof *keys);
  counts = calloc(m, sizeof *counts);
  seen = calloc(m, 1);
  table = calloc(m, sizeof *table);
  sums = calloc(m, sizeof *sums);
  out = calloc(m, sizeof *out);
  records = calloc(m, sizeof *records);
  copies = calloc(m, sizeof *copies);
  nodes = calloc(m, sizeof *nodes);
  buckets = calloc(m, sizeof *buckets);
  for (size_t i = 0; i < n; ++i)
    any[i] = scramble(i) % m;
  for (size_t i = 0; i < m; ++i) {
    Node **bucket = &buckets[scramble(i) % m];
    nodes[i] = (Node){*bucket, i};
    *bucket = &nodes[i];
    table[i] = permutation[i] = i;
  }
  for (size_t i = m; i > 1; --i) {
    const size_t j = scramble(i) % i;
    const uint32_t last = permutation[i - 1];
    permutation[i - 1] = permutation[j];
    permutation[j] = last;
  }
  for (size_t i = 0; i < m / 2; ++i) {
    size_t h = scramble(scramble(i) % m) % m;
    while (keys[h])
      h = (h + 1) % m;
    keys[h] = scramble(i) % m + 1;
  }
}

int main(int argc, char **argv) {
  n = argc > 1 ? strtoul(argv[1], NULL, 10) : 2000;
  m = argc > 2 ? strtoul(argv[2], NULL, 10) : 512;
  prepare();
  const struct {
    const char *name;
    void (*run)(void);
  } rows[] = {{"gather", gather},
              {"chains", chains},
              {"probes", probes},
              {"in_callee", in_callee},
              {"histogram_8", histogram_8},
              {"histogram_4", histogram_4},
              {"maximum", maximum},
              {"visited", visited},
              {"scatter", scatter},
              {"marks", marks},
              {"copy_through_index", copy_through_index},
              {"own_element_twice", own_element_twice},
              {"two_fields", two_fields},
              {"copy_structures", copy_structures}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    const double begin = now();
    rows[i].run();
    printf("%-20s %8.2f\n", rows[i].name, (now() - begin) / n);
  }
  return total == 1;
}
