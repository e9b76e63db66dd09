/*===- cache.c - Pages of far memory in memory ----------------------------===*/

#include "far/cache.h"

#include "far/ring.h"
#include "far/spin.h"
#include "far/task.h"
#include "heddle/far.h"
#include "heddle/heddle.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEDDLE_API __attribute__((visibility("default")))

enum {
  MostShards = 64,
  FramesInShard = 64,
  LeastFrames = 256,
  PartsOfCache = 32
};

struct shard {
  _Alignas(64) atomic_flag in_use;
  struct heddle_far_frame **chains;
  size_t chain_mask;
  struct heddle_far_frame *frames;
  size_t count, hand;
  uint64_t hits, misses, written;
};

static struct {
  void *memory;
  size_t bytes;
  struct heddle_far_frame *frames;
  struct shard *shards;
  size_t shard_count; /* a power of two */
  unsigned block_bits;
} cache;

static void lock(struct shard *shard) { heddle_lock(&shard->in_use); }
static void unlock(struct shard *shard) { heddle_unlock(&shard->in_use); }

static uint64_t hash(uint64_t page) {
  uint64_t mixed = page * 0x9E3779B97F4A7C15;
  return mixed ^ mixed >> 32;
}

static uint64_t block_pages(void) { return (uint64_t)1 << cache.block_bits; }

uint64_t heddle_far_block_end(uint64_t page) {
  return (page | (block_pages() - 1)) + 1;
}

uint64_t heddle_far_run_end(uint64_t page) {
  const uint64_t whole = heddle_far_whole_pages(page);
  const uint64_t end = heddle_far_block_end(page);
  if (whole == 0) /* the last, which may not be whole */
    return page + 1;
  return page + whole < end ? page + whole : end;
}

/* Blocks in order are dealt out evenly, and others too as far as possible. */
static struct shard *shard_of(uint64_t page) {
  uint64_t block = page >> cache.block_bits;
  block ^= block >> 24;
  block ^= block >> 12;
  block ^= block >> 6;
  return &cache.shards[block & (cache.shard_count - 1)];
}

static struct heddle_far_frame **chain_of(struct shard *shard, uint64_t page) {
  /* Those of a block are side by side. */
  uint64_t chain = hash(page >> cache.block_bits) + page;
  return &shard->chains[chain & shard->chain_mask];
}

static struct heddle_far_frame *find(struct shard *shard, uint64_t page) {
  struct heddle_far_frame *frame = *chain_of(shard, page);
  while (frame && frame->page != page)
    frame = frame->next;
  return frame;
}

/* Says how much of a page threads may access that have it pinned. */
static void limit(struct heddle_far_frame *frame, uint64_t readable,
                  uint64_t writable) {
  __atomic_store_n(&frame->near.readable, readable, __ATOMIC_RELAXED);
  __atomic_store_n(&frame->near.writable, writable, __ATOMIC_RELAXED);
}

static void forget(struct shard *shard, struct heddle_far_frame *frame) {
  struct heddle_far_frame **place = chain_of(shard, frame->page);
  while (*place != frame)
    place = &(*place)->next;
  *place = frame->next;
  limit(frame, 0, 0);
  atomic_store(&frame->state, HeddleFarEmpty);
}

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

/* What HEDDLE_FAR_CACHE says, or the size that is not said. */
static size_t asked_bytes(void) {
  size_t bytes = 256 << 20;
  const char *text = getenv("HEDDLE_FAR_CACHE");
  if (!text)
    return bytes;
  size_t stated = stated_bytes(text);
  if (stated >= LeastFrames * HEDDLE_FAR_PAGE_BYTES)
    return stated;
  fprintf(stderr,
          "heddle: warning: HEDDLE_FAR_CACHE='%s' ignored: expected a size of "
          "at least 1M\n",
          text);
  return bytes;
}

