/*===- cache.c - Which pages of far memory are in memory ------------------===*/

#include "far/cache.h"

#include "far/transfer.h"
#include "far/waiters.h"
#include "heddle/far.h"

#include <assert.h>

#define HEDDLE_API __attribute__((visibility("default")))

uint64_t heddle_far_block_end(uint64_t page) {
  return (page | (heddle_far_block_pages() - 1)) + 1;
}

uint64_t heddle_far_run_end(uint64_t page) {
  const uint64_t whole = heddle_far_whole_pages(page);
  const uint64_t end = heddle_far_block_end(page);
  if (whole == 0) /* the last, which may not be whole */
    return page + 1;
  return page + whole < end ? page + whole : end;
}

/* Marks a page as being written. Stores from now on make it dirty again. */
static void claim(struct heddle_far_shard *shard,
                  struct heddle_far_frame *frame) {
  assert(atomic_load(&frame->state) == HeddleFarPresent);
  assert(heddle_far_region(frame->page << HeddleFarPageBits)->is_writable);
  atomic_store(&frame->state, HeddleFarWriting);
  heddle_far_set_dirty(frame, false);
  frame->neighbour = NULL;
  ++shard->written;
}

/* Claims a dirty page that shall be written together with its neighbour.
 * Returns NULL if the page is not dirty. */
static struct heddle_far_frame *claim_beside(struct heddle_far_shard *shard,
                                             uint64_t page) {
  struct heddle_far_frame *frame = heddle_far_find(shard, page);
  if (!frame || atomic_load(&frame->state) != HeddleFarPresent ||
      atomic_load(&frame->pins) != 0 || !heddle_far_is_dirty(frame))
    return NULL;
  claim(shard, frame);
  return frame;
}

/* Starts to write a dirty page and the adjacent dirty pages of its block.
 * Releases the lock meanwhile. */
static void begin_write(struct heddle_far_shard *shard,
                        struct heddle_far_frame *frame) {
  claim(shard, frame);
  struct heddle_far_frame *first = frame, *last = frame, *other;
  uint64_t end = heddle_far_block_end(frame->page);
  uint64_t begin = end - heddle_far_block_pages();
  /* If the last page of a region is not whole, it is written alone. */
  uint64_t whole = heddle_far_whole_pages(frame->page);
  if (whole == 0)
    begin = frame->page;
  if (frame->page + whole < end)
    end = frame->page + whole;
  while (last->page + 1 < end &&
         (other = claim_beside(shard, last->page + 1)) != NULL)
    last = last->neighbour = other;
  while (first->page > begin &&
         (other = claim_beside(shard, first->page - 1)) != NULL) {
    other->neighbour = first;
    first = other;
  }
  assert(last->page - first->page < HeddleFarBlock);
  heddle_unlock(&shard->in_use);
  heddle_far_start(first);
  heddle_lock(&shard->in_use);
}

/* Moves the first hand. True if it has started to write a page. */
static bool look_ahead(struct heddle_far_shard *shard) {
  assert(shard->hand < shard->count);
  size_t place = (shard->hand + shard->count / 4) % shard->count;
  struct heddle_far_frame *frame = &shard->frames[place];
  if (atomic_load(&frame->state) != HeddleFarPresent ||
      atomic_load(&frame->pins) != 0)
    return false;
  atomic_store(&frame->is_referenced, false);
  if (!heddle_far_is_dirty(frame))
    return false;
  begin_write(shard, frame);
  return true;
}

/* Returns a frame without a page, or NULL if there is none now. */
static struct heddle_far_frame *evict(struct heddle_far_shard *shard) {
  enum { WritesAtOnce = 16 };
  unsigned writes = 0;
  for (size_t step = 0; step < 3 * shard->count && writes < WritesAtOnce;
       ++step) {
    writes += look_ahead(shard);
    struct heddle_far_frame *frame = &shard->frames[shard->hand];
    shard->hand = shard->hand + 1 == shard->count ? 0 : shard->hand + 1;
    int state = atomic_load(&frame->state);
    if (state == HeddleFarReading || state == HeddleFarWriting ||
        atomic_load_explicit(&frame->pins, memory_order_acquire) != 0)
      continue;
    if (state == HeddleFarEmpty)
      return frame;
    if (atomic_load(&frame->is_referenced))
      continue;
    if (heddle_far_is_dirty(frame)) {
      begin_write(shard, frame);
      ++writes;
      continue;
    }
    assert(!frame->waiters);
    heddle_far_forget(shard, frame);
    return frame;
  }
  return NULL;
}

