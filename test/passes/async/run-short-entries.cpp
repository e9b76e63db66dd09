// Loops with few iterations run a copy of the loop, and longer ones count by a
// variable of the loop, wherever it starts, whatever its step and type, and
// however the loop is left.
//
// RUN: %same_output | FileCheck %s
// CHECK-NOT: not interleaved
// CHECK-COUNT-15: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "Inputs/program.h"

static int64_t sum, calls;

/// Calls \p row for the parts of [0, n), many of which are short, some empty.
template <class Row> static int64_t forRows(int64_t n, Row row) {
  sum = calls = 0;
  for (int repetition = 0; repetition < 20; ++repetition)
    for (int64_t from = 0, length = 0; from < n; from += length, ++length) {
      length = length % 150;
      const int64_t to = from + length < n ? from + length : n;
      sum = sum * 31 + row(from, to) + ++calls;
    }
  return sum;
}

PROGRAM(fromStart) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t found = 0;
#pragma heddle async
    for (int64_t i = from; i < to; ++i)
      found += table[keys[table[i]]];
    return found;
  });
}

PROGRAM(backwards) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t found = 0;
#pragma heddle async
    for (int64_t i = to; i-- > from;)
      found += table[keys[table[i]]] ^ i;
    return found;
  });
}

PROGRAM(byThree) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t found = 0;
#pragma heddle async
    for (int64_t i = from; i < to; i += 3)
      found += table[keys[table[i]]] ^ i;
    return found;
  });
}

PROGRAM(downBySeven) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t last = -1;
#pragma heddle async
    for (int i = int(to) - 1; i >= int(from); i -= 7)
      if (table[keys[table[i]]] % 3 == 0)
        last = i;
    return last;
  });
}

PROGRAM(overPointers) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t found = 0;
#pragma heddle async
    for (const Node *at = nodes + from; at != nodes + to; ++at)
      found += table[keys[table[at->key]]];
    return found;
  });
}

PROGRAM(bytes) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t found = 0;
#pragma heddle async
    for (uint8_t i = uint8_t(from); i < uint8_t(to); ++i)
      found += table[keys[table[i]]];
    return found;
  });
}

PROGRAM(allShorts) {
  int64_t found = 0;
  int16_t i = INT16_MIN;
#pragma heddle async
  do
    found += table[keys[table[uint16_t(i) % (n + 1)]]];
  while (++i != INT16_MIN);
  return found + i;
}

PROGRAM(firstHit) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t hit = -1;
#pragma heddle async
    for (int64_t i = from; i < to; ++i)
      if (table[keys[table[i]]] % 128 == 9) {
        hit = i;
        break;
      }
    return hit;
  });
}

NOINLINE static int64_t search(const int64_t *from, const int64_t *to,
                               int64_t wanted) {
#pragma heddle async
  for (const int64_t *at = from; at < to; at += 2) {
    const int64_t value = table[keys[*at]];
    if (value % 64 == wanted)
      return at - from;
    if (value % 128 == 77)
      return -value;
  }
  return -1;
}

PROGRAM(twoReturns) {
  return forRows(n, [](int64_t from, int64_t to) {
    return search(keys + from, keys + to, from % 64);
  });
}

PROGRAM(firstHitBackwards) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t steps = 0;
#pragma heddle async
    for (uint32_t i = uint32_t(to); i > uint32_t(from); --i) {
      ++steps;
      if (table[keys[table[i - 1]]] % 32 == 5)
        break;
    }
    return steps;
  });
}

PROGRAM(lastValue) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t last = 0, found = 0;
#pragma heddle async
    for (int64_t i = from; i < to; ++i) {
      last = table[keys[table[i]]];
      found ^= last;
    }
    return found * 64 + last;
  });
}

PROGRAM(outputs) {
  static int64_t out[Elements];
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t count = 0;
#pragma heddle async
    for (int64_t i = from; i < to; ++i)
      if (table[keys[table[i]]] % 2)
        out[count++] = i;
    return count ? out[count - 1] : -1;
  });
}

PROGRAM(onCondition) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t found = 0;
#pragma heddle async if (calls % 2)
    for (int64_t i = from; i < to; ++i)
      found += table[keys[table[i]]];
    return found;
  });
}

PROGRAM(endsProgram) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t found = 0;
#pragma heddle async
    for (int64_t i = from; i < to; ++i) {
      const int64_t value = table[keys[table[i]]];
      switch (value) {
      case -1:
      case -2:
        throw value;
      default:
        found += value;
      }
    }
    return found;
  });
}

PROGRAM(countedTwice) {
  return forRows(n, [](int64_t from, int64_t to) {
    int64_t found = 0, turn = from * 3;
    const int64_t *at = keys + from;
#pragma heddle async
    for (; at != keys + to; ++at, turn -= 5)
      found += table[keys[*at]] ^ turn;
    return found + turn;
  });
}

int main() {
  prepare();
  printPrograms();
}
