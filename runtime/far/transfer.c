/*===- transfer.c - Pages on their way ------------------------------------===*/

#include "far/transfer.h"

#include "far/devices/device.h"
#include "far/region.h"
#include "far/support/failure.h"
#include "far/support/spin.h"
#include "far/support/thread.h"
#include "far/waiters.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

/* Channels stay when their threads end, for the next threads. */
struct heddle_far_channel {
  struct heddle_far_channel *next;     /* of all */
  struct heddle_far_channel *next_own; /* of the thread, for other devices */
  _Atomic bool is_owned;
  atomic_flag in_use;
  const struct heddle_far_device *device;
  struct heddle_far_queue *queue; /* NULL: pages are moved one by one */
};

static _Atomic(struct heddle_far_channel *) channels;

/* Given back when the thread ends. */
static __thread struct heddle_far_channel *own;

/*===- A thread's channels -----------------------------------------------===*/

static struct heddle_far_channel *
create_channel(const struct heddle_far_device *device) {
  struct heddle_far_channel *channel = calloc(1, sizeof *channel);
  if (!channel)
    heddle_far_give_up("no memory for a queue", ENOMEM);
  channel->device = device;
  channel->queue =
      device->make_queue(heddle_far_frames.memory, heddle_far_frames.bytes);
  atomic_store(&channel->is_owned, true);
  channel->next = atomic_load(&channels);
  while (!atomic_compare_exchange_weak(&channels, &channel->next, channel))
    ;
  return channel;
}

static void leave_channels(void) {
  while (own) {
    struct heddle_far_channel *next = own->next_own;
    atomic_store(&own->is_owned, false);
    own = next;
  }
}

void heddle_far_forget_channels(void) {
  atomic_store(&channels, NULL);
  own = NULL;
}

/* Returns a channel that a thread has left, or a new one. */
static struct heddle_far_channel *
get_channel(const struct heddle_far_device *device) {
  heddle_far_at_thread_end(HeddleFarChannels, leave_channels);
  for (struct heddle_far_channel *channel = atomic_load(&channels); channel;
       channel = channel->next) {
    bool is_owned = false;
    if (channel->device == device &&
        atomic_compare_exchange_strong(&channel->is_owned, &is_owned, true))
      return channel;
  }
  return create_channel(device);
}

static struct heddle_far_channel *
own_channel(const struct heddle_far_device *device) {
  for (struct heddle_far_channel *channel = own; channel;
       channel = channel->next_own)
    if (channel->device == device)
      return channel;
  struct heddle_far_channel *channel = get_channel(device);
  channel->next_own = own;
  return own = channel;
}

/*===- Completions -------------------------------------------------------===*/

static int move(const struct heddle_far_frame *frame) {
  return atomic_load(&frame->state) == HeddleFarWriting
             ? heddle_far_write_page(frame->page, frame->near.bytes)
             : heddle_far_read_page(frame->page, frame->near.bytes);
}

/* Ends the transfer of a frame and its neighbours. Unless it is done, moves one
 * page after the other. */
static void finish_run(struct heddle_far_frame *frame, bool is_done) {
  while (frame) {
    /* The frame may have another page when this one's is known to be there. */
    struct heddle_far_frame *neighbour = frame->neighbour;
    heddle_far_wake(heddle_far_transferred(frame, is_done ? 0 : move(frame)));
    frame = neighbour;
  }
}

/* Ends the reading of a frame and its neighbours, which has been cancelled. */
static void finish_cancelled(struct heddle_far_frame *frame) {
  while (frame) {
    struct heddle_far_frame *neighbour = frame->neighbour;
    frame->neighbour = NULL;
    if (!heddle_far_abandon(frame))
      finish_run(frame, false);
    frame = neighbour;
  }
}

static void complete(struct heddle_far_completion completion) {
  struct heddle_far_frame *frame = completion.cookie;
  if (completion.result == -ECANCELED || completion.result == -EINTR) {
    finish_cancelled(frame);
    return;
  }
  int expected = 0;
  for (struct heddle_far_frame *page = frame; page; page = page->neighbour)
    expected += (int)HEDDLE_FAR_PAGE_BYTES;
  assert(completion.result <= expected);
  /* A short transfer is tried again as a whole, which also finds out why. */
  finish_run(frame, completion.result == expected);
}

/* Takes completions; called with the lock held. Returns their number, including
 * the device's reports of withdrawn requests and cancellations. */
static unsigned reap(struct heddle_far_channel *channel) {
  if (!channel->queue)
    return 0;
  enum { AtOnce = 64 };
  struct heddle_far_completion done[AtOnce];
  unsigned all = 0;
  for (unsigned count;
       (count = channel->device->poll(channel->queue, done, AtOnce)) > 0;
       all += count)
    for (unsigned i = 0; i < count; ++i)
      if (done[i].cookie)
        complete(done[i]);
  return all;
}

/*===- Requests ----------------------------------------------------------===*/

/* Submits the gathered requests; called with the lock held. If the device
 * cannot take all of them at once, the wait ends when it has taken or completed
 * one. */
