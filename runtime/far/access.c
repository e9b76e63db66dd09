/*===- access.c - Loads and stores that wait ------------------------------===*/

#include "far/cache.h"
#include "far/support/thread.h"
#include "far/transfer.h"
#include "far/whole.h"
#include "heddle/amu.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEDDLE_API __attribute__((visibility("default")))

/* A page without accessible bytes. */
static struct heddle_far_page nowhere;

/* Each is the beginning of a frame that is pinned, or `nowhere`. */
HEDDLE_API __thread struct heddle_far_page *heddle_far_near[HEDDLE_FAR_NEAR] = {
    &nowhere, &nowhere, &nowhere, &nowhere,
    &nowhere, &nowhere, &nowhere, &nowhere};

/* Pages that are accessed one after the other. */
struct scan {
  uint64_t page;   /* the last */
  uint64_t length; /* how many follow the first */
  uint64_t end;    /* the pages before it have been requested */
};

static __thread struct {
  struct scan scans[HEDDLE_FAR_NEAR];
  /* A buffer in which an object that spans several pages is assembled. */
  char *joined;
  uint64_t joined_bytes;
} own;

static unsigned near_index(uint64_t page) {
  return page >> (HeddleFarOffsetBits - HeddleFarPageBits) &
         (HEDDLE_FAR_NEAR - 1);
}

static struct heddle_far_frame *near_frame(unsigned index) {
  struct heddle_far_page *page = heddle_far_near[index];
  return page == &nowhere ? NULL : (struct heddle_far_frame *)page;
}

static void unpin(unsigned index) {
  if (near_frame(index))
    heddle_far_unpin(near_frame(index));
  heddle_far_near[index] = &nowhere;
}

static void unpin_all(void) {
  for (unsigned i = 0; i < HEDDLE_FAR_NEAR; ++i)
    unpin(i);
}

/* Unpins the pages that the thread has pinned. */
static void leave_thread(void) {
  unpin_all();
  free(own.joined);
  own.joined = NULL;
  own.joined_bytes = 0;
}

/* Requests pages in as few requests as possible. Returns the first for which
 * the cache has no room, or `end`. */