enum heddle_far_taken heddle_far_take(uint64_t page, bool pins,
                                      struct heddle_far_waiter *waiter,
                                      bool *waits,
                                      struct heddle_far_frame **taken) {
  assert(!waiter || waiter->page == page);
  struct heddle_far_shard *shard = heddle_far_shard_of(page);
  heddle_lock(&shard->in_use);
  struct heddle_far_frame *frame = heddle_far_find(shard, page);
  enum heddle_far_taken result = HeddleFarTaken;
  if (!frame) {
    frame = evict(shard);
    /* The lock may have been given up meanwhile. */
    struct heddle_far_frame *other = heddle_far_find(shard, page);
    if (other) {
      frame = other;
    } else if (!frame) {
      heddle_unlock(&shard->in_use);
      return HeddleFarFull;
    } else {
      heddle_far_assign(shard, frame, page);
      result = HeddleFarMissed;
    }
  }
  ++*(result == HeddleFarMissed ? &shard->misses : &shard->hits);
  atomic_store_explicit(&frame->is_referenced, true, memory_order_relaxed);
  if (pins)
    atomic_fetch_add(&frame->pins, 1);
  if (waiter) {
    *waits = atomic_load(&frame->state) == HeddleFarReading;
    if (*waits) {
      waiter->next = frame->waiters;
      frame->waiters = waiter;
    }
  }
  heddle_unlock(&shard->in_use);
  *taken = frame;
  return result;
}

static bool is_of_region(const struct heddle_far_frame *frame,
                         uint64_t address) {
  return atomic_load(&frame->state) != HeddleFarEmpty &&
         frame->page >> (HeddleFarOffsetBits - HeddleFarPageBits) ==
             address >> HeddleFarOffsetBits;
}

/* Cancels reads of the region that no task waits for. */
static void cancel_reads(uint64_t address) {
  for (size_t i = 0; i < heddle_far_frames.shard_count; ++i) {
    struct heddle_far_shard *shard = &heddle_far_frames.shards[i];
    heddle_lock(&shard->in_use);
    for (size_t k = 0; k < shard->count; ++k) {
      struct heddle_far_frame *frame = &shard->frames[k];
      if (!is_of_region(frame, address) || !heddle_far_is_unwanted(frame))
        continue;
      heddle_unlock(&shard->in_use);
      heddle_far_cancel(frame);
      heddle_lock(&shard->in_use);
    }
    heddle_unlock(&shard->in_use);
  }
}

/* Waits until a frame is neither read nor written. */
static void settle(struct heddle_far_shard *shard,
                   struct heddle_far_frame *frame) {
  for (int state; state = atomic_load(&frame->state),
                  state == HeddleFarReading || state == HeddleFarWriting;) {
    heddle_unlock(&shard->in_use);
    heddle_far_progress();
    heddle_lock(&shard->in_use);
  }
}

int heddle_far_write_back(uint64_t address, bool forgets) {
  struct heddle_far_region *region = heddle_far_region(address);
  assert(region && !region->memory && !atomic_load(&region->is_synced));
  atomic_store(&region->is_synced, true);
  if (forgets)
    cancel_reads(address);
  for (unsigned pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < heddle_far_frames.shard_count; ++i) {
      struct heddle_far_shard *shard = &heddle_far_frames.shards[i];
      heddle_lock(&shard->in_use);
      for (size_t k = 0; k < shard->count; ++k) {
        struct heddle_far_frame *frame = &shard->frames[k];
        if (!is_of_region(frame, address))
          continue;
        /* The second pass waits for pages that are being written. */
        if (pass == 0 && !heddle_far_is_dirty(frame))
          continue;
        settle(shard, frame);
        /* The frame may have another page now. */
        if (!is_of_region(frame, address))
          continue;
        if (pass == 0 && heddle_far_is_dirty(frame))
          begin_write(shard, frame);
        else if (pass == 1 && forgets)
          heddle_far_forget(shard, frame);
      }
      heddle_unlock(&shard->in_use);
    }
  atomic_store(&region->is_synced, false);
  return atomic_exchange(&region->write_error, 0);
}

HEDDLE_API struct heddle_far_counts heddle_far_counts(void) {
  struct heddle_far_counts counts = {.cache_bytes = heddle_far_frames.bytes};
  for (size_t i = 0; i < heddle_far_frames.shard_count; ++i) {
    struct heddle_far_shard *shard = &heddle_far_frames.shards[i];
    heddle_lock(&shard->in_use);
    counts.hits += shard->hits;
    counts.misses += shard->misses;
    counts.written += shard->written;
    heddle_unlock(&shard->in_use);
  }
  return counts;
}
