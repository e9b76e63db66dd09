// Loops whose tasks all pass the same suspension points, although they do not
// all do the same there.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-12: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"
#include <initializer_list>

PROGRAM(hops) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES)
    sum += table[keys[table[keys[i]]]];
  return sum;
}

// The number of rounds is only known at run time, and may be none.
NOINLINE int64_t rounds(int64_t n, int64_t count) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = keys[i];
    for (int64_t round = 0; round < count; ++round)
      at = table[(at + round) % Elements];
    sum += at;
  }
  return sum;
}

// A number that all tasks agree on and that decides where they suspend.
NOINLINE int64_t alternating(int64_t n, int64_t count) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = keys[i];
    uint64_t state = 1;
    for (int64_t round = 0; round < count; ++round) {
      state = state * 3 + 1;
      if (state & 4)
        at = table[at];
      else
        at ^= keys[table[at]] & 7;
    }
    sum += at * int64_t(state % 11);
  }
  return sum;
}

// The first probe is the same for all tasks, the others are not.
NOINLINE int64_t binarySearch(int64_t n, int64_t length) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t position = 0;
    for (int64_t remaining = length; remaining > 1;) {
      int64_t half = remaining / 2;
      if (table[position + half] <= keys[i])
        position += half;
      remaining -= half;
    }
    sum += position;
  }
  return sum;
}

// As is the root, where the number of rounds depends on the data.
PROGRAM(treeSearch) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = 5, steps = 0;
    do {
      at = table[at] ^ (keys[at] & keys[i]);
      ++steps;
    } while ((at & 6) && steps < 40);
    sum += at * steps;
  }
  return sum;
}

NOINLINE int64_t mixed(int64_t x) noexcept {
  asm volatile("" : "+r"(x));
  return x * 3;
}

// A variable that is assigned on the way to the next round.
NOINLINE int64_t assignedOnTheWay(int64_t n, int64_t rounds) {
  int64_t flag = 0, sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = 5, round = rounds;
#pragma clang loop unroll(disable)
    do {
      int64_t x = table[at];
      if (x & 1)
        x = mixed(x);
      if ((x & 63) == (keys[i] & 63))
        break;
      flag = 7;
      at = table[mixed(x ^ keys[i]) & (Elements - 1)];
    } while (--round);
    sum += at;
  }
  return sum * 10 + flag;
}

NOINLINE int64_t assignedInBlocks(int64_t n, int64_t rounds) {
  int64_t flag = 0, sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t round = rounds, start = keys[i];
#pragma clang loop unroll(disable)
    do {
      int64_t x = table[(start + round * 977) & (Elements - 1)];
      if (x & 1)
        x = mixed(x);
      if ((x & 63) == 3)
        break;
      flag = 7;
      x = mixed(x);
    } while (--round);
    sum += round;
  }
  return sum * 10 + flag;
}

// Tasks part between two suspension points and meet again.
PROGRAM(parting) {
  int64_t sum = 0, rare = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = table[keys[i]], length = 0;
    if (at & 1)
      for (int64_t rest = at; rest; rest /= 3)
        length += rest;
    else if (at % 5 == 0)
      ++rare;
    sum += table[at] + length;
  }
  return sum * 7 + rare;
}

// Tasks do not agree on values that depend on a branch at which they part.
NOINLINE int64_t divergent(int64_t n, int64_t count) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t at = keys[i], step = 1;
    for (int64_t round = 0; round < count; ++round) {
      at = table[(at + step) % Elements];
      if (at & 1)
        step += 2;
    }
    sum += at * step;
  }
  return sum;
}

// A loop that is not counted ends in the middle of a group.
PROGRAM(list) {
  int64_t sum = 0;
  const Node *last = n ? &nodes[n - 1] : nullptr;
#pragma heddle async CLAUSES
  for (const Node *node = n ? nodes : nullptr; node;
       node = node == last ? nullptr : node + 1)
    sum += table[keys[node->value]];
  return sum;
}

PROGRAM(locals) {
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    int64_t seen[4];
    seen[i & 3] = keys[i];
    seen[(i + 1) & 3] = table[seen[i & 3]];
    seen[(i + 2) & 3] = keys[seen[(i + 1) & 3]];
    sum += table[seen[(i + 2) & 3]] * seen[i & 3];
  }
  return sum;
}

// Values of other widths live across the suspensions.
PROGRAM(widths) {
  typedef double Four __attribute__((vector_size(32)));
  int64_t sum = 0;
  ASYNC_LOOP(CLAUSES) {
    const int64_t at = table[keys[i]];
    const Four four = {double(at), double(i), double(at ^ i), 0.5};
    const __int128 wide = __int128(at) << 64 | i;
    const uint8_t narrow = at;
    const bool odd = at & 1;
    const int64_t last = table[at];
    sum += int64_t(four[last & 3] * 2) + int64_t(wide >> (last & 63)) +
           narrow * (odd ? last : 3);
  }
  return sum;
}

int main() {
  prepare();
  printPrograms();
  for (int64_t count : {0, 1, 2, 7}) {
    printForAllCounts("rounds", [&](int64_t n) { return rounds(n, count); });
    printForAllCounts("alternating",
                      [&](int64_t n) { return alternating(n, count); });
    printForAllCounts("divergent",
                      [&](int64_t n) { return divergent(n, count); });
  }
  for (int64_t length : {0, 1, 2, 3, 100, int(Elements)})
    printForAllCounts("binarySearch",
                      [&](int64_t n) { return binarySearch(n, length); });
  for (int64_t count : {1, 2, 7, 40}) {
    printForAllCounts("assignedOnTheWay",
                      [&](int64_t n) { return assignedOnTheWay(n, count); });
    printForAllCounts("assignedInBlocks",
                      [&](int64_t n) { return assignedInBlocks(n, count); });
  }
}
