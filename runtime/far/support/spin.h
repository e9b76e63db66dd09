/*===- spin.h - Locks that are held for a moment --------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_SUPPORT_SPIN_H
#define HEDDLE_RUNTIME_FAR_SUPPORT_SPIN_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

static inline bool heddle_try_lock(atomic_flag *in_use) {
  return !atomic_flag_test_and_set_explicit(in_use, memory_order_acquire);
}

static inline void heddle_lock(atomic_flag *in_use) {
  for (unsigned spins = 0; !heddle_try_lock(in_use);)
    if (++spins % 64 == 0)
      sched_yield();
}

static inline void heddle_unlock(atomic_flag *in_use) {
  atomic_flag_clear_explicit(in_use, memory_order_release);
}

#endif
