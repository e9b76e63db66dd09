// An iteration draws a number, by which it waits for its turn at a lock or for
// the one in front of it: once it has the number, others wait for it, and it is
// not suspended until it has given the lock back. Else the programs wait for
// ever.
//
// RUN: %same_output -fno-exceptions %fopenmp | FileCheck %s
// CHECK-NOT: remark: loop not
// CHECK-COUNT-12: remark: interleaved the loop's iterations

#include "../../Inputs/counts.h"

#include <atomic>

enum { Places = 64, Stripes = 16 };

#define SPIN_WHILE(condition)                                                  \
  while (condition) {                                                          \
  }

/// A loop that draws a number, waits for memory, waits for the lock, updates
/// `counts` and gives the lock back. There is one thread, which spins for ever
/// if it waits for itself.
#define NUMBERED(name, draw, wait, give)                                       \
  PROGRAM(name) {                                                              \
    clear();                                                                   \
    _Pragma("omp parallel for num_threads(1) schedule(dynamic)")               \
        ASYNC_LOOP(CLAUSES) {                                                  \
      const int64_t stripe = table[table[keys[i] / 2]] % Stripes;              \
      (void)stripe;                                                            \
      const auto number = draw;                                                \
      wait;                                                                    \
      counts[keys[i] % Places] += table[stripe];                               \
      give;                                                                    \
    }                                                                          \
    return countsSum();                                                        \
  }

static unsigned next[Stripes], turns[Stripes];
NUMBERED(ticket, __atomic_fetch_add(&next[stripe], 1u, __ATOMIC_RELAXED),
         SPIN_WHILE(__atomic_load_n(&turns[stripe], __ATOMIC_ACQUIRE) !=
                    number),
         __atomic_fetch_add(&turns[stripe], 1u, __ATOMIC_RELEASE))

static unsigned next2, turn2;
NUMBERED(storedTurn, __atomic_fetch_add(&next2, 1u, __ATOMIC_RELAXED),
         SPIN_WHILE(__atomic_load_n(&turn2, __ATOMIC_ACQUIRE) != number),
         __atomic_store_n(&turn2, number + 1, __ATOMIC_RELEASE))

static std::atomic<unsigned> next3[Stripes], turns3[Stripes];
NOINLINE static unsigned draw3(int64_t at) {
  return next3[at].fetch_add(1, std::memory_order_relaxed);
}
NOINLINE static void wait3(int64_t at, unsigned number){
    SPIN_WHILE(turns3[at].load(std::memory_order_acquire) != number)} NOINLINE
    static void give3(int64_t at) {
  turns3[at].fetch_add(1, std::memory_order_release);
}
NUMBERED(inFunctions, draw3(stripe), wait3(stripe, number), give3(stripe))

// The number is drawn two calls away, and comes by way of a pointer.
static unsigned next11[Stripes], turns11[Stripes];
NOINLINE static unsigned count11(int64_t at) {
  return __atomic_fetch_add(&next11[at], 1u, __ATOMIC_RELAXED);
}
NOINLINE static unsigned draw11(int64_t at) { return count11(at) + 3; }
NUMBERED(inCallees, draw11(stripe),
         SPIN_WHILE(__atomic_load_n(&turns11[stripe], __ATOMIC_ACQUIRE) + 3 !=
                    number),
         __atomic_fetch_add(&turns11[stripe], 1u, __ATOMIC_RELEASE))

static unsigned next12[Stripes], turns12[Stripes];
struct Drawn {
  int64_t at;
  unsigned number;
  int64_t more[2];
};
NOINLINE static void draw12(int64_t at, Drawn *drawn) {
  *drawn = {at, __atomic_fetch_add(&next12[at], 1u, __ATOMIC_RELAXED), {}};
}
NUMBERED(
    byPointer,
    [&] {
      Drawn drawn;
      draw12(stripe, &drawn);
      return drawn.number;
    }(),
    SPIN_WHILE(__atomic_load_n(&turns12[stripe], __ATOMIC_ACQUIRE) != number),
    __atomic_fetch_add(&turns12[stripe], 1u, __ATOMIC_RELEASE))

static unsigned next4, turn4;
NOINLINE static unsigned draw4() {
  unsigned number = __atomic_load_n(&next4, __ATOMIC_RELAXED);
  SPIN_WHILE(!__atomic_compare_exchange_n(&next4, &number, number + 1, true,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
  return number;
}
NUMBERED(byExchange, draw4(),
         SPIN_WHILE(__atomic_load_n(&turn4, __ATOMIC_ACQUIRE) != number),
         __atomic_fetch_add(&turn4, 1u, __ATOMIC_RELEASE))

// Each waits at a place of its own, behind that of the one in front of it.
static std::atomic<bool> flags5[Stripes] = {true};
static std::atomic<unsigned> next5;
NUMBERED(places, next5.fetch_add(1, std::memory_order_relaxed) % Stripes,
         SPIN_WHILE(!flags5[number].load(std::memory_order_acquire)),
         flags5[number].store(false, std::memory_order_relaxed);
         flags5[(number + 1) % Stripes].store(true, std::memory_order_release))

static std::atomic<unsigned> next6, turn6;
NUMBERED(lessThan, next6.fetch_add(1),
         SPIN_WHILE(turn6.load(std::memory_order_acquire) < number),
         turn6.store(number + 1, std::memory_order_release))

static volatile unsigned next7, turn7;
NUMBERED(builtins, __sync_fetch_and_add(&next7, 1),
         SPIN_WHILE(turn7 != number) __sync_synchronize(), __sync_synchronize();
         turn7 = number + 1)

// Both numbers are halves of one word.
static std::atomic<uint64_t> word8;
NUMBERED(oneWord, uint32_t(word8.fetch_add(uint64_t(1) << 32) >> 32),
         SPIN_WHILE(uint32_t(word8.load(std::memory_order_acquire)) != number),
         word8.fetch_add(1, std::memory_order_release))

struct Lock9 {
  std::atomic<int> next{0}, turn{0};
};
static Lock9 locks9[Stripes];
NUMBERED(object, locks9[stripe].next.fetch_add(1, std::memory_order_relaxed),
         SPIN_WHILE(locks9[stripe].turn.load(std::memory_order_acquire) -
                    number),
         locks9[stripe].turn.store(number + 1, std::memory_order_release))

// The number is that behind the own one.
static unsigned next10, turn10;
NUMBERED(behind, __atomic_add_fetch(&next10, 2u, __ATOMIC_RELAXED),
         SPIN_WHILE(__atomic_load_n(&turn10, __ATOMIC_ACQUIRE) + 2 != number),
         __atomic_add_fetch(&turn10, 2u, __ATOMIC_RELEASE))

int main() {
  prepare();
  printPrograms();
}
