/*===- cache.h - The pages that are in memory -----------------------------===
 *
 * Each shard of frames evicts by the clock algorithm with two hands: the first
 * forgets that a page has been used, and has it written if it is dirty; the
 * second, a quarter of a turn later, takes a page that has not been used since,
 * unless it is pinned or being transferred.
 *
 * Frames that are taken one after the other are mostly adjacent, so that a
 * block which is read at once is contiguous in memory too: devices may handle
 * each piece on its own.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_CACHE_H
#define HEDDLE_RUNTIME_FAR_CACHE_H

#include "far/frames.h"

/* The first page behind the block of `page`. */
uint64_t heddle_far_block_end(uint64_t page);

/* Returns the end of the range of pages, from `page` on, that may be read in
 * one request. */
uint64_t heddle_far_run_end(uint64_t page);

enum heddle_far_taken {
  HeddleFarTaken,  /* the page is in the frame, or is being read into it */
  HeddleFarMissed, /* the frame is the page's, and the caller is to read it */
  HeddleFarFull    /* all frames are in use */
};

/* Finds the frame of a page or takes one for it, and pins it if `pins`. If the
 * page is being read, `waiter`, unless it is NULL, waits for it, and `*waits`
 * is set. May start to write other pages. */
enum heddle_far_taken heddle_far_take(uint64_t page, bool pins,
                                      struct heddle_far_waiter *waiter,
                                      bool *waits,
                                      struct heddle_far_frame **frame);

/* Writes all dirty pages of the region at `address`. If `forgets`, evicts its
 * pages. Returns the first errno, or 0. */
int heddle_far_write_back(uint64_t address, bool forgets);

#endif
