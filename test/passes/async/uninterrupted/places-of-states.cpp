// What iterations note in places that they choose, or that they find through
// pointers, which they read again each time: in slots of an array, in objects
// that a function returns, and in objects that are reached in two ways.
//
// RUN: %same_output -fno-exceptions %fopenmp | FileCheck %s
// CHECK-COUNT-13: remark: loop not interleaved: {{.*(that all iterations share|that is used behind it)}}
// CHECK: remark: interleaved the loop's iterations
// CHECK-NOT: interleaved

#include "../Inputs/program.h"

#include <string.h>

enum { Places = 61 };
static int64_t sums[Places];

static void clear() { memset(sums, 0, sizeof sums); }

static int64_t total() {
  int64_t sum = 0;
  for (int64_t value : sums)
    sum = sum * 31 + value;
  return sum;
}

/// What takes long, from the second load on.
#define FAR table[table[table[i]]]

/// A loop that notes what an iteration works on, and then uses it. The
/// iterations of a worksharing loop have no order that would keep it whole.
#define NOTED(name, note, use)                                                 \
  PROGRAM(name) {                                                              \
    clear();                                                                   \
    _Pragma("omp parallel for num_threads(1)") ASYNC_LOOP(CLAUSES) {           \
      const int64_t place = keys[i] % Places, slot = keys[i] % 8;              \
      (void)slot;                                                              \
      note;                                                                    \
      const int64_t by = FAR;                                                  \
      use;                                                                     \
    }                                                                          \
    return total();                                                            \
  }

static int64_t scratch[8];
NOINLINE static void set(int64_t slot, int64_t to) { scratch[slot] = to; }
NOINLINE static void bump(int64_t slot, int64_t by) {
  sums[scratch[slot]] += by;
}
NOTED(chosenByIndex, set(slot, place), bump(slot, by))
NOTED(usedInline, set(slot, place), sums[scratch[slot]] += by)

struct State {
  int64_t unused, place;
};
static State states[8];
NOINLINE static void setIn(State *state, int64_t to) { state->place = to; }
NOINLINE static void bumpIn(const State *state, int64_t by) {
  sums[state->place] += by;
}
NOTED(chosenByPointer, setIn(&states[slot], place), bumpIn(&states[slot], by))

static State *current = &states[3];
static State **indirect = &current;
NOINLINE static void setCurrent(int64_t to) { (*indirect)->place = to; }
NOINLINE static void bumpCurrent(int64_t by) { sums[current->place] += by; }
NOTED(notedInline, (*indirect)->place = place, bumpCurrent(by))
NOTED(readInline, setCurrent(place), sums[current->place] += by)
NOTED(twoWays, setCurrent(place), bumpCurrent(by))

NOINLINE static State *get() {
  asm volatile("");
  return current;
}
NOTED(returned, get()->place = place, sums[get()->place] += by)
NOTED(returnedToCallees, setIn(get(), place), bumpIn(get(), by))

static int64_t ring[4][2];
static unsigned next;
NOINLINE static int64_t *format(int64_t number) {
  int64_t *const to = ring[next++ % 4];
  to[0] = number;
  to[1] = number * 3;
  return to;
}
NOINLINE static void addFormatted(const int64_t *from, int64_t by) {
  sums[from[0]] += from[1] + by;
}
NOTED(ringOfBuffers, const int64_t *const text = format(place),
      addFormatted(text, by))

struct Owner {
  State *state = current;
  NOINLINE void set(int64_t to) { state->place = to; }
};
static Owner owner;
NOTED(throughMember, owner.set(place), sums[owner.state->place] += by)

static void (*volatile unseen)(int64_t) noexcept = [](int64_t to) noexcept {
  current->place = to;
};
NOTED(unseenNote, unseen(place), sums[current->place] += by)

// What a function that is not known returns may be its one buffer.
static const char *(*volatile textOf)(int64_t) = [](int64_t number) {
  static char text[3];
  text[0] = char('0' + number / 10);
  text[1] = char('0' + number % 10);
  return static_cast<const char *>(text);
};
NOTED(returnedBuffer, const char *text = textOf(place),
      sums[(text[0] - '0') * 10 + text[1] - '0'] += by)

// The flag ends a state; no one reads it.
static int word;
NOINLINE static void relax() noexcept {
  static int times;
  if (++times == 1000)
    __builtin_trap();
}
NOTED(
    exchangedByAssembly,
    for (int old = 1; old != 0;) {
      asm volatile("xchgl %0, %1" : "+r"(old), "+m"(word)::"memory");
      if (old)
        relax();
    },
    sums[place] += by;
    asm volatile("" :: : "memory"); *(volatile int *)&word = 0)

// Each iteration has a place of its own.
static int64_t own[Elements];
NOINLINE static void setOwn(int64_t at, int64_t to) { own[at] = to; }
NOINLINE static int64_t getOwn(int64_t at) { return own[at]; }
NOTED(ownPlaces, setOwn(i, place), sums[getOwn(i)] += by)

int main() {
  prepare();
  printPrograms();
}