static uint64_t request(uint64_t begin, uint64_t end) {
  struct heddle_far_frame *run = NULL, **last = &run, *frame;
  uint64_t page = begin;
  for (; page < end; ++page) {
    enum heddle_far_taken taken =
        heddle_far_take(page, false, NULL, NULL, &frame);
    if (taken == HeddleFarFull)
      break;
    if (taken == HeddleFarMissed) {
      *last = frame;
      last = &frame->neighbour;
    } else if (run) {
      heddle_far_start(run);
      run = NULL;
      last = &run;
    }
  }
  if (run)
    heddle_far_start(run);
  return page;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* While pages are accessed one after the other, requests twice as many pages
 * behind them as the scan has accessed. Accesses to pages that another thread
 * has requested are no scan. */
static void read_ahead(uint64_t page, bool is_missed) {
  enum { MostAhead = 16 * HeddleFarBlock };
  struct scan *scan = &own.scans[near_index(page)];
  if (page != scan->page + 1 || (page >= scan->end && !is_missed)) {
    *scan = (struct scan){.page = page};
    return;
  }
  scan->page = page;
  ++scan->length;
  if (scan->end <= page)
    scan->end = page + 1;
  const uint64_t ahead = heddle_far_share(least(2 * scan->length, MostAhead));
  const uint64_t most = least(page + heddle_far_whole_pages(page),
                              heddle_far_block_end(scan->end));
  const uint64_t end = least(page + 1 + ahead, most);
  /* Requests neither single pages nor all pages at once. */
  if (end > scan->end && (end == most || end - scan->end >= scan->length))
    scan->end = request(scan->end, end);
}

/* Pins a frame for a region that is memory. */
static struct heddle_far_frame *pin_whole(uint64_t address) {
  const unsigned index = near_index(address >> HeddleFarPageBits);
  assert(heddle_far_region(address)->memory);
  struct heddle_far_frame *frame = near_frame(index);
  if (frame && frame->near.address == address - heddle_far_offset(address) &&
      atomic_load_explicit(&frame->state, memory_order_relaxed) !=
          HeddleFarEmpty)
    return frame;
  unpin(index);
  heddle_far_at_thread_end(HeddleFarPins, leave_thread);
  frame = heddle_far_take_whole(address);
  heddle_far_near[index] = &frame->near;
  return frame;
}

/* Keeps a page in memory until the thread accesses another one of the region,
 * or is out of room. A page that is overwritten as a whole is not read. */
static struct heddle_far_frame *pin_page(uint64_t page, bool is_overwritten) {
  const unsigned index = near_index(page);
  struct heddle_far_frame *frame = near_frame(index);
  /* The frame may have lost its page when a region was closed, but as long as
   * it is pinned it gets no other. */
  if (frame && frame->page == page &&
      atomic_load_explicit(&frame->state, memory_order_relaxed) !=
          HeddleFarEmpty)
    return frame;
  if (heddle_far_region(page << HeddleFarPageBits)->memory)
    return pin_whole(page << HeddleFarPageBits);
  /* A thread keeps its pins while it waits, and they must not fill a small
   * cache. */
  if (heddle_far_share(HeddleFarBlock) < HeddleFarBlock)
    unpin_all();
  unpin(index);
  heddle_far_at_thread_end(HeddleFarPins, leave_thread);
  enum heddle_far_taken taken;
  while ((taken = heddle_far_take(page, true, NULL, NULL, &frame)) ==
         HeddleFarFull) {
    unpin_all();
    heddle_far_progress();
  }
  if (taken == HeddleFarMissed && is_overwritten)
    heddle_far_need_not_read(frame);
  else if (taken == HeddleFarMissed)
    heddle_far_start(frame);
  if (!is_overwritten)
    read_ahead(page, taken == HeddleFarMissed);
  heddle_far_wait(frame);
  assert(frame->page == page && atomic_load(&frame->pins) > 0);
  if (atomic_load(&frame->state) == HeddleFarFailed)
    heddle_far_fail(page << HeddleFarPageBits, "reading", frame->error);
  heddle_far_near[index] = &frame->near;
  return frame;
}

static void check(uint64_t address, uint64_t bytes, const char *doing) {
  const struct heddle_far_region *region = heddle_far_region(address);
  uint64_t offset = heddle_far_offset(address);
  if (!region || offset > region->size || bytes > region->size - offset)
    heddle_far_fail(address, doing, EFAULT);
}

static uint64_t left_in_page(uint64_t address) {
  return HEDDLE_FAR_PAGE_BYTES - (address & (HEDDLE_FAR_PAGE_BYTES - 1));
}

static char *pin(uint64_t address) {
  const struct heddle_far_page *page =
      &pin_page(address >> HeddleFarPageBits, false)->near;
  return page->bytes + (address - page->address);
}

static const void *join(uint64_t address, uint64_t bytes) {
  if (bytes > own.joined_bytes) {
    free(own.joined);
    own.joined = aligned_alloc(64, (bytes + 63) & ~(uint64_t)63);
    own.joined_bytes = bytes;
    if (!own.joined)
      heddle_far_fail(address, "reading", ENOMEM);
  }
  heddle_far_read(own.joined, address, bytes);
  return own.joined;
}

HEDDLE_API const void *heddle_far_load(uint64_t address, uint64_t bytes) {
  check(address, bytes, "reading");
  return bytes <= left_in_page(address) ? pin(address) : join(address, bytes);
}

static void check_writable(uint64_t address, uint64_t bytes) {
  check(address, bytes, "writing");
  if (!heddle_far_region(address)->is_writable)
    heddle_far_fail(address, "writing", EROFS);
}

/* Stores the bytes of an object of `bytes` bytes that belong to one page: those
 * at `from`, or if that is NULL, copies of `value`. Returns their number. */
static uint64_t store_part(uint64_t address, const void *from, uint8_t value,
                           uint64_t bytes) {
  const uint64_t here = least(bytes, left_in_page(address));
  struct heddle_far_frame *frame =
      pin_page(address >> HeddleFarPageBits, here == HEDDLE_FAR_PAGE_BYTES);
  char *to = frame->near.bytes + (address - frame->near.address);
  assert(here > 0 && atomic_load(&frame->pins) > 0);
  if (from)
    memcpy(to, from, here);
  else
    memset(to, value, here);
  /* Marks the page after the store: a thread that writes the page removes the
   * mark first. */
  heddle_far_set_dirty(frame, true);
  return here;
}

HEDDLE_API void heddle_far_store(uint64_t address, const void *from,
                                 uint64_t bytes) {
  check_writable(address, bytes);
  while (bytes > 0) {
    uint64_t here = store_part(address, from, 0, bytes);
    address += here;
    from = (const char *)from + here;
    bytes -= here;
  }
}

HEDDLE_API struct heddle_far_page *heddle_far_change(uint64_t address,
                                                     uint64_t bytes) {
  check_writable(address, bytes);
  if (bytes > left_in_page(address))
    heddle_far_fail(address, "changing", EINVAL);
  return &pin_page(address >> HeddleFarPageBits, false)->near;
}

HEDDLE_API void heddle_far_read(void *to, uint64_t address, uint64_t bytes) {
  check(address, bytes, "reading");
  while (bytes > 0) {
    const uint64_t here = least(bytes, left_in_page(address));
    memcpy(to, pin(address), here);
    address += here;
    to = (char *)to + here;
    bytes -= here;
  }
}

HEDDLE_API void heddle_far_move(uint64_t to, uint64_t from, uint64_t bytes) {
  check(from, bytes, "reading");
  check(to, bytes, "writing");
  char part[HEDDLE_FAR_PAGE_BYTES];
  const bool is_upwards = to > from;
  while (bytes > 0) {
    /* Stores whole pages where possible: these need not be read. */
    const uint64_t in_page =
        is_upwards ? HEDDLE_FAR_PAGE_BYTES + 1 - left_in_page(to + bytes - 1)
                   : left_in_page(to);
    const uint64_t here = least(bytes, in_page);
    uint64_t offset = is_upwards ? bytes - here : 0;
    heddle_far_read(part, from + offset, here);
    heddle_far_store(to + offset, part, here);
    to += is_upwards ? 0 : here;
    from += is_upwards ? 0 : here;
    bytes -= here;
  }
}

HEDDLE_API void heddle_far_fill(uint64_t address, uint8_t value,
                                uint64_t bytes) {
  check_writable(address, bytes);
  while (bytes > 0) {
    uint64_t here = store_part(address, NULL, value, bytes);
    address += here;
    bytes -= here;
  }
}