static void submit(struct heddle_far_channel *channel, bool waits) {
  const unsigned gathered = channel->queue->gathered;
  while (!channel->device->submit(channel->queue, waits))
    if (reap(channel) > 0 || channel->queue->gathered < gathered)
      waits = false;
}

/* Makes room for one more request, with the lock. */
static void make_room(struct heddle_far_channel *channel) {
  while (channel->queue->under_way >= channel->device->most_requests) {
    submit(channel, true);
    reap(channel);
  }
}

/* Frames that are side by side in memory become one piece. */
static unsigned pieces_of(const struct heddle_far_frame *frame,
                          struct iovec pieces[HeddleFarBlock]) {
  unsigned count = 0;
  for (; frame; frame = frame->neighbour) {
    assert(!frame->neighbour || frame->neighbour->page == frame->page + 1);
    struct iovec *last = &pieces[count ? count - 1 : 0];
    if (count > 0 &&
        (char *)last->iov_base + last->iov_len == frame->near.bytes) {
      last->iov_len += HEDDLE_FAR_PAGE_BYTES;
      continue;
    }
    assert(count < HeddleFarBlock);
    pieces[count++] = (struct iovec){frame->near.bytes, HEDDLE_FAR_PAGE_BYTES};
  }
  return count;
}

void heddle_far_start(struct heddle_far_frame *frame) {
  const uint64_t address = frame->page << HeddleFarPageBits;
  const struct heddle_far_region *region = heddle_far_region(address);
  const uint64_t offset = heddle_far_offset(address);
  struct heddle_far_channel *channel = own_channel(region->file->device);
  if (!channel->queue || region->size - offset < HEDDLE_FAR_PAGE_BYTES) {
    finish_run(frame, false);
    return;
  }
  struct iovec pieces[HeddleFarBlock];
  const struct heddle_far_request request = {
      .cookie = frame,
      .file = region->file,
      .offset = offset,
      .writes = atomic_load(&frame->state) == HeddleFarWriting,
      .count = pieces_of(frame, pieces),
      .pieces = pieces};
  heddle_lock(&channel->in_use);
  make_room(channel);
  channel->device->start(channel->queue, &request);
  atomic_store(&frame->channel, channel);
  /* Single pages may be many, which are submitted together. */
  if (channel->queue->gathered >= channel->device->gathers || frame->neighbour)
    submit(channel, false);
  heddle_unlock(&channel->in_use);
}

void heddle_far_need_not_read(struct heddle_far_frame *frame) {
  assert(!frame->neighbour);
  finish_run(frame, true);
}

void heddle_far_cancel(struct heddle_far_frame *frame) {
  struct heddle_far_channel *channel = atomic_load(&frame->channel);
  if (!channel)
    return; /* it has not been started */
  heddle_lock(&channel->in_use);
  if (channel->device->withdraw(channel->queue, frame)) {
    finish_cancelled(frame);
  } else {
    make_room(channel);
    channel->device->cancel(channel->queue, frame);
    submit(channel, false);
  }
  heddle_unlock(&channel->in_use);
}

void heddle_far_forget_file(const struct heddle_far_file *file) {
  for (struct heddle_far_channel *channel = atomic_load(&channels); channel;
       channel = channel->next) {
    if (channel->device != file->device || !channel->queue)
      continue;
    heddle_lock(&channel->in_use);
    channel->device->forget(channel->queue, file);
    heddle_unlock(&channel->in_use);
  }
}

/*===- Waiting -----------------------------------------------------------===*/

/* Takes completions from other channels, and submits the requests that their
 * threads have gathered: any thread may wait for pages that were requested
 * ahead. */
static void reap_others(void) {
  for (struct heddle_far_channel *channel = atomic_load(&channels); channel;
       channel = channel->next) {
    if (!heddle_try_lock(&channel->in_use))
      continue;
    if (channel->queue)
      submit(channel, false);
    reap(channel);
    heddle_unlock(&channel->in_use);
  }
}

enum progress { Idle, Arrived, Waited };

static enum progress progress_in(struct heddle_far_channel *channel) {
  if (!channel->queue)
    return Idle;
  heddle_lock(&channel->in_use);
  const bool is_there = reap(channel) > 0;
  const bool waits = !is_there && channel->queue->under_way > 0;
  if (waits) {
    submit(channel, true);
    reap(channel);
  }
  heddle_unlock(&channel->in_use);
  return is_there ? Arrived : waits ? Waited : Idle;
}

bool heddle_far_progress(void) {
  for (struct heddle_far_channel *channel = own; channel;
       channel = channel->next_own) {
    const enum progress progress = progress_in(channel);
    if (progress != Idle)
      return progress == Waited;
  }
  reap_others();
  sched_yield();
  return true;
}

void heddle_far_poll(void) {
  for (struct heddle_far_channel *channel = own; channel;
       channel = channel->next_own) {
    if (!channel->queue)
      continue;
    heddle_lock(&channel->in_use);
    submit(channel, false);
    reap(channel);
    heddle_unlock(&channel->in_use);
  }
}

void heddle_far_wait(struct heddle_far_frame *frame) {
  while (atomic_load_explicit(&frame->state, memory_order_acquire) ==
         HeddleFarReading)
    heddle_far_progress();
}
