// What an iteration puts out in order may depend on whether it was the first
// one to come to an element, however it finds out: then the update of the
// element is in order as well.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-16: remark: {{interleaved|requested ahead|loop not interleaved}}

#include "../Inputs/program.h"

#include <string.h>
#include <utility>
#include <vector>

template <class Values> static int64_t digest(const Values &values) {
  int64_t sum = 0;
  for (int64_t value : values)
    sum = sum * 31 + value;
  return sum;
}

enum { Places = 700 };
static char seen[Places];
static int64_t counts[Places];

PROGRAM(exchanged) {
  memset(seen, 0, sizeof seen);
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    char &place = seen[table[keys[i]] % Places];
    const char before = place;
    place = 1;
    if (!before)
      out.push_back(i);
  }
  return digest(out);
}

PROGRAM(exchangedAtomically) {
  memset(seen, 0, sizeof seen);
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    if (!__atomic_exchange_n(&seen[table[keys[i]] % Places], 1,
                             __ATOMIC_RELAXED))
      out.push_back(i);
  }
  return digest(out);
}

PROGRAM(bit) {
  memset(counts, 0, sizeof counts);
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    const int64_t k = table[keys[i]] % Places;
    const int64_t bit = int64_t(1) << (k & 63);
    if (!(__atomic_fetch_or(&counts[k / 64], bit, __ATOMIC_RELAXED) & bit))
      out.push_back(i);
  }
  return digest(out);
}

PROGRAM(third) {
  memset(counts, 0, sizeof counts);
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    if (++counts[table[keys[i]] % Places] == 3)
      out.push_back(i);
  }
  return digest(out);
}

PROGRAM(greatest) {
  memset(counts, 0, sizeof counts);
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    int64_t &best = counts[table[keys[i]] % 200];
    const int64_t value = nodes[keys[i]].value, before = best;
    best = before > value ? before : value;
    if (value > before)
      out.push_back(i);
  }
  return digest(out);
}

static int64_t parent[Elements], ranks[Elements];

PROGRAM(edges) {
  for (int64_t k = 0; k < Elements; ++k)
    parent[k] = k, ranks[k] = 0;
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    int64_t one = keys[i], other = table[keys[i]];
    while (parent[one] != one)
      one = parent[one];
    while (parent[other] != other)
      other = parent[other];
    if (one != other) {
      if (ranks[one] < ranks[other])
        std::swap(one, other);
      parent[other] = one;
      if (ranks[one] == ranks[other])
        ++ranks[one];
      out.push_back(i);
    }
  }
  return digest(out) + digest(parent);
}

PROGRAM(edgesOfShortPaths) {
  for (int64_t k = 0; k < Elements; ++k)
    parent[k] = k;
  std::vector<int64_t> out;
  ASYNC_LOOP(CLAUSES) {
    int64_t one = keys[i], other = table[keys[i]];
    while (parent[one] != one)
      one = parent[one] = parent[parent[one]];
    while (parent[other] != other)
      other = parent[other] = parent[parent[other]];
    if (one != other) {
      parent[other] = one;
      out.push_back(i);
    }
  }
  return digest(out);
}

PROGRAM(weights) {
  for (int64_t k = 0; k < Elements; ++k)
    parent[k] = k;
  std::vector<int64_t> out;
  int64_t weight = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t one = keys[i], other = table[keys[i]];
    while (parent[one] != one)
      one = parent[one];
    while (parent[other] != other)
      other = parent[other];
    if (one != other) {
      parent[one] = other;
      out.push_back(i);
      weight += i;
    }
  }
  return digest(out) + weight;
}

// The element may be read where the iteration begins, and be filled in by a
// copy or by a function.

struct Record {
  int64_t key, value;
  char name[24];
};
static Record records[Elements], firsts[Places];

static void prepareRecords() {
  memset(firsts, 0, sizeof firsts);
  for (int64_t k = 0; k < Elements; ++k) {
    records[k] = {1 + int64_t(scramble(k) % 700), k * 77, "x"};
    records[k].name[0] = char('a' + scramble(k) % 26);
  }
}

__attribute__((noinline)) static void fillIn(Record *first,
                                             const Record *from) {
  *first = *from;
  first->value |= 1;
}

#define FIRST(name, isFree, claim)                                             \
  PROGRAM(name) {                                                              \
    prepareRecords();                                                          \
    std::vector<int64_t> out(n + 1);                                           \
    int64_t count = 0;                                                         \
    ASYNC_LOOP(CLAUSES) {                                                      \
      const int64_t k = table[keys[i]];                                        \
      Record &first = firsts[k % Places];                                      \
      const Record &record = records[table[k]];                                \
      if (isFree) {                                                            \
        claim;                                                                 \
        out[count++] = record.value + i;                                       \
      }                                                                        \
    }                                                                          \
    return digest(out) + count;                                                \
  }

FIRST(filledIn, first.value == 0, fillIn(&first, &record))
FIRST(copied, first.key == 0, first = record)
FIRST(copiedBytes, memcmp(first.name, "\0\0", 2) == 0,
      memcpy(first.name, record.name, sizeof first.name))
FIRST(copiedString, first.name[0] == 0, strcpy(first.name, record.name))
FIRST(namedByLength, strlen(first.name) == 0, strcpy(first.name, record.name))
FIRST(oneOfTwo, first.name[0] + first.name[1] == 0, first.name[i & 1] = 1)
FIRST(set, first.key == 0, memset(&first, int(record.key) | 1, 16))

PROGRAM(atOnce) {
  static int64_t claimed[Elements];
  memset(claimed, 0, sizeof claimed);
  int64_t sum = 0;
  int64_t *volatile hidden = &sum;
  int64_t &hash = *hidden;
  ASYNC_LOOP(CLAUSES) {
    const int64_t k = table[keys[i]];
    const int64_t value = nodes[table[k]].value;
    if (claimed[k] == 0) {
      claimed[k] = value + 1;
      hash = hash * 31 + value + i;
    }
  }
  return hash;
}

int main() {
  prepare();
  printPrograms();
}
