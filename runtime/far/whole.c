/*===- whole.c - Regions that are memory as a whole -----------------------===*/

#include "far/whole.h"

#include "far/support/spin.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

/* A frame that is not pinned stays for other regions. */
static struct heddle_far_frame *frames;
static atomic_flag in_use = ATOMIC_FLAG_INIT;

static uint64_t start_of(uint64_t address) {
  return address - heddle_far_offset(address);
}

/* Returns a free frame; called with the lock held. */
static struct heddle_far_frame *free_frame(void) {
  for (struct heddle_far_frame *frame = frames; frame; frame = frame->next)
    if (atomic_load_explicit(&frame->pins, memory_order_acquire) == 0)
      return frame;
  struct heddle_far_frame *frame = calloc(1, sizeof *frame);
  if (!frame)
    return NULL;
  frame->next = frames;
  frames = frame;
  return frame;
}

struct heddle_far_frame *heddle_far_take_whole(uint64_t address) {
  const struct heddle_far_region *region = heddle_far_region(address);
  assert(region && region->memory);
  heddle_lock(&in_use);
  struct heddle_far_frame *frame = free_frame();
  if (!frame)
    heddle_far_fail(address, "accessing", ENOMEM);
  atomic_store(&frame->pins, 1);
  frame->page = start_of(address) >> HeddleFarPageBits;
  frame->near.address = start_of(address);
  frame->near.bytes = region->memory;
  const uint64_t bytes = region->size & ~(uint64_t)63;
  heddle_far_limit(frame, bytes, bytes);
  atomic_store(&frame->state, HeddleFarPresent);
  heddle_unlock(&in_use);
  return frame;
}

void heddle_far_forget_whole(uint64_t address) {
  const uint64_t page = start_of(address) >> HeddleFarPageBits;
  heddle_lock(&in_use);
  for (struct heddle_far_frame *frame = frames; frame; frame = frame->next) {
    if (frame->page != page)
      continue;
    heddle_far_limit(frame, 0, 0);
    atomic_store(&frame->state, HeddleFarEmpty);
  }
  heddle_unlock(&in_use);
}

void heddle_far_hold_whole(void) { heddle_lock(&in_use); }

void heddle_far_release_whole(void) { heddle_unlock(&in_use); }
