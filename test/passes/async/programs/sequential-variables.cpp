// Variables whose updates must happen in iteration order.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-10: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

static int64_t out[Elements];

static int64_t outputSum(int64_t count) {
  int64_t sum = count;
  for (int64_t i = 0; i < count; ++i)
    sum = sum * 31 + out[i];
  return sum;
}

// Each iteration that finds something takes the next place.
PROGRAM(append) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES)
    if (table[table[keys[i]]] & 1)
      out[count++] = i;
  return outputSum(count);
}

// Tasks reach their turn after different numbers of steps.
PROGRAM(hashChain) {
  uint64_t hash = 1;
  ASYNC_LOOP(CLAUSES) {
    int64_t found = -1;
    for (Node *node = buckets[scramble(keys[i]) % Buckets]; node;
         node = node->next)
      if (node->key == keys[i])
        found = node->value;
    hash = (hash ^ found) * 0x100000001b3u;
  }
  return hash;
}

PROGRAM(twoVariables) {
  int64_t previous = 0, state = 1;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    state = state * 3 + (value - previous);
    previous = value;
  }
  return state * 7 + previous;
}

// Variables that are updated without waiting advance when an iteration begins.
PROGRAM(atLaunch) {
  uint64_t random = 1;
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    sum += table[table[(random >> 33) % Elements]];
  }
  return sum + (random >> 20);
}

// A variable at launch, one in order, and a reduction.
PROGRAM(allKinds) {
  uint64_t random = 5;
  int64_t sum = 0, chain = 0;
  ASYNC_LOOP(CLAUSES) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    int64_t value = table[table[random % Elements]];
    sum += value;
    chain = (chain << 1 | chain >> 63) ^ value;
  }
  return sum ^ chain;
}

// Not every subtraction is a reduction.
PROGRAM(alternating) {
  int64_t alternating = 1;
  ASYNC_LOOP(CLAUSES) {
    int64_t found = 0;
    for (Node *node = buckets[scramble(keys[i]) % Buckets]; node;
         node = node->next)
      found += node->key;
    alternating = found - alternating;
  }
  return alternating;
}

// While one task takes its time, hundreds of others would be done.
PROGRAM(straggler) {
  uint64_t hash = 1;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = keys[i], steps = i % 500 == 3 ? 2000 : 1;
    while (steps--)
      at = table[at] ^ (steps & 1);
    hash = (hash ^ at) * 0x100000001b3u;
  }
  return hash;
}

// By clause: the analysis cannot see what becomes of the variable.
NOINLINE void note(int64_t *log, int64_t value) noexcept {
  *log = *log * 31 + value;
}

PROGRAM(byClause) {
  int64_t log = 0;
  ASYNC_LOOP(CLAUSES sequential(log))
    note(&log, table[table[keys[i]]]);
  return log;
}

// A global variable.
static int64_t position;

PROGRAM(globalByClause) {
  position = 0;
  ASYNC_LOOP(CLAUSES sequential(position)) {
    int64_t value = table[table[keys[i]]];
    if (value & 2)
      out[position++] = value;
  }
  return outputSum(position);
}

// Only what the last round adds counts: the others start over.
PROGRAM(startingOver) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const Node *node = &nodes[table[table[keys[i]]]];
    int64_t total = sum;
    for (int64_t round = 0; round < 3 && node; ++round) {
      total = sum;
      while (node) {
        total += node->value;
        bool pause = node->key & 1;
        node = node->next;
        if (pause)
          break;
      }
    }
    sum = total;
  }
  return sum;
}

int main() {
  prepare();
  printPrograms();
}
