/*===- ring.h - Requests to devices ----------------------------------------===
 *
 * Each thread that accesses far memory has an io_uring. Whoever waits for a
 * page may take completions from any of them: the thread that has asked for it
 * may be waiting itself, for something else.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_RING_H
#define HEDDLE_RUNTIME_FAR_RING_H

#include "far/cache.h"

/* To be called by a thread before it pins a page or begins a loop: what it has
 * is given up when it ends. */
void heddle_far_join_thread(void);

/* Starts to read a page into its frame, or to write it, as the frame's state
 * says, and those of its neighbours with it, in one request. */
void heddle_far_start(struct heddle_far_frame *frame);

/* Says that a page is in its frame that was to be read: it is overwritten as a
 * whole. */
void heddle_far_need_not_read(struct heddle_far_frame *frame);

/* Asks for the reading of a frame and its neighbours to end early, if it is the
 * first of a request that has been started. What somebody needs nevertheless is
 * read again, and the rest leaves the cache; or it is too late, and everything
 * is read. The frame may have any state meanwhile. */
void heddle_far_cancel(struct heddle_far_frame *frame);

/* To be called before the file of the region at `address` is closed: requests
 * name it no longer. */
void heddle_far_forget_file(uint64_t address);

/* Waits for any page to arrive that somebody has asked for, or a moment. False
 * if one has arrived already. */
bool heddle_far_progress(void);

/* Submits what the thread has asked for, and takes what has arrived. */
void heddle_far_poll(void);

/* Waits until a frame is no longer being read. */
void heddle_far_wait(struct heddle_far_frame *frame);

/* Ends the program with a message. */
_Noreturn void heddle_far_give_up(const char *what, int error);

#endif
