/*===- access.c - Loads and stores that wait ------------------------------===*/

#include "far/task.h"
#include "heddle/amu.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define HEDDLE_API __attribute__((visibility("default")))

/* The page that the thread has accessed last stays pinned, and what lies in
 * several pages is put together. */
static __thread struct {
  struct heddle_far_frame *pinned;
  /* The page that has been read last, and how many behind it are asked for if
   * it is followed by the next. */
  uint64_t last_read, ahead;
  char *joined;
  uint64_t joined_bytes;
} own;

/* Asks for pages behind the one that is being read, ever more of them if pages
 * are read one after the other. */
static void read_ahead(uint64_t page) {
  enum { MostAhead = 64 };
  if (page != own.last_read + 1) {
    own.ahead = 0;
    own.last_read = page;
    return;
  }
  own.ahead = own.ahead ? own.ahead * 2 : 2;
  if (own.ahead > MostAhead)
    own.ahead = MostAhead;
  own.last_read = page;
  uint64_t address = page << HeddleFarPageBits;
  const struct heddle_far_region *region = heddle_far_region(address);
  uint64_t left =
      (region->size - heddle_far_offset(address) - 1) >> HeddleFarPageBits;
  for (uint64_t i = 1; i <= own.ahead && i <= left; ++i) {
    struct heddle_far_frame *frame;
    switch (heddle_far_take(page + i, false, NULL, NULL, &frame)) {
    case HeddleFarMissed:
      heddle_far_start(frame);
      own.last_read = page + i;
      break;
    case HeddleFarTaken:
      own.last_read = page + i;
      break;
    case HeddleFarFull:
      return;
    }
  }
}

static void *pin_page(uint64_t page) {
  /* The frame may have lost its page when a region was closed, but as long as
   * it is pinned it gets no other. */
  if (own.pinned && own.pinned->page == page &&
      atomic_load_explicit(&own.pinned->state, memory_order_relaxed) !=
          HeddleFarEmpty)
    return own.pinned->bytes;
  if (own.pinned)
    heddle_far_unpin(own.pinned);
  own.pinned = NULL;
  heddle_far_join_thread();
  struct heddle_far_frame *frame;
  for (;;) {
    enum heddle_far_taken taken =
        heddle_far_take(page, true, NULL, NULL, &frame);
    if (taken == HeddleFarMissed) {
      heddle_far_start(frame);
      read_ahead(page);
    }
    if (taken != HeddleFarFull)
      break;
    heddle_far_progress();
  }
  heddle_far_wait(frame);
  if (atomic_load(&frame->state) == HeddleFarFailed)
    heddle_far_fail(page << HeddleFarPageBits, "reading", frame->error);
  own.pinned = frame;
  return frame->bytes;
}

void heddle_far_leave_thread(void) {
  if (own.pinned)
    heddle_far_unpin(own.pinned);
  own.pinned = NULL;
  free(own.joined);
  own.joined = NULL;
  own.joined_bytes = 0;
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
  return (char *)pin_page(address >> HeddleFarPageBits) +
         (address & (HEDDLE_FAR_PAGE_BYTES - 1));
}

static const void *join(uint64_t address, uint64_t bytes) {
  if (bytes > own.joined_bytes) {
    free(own.joined);
    own.joined = aligned_alloc(64, (bytes + 63) & ~(uint64_t)63);
    own.joined_bytes = bytes;
    if (!own.joined)
      heddle_far_fail(address, "reading", ENOMEM);
  }
  for (uint64_t done = 0; done < bytes;) {
    uint64_t here = left_in_page(address + done);
    here = here < bytes - done ? here : bytes - done;
    memcpy(own.joined + done, pin(address + done), here);
    done += here;
  }
  return own.joined;
}

HEDDLE_API const void *heddle_far_load(uint64_t address, uint64_t bytes) {
  check(address, bytes, "reading");
  return bytes <= left_in_page(address) ? pin(address) : join(address, bytes);
}

HEDDLE_API void heddle_far_store(uint64_t address, const void *from,
                                 uint64_t bytes) {
  check(address, bytes, "writing");
  if (!heddle_far_region(address)->is_writable)
    heddle_far_fail(address, "writing", EROFS);
  while (bytes > 0) {
    uint64_t here = left_in_page(address);
    here = here < bytes ? here : bytes;
    memcpy(pin(address), from, here);
    /* Not before: who writes the page takes the mark away first. */
    atomic_store(&own.pinned->is_dirty, true);
    address += here;
    from = (const char *)from + here;
    bytes -= here;
  }
}

HEDDLE_API void heddle_far_read(void *to, uint64_t address, uint64_t bytes) {
  check(address, bytes, "reading");
  while (bytes > 0) {
    uint64_t here = left_in_page(address);
    here = here < bytes ? here : bytes;
    memcpy(to, pin(address), here);
    address += here;
    to = (char *)to + here;
    bytes -= here;
  }
}

HEDDLE_API void heddle_far_move(uint64_t to, uint64_t from, uint64_t bytes) {
  check(from, bytes, "reading");
  check(to, bytes, "writing");
  char part[1024];
  const bool is_upwards = to > from;
  while (bytes > 0) {
    uint64_t here = bytes < sizeof part ? bytes : sizeof part;
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
  check(address, bytes, "writing");
  char part[1024];
  memset(part, value, bytes < sizeof part ? bytes : sizeof part);
  while (bytes > 0) {
    uint64_t here = bytes < sizeof part ? bytes : sizeof part;
    heddle_far_store(address, part, here);
    address += here;
    bytes -= here;
  }
}
