/*===- waiters.c - Tasks and the pages they wait for ----------------------===*/

#include "far/waiters.h"

#include <assert.h>

void heddle_far_reset_waits(struct heddle_far_waits *waits) {
  assert(atomic_load(&waits->waiting) == 0);
  for (unsigned id = 0; id < HEDDLE_AMU_IDS; ++id)
    atomic_store_explicit(&waits->pending[id], 1, memory_order_relaxed);
  atomic_store(&waits->finished, HeddleFarNoId);
}

void heddle_far_finish(struct heddle_far_waits *waits, int id) {
  /* An id that is not awaited has one request too many. */
  atomic_store_explicit(&waits->pending[id], 1, memory_order_relaxed);
  int head = atomic_load_explicit(&waits->finished, memory_order_relaxed);
  do {
    assert(head != id && head >= HeddleFarNoId && head < HEDDLE_AMU_IDS);
    waits->next_finished[id] = head;
  } while (!atomic_compare_exchange_weak_explicit(
      &waits->finished, &head, id, memory_order_release, memory_order_relaxed));
}

void heddle_far_release_waiter(struct heddle_far_waiter *waiter) {
  struct heddle_far_waits *waits = waiter->waits;
  assert(atomic_load(&waiter->is_used) && atomic_load(&waits->waiting) > 0);
  atomic_store_explicit(&waiter->is_used, false, memory_order_release);
  /* The last that is done here to the loop, which may have ended then. */
  atomic_fetch_sub(&waits->waiting, 1);
}

void heddle_far_wake(struct heddle_far_waiter *waiter) {
  while (waiter) {
    struct heddle_far_waiter *next = waiter->next;
    heddle_far_arrived(waiter->waits, waiter->id);
    heddle_far_release_waiter(waiter);
    waiter = next;
  }
}
