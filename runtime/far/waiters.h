/*===- waiters.h - Tasks and the pages they wait for ----------------------===
 *
 * The tasks of a loop wait under their ids. An id is finished, and is delivered
 * to the loop, when it is awaited and all its requests have completed.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_WAITERS_H
#define HEDDLE_RUNTIME_FAR_WAITERS_H

#include "heddle/amu.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct heddle_far_frame;

enum { HeddleFarNoId = -1 };

/* The requests that the ids of one loop wait for. */
struct heddle_far_waits {
  /* For each id: the requests in flight plus one until the id is awaited; then
   * the requests in flight, until there are none and the id is finished. */
  _Atomic int pending[HEDDLE_AMU_IDS];
  /* Finished ids: a stack that any thread may push on. */
  _Atomic int finished;
  int next_finished[HEDDLE_AMU_IDS];
  _Atomic unsigned waiting; /* waiters in use */
};

/* A task that waits for a page. */
struct heddle_far_waiter {
  struct heddle_far_waiter *next;
  struct heddle_far_waits *waits;
  uint64_t page;
  /* The first frame of the request that reads the page, if the loop has started
   * that request, and may cancel it. */
  struct heddle_far_frame *started;
  uint32_t id;
  _Atomic bool is_used;
};

/* Begins with no task waiting, and no id awaited. */
void heddle_far_reset_waits(struct heddle_far_waits *waits);

/* Finishes an id: all its requests have completed. */
void heddle_far_finish(struct heddle_far_waits *waits, int id);

/* Counts one completed request of an id. */
static inline void heddle_far_arrived(struct heddle_far_waits *waits,
                                      uint64_t id) {
  assert(id < HEDDLE_AMU_IDS);
  const int pending = atomic_fetch_sub(&waits->pending[id], 1);
  assert(pending > 0);
  if (pending == 1)
    heddle_far_finish(waits, (int)id);
}

/* The page of a list of waiters is there. */
void heddle_far_wake(struct heddle_far_waiter *waiter);

/* Makes `id` wait for a page with a free waiter. */
static inline void heddle_far_use_waiter(struct heddle_far_waiter *waiter,
                                         struct heddle_far_waits *waits,
                                         uint64_t page, uint64_t id) {
  assert(!atomic_load(&waiter->is_used) && id < HEDDLE_AMU_IDS);
  waiter->waits = waits;
  waiter->page = page;
  waiter->id = (uint32_t)id;
  waiter->started = NULL;
  atomic_store_explicit(&waiter->is_used, true, memory_order_relaxed);
  atomic_fetch_add_explicit(&waits->waiting, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&waits->pending[id], 1, memory_order_relaxed);
}

/* Undoes heddle_far_use_waiter() if the page has turned out to be in memory. */
static inline void heddle_far_unuse_waiter(struct heddle_far_waiter *waiter) {
  struct heddle_far_waits *waits = waiter->waits;
  assert(atomic_load(&waiter->is_used));
  atomic_fetch_sub_explicit(&waits->pending[waiter->id], 1,
                            memory_order_relaxed);
  atomic_fetch_sub_explicit(&waits->waiting, 1, memory_order_relaxed);
  atomic_store_explicit(&waiter->is_used, false, memory_order_relaxed);
}

/* Frees a waiter whose page has arrived, or which no longer waits. */
void heddle_far_release_waiter(struct heddle_far_waiter *waiter);

#endif
