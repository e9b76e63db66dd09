// What iterations have found is appended in iteration order, and the way to it
// is interleaved.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-12: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

static int64_t out[2 * Elements], other[2 * Elements];

static int64_t sumOf(const int64_t *values, int64_t count) {
  int64_t sum = count;
  for (int64_t i = 0; i < count; ++i)
    sum = sum * 31 + values[i];
  return sum;
}

static Node *chainOf(int64_t i) { return buckets[scramble(keys[i]) % Buckets]; }

// An iteration without a match leaves the walk by another way.
PROGRAM(filter) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    Node *node = chainOf(i);
    while (node && node->key != keys[i])
      node = node->next;
    if (node)
      out[count++] = node->value;
  }
  return sumOf(out, count);
}

PROGRAM(filterByPointer) {
  int64_t *end = out;
  ASYNC_LOOP(CLAUSES) {
    Node *node = chainOf(i);
    while (node && node->key % 7 != keys[i] % 7)
      node = node->next;
    if (node && node->value & 1)
      *end++ = node->key;
  }
  return sumOf(out, end - out);
}

// The walk may end in three places, of which two append.
PROGRAM(threeEnds) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    for (Node *node = chainOf(i); node; node = node->next) {
      if (node->key == keys[i]) {
        out[count++] = node->value;
        goto next;
      }
      if (node->value == 77)
        goto next;
    }
    out[count++] = -i;
  next:;
  }
  return sumOf(out, count);
}

PROGRAM(twoOutputs) {
  int64_t count = 0, others = 0;
  ASYNC_LOOP(CLAUSES) {
    Node *node = chainOf(i);
    while (node && node->key != keys[i])
      node = node->next;
    if (node)
      out[count++] = i;
    else
      other[others++] = i;
  }
  return sumOf(out, count) * 3 + sumOf(other, others);
}

// What is appended was read on the way.
PROGRAM(severalValues) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t steps = 0, seen = 0;
    Node *node = chainOf(i);
    for (; node && node->key != keys[i]; node = node->next) {
      ++steps;
      seen ^= node->value;
    }
    if (node && steps > 0)
      out[count++] = steps * 1000 + seen;
  }
  return sumOf(out, count);
}

// Some iterations do not come near the walk.
PROGRAM(continues) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    if (keys[i] % 3 == 0)
      continue;
    Node *node = chainOf(i);
    if (!node)
      continue;
    while (node->next && node->key != keys[i])
      node = node->next;
    if (node->key != keys[i])
      continue;
    out[count++] = table[node->key];
  }
  return sumOf(out, count);
}

PROGRAM(atMost) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    Node *node = chainOf(i);
    while (node && node->key != keys[i])
      node = node->next;
    if (node && count < 100)
      out[count++] = i;
  }
  return sumOf(out, count);
}

// Values that repeat are left out.
PROGRAM(unique) {
  int64_t count = 0, last = -1;
  ASYNC_LOOP(CLAUSES) {
    Node *node = chainOf(i / 4 * 4);
    while (node && node->key != keys[i / 4 * 4])
      node = node->next;
    if (node && node->value != last) {
      out[count++] = node->value;
      last = node->value;
    }
  }
  return sumOf(out, count) + last;
}

PROGRAM(afterBinarySearch) {
  static int64_t sorted[Elements];
  for (int64_t i = 0; i < Elements; ++i)
    sorted[i] = 3 * i;
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t low = 0, high = Elements;
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      if (sorted[middle] < table[keys[i]])
        low = middle + 1;
      else
        high = middle;
    }
    if (low < Elements && sorted[low] == table[keys[i]])
      out[count++] = low;
  }
  return sumOf(out, count);
}

PROGRAM(countersOfKinds) {
  int64_t counts[3] = {}, first = 0, second = 0, third = 0;
  ASYNC_LOOP(CLAUSES) {
    Node *node = chainOf(i);
    while (node && node->key != keys[i])
      node = node->next;
    switch (node ? node->value % 3 : 2) {
    case 0:
      out[first++] = i;
      break;
    case 1:
      other[second++] = i;
      break;
    default:
      third = third * 5 + i;
    }
  }
  counts[0] = first, counts[1] = second, counts[2] = third;
  return sumOf(out, first) + 3 * sumOf(other, second) + sumOf(counts, 3);
}

// The walk is of two chains, one after the other.
PROGRAM(twoWalks) {
  int64_t count = 0;
  ASYNC_LOOP(CLAUSES) {
    Node *node = chainOf(i);
    while (node && node->key != keys[i])
      node = node->next;
    if (!node)
      continue;
    Node *again = buckets[node->value % Buckets];
    while (again && again->value < node->value)
      again = again->next;
    if (again)
      out[count++] = again->key - node->key;
  }
  return sumOf(out, count);
}

// A value is what the last iteration with a match has left.
PROGRAM(lastMatch) {
  int64_t found = -1, count = 0;
  ASYNC_LOOP(CLAUSES) {
    Node *node = chainOf(i);
    while (node && node->key != keys[i])
      node = node->next;
    if (node) {
      found = node->value;
      ++count;
    }
  }
  return found * 10000 + count;
}

int main() {
  prepare();
  printPrograms();
}
