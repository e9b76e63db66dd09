/*===- task.h - Who waits for what -----------------------------------------===
 *
 * The tasks of loops, as waiters for pages.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_TASK_H
#define HEDDLE_RUNTIME_FAR_TASK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct heddle_far_frame;
struct heddle_far_loop;

/* A task that waits for a page. */
struct heddle_far_waiter {
  struct heddle_far_waiter *next;
  struct heddle_far_loop *loop;
  uint64_t page;
  /* The first of those that are read with the page, if the loop has started
   * that, and may cancel it. */
  struct heddle_far_frame *started;
  uint32_t id;
  _Atomic bool is_used;
};

/* Says to all in a list that their page is there. */
void heddle_far_wake(struct heddle_far_waiter *waiter);

/* Gives up the loops of a thread that ends, or of a parent process. */
void heddle_far_leave_loops(void);
void heddle_far_forget_loops(void);

#endif