static int divide(size_t frames) {
  while (2 * block_pages() <= heddle_far_share(HeddleFarBlock))
    ++cache.block_bits;
  cache.shard_count = 1;
  while (cache.shard_count < MostShards &&
         frames / cache.shard_count >= 2 * FramesInShard)
    cache.shard_count *= 2;
  cache.shards = aligned_alloc(64, cache.shard_count * sizeof *cache.shards);
  cache.frames = calloc(frames, sizeof *cache.frames);
  if (!cache.shards || !cache.frames)
    return -1;
  for (size_t i = 0; i < frames; ++i)
    cache.frames[i].near.bytes =
        (char *)cache.memory + i * HEDDLE_FAR_PAGE_BYTES;
  size_t begin = 0;
  for (size_t i = 0; i < cache.shard_count; ++i) {
    struct shard *shard = &cache.shards[i];
    size_t end = frames / cache.shard_count * (i + 1);
    *shard = (struct shard){.in_use = ATOMIC_FLAG_INIT,
                            .frames = cache.frames + begin,
                            .count = end - begin,
                            .chain_mask = 1};
    begin = end;
    while (shard->chain_mask < shard->count)
      shard->chain_mask *= 2;
    shard->chains = calloc(shard->chain_mask, sizeof *shard->chains);
    if (!shard->chains)
      return -1;
    --shard->chain_mask;
  }
  return 0;
}

static int set_up_error;

/* What the cache has at most, until it is made, and then what it has. */
static struct {
  pthread_mutex_t in_use;
  bool is_made;
  size_t bytes; /* 0: nobody has asked */
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
  cache.bytes = decide_bytes(SIZE_MAX, true);
  cache.memory = heddle_remote_alloc(cache.bytes);
  if (!cache.memory || divide(cache.bytes >> HeddleFarPageBits) != 0)
    set_up_error = ENOMEM;
}

int heddle_far_set_up(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_up);
  return set_up_error ? (errno = set_up_error, -1) : 0;
}

uint64_t heddle_far_share(uint64_t pages) {
  const uint64_t part = (cache.bytes >> HeddleFarPageBits) / PartsOfCache;
  return pages < part ? pages : part;
}

void *heddle_far_frames(size_t *bytes) {
  *bytes = cache.bytes;
  return cache.memory;
}

/* What is stored from now on makes the page dirty again. */
static void claim(struct shard *shard, struct heddle_far_frame *frame) {
  atomic_store(&frame->state, HeddleFarWriting);
  heddle_far_set_dirty(frame, false);
  frame->neighbour = NULL;
  ++shard->written;
}

/* Claims a page that is to be written with the one beside it. NULL if there is
 * nothing to be written. */
static struct heddle_far_frame *claim_beside(struct shard *shard,
                                             uint64_t page) {
  struct heddle_far_frame *frame = find(shard, page);
  if (!frame || atomic_load(&frame->state) != HeddleFarPresent ||
      atomic_load(&frame->pins) != 0 || !heddle_far_is_dirty(frame))
    return NULL;
  claim(shard, frame);
  return frame;
}

/* Begins to write a dirty page, and dirty ones of its block beside it, without
 * the lock meanwhile. */
static void begin_write(struct shard *shard, struct heddle_far_frame *frame) {
  claim(shard, frame);
  struct heddle_far_frame *first = frame, *last = frame, *other;
  uint64_t end = heddle_far_block_end(frame->page);
  uint64_t begin = end - block_pages();
  /* The last page of a region may not be whole, and is written alone then. */
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
  unlock(shard);
  heddle_far_start(first);
  lock(shard);
}

/* The first hand. True if it has a page written. */
static bool look_ahead(struct shard *shard) {
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

/* A frame without a page, or NULL if there is none now. */
static struct heddle_far_frame *evict(struct shard *shard) {
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
    forget(shard, frame);
    return frame;
  }
  return NULL;
}

