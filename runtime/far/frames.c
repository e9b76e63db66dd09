/*===- frames.c - Memory for pages of far memory --------------------------===*/

#include "far/frames.h"

#include "far/waiters.h"
#include "heddle/far.h"
#include "heddle/heddle.h"
#include "host/environment.h"
#include "host/messages.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#define HEDDLE_API __attribute__((visibility("default")))

enum {
  MostShards = 64,
  FramesInShard = 64,
  LeastFrames = 256,
  PartsOfCache = 32
};

struct heddle_far_frames heddle_far_frames;

/*===- Making them -------------------------------------------------------===*/

/* HEDDLE_FAR_CACHE in bytes, or 0 if that is no size. */
static size_t stated_bytes(const char *text) {
  char *end;
  unsigned long long number = strtoull(text, &end, 10);
  unsigned shift = 0;
  if (*end == 'K' || *end == 'k')
    shift = 10;
  else if (*end == 'M' || *end == 'm')
    shift = 20;
  else if (*end == 'G' || *end == 'g')
    shift = 30;
  if (end == text || *text == '-' || end[shift != 0] != '\0' ||
      number > SIZE_MAX >> shift)
    return 0;
  return (size_t)number << shift;
}

/* Returns the size that HEDDLE_FAR_CACHE says, or the usual one. */
static size_t asked_bytes(void) {
  size_t bytes = 256 << 20;
  const char *text = heddle_environment("HEDDLE_FAR_CACHE");
  if (!text)
    return bytes;
  size_t stated = stated_bytes(text);
  if (stated >= LeastFrames * HEDDLE_FAR_PAGE_BYTES)
    return stated;
  heddle_warn("HEDDLE_FAR_CACHE='%s' ignored: expected a size of at least 1M",
              text);
  return bytes;
}

static int divide(size_t frames) {
  assert(frames >= LeastFrames);
  while (2 * heddle_far_block_pages() <= heddle_far_share(HeddleFarBlock))
    ++heddle_far_frames.block_bits;
  heddle_far_frames.shard_count = 1;
  while (heddle_far_frames.shard_count < MostShards &&
         frames / heddle_far_frames.shard_count >= 2 * FramesInShard)
    heddle_far_frames.shard_count *= 2;
  heddle_far_frames.shards = aligned_alloc(
      64, heddle_far_frames.shard_count * sizeof *heddle_far_frames.shards);
  heddle_far_frames.frames = calloc(frames, sizeof *heddle_far_frames.frames);
  if (!heddle_far_frames.shards || !heddle_far_frames.frames)
    return -1;
  for (size_t i = 0; i < frames; ++i)
    heddle_far_frames.frames[i].near.bytes =
        (char *)heddle_far_frames.memory + i * HEDDLE_FAR_PAGE_BYTES;
  size_t begin = 0;
  for (size_t i = 0; i < heddle_far_frames.shard_count; ++i) {
    struct heddle_far_shard *shard = &heddle_far_frames.shards[i];
    size_t end = frames / heddle_far_frames.shard_count * (i + 1);
    *shard =
        (struct heddle_far_shard){.in_use = ATOMIC_FLAG_INIT,
                                  .frames = heddle_far_frames.frames + begin,
                                  .count = end - begin,
                                  .chain_mask = 1};
    begin = end;
    while (shard->chain_mask < shard->count)
      shard->chain_mask *= 2;
    shard->chains = calloc(shard->chain_mask, sizeof *shard->chains);
    if (!shard->chains)
      return -1;
    --shard->chain_mask;
    assert((shard->chain_mask & (shard->chain_mask + 1)) == 0);
  }
  assert(heddle_far_block_pages() <= HeddleFarBlock);
  return 0;
}

static int set_up_error;

/* The size of the cache: an upper limit until it is made. */
static struct {
  pthread_mutex_t in_use;
  bool is_made;
  size_t bytes; /* 0: not decided yet */
} size = {.in_use = PTHREAD_MUTEX_INITIALIZER};

static size_t decide_bytes(size_t limit, bool is_made) {
  pthread_mutex_lock(&size.in_use);
  if (size.bytes == 0)
    size.bytes = asked_bytes() & ~(HEDDLE_FAR_PAGE_BYTES - 1);
  limit &= ~(HEDDLE_FAR_PAGE_BYTES - 1);
  if (limit < LeastFrames * HEDDLE_FAR_PAGE_BYTES)
    limit = LeastFrames * HEDDLE_FAR_PAGE_BYTES;
  if (!size.is_made && limit < size.bytes)
    size.bytes = limit;
  size.is_made |= is_made;
  const size_t bytes = size.bytes;
  pthread_mutex_unlock(&size.in_use);
  return bytes;
}

HEDDLE_API size_t heddle_far_limit_cache(size_t bytes) {
  return decide_bytes(bytes, false);
}

static void set_up(void) {
  heddle_far_frames.bytes = decide_bytes(SIZE_MAX, true);
  heddle_far_frames.memory = heddle_remote_alloc(heddle_far_frames.bytes);
  if (!heddle_far_frames.memory ||
      divide(heddle_far_frames.bytes >> HeddleFarPageBits) != 0)
    set_up_error = ENOMEM;
}

int heddle_far_set_up(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_up);
  return set_up_error ? (errno = set_up_error, -1) : 0;
}

uint64_t heddle_far_share(uint64_t pages) {
  const uint64_t part =
      (heddle_far_frames.bytes >> HeddleFarPageBits) / PartsOfCache;
  return pages < part ? pages : part;
}

/*===- Pages in frames ---------------------------------------------------===*/

