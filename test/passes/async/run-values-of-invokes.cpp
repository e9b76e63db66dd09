// What calls return that may throw, used behind the place at which an iteration
// waits for its turn.
//
// RUN: %same_output | FileCheck %s
// CHECK-COUNT-5: remark: interleaved the loop's iterations

#include "Inputs/program.h"

static int64_t far(int64_t key) { return table[table[table[key]]]; }
static int64_t sums[Elements], out[Elements];

struct Oops {
  int64_t value;
};
NOINLINE static int64_t mayThrow(int64_t x, int64_t each) {
  if (x % each == 3)
    throw Oops{x};
  return x * 7 + 1;
}
static int64_t digest() {
  int64_t sum = 0;
  for (int64_t k = 0; k < Elements; ++k)
    sum = sum * 31 + sums[k] + out[k];
  return sum;
}

/// A walk whose number of steps is known at its end.
#define WALK(total)                                                            \
  int64_t total = 1;                                                           \
  for (int64_t k = keys[i]; k % 5; k = table[k])                               \
    total = total * 5 + keys[k];

PROGRAM(maximum) {
  int64_t best = 50, caught = 0;
  ASYNC_LOOP(CLAUSES) {
    try {
      const int64_t x = mayThrow(i * 5, 8);
      WALK(total)
      sums[i] += total;
      best = x > best ? x : best;
    } catch (const Oops &oops) {
      caught += oops.value;
    }
  }
  return best * 31 + caught;
}

PROGRAM(appended) {
  int64_t used = 0;
  ASYNC_LOOP(CLAUSES) {
    try {
      const int64_t x = mayThrow(i, 8);
      WALK(total)
      if (total & 1)
        out[used++] = x + total;
    } catch (const Oops &oops) {
      out[used++] = oops.value;
    }
  }
  return digest() + used;
}

PROGRAM(ordered) {
  int64_t state = 1;
  ASYNC_LOOP(CLAUSES) {
    try {
      const int64_t x = mayThrow(keys[i], 16);
      WALK(total)
      state = state * 3 + (x ^ total);
    } catch (const Oops &oops) {
      state = state * 5 + oops.value;
    }
  }
  return state;
}

PROGRAM(behindTheHandler) {
  int64_t state = 1;
  ASYNC_LOOP(CLAUSES) {
    int64_t x = 0;
    try {
      x = mayThrow(keys[i], 16);
    } catch (const Oops &oops) {
      x = -oops.value;
    }
    WALK(total)
    state = state * 3 + (x ^ total);
  }
  return state;
}

PROGRAM(two) {
  int64_t state = 1, used = 0;
  ASYNC_LOOP(CLAUSES) {
    try {
      const int64_t x = mayThrow(keys[i], 16);
      const int64_t y = mayThrow(far(x & (Elements - 1)), 32);
      state = state * 3 + (x ^ y);
      out[used++] = y;
    } catch (const Oops &oops) {
      state = state * 5 + oops.value;
    }
  }
  return state + digest();
}

PROGRAM(nestedHandlers) {
  int64_t state = 1;
  ASYNC_LOOP(CLAUSES) {
    try {
      const int64_t x = mayThrow(keys[i], 16);
      try {
        const int64_t y = mayThrow(far(x & (Elements - 1)), 4);
        state = state * 3 + (x ^ y);
      } catch (const Oops &inner) {
        state = state * 7 + x + inner.value;
      }
    } catch (const Oops &oops) {
      state = state * 5 + oops.value;
    }
  }
  return state;
}

PROGRAM(sometimes) {
  int64_t state = 1;
  ASYNC_LOOP(CLAUSES) {
    int64_t x = 7;
    try {
      if (keys[i] & 1)
        x = mayThrow(keys[i], 16);
      WALK(total)
      state = state * 3 + (x ^ total);
    } catch (...) {
    }
  }
  return state;
}

PROGRAM(inTheHandler) {
  int64_t state = 1;
  ASYNC_LOOP(CLAUSES) {
    try {
      const int64_t x = mayThrow(keys[i], 16);
      state += x;
      state = state * 3 + far(x & (Elements - 1));
    } catch (const Oops &oops) {
      const int64_t y = far(oops.value & (Elements - 1));
      state = state * 5 + y;
    }
  }
  return state;
}

struct Guard {
  int64_t &state, key;
  ~Guard() { state = state * 3 + key; }
};
PROGRAM(cleanedUp) {
  int64_t state = 1;
  ASYNC_LOOP(CLAUSES) {
    try {
      const int64_t y = far(keys[i]);
      Guard guard{state, y};
      state += mayThrow(keys[i] + y, 16);
    } catch (const Oops &oops) {
      state = state * 5 + oops.value;
    }
  }
  return state;
}

PROGRAM(hit) {
  int64_t found = -1;
  ASYNC_LOOP(CLAUSES) {
    try {
      const int64_t x = mayThrow(keys[i], 16);
      if (far(x & (Elements - 1)) == keys[n / 2]) {
        found = x;
        break;
      }
    } catch (const Oops &oops) {
      if (far(oops.value) == 11)
        break;
    }
  }
  return found;
}

int main() {
  prepare();
  printPrograms();
}
