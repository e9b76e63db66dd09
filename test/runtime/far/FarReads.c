//===- FarReads.c - Reads of far memory, step by step ---------------------===//

#include "FarReads.h"

#include "far/cache.h"
#include "far/transfer.h"

#include <stddef.h>

static struct heddle_far_frame *miss(uint64_t page, bool pins) {
  struct heddle_far_frame *frame = NULL;
  const enum heddle_far_taken taken =
      heddle_far_take(page, pins, NULL, NULL, &frame);
  return taken == HeddleFarMissed ? frame : NULL;
}

void cancelledRead(uint64_t address, unsigned count, bool pins) {
  const uint64_t page = address >> HeddleFarPageBits;
  struct heddle_far_frame *first = NULL, **last = &first, *frame = NULL;
  for (unsigned i = 0; i < count; ++i) {
    frame = miss(page + i, pins && i + 1 == count);
    if (!frame)
      break; /* it is there */
    *last = frame;
    last = &frame->neighbour;
  }
  if (!first)
    return;
  heddle_far_start(first);
  heddle_far_cancel(first);
  heddle_far_wait(first);
  if (pins && frame) {
    heddle_far_wait(frame);
    heddle_far_unpin(frame);
  }
}

bool isKeptIfCancelled(uint64_t address, bool pins) {
  struct heddle_far_frame *frame = miss(address >> HeddleFarPageBits, pins);
  if (!frame || heddle_far_abandon(frame))
    return false;
  heddle_far_start(frame);
  heddle_far_wait(frame);
  if (pins)
    heddle_far_unpin(frame);
  return true;
}

bool cancelOneOfReads(uint64_t address, unsigned count, unsigned which) {
  struct heddle_far_frame *chosen = NULL;
  heddle_far_poll();
  for (unsigned i = 0; i < count; ++i) {
    struct heddle_far_frame *frame =
        miss((address >> HeddleFarPageBits) + i, false);
    if (!frame)
      return false;
    heddle_far_start(frame);
    if (i == which)
      chosen = frame;
  }
  if (chosen)
    heddle_far_cancel(chosen);
  return true;
}

bool hasArrived(void) { return !heddle_far_progress(); }
