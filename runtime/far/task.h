/*===- task.h - Who waits for what -----------------------------------------===
 *
 * Each thread that accesses far memory has an io_uring. Whoever waits for a
 * page may take completions from any of them: the thread that has asked for it
 * may be waiting itself, for something else.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_TASK_H
#define HEDDLE_RUNTIME_FAR_TASK_H

#include "far/cache.h"

struct heddle_amu;

/* A task that waits for a page. */
struct heddle_far_waiter {
  struct heddle_far_waiter *next;
  struct heddle_amu *amu;
  uint32_t id;
  _Atomic bool is_used;
};

/* To be called by a thread before it pins a page: heddle_far_leave_thread()
 * will be called when it ends. */
void heddle_far_join_thread(void);

/* Gives up what the thread has pinned. */
void heddle_far_leave_thread(void);

/* Starts to read a page into its frame, or to write it, as the frame's state
 * says, and those of its neighbours with it, in one request. */
void heddle_far_start(struct heddle_far_frame *frame);

/* Says that a page is in its frame that was to be read: it is overwritten as a
 * whole. */
void heddle_far_need_not_read(struct heddle_far_frame *frame);

/* Waits for any page to arrive that somebody has asked for, or a moment. */
void heddle_far_progress(void);

/* Waits until a frame is no longer being read. */
void heddle_far_wait(struct heddle_far_frame *frame);

#endif
