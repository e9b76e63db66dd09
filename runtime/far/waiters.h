/*===- waiters.h - Who waits for which page -------------------------------===
 *
 * The tasks of a loop wait under their ids. An id is finished, and is delivered
 * to the loop, when it is awaited and nothing that it waits for is missing.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_WAITERS_H
#define HEDDLE_RUNTIME_FAR_WAITERS_H

#include "heddle/amu.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct heddle_far_frame;

enum { HeddleFarNoId = -1 };

/* What the ids of one loop wait for. */
struct heddle_far_waits {
  /* For each id one more than there are requests under way, until the id is
   * awaited; then what there is, until it is 0 and the id is finished. */
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
  /* The first of those that are read with the page, if the loop has started
   * that, and may cancel it. */
  struct heddle_far_frame *started;
  uint32_t id;
  _Atomic bool is_used;
};

/* Nobody waits, and no id is awaited. */
void heddle_far_reset_waits(struct heddle_far_waits *waits);

/* One thing is there that an id waits for. */
void heddle_far_arrived(struct heddle_far_waits *waits, uint64_t id);

/* The page of a list of waiters is there. */
void heddle_far_wake(struct heddle_far_waiter *waiter);

/* Has `id` wait for a page by a waiter that is free. */
void heddle_far_use_waiter(struct heddle_far_waiter *waiter,
                           struct heddle_far_waits *waits, uint64_t page,
                           uint64_t id);

/* Takes that back if the page has turned out to be there. */
void heddle_far_unuse_waiter(struct heddle_far_waiter *waiter);

/* Frees a waiter whose page is there, or which waits no longer. */
void heddle_far_release_waiter(struct heddle_far_waiter *waiter);

#endif
