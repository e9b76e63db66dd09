/*===- frames.h - Memory for pages of far memory --------------------------===
 *
 * A frame holds a page. Frames belong to shards, each with a lock of its own
 * and a hash table of the pages that its frames have. A page is always in the
 * shard of its block, so one request finds all of its pages in one shard.
 *
 * This file records the frame of each page and the tasks that wait for it.
 * cache.h decides which page is evicted, transfer.h moves pages to and from
 * devices.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_FRAMES_H
#define HEDDLE_RUNTIME_FAR_FRAMES_H

#include "far/region.h"
#include "far/support/spin.h"
#include "heddle/amu.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum heddle_far_state {
  HeddleFarEmpty,
  HeddleFarReading, /* it is being read */
  HeddleFarPresent,
  HeddleFarWriting, /* it is being written, and may be used */
  HeddleFarFailed   /* it could not be read */
};

struct heddle_far_channel;
struct heddle_far_waiter;

struct heddle_far_frame {
  struct heddle_far_page
      near; /* first: compiled loops have a pointer to this */
  uint64_t page;
  _Atomic int state; /* changed under the lock of the shard */
  _Atomic int pins;
  _Atomic bool is_referenced;
  int error;                         /* errno, if failed */
  struct heddle_far_waiter *waiters; /* for the page that is being read */
  struct heddle_far_frame *next;     /* in its chain */
  /* The frame of the next page, if both are transferred in one request. */
  struct heddle_far_frame *neighbour;
  /* The channel of the request whose first page this is. */
  _Atomic(struct heddle_far_channel *) channel;
};

struct heddle_far_shard {
  _Alignas(64) atomic_flag in_use;
  struct heddle_far_frame **chains;
  size_t chain_mask;
  struct heddle_far_frame *frames;
  size_t count;
  /* For cache.h: the position of the second hand of the clock, and counters. */
  size_t hand;
  uint64_t hits, misses, written;
};

/* All frames, whose memory is contiguous. */
struct heddle_far_frames {
  char *memory;
  size_t bytes;
  struct heddle_far_frame *frames;
  struct heddle_far_shard *shards;
  size_t shard_count; /* a power of two */
  unsigned block_bits;
};
extern __attribute__((
    visibility("hidden"))) struct heddle_far_frames heddle_far_frames;

/* Makes the frames, if there are none yet. Returns 0, or -1 with errno. */
int heddle_far_set_up(void);

/* The most pages of a block, and of one request. */
enum { HeddleFarBlock = 64 };

static inline uint64_t heddle_far_block_pages(void) {
  return (uint64_t)1 << heddle_far_frames.block_bits;
}

/* Returns `pages`, or fewer if that is a notable part of all frames. */
uint64_t heddle_far_share(uint64_t pages);

/* Returns the shard of a page. Consecutive blocks are distributed evenly, and
 * others too as far as possible. */
static inline struct heddle_far_shard *heddle_far_shard_of(uint64_t page) {
  uint64_t block = page >> heddle_far_frames.block_bits;
  block ^= block >> 24;
  block ^= block >> 12;
  block ^= block >> 6;
  return &heddle_far_frames.shards[block & (heddle_far_frames.shard_count - 1)];
}

/* Sets how much of a page may be accessed by threads that have it pinned. */
static inline void heddle_far_limit(struct heddle_far_frame *frame,
                                    uint64_t readable, uint64_t writable) {
  __atomic_store_n(&frame->near.readable, readable, __ATOMIC_RELAXED);
  __atomic_store_n(&frame->near.writable, writable, __ATOMIC_RELAXED);
}

static inline bool heddle_far_is_dirty(const struct heddle_far_frame *frame) {
  return __atomic_load_n(&frame->near.is_dirty, __ATOMIC_SEQ_CST);
}

static inline void heddle_far_set_dirty(struct heddle_far_frame *frame,
                                        bool is_dirty) {
  __atomic_store_n(&frame->near.is_dirty, is_dirty, __ATOMIC_SEQ_CST);
}

static inline void heddle_far_unpin(struct heddle_far_frame *frame) {
  const int pins =
      atomic_fetch_sub_explicit(&frame->pins, 1, memory_order_release);
  assert(pins > 0);
  (void)pins;
}

/*===- With the lock of the shard ----------------------------------------===*/

/* Returns the chain of frames that may contain a page. Chains of one block are
 * adjacent. */
static inline struct heddle_far_frame **
heddle_far_chain_of(struct heddle_far_shard *shard, uint64_t page) {
  uint64_t hash = (page >> heddle_far_frames.block_bits) * 0x9E3779B97F4A7C15;
  hash ^= hash >> 32;
  return &shard->chains[(hash + page) & shard->chain_mask];
}

/* The frame of a page, or NULL. */
static inline struct heddle_far_frame *
heddle_far_find(struct heddle_far_shard *shard, uint64_t page) {
  struct heddle_far_frame *frame = *heddle_far_chain_of(shard, page);
  while (frame && frame->page != page)
    frame = frame->next;
  return frame;
}

/* Gives an empty frame to a page that is going to be read into it. */
void heddle_far_assign(struct heddle_far_shard *shard,
                       struct heddle_far_frame *frame, uint64_t page);

/* Takes its page from a frame. */
void heddle_far_forget(struct heddle_far_shard *shard,
                       struct heddle_far_frame *frame);

/* Whether a frame is being read, and no task waits for it. */
bool heddle_far_is_unwanted(const struct heddle_far_frame *frame);

/*===- Without it --------------------------------------------------------===*/

/* Ends the reading or writing of a frame, with an errno if it failed. Returns
 * the waiters for it. */
struct heddle_far_waiter *heddle_far_transferred(struct heddle_far_frame *frame,
                                                 int error);

/* Takes `waiter` from the waiters for `page`. False if its page is there, and
 * it has been woken or is going to be. `*unwanted` is the frame if no task
 * waits for it any longer, or NULL. */
bool heddle_far_forsake(struct heddle_far_waiter *waiter, uint64_t page,
                        struct heddle_far_frame **unwanted);

/* Removes the page of a frame whose reading has been cancelled. False if a task
 * needs the page, and it has to be read again. */
bool heddle_far_abandon(struct heddle_far_frame *frame);

/* Locks all shards, so that no other thread changes a frame until they are
 * released. */
void heddle_far_hold_frames(void);
void heddle_far_release_frames(void);

/* In a child process: removes the pages that are being read from their frames.
 * The waiters for them are woken, and read them again. The parent writes the
 * pages that are dirty or being written. */
void heddle_far_leave_transfers(void);

#endif
