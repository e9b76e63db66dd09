/*===- cache.h - Pages of far memory in memory -----------------------------===
 *
 * As many frames as fit into the stated size, in shards. Each shard has a lock
 * of its own and evicts by the clock algorithm with two hands: the first
 * forgets that a page has been used, and has it written if it is dirty; the
 * second, a quarter of a turn later, takes what has not been used since, unless
 * it is pinned or on its way.
 *
 * All pages of a block have the same shard. Frames that are taken one after the
 * other mostly lie side by side, so that a block which is read at once is
 * contiguous in memory too: devices may handle each piece on its own.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_CACHE_H
#define HEDDLE_RUNTIME_FAR_CACHE_H

#include "far/region.h"
#include "heddle/amu.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum heddle_far_state {
  HeddleFarEmpty,
  HeddleFarReading, /* somebody reads it */
  HeddleFarPresent,
  HeddleFarWriting, /* it is being written, and may be used */
  HeddleFarFailed   /* it could not be read */
};

struct heddle_far_ring;
struct heddle_far_waiter;

struct heddle_far_frame {
  struct heddle_far_page
      near; /* first: what compiled loops have a pointer to */
  uint64_t page;
  _Atomic int state; /* changed under the lock of the shard */
  _Atomic int pins;
  _Atomic bool is_referenced;
  int error;                         /* errno, if failed */
  struct heddle_far_waiter *waiters; /* for what is being read */
  struct heddle_far_frame *next;     /* in its chain */
  /* The one of the next page, if both are transferred in one request. */
  struct heddle_far_frame *neighbour;
  /* Where the request is that it is the first of. */
  _Atomic(struct heddle_far_ring *) ring;
};

/* Makes the cache, if there is none yet. 0, or -1 with errno. */
int heddle_far_set_up(void);

/* The most pages of a block, and of one request. */
enum { HeddleFarBlock = 64 };

/* The first page behind the block of `page`. */
uint64_t heddle_far_block_end(uint64_t page);

/* The first page behind `page` and those that may be read with it, in one
 * request. */
uint64_t heddle_far_run_end(uint64_t page);

/* So many pages, or fewer if that is a notable part of the cache. */
uint64_t heddle_far_share(uint64_t pages);

/* All frames lie in one piece. */
void *heddle_far_frames(size_t *bytes);

enum heddle_far_taken {
  HeddleFarTaken,  /* the page is in the frame, or is being read into it */
  HeddleFarMissed, /* the frame is the page's, and the caller is to read it */
  HeddleFarFull    /* there is none to be had now */
};

/* Finds the frame of a page or gets one for it, and pins it if it is asked for.
 * `waiter`, if there is one, waits for a page that is being read, as then is
 * said in `*waits`. May write another page. */
enum heddle_far_taken heddle_far_take(uint64_t page, bool pins,
                                      struct heddle_far_waiter *waiter,
                                      bool *waits,
                                      struct heddle_far_frame **frame);

static inline bool heddle_far_is_dirty(const struct heddle_far_frame *frame) {
  return __atomic_load_n(&frame->near.is_dirty, __ATOMIC_SEQ_CST);
}

static inline void heddle_far_set_dirty(struct heddle_far_frame *frame,
                                        bool is_dirty) {
  __atomic_store_n(&frame->near.is_dirty, is_dirty, __ATOMIC_SEQ_CST);
}

static inline void heddle_far_unpin(struct heddle_far_frame *frame) {
  atomic_fetch_sub_explicit(&frame->pins, 1, memory_order_release);
}

/* Ends the reading or writing of a frame, with an errno if it failed. Returns
 * those that wait for it. */
struct heddle_far_waiter *heddle_far_transferred(struct heddle_far_frame *frame,
                                                 int error);

/* Takes `waiter` from those that wait for `page`. False if its page is there,
 * and it has been woken or is going to be. `*unwanted` is the frame if nobody
 * waits for it any longer, or NULL. */
bool heddle_far_forsake(struct heddle_far_waiter *waiter, uint64_t page,
                        struct heddle_far_frame **unwanted);

/* Gives up the page of a frame whose reading has been cancelled. False if
 * somebody needs it, and it has to be read again. */
bool heddle_far_abandon(struct heddle_far_frame *frame);

/* Nobody else has anything of the cache in hand until it is released. */
void heddle_far_hold_cache(void);
void heddle_far_release_cache(void);

/* In a child process: takes the pages that are being read out of the cache, so
 * that whoever waits for them goes on, and reads them again. What is dirty or
 * being written is the parent's to write. */
void heddle_far_leave_transfers(void);

/* Writes all dirty pages of the region at `address`, and if `forgets`, takes
 * its pages out of the cache. The first errno, or 0. */
int heddle_far_write_back(uint64_t address, bool forgets);

#endif