/* Gives a frame to a page. */
static void enter(struct shard *shard, struct heddle_far_frame *frame,
                  uint64_t page) {
  const uint64_t address = page << HeddleFarPageBits;
  const struct heddle_far_region *region = heddle_far_region(address);
  const uint64_t bytes =
      heddle_far_bytes_of_page(region, address) & ~(uint64_t)63;
  frame->page = page;
  frame->near.address = address;
  limit(frame, bytes, region->is_writable ? bytes : 0);
  frame->waiters = NULL;
  frame->neighbour = NULL;
  atomic_store_explicit(&frame->ring, NULL, memory_order_relaxed);
  frame->next = *chain_of(shard, page);
  *chain_of(shard, page) = frame;
  heddle_far_set_dirty(frame, false);
  atomic_store(&frame->state, HeddleFarReading);
}

enum heddle_far_taken heddle_far_take(uint64_t page, bool pins,
                                      struct heddle_far_waiter *waiter,
                                      bool *waits,
                                      struct heddle_far_frame **taken) {
  struct shard *shard = shard_of(page);
  lock(shard);
  struct heddle_far_frame *frame = find(shard, page);
  enum heddle_far_taken result = HeddleFarTaken;
  if (!frame) {
    frame = evict(shard);
    /* The lock may have been given up meanwhile. */
    struct heddle_far_frame *other = find(shard, page);
    if (other) {
      frame = other;
    } else if (!frame) {
      unlock(shard);
      return HeddleFarFull;
    } else {
      enter(shard, frame, page);
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
  unlock(shard);
  *taken = frame;
  return result;
}

/* There may be nobody to tell. */
static void note_write_error(const struct heddle_far_frame *frame, int error) {
  uint64_t address = frame->page << HeddleFarPageBits;
  struct heddle_far_region *region = heddle_far_region(address);
  if (!atomic_load(&region->is_synced))
    heddle_far_fail(address, "writing", error);
  int none = 0;
  atomic_compare_exchange_strong(&region->write_error, &none, error);
}

struct heddle_far_waiter *heddle_far_transferred(struct heddle_far_frame *frame,
                                                 int error) {
  /* Nobody else changes the state of what is being transferred. */
  if (atomic_load(&frame->state) == HeddleFarReading)
    error = heddle_far_examine(frame->page, frame->near.bytes, error);
  struct shard *shard = shard_of(frame->page);
  lock(shard);
  struct heddle_far_waiter *waiters = frame->waiters;
  frame->waiters = NULL;
  int state = HeddleFarPresent;
  if (error && atomic_load(&frame->state) == HeddleFarWriting) {
    note_write_error(frame, error);
    heddle_far_set_dirty(frame, true); /* still */
  } else if (error) {
    frame->error = error;
    state = HeddleFarFailed;
  }
  atomic_store(&frame->state, state);
  unlock(shard);
  return waiters;
}

/* With the lock. */
static bool is_unwanted(const struct heddle_far_frame *frame) {
  return atomic_load(&frame->state) == HeddleFarReading && !frame->waiters &&
         atomic_load(&frame->pins) == 0;
}

bool heddle_far_forsake(struct heddle_far_waiter *waiter, uint64_t page,
                        struct heddle_far_frame **unwanted) {
  struct shard *shard = shard_of(page);
  bool is_taken = false;
  *unwanted = NULL;
  lock(shard);
  struct heddle_far_frame *frame = find(shard, page);
  if (frame) {
    struct heddle_far_waiter **place = &frame->waiters;
    while (*place && *place != waiter)
      place = &(*place)->next;
    is_taken = *place != NULL;
    if (is_taken)
      *place = waiter->next;
    if (is_unwanted(frame))
      *unwanted = frame;
  }
  unlock(shard);
  return is_taken;
}

bool heddle_far_abandon(struct heddle_far_frame *frame) {
  struct shard *shard = shard_of(frame->page);
  lock(shard);
  const bool is_abandoned = is_unwanted(frame);
  if (is_abandoned)
    forget(shard, frame);
  unlock(shard);
  return is_abandoned;
}

void heddle_far_hold_cache(void) {
  pthread_mutex_lock(&size.in_use);
  for (size_t i = 0; i < cache.shard_count; ++i)
    lock(&cache.shards[i]);
}

void heddle_far_release_cache(void) {
  for (size_t i = 0; i < cache.shard_count; ++i)
    unlock(&cache.shards[i]);
  pthread_mutex_unlock(&size.in_use);
}

static void leave_to_parent(struct shard *shard,
                            struct heddle_far_frame *frame) {
  heddle_far_set_dirty(frame, false);
  if (atomic_load(&frame->state) == HeddleFarReading) {
    struct heddle_far_waiter *waiters = frame->waiters;
    forget(shard, frame);
    heddle_far_wake(waiters);
  } else if (atomic_load(&frame->state) == HeddleFarWriting) {
    atomic_store(&frame->state, HeddleFarPresent);
  }
}

void heddle_far_leave_transfers(void) {
  for (size_t i = 0; i < cache.shard_count; ++i) {
    struct shard *shard = &cache.shards[i];
    for (size_t k = 0; k < shard->count; ++k)
      leave_to_parent(shard, &shard->frames[k]);
  }
}

static bool is_of_region(const struct heddle_far_frame *frame,
                         uint64_t address) {
  return atomic_load(&frame->state) != HeddleFarEmpty &&
         frame->page >> (HeddleFarOffsetBits - HeddleFarPageBits) ==
             address >> HeddleFarOffsetBits;
}

/* Has what is read of the region for nobody cancelled. */
static void cancel_reads(uint64_t address) {
  for (size_t i = 0; i < cache.shard_count; ++i) {
    struct shard *shard = &cache.shards[i];
    lock(shard);
    for (size_t k = 0; k < shard->count; ++k) {
      struct heddle_far_frame *frame = &shard->frames[k];
      if (!is_of_region(frame, address) || !is_unwanted(frame))
        continue;
      unlock(shard);
      heddle_far_cancel(frame);
      lock(shard);
    }
    unlock(shard);
  }
}

/* Waits until a frame is neither read nor written. */
static void settle(struct shard *shard, struct heddle_far_frame *frame) {
  for (int state; state = atomic_load(&frame->state),
                  state == HeddleFarReading || state == HeddleFarWriting;) {
    unlock(shard);
    heddle_far_progress();
    lock(shard);
  }
}

int heddle_far_write_back(uint64_t address, bool forgets) {
  struct heddle_far_region *region = heddle_far_region(address);
  atomic_store(&region->is_synced, true);
  if (forgets)
    cancel_reads(address);
  for (unsigned pass = 0; pass < 2; ++pass)
    for (size_t i = 0; i < cache.shard_count; ++i) {
      struct shard *shard = &cache.shards[i];
      lock(shard);
      for (size_t k = 0; k < shard->count; ++k) {
        struct heddle_far_frame *frame = &shard->frames[k];
        if (!is_of_region(frame, address))
          continue;
        /* What is being written must be waited for at last, but not here. */
        if (pass == 0 && !heddle_far_is_dirty(frame))
          continue;
        settle(shard, frame);
        /* Meanwhile it may have got another page. */
        if (!is_of_region(frame, address))
          continue;
        if (pass == 0 && heddle_far_is_dirty(frame))
          begin_write(shard, frame);
        else if (pass == 1 && forgets)
          forget(shard, frame);
      }
      unlock(shard);
    }
  atomic_store(&region->is_synced, false);
  return atomic_exchange(&region->write_error, 0);
}

HEDDLE_API struct heddle_far_counts heddle_far_counts(void) {
  struct heddle_far_counts counts = {.cache_bytes = cache.bytes};
  for (size_t i = 0; i < cache.shard_count; ++i) {
    struct shard *shard = &cache.shards[i];
    lock(shard);
    counts.hits += shard->hits;
    counts.misses += shard->misses;
    counts.written += shard->written;
    unlock(shard);
  }
  return counts;
}
