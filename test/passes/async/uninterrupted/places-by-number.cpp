// What iterations note in places that follow from their numbers, where several
// iterations have the same place.
//
// RUN: %same_output -fno-exceptions %fopenmp | FileCheck %s
// CHECK-COUNT-15: remark: loop not interleaved: {{.*(that all iterations share|that is used behind it)}}
// CHECK: remark: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

struct State {
  int64_t value;
};
static State states[256], first, second;

NOINLINE static void add(State &state, int64_t key) {
  state.value += table[key];
}
NOINLINE static void set(State &state, int64_t to) { state.value = to; }
NOINLINE static int64_t take(const State &state) { return state.value; }

/// A loop whose iterations begin a sum at \p place, and have a callee add to it
/// what takes long to compute.
#define NOTED(name, place)                                                     \
  PROGRAM(name) {                                                              \
    int64_t sum = 0;                                                           \
    _Pragma("omp parallel for num_threads(1) reduction(+ : sum)")              \
        ASYNC_LOOP(CLAUSES) {                                                  \
      State &state = place;                                                    \
      set(state, i);                                                           \
      add(state, table[table[keys[i]]]);                                       \
      sum += take(state);                                                      \
    }                                                                          \
    return sum;                                                                \
  }

NOTED(remainder, states[i % 3])
NOTED(quotient, states[i / 100])
NOTED(shifted, states[i >> 3 & 63])
NOTED(masked, states[i & 7])
NOTED(hashed, states[uint32_t(i) * 2654435761u >> 26])
NOTED(narrow, states[uint8_t(i)])
NOTED(clamped, states[i < 20 ? i : 20])
NOTED(oneOfTwo, i & 1 ? first : second)
NOTED(firstOnly, i == 0 ? first : second)
NOTED(scaledBack, states[i * 5 & 15])

NOINLINE static State &stateOf(int64_t number) {
  asm volatile("");
  return states[number % 5];
}
NOTED(lookedUp, stateOf(i))

static int64_t slotOf(int64_t number) { return number % 6; }
NOTED(chosenInline, states[slotOf(i)])

/// The same with a place that moves from iteration to iteration.
#define ROTATING(name, start, next)                                            \
  PROGRAM(name) {                                                              \
    int64_t sum = 0;                                                           \
    State *one = &first, *other = &second, *place = start;                     \
    (void)one, (void)other;                                                    \
    ASYNC_LOOP(CLAUSES) {                                                      \
      State &state = *place;                                                   \
      next;                                                                    \
      set(state, i);                                                           \
      add(state, table[table[keys[i]]]);                                       \
      sum += take(state);                                                      \
    }                                                                          \
    return sum;                                                                \
  }

ROTATING(ring, states, if (++place == states + 3) place = states)
ROTATING(flips, one, place = place == one ? other : one)
ROTATING(mirrored, states + 7, place = states + (7 - (place - states)))

// Each iteration has a place of its own.
static State own[100000];
NOTED(ofItsOwn, own[i])

int main() {
  prepare();
  printPrograms();
}
