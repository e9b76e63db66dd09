/*===- transfer.h - Pages that are being transferred ----------------------===
 *
 * Each thread that accesses far memory has a channel: a device's queue, with a
 * lock. Any thread may take completions from any channel, because the thread
 * that has requested a page may itself be waiting for something else.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_TRANSFER_H
#define HEDDLE_RUNTIME_FAR_TRANSFER_H

#include "far/frames.h"

/* Starts to read a page into its frame, or to write it, as the frame's state
 * says, and its neighbours with it, in one request. */
void heddle_far_start(struct heddle_far_frame *frame);

/* Ends the reading of a page without a transfer: its frame is going to be
 * overwritten as a whole. */
void heddle_far_need_not_read(struct heddle_far_frame *frame);

/* Asks for the reading of a frame and its neighbours to end early, if it is the
 * first of a request that has been started. Pages that a task needs are read
 * again, and the others leave the cache; or it is too late, and all are read.
 * The frame may have any state meanwhile. */
void heddle_far_cancel(struct heddle_far_frame *frame);

/* Must be called before a file is closed: queues release it. */
void heddle_far_forget_file(const struct heddle_far_file *file);

/* Waits for any requested page to arrive, or a moment. False if one has arrived
 * already. */
bool heddle_far_progress(void);

/* Submits the thread's requests, and takes completions. */
void heddle_far_poll(void);

/* Waits until a frame is no longer being read. */
void heddle_far_wait(struct heddle_far_frame *frame);

/* In a child process: forgets the channels, which belong to its parent. */
void heddle_far_forget_channels(void);

#endif
