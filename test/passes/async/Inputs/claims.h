// Values far away, and what loops need that claim elements by them.

#ifndef CLAIMS_H
#define CLAIMS_H

#include "program.h"

#include <string.h>

#define DIRECTIVE(...) HEDDLE_PRAGMA(heddle async __VA_ARGS__)

enum { Values = 1 << 12 };
inline uint32_t indices[Values];
inline uint64_t values[Values];

inline uint64_t far(uint64_t x) { return values[indices[indices[x % Values]]]; }

/// Where \p pointer leads, though the compiler does not know.
template <class T> NOINLINE T *samePlace(T *pointer) {
  asm volatile("" : "+r"(pointer));
  return pointer;
}

/// What `add` makes of the elements behind runs of `claims` with several
/// numbers of iterations, each of which begins with what `clear` leaves.
template <class Clear, class Add>
uint64_t sumOfRuns(void (*claims)(uint64_t), Clear clear, Add add) {
  uint64_t sum = 0;
  for (uint64_t count = 10; count < 500; count += 9) {
    clear();
    claims(count);
    add(sum);
  }
  return sum;
}

inline void setValues() {
  for (uint32_t k = 0; k < Values; ++k) {
    indices[k] = scramble(k) % Values;
    values[k] = scramble(k + 77);
  }
}

#endif
