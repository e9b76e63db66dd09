// Variables that every iteration updates by one commutative operation.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-11: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"
#include <algorithm>

PROGRAM(arithmetic) {
  int64_t sum = 3, difference = 4, bits = 5;
  uint64_t product = 6;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    sum += value;
    difference -= value * i;
    bits ^= value << (i & 31);
    product *= value | 1;
  }
  return sum ^ difference ^ bits ^ int64_t(product);
}

PROGRAM(bitwise) {
  int64_t all = ~0, any = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    all &= value | 0xff0;
    any |= value & 0x111;
  }
  return all * 7 + any;
}

PROGRAM(extremes) {
  int64_t most = -1, least = Elements;
  unsigned mostUnsigned = 0;
  double mostFloating = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    most = std::max(most, value);
    least = value < least ? value : least;
    if (unsigned(-value) > mostUnsigned)
      mostUnsigned = unsigned(-value);
    mostFloating = std::max(mostFloating, double(value ^ i));
  }
  return most * 3 + least * 5 + mostUnsigned + int64_t(mostFloating);
}

// Sums of small whole numbers are exact in any order.
PROGRAM(floating) {
  double sum = 1, scaled = 2;
  float small = 0;
  ASYNC_LOOP(CLAUSES) {
    double value = table[table[keys[i]]];
    sum += value;
    scaled += value * 2;
    small -= float(table[keys[i]] & 15);
  }
  return int64_t(sum) * 3 + int64_t(scaled) + int64_t(small);
}

// Updates in only some of the ways through an iteration.
PROGRAM(conditional) {
  int64_t even = 0, odd = 0, count = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    if (value & 1) {
      odd += value;
      if (value & 2)
        ++count;
    } else if (table[value] > 100)
      even += value;
  }
  return even * 3 + odd * 5 + count;
}

// Updates before and behind accesses, and several in one iteration.
PROGRAM(everywhere) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    sum += i;
    int64_t value = table[keys[i]];
    sum += value & 3;
    value = table[value];
    sum += 2 * value;
    if (value & 1)
      sum += 100;
    value = table[value];
    sum -= value;
  }
  return sum;
}

// Updates in an inner loop.
PROGRAM(inInnerLoop) {
  int64_t sum = 0, steps = 0;
  ASYNC_LOOP(CLAUSES)
    for (Node *node = buckets[scramble(keys[i]) % Buckets]; node;
         node = node->next) {
      ++steps;
      if (node->key == keys[i])
        sum += node->value;
    }
  return sum * 1000 + steps;
}

// All iterations that set a flag set it to the same value.
PROGRAM(flags) {
  bool any = false, all = true;
  int state = 3;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    if (value % 100 == 99)
      any = true;
    if (value % 1000 == 999)
      all = false;
    if (value > 4000)
      state = 7;
  }
  return any * 100 + all * 10 + state;
}

// Only what the last round adds counts.
PROGRAM(lastOfMany) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t factor = keys[i];
    if (const Node *node = buckets[keys[i] % Buckets]) {
      int64_t total;
      do {
        total = sum + factor;
        factor = factor * 3 + 1;
        node = node->next;
      } while (node);
      sum = total;
    }
  }
  return sum;
}

// Iterations that add nothing keep the sign of a zero and the bits of a NaN.
PROGRAM(zeroesAndNaNs) {
  double zero = -0.0, nan = __builtin_nans("7");
  float smallZero = -0.0f;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    if (value < 0)
      zero += nodes[i].value;
    if (value >= Elements)
      nan += nodes[i].value;
    if (value & 1)
      smallZero += -0.0f;
  }
  uint64_t bits[2];
  __builtin_memcpy(bits, &zero, sizeof zero);
  __builtin_memcpy(bits + 1, &nan, sizeof nan);
  return bits[0] ^ bits[1] ^ __builtin_signbit(smallZero);
}

// Unused afterwards, or used by nothing else.
NOINLINE int64_t throughReference(int64_t n, int64_t &sum, int64_t *most) {
  int64_t localMost = *most;
  ASYNC_LOOP(CLAUSES) {
    int64_t value = table[table[keys[i]]];
    sum += value;
    localMost = std::max(localMost, value);
  }
  *most = localMost;
  return 0;
}

int main() {
  prepare();
  printPrograms();
  printForAllCounts("through reference", [](int64_t n) {
    int64_t sum = 17, most = 0;
    throughReference(n, sum, &most);
    return sum * 3 + most;
  });
}
