// A variable that an atomic operation on one place claims, or decides about, is
// one element with that place: nothing comes between the claim and what
// follows.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-8: remark: interleaved

#include "../Inputs/program.h"

#include <atomic>

#define FAR(x) table[table[(x) % Elements]]
#define RELAXED std::memory_order_relaxed

// Later iterations have less to wait for.
static int64_t waits(int64_t i) {
  int64_t at = keys[i];
  for (int64_t hop = 3 - (i & 3); hop > 0; --hop)
    at = table[at];
  return at;
}

PROGRAM(exchanged) {
  std::atomic<bool> taken = false;
  int64_t first = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    if (!taken.exchange(true, RELAXED))
      first = FAR(5);
    else
      first = first + at % 7;
    first -= at % 7;
  }
  return first;
}

PROGRAM(compared) {
  std::atomic<int64_t> owner = -1;
  int64_t first = 0, later = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    int64_t none = -1;
    if (owner.compare_exchange_strong(none, 7))
      first = FAR(5);
    else if (at >= 0)
      first += 5;
    later += at;
  }
  return first + later;
}

PROGRAM(setBit) {
  static std::atomic<unsigned> bits;
  bits = 0;
  int64_t first = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    const bool isFirst = !(bits.fetch_or(4) & 4);
    first = isFirst ? 100 : first + 3 + (at < 0);
  }
  return first;
}

PROGRAM(counted) {
  static std::atomic<int64_t> count;
  count = 0;
  int64_t first = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    if (count.fetch_add(1) == 0)
      first = FAR(9);
    else
      first ^= at >= 0;
  }
  return first + count;
}

PROGRAM(severalVariables) {
  std::atomic_flag taken = ATOMIC_FLAG_INIT;
  int64_t first = 0, second = 1;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    if (!taken.test_and_set()) {
      first = 10;
      second = 3;
    } else {
      first += at >= 0;
      second += 2;
    }
  }
  return first * 1000 + second;
}

PROGRAM(inNestedConditions) {
  std::atomic<int> taken = 0;
  int64_t first = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    if (at & 1)
      continue;
    bool isFirst = false;
    if (at % 4 == 0)
      isFirst = !taken.exchange(1);
    if (isFirst)
      first = 1000000;
    else if (at % 4 == 0)
      first += 5;
  }
  return first;
}

PROGRAM(inMemory) {
  static std::atomic<int> taken;
  static int64_t kept;
  int64_t *volatile place = &kept;
  int64_t *known = place;
  taken = 0;
  *known = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    if (!taken.exchange(1))
      *known = FAR(5);
    else
      *known += 1 + (at < 0);
  }
  return kept;
}

struct Cell {
  std::atomic<int> taken = 0;
  int64_t value = 0;
};

PROGRAM(inObject) {
  Cell *cell = new Cell;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    if (!cell->taken.exchange(1))
      cell->value = FAR(5);
    else
      cell->value += 1 + (at < 0);
  }
  const int64_t value = cell->value;
  delete cell;
  return value;
}

NOINLINE static bool claim(std::atomic<int> &taken) {
  return !taken.exchange(1);
}

PROGRAM(inCallee) {
  static std::atomic<int> taken;
  taken = 0;
  int64_t first = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    if (claim(taken))
      first = FAR(5);
    else
      first += 1 + (at < 0);
  }
  return first;
}

PROGRAM(loadedThenStored) {
  static std::atomic<int> taken;
  taken = 0;
  int64_t first = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    if (!taken.load(RELAXED)) {
      taken.store(1, RELAXED);
      first = FAR(5);
    } else {
      first += 1 + (at < 0);
    }
  }
  return first;
}

PROGRAM(plain) {
  static volatile int taken;
  taken = 0;
  int64_t first = 0;
#pragma heddle async CLAUSES
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = waits(i);
    if (!taken) {
      taken = 1;
      first = FAR(5);
    } else {
      first += 1 + (at < 0);
    }
  }
  return first;
}

int main() {
  prepare();
  printPrograms();
}