void heddle_far_forget(struct heddle_far_shard *shard,
                       struct heddle_far_frame *frame) {
  struct heddle_far_frame **place = heddle_far_chain_of(shard, frame->page);
  assert(atomic_load(&frame->state) != HeddleFarEmpty);
  while (*place != frame) {
    assert(*place); /* a frame that has a page is in its chain */
    place = &(*place)->next;
  }
  *place = frame->next;
  heddle_far_limit(frame, 0, 0);
  atomic_store(&frame->state, HeddleFarEmpty);
}

void heddle_far_assign(struct heddle_far_shard *shard,
                       struct heddle_far_frame *frame, uint64_t page) {
  const uint64_t address = page << HeddleFarPageBits;
  const struct heddle_far_region *region = heddle_far_region(address);
  const uint64_t bytes =
      heddle_far_bytes_of_page(region, address) & ~(uint64_t)63;
  assert(region && !region->memory);
  assert(heddle_far_offset(address) < region->size);
  assert(!heddle_far_find(shard, page));
  assert(atomic_load(&frame->state) == HeddleFarEmpty);
  frame->page = page;
  frame->near.address = address;
  heddle_far_limit(frame, bytes, region->is_writable ? bytes : 0);
  frame->waiters = NULL;
  frame->neighbour = NULL;
  atomic_store_explicit(&frame->channel, NULL, memory_order_relaxed);
  frame->next = *heddle_far_chain_of(shard, page);
  *heddle_far_chain_of(shard, page) = frame;
  heddle_far_set_dirty(frame, false);
  atomic_store(&frame->state, HeddleFarReading);
}

/* Keeps the error for a thread that syncs the region. If no thread does, the
 * program ends. */
static void note_write_error(const struct heddle_far_frame *frame, int error) {
  uint64_t address = frame->page << HeddleFarPageBits;
  struct heddle_far_region *region = heddle_far_region(address);
  assert(region && region->is_writable && error > 0);
  if (!atomic_load(&region->is_synced))
    heddle_far_fail(address, "writing", error);
  int none = 0;
  atomic_compare_exchange_strong(&region->write_error, &none, error);
}

struct heddle_far_waiter *heddle_far_transferred(struct heddle_far_frame *frame,
                                                 int error) {
  /* No other thread changes the state of a page that is being transferred. */
  const int moved = atomic_load(&frame->state);
  assert(moved == HeddleFarReading || moved == HeddleFarWriting);
  if (moved == HeddleFarReading)
    error = heddle_far_examine(frame->page, frame->near.bytes, error);
  struct heddle_far_shard *shard = heddle_far_shard_of(frame->page);
  heddle_lock(&shard->in_use);
  struct heddle_far_waiter *waiters = frame->waiters;
  assert(!waiters || moved == HeddleFarReading);
  frame->waiters = NULL;
  int state = HeddleFarPresent;
  if (error && moved == HeddleFarWriting) {
    note_write_error(frame, error);
    heddle_far_set_dirty(frame, true); /* still */
  } else if (error) {
    frame->error = error;
    state = HeddleFarFailed;
  }
  atomic_store(&frame->state, state);
  heddle_unlock(&shard->in_use);
  return waiters;
}

bool heddle_far_is_unwanted(const struct heddle_far_frame *frame) {
  return atomic_load(&frame->state) == HeddleFarReading && !frame->waiters &&
         atomic_load(&frame->pins) == 0;
}

bool heddle_far_forsake(struct heddle_far_waiter *waiter, uint64_t page,
                        struct heddle_far_frame **unwanted) {
  struct heddle_far_shard *shard = heddle_far_shard_of(page);
  bool is_taken = false;
  *unwanted = NULL;
  heddle_lock(&shard->in_use);
  struct heddle_far_frame *frame = heddle_far_find(shard, page);
  if (frame) {
    struct heddle_far_waiter **place = &frame->waiters;
    while (*place && *place != waiter)
      place = &(*place)->next;
    is_taken = *place != NULL;
    if (is_taken)
      *place = waiter->next;
    if (heddle_far_is_unwanted(frame))
      *unwanted = frame;
  }
  heddle_unlock(&shard->in_use);
  return is_taken;
}

bool heddle_far_abandon(struct heddle_far_frame *frame) {
  struct heddle_far_shard *shard = heddle_far_shard_of(frame->page);
  heddle_lock(&shard->in_use);
  const bool is_abandoned = heddle_far_is_unwanted(frame);
  if (is_abandoned)
    heddle_far_forget(shard, frame);
  heddle_unlock(&shard->in_use);
  return is_abandoned;
}

void heddle_far_hold_frames(void) {
  pthread_mutex_lock(&size.in_use);
  for (size_t i = 0; i < heddle_far_frames.shard_count; ++i)
    heddle_lock(&heddle_far_frames.shards[i].in_use);
}

void heddle_far_release_frames(void) {
  for (size_t i = 0; i < heddle_far_frames.shard_count; ++i)
    heddle_unlock(&heddle_far_frames.shards[i].in_use);
  pthread_mutex_unlock(&size.in_use);
}

static void leave_to_parent(struct heddle_far_shard *shard,
                            struct heddle_far_frame *frame) {
  heddle_far_set_dirty(frame, false);
  if (atomic_load(&frame->state) == HeddleFarReading) {
    struct heddle_far_waiter *waiters = frame->waiters;
    heddle_far_forget(shard, frame);
    heddle_far_wake(waiters);
  } else if (atomic_load(&frame->state) == HeddleFarWriting) {
    atomic_store(&frame->state, HeddleFarPresent);
  }
}

void heddle_far_leave_transfers(void) {
  for (size_t i = 0; i < heddle_far_frames.shard_count; ++i) {
    struct heddle_far_shard *shard = &heddle_far_frames.shards[i];
    for (size_t k = 0; k < shard->count; ++k)
      leave_to_parent(shard, &shard->frames[k]);
  }
}
