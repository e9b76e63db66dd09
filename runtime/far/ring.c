/*===- ring.c - Requests to devices ---------------------------------------===*/

#include "far/ring.h"

#include "far/access.h"
#include "far/feedback.h"
#include "far/files.h"
#include "far/region.h"
#include "far/spin.h"
#include "far/task.h"
#include "far/whole.h"

#include <errno.h>
#include <liburing.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RingEntries = 512, SubmittedAtOnce = 16 };

/* A ring, with what its thread needs. Rings stay when their threads end, for
 * the next threads. */
struct heddle_far_ring {
  struct heddle_far_ring *next; /* of all */
  _Atomic bool is_owned;
  atomic_flag in_use;
  struct io_uring uring;
  unsigned unsubmitted, in_flight; /* under the lock */
  bool works;                      /* if not, pages are read one by one */
  bool has_buffers;
  struct heddle_far_files files;
};

static _Atomic(struct heddle_far_ring *) rings;

/* Given back when the thread ends. */
static __thread struct heddle_far_ring *own;
static pthread_key_t own_key;

_Noreturn void heddle_far_give_up(const char *what, int error) {
  fprintf(stderr, "heddle: error: far memory: %s: %s\n", what, strerror(error));
  fflush(stdout);
  _exit(1);
}

static void lock(struct heddle_far_ring *ring) { heddle_lock(&ring->in_use); }
static void unlock(struct heddle_far_ring *ring) {
  heddle_unlock(&ring->in_use);
}

/* The kernel takes registered buffers of up to 1 GiB. */
static bool register_frames(struct io_uring *uring) {
  size_t bytes;
  char *start = heddle_far_frames(&bytes);
  enum { MostBuffers = 64 };
  struct iovec buffers[MostBuffers];
  unsigned count = 0;
  const size_t most = (size_t)1 << 30;
  for (size_t begin = 0; begin < bytes; begin += most) {
    if (count == MostBuffers)
      return false;
    size_t left = bytes - begin;
    buffers[count++] = (struct iovec){start + begin, left < most ? left : most};
  }
  return io_uring_register_buffers(uring, buffers, count) == 0;
}

/* Containers may forbid it. */
static void warn_of_no_uring(int error) {
  static atomic_flag is_said = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&is_said))
    fprintf(stderr,
            "heddle: warning: no io_uring (%s): far memory is read one page "
            "after the other\n",
            strerror(error));
}

static struct heddle_far_ring *create_ring(void) {
  struct heddle_far_ring *ring = calloc(1, sizeof *ring);
  if (!ring)
    heddle_far_give_up("no memory for a queue", ENOMEM);
  /* Without COOP_TASKRUN completions interrupt the thread. */
  int error =
      io_uring_queue_init(RingEntries, &ring->uring, IORING_SETUP_COOP_TASKRUN);
  if (error == -EINVAL)
    error = io_uring_queue_init(RingEntries, &ring->uring, 0);
  /* Otherwise what describes a request would have to stay until it is done. */
  if (error == 0 && !(ring->uring.features & IORING_FEAT_SUBMIT_STABLE)) {
    io_uring_queue_exit(&ring->uring);
    error = -ENOSYS;
  }
  ring->works = error == 0;
  if (ring->works) {
    ring->has_buffers = register_frames(&ring->uring);
    heddle_far_make_files(&ring->files, &ring->uring);
  } else {
    warn_of_no_uring(-error);
  }
  atomic_store(&ring->is_owned, true);
  ring->next = atomic_load(&rings);
  while (!atomic_compare_exchange_weak(&rings, &ring->next, ring))
    ;
  return ring;
}

static void leave(void *joined) {
  (void)joined;
  heddle_far_leave_thread();
  heddle_far_leave_loops();
  if (own)
    atomic_store(&own->is_owned, false);
  own = NULL;
}

/* A child finds in files what has been stored, and nothing half done. */
static void before_fork(void) {
  heddle_far_hold_regions();
  heddle_far_hold_whole();
  heddle_far_hold_cache();
}

static void after_fork(void) {
  heddle_far_release_cache();
  heddle_far_release_whole();
  heddle_far_release_regions();
}

/* The rings are the parent's, and so is what they are moving. */
static void after_fork_in_child(void) {
  after_fork();
  atomic_store(&rings, NULL);
  own = NULL;
  heddle_far_forget_loops();
  heddle_far_leave_transfers();
}

static void create_key(void) {
  pthread_key_create(&own_key, leave);
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

void heddle_far_join_thread(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, create_key);
  pthread_setspecific(own_key, &own);
}

static struct heddle_far_ring *own_ring(void) {
  if (own)
    return own;
  heddle_far_join_thread();
  for (struct heddle_far_ring *ring = atomic_load(&rings); ring && !own;
       ring = ring->next) {
    bool is_owned = false;
    if (atomic_compare_exchange_strong(&ring->is_owned, &is_owned, true))
      own = ring;
  }
  if (!own)
    own = create_ring();
  return own;
}

static int transfer(const struct heddle_far_frame *frame) {
  return atomic_load(&frame->state) == HeddleFarWriting
             ? heddle_far_write_page(frame->page, frame->near.bytes)
             : heddle_far_read_page(frame->page, frame->near.bytes);
}

/* Ends the transfer of a frame and its neighbours. What has not been done yet
 * is, one page after the other. */
static void finish_run(struct heddle_far_frame *frame, bool is_done) {
  while (frame) {
    /* The frame may have another page when this one's is known to be there. */
    struct heddle_far_frame *neighbour = frame->neighbour;
    heddle_far_wake(
        heddle_far_transferred(frame, is_done ? 0 : transfer(frame)));
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

/* Before it had moved anything, or while it did. */
static bool is_cancelled(int result) {
  return result == -ECANCELED || result == -EINTR;
}

/* What a completion says is an errno, or how much has been done. What is short
 * is tried again as a whole, which also finds out why. That of a request to
 * cancel another, or of one that has been withdrawn, has no frame. */
static void complete(struct heddle_far_frame *frame, int result) {
  if (is_cancelled(result)) {
    finish_cancelled(frame);
    return;
  }
  int expected = 0;
  for (struct heddle_far_frame *page = frame; page; page = page->neighbour)
    expected += (int)HEDDLE_FAR_PAGE_BYTES;
  finish_run(frame, result == expected);
}

/* Takes what has completed, with the lock. */
static unsigned reap(struct heddle_far_ring *ring) {
  if (!ring->works)
    return 0;
  struct io_uring_cqe *completions[64];
  unsigned all = 0;
  for (unsigned count;
       (count = io_uring_peek_batch_cqe(&ring->uring, completions, 64)) > 0;
       all += count) {
    struct {
      struct heddle_far_frame *frame;
      int result;
    } done[64];
    unsigned completed = 0, withdrawn = 0;
    for (unsigned i = 0; i < count; ++i) {
      done[i].frame = io_uring_cqe_get_data(completions[i]);
      done[i].result = completions[i]->res;
      const bool is_transfer = done[i].frame && !is_cancelled(done[i].result);
      ++*(is_transfer ? &completed : &withdrawn);
    }
    io_uring_cq_advance(&ring->uring, count);
    ring->in_flight -= count;
    if (withdrawn > 0)
      heddle_far_withdrawn(withdrawn);
    if (completed > 0)
      heddle_far_completed(completed);
    for (unsigned i = 0; i < count; ++i)
      complete(done[i].frame, done[i].result);
  }
  return all;
}

/* With the lock. */
static void submit(struct heddle_far_ring *ring, unsigned wait_for) {
  while (ring->unsubmitted > 0 || wait_for > 0) {
    int submitted = io_uring_submit_and_wait(&ring->uring, wait_for);
    if (submitted == -EINTR)
      continue;
    if (submitted == -EAGAIN || submitted == -EBUSY) {
      if (reap(ring) > 0)
        wait_for = 0;
      continue;
    }
    if (submitted < 0)
      heddle_far_give_up("io_uring", -submitted);
    ring->unsubmitted -= (unsigned)submitted;
    heddle_far_submitted((unsigned)submitted);
    wait_for = 0;
  }
}

/* Takes completions from other rings, and submits what their threads have left
 * behind: pages that were asked for ahead may be waited for by anyone. */
static void reap_others(const struct heddle_far_ring *mine) {
  for (struct heddle_far_ring *ring = atomic_load(&rings); ring;
       ring = ring->next) {
    if (ring == mine || !heddle_try_lock(&ring->in_use))
      continue;
    if (ring->works)
      submit(ring, 0);
    reap(ring);
    unlock(ring);
  }
}

/* Room for one more on its way, with the lock. */
static struct io_uring_sqe *next_entry(struct heddle_far_ring *ring) {
  struct io_uring_sqe *entry = NULL;
  while (!entry) {
    bool is_full = ring->in_flight >= RingEntries;
    if (!is_full && (entry = io_uring_get_sqe(&ring->uring)))
      break;
    submit(ring, is_full);
    reap(ring);
  }
  ++ring->in_flight;
  return entry;
}

/* What is side by side in memory becomes one piece. */
static unsigned pieces_of(const struct heddle_far_frame *frame,
                          struct iovec pieces[HeddleFarBlock]) {
  unsigned count = 0;
  for (; frame; frame = frame->neighbour) {
    struct iovec *last = &pieces[count ? count - 1 : 0];
    if (count > 0 &&
        (char *)last->iov_base + last->iov_len == frame->near.bytes)
      last->iov_len += HEDDLE_FAR_PAGE_BYTES;
    else
      pieces[count++] =
          (struct iovec){frame->near.bytes, HEDDLE_FAR_PAGE_BYTES};
  }
  return count;
}

/* The buffer that the kernel knows a piece by, or -1. */
static int buffer_of(const struct heddle_far_ring *ring,
                     const struct iovec *piece) {
  size_t all;
  const char *start = heddle_far_frames(&all);
  const size_t begin = (size_t)((char *)piece->iov_base - start);
  const size_t last = begin + piece->iov_len - 1;
  const bool has_one = ring->has_buffers && begin >> 30 == last >> 30;
  return has_one ? (int)(begin >> 30) : -1;
}

/* The kernel looks at several pieces when the request is submitted. */
static void prepare(const struct heddle_far_ring *ring,
                    struct io_uring_sqe *entry, int file, uint64_t offset,
                    bool writes, const struct iovec *pieces, unsigned count) {
  if (count > 1) {
    if (writes)
      io_uring_prep_writev(entry, file, pieces, count, offset);
    else
      io_uring_prep_readv(entry, file, pieces, count, offset);
    return;
  }
  void *at = pieces->iov_base;
  const unsigned bytes = (unsigned)pieces->iov_len;
  const int buffer = buffer_of(ring, pieces);
  if (buffer >= 0 && writes)
    io_uring_prep_write_fixed(entry, file, at, bytes, offset, buffer);
  else if (buffer >= 0)
    io_uring_prep_read_fixed(entry, file, at, bytes, offset, buffer);
  else if (writes)
    io_uring_prep_write(entry, file, at, bytes, offset);
  else
    io_uring_prep_read(entry, file, at, bytes, offset);
}

void heddle_far_start(struct heddle_far_frame *frame) {
  uint64_t address = frame->page << HeddleFarPageBits;
  const struct heddle_far_region *region = heddle_far_region(address);
  uint64_t offset = heddle_far_offset(address);
  struct heddle_far_ring *ring = own_ring();
  if (!ring->works || region->size - offset < HEDDLE_FAR_PAGE_BYTES) {
    finish_run(frame, false);
    return;
  }
  const bool writes = atomic_load(&frame->state) == HeddleFarWriting;
  struct iovec pieces[HeddleFarBlock];
  const unsigned count = pieces_of(frame, pieces);
  lock(ring);
  struct io_uring_sqe *entry = next_entry(ring);
  prepare(ring, entry, region->direct, offset, writes, pieces, count);
  heddle_far_name_file(&ring->files, &ring->uring, entry, address,
                       region->direct);
  io_uring_sqe_set_data(entry, frame);
  atomic_store(&frame->ring, ring);
  /* Single pages may be many, which are submitted together. */
  if (++ring->unsubmitted >= SubmittedAtOnce || frame->neighbour)
    submit(ring, 0);
  unlock(ring);
}

void heddle_far_need_not_read(struct heddle_far_frame *frame) {
  finish_run(frame, true);
}

/* Makes nothing of the request of a frame, if the kernel does not have it yet.
 * With the lock. */
static bool withdraw(struct heddle_far_ring *ring,
                     const struct heddle_far_frame *frame) {
  const struct io_uring_sq *queue = &ring->uring.sq;
  for (unsigned back = 1; back <= ring->unsubmitted; ++back) {
    struct io_uring_sqe *entry =
        &queue->sqes[(queue->sqe_tail - back) & queue->ring_mask];
    if (entry->user_data != (uintptr_t)frame)
      continue;
    io_uring_prep_nop(entry);
    io_uring_sqe_set_data(entry, NULL);
    return true;
  }
  return false;
}

void heddle_far_cancel(struct heddle_far_frame *frame) {
  struct heddle_far_ring *ring = atomic_load(&frame->ring);
  if (!ring)
    return; /* it has not been started */
  lock(ring);
  if (!withdraw(ring, frame)) {
    struct io_uring_sqe *entry = next_entry(ring);
    io_uring_prep_cancel(entry, frame, 0);
    io_uring_sqe_set_data(entry, NULL);
    ++ring->unsubmitted;
    submit(ring, 0);
  } else {
    finish_cancelled(frame);
  }
  unlock(ring);
}

void heddle_far_forget_file(uint64_t address) {
  for (struct heddle_far_ring *ring = atomic_load(&rings); ring;
       ring = ring->next) {
    lock(ring);
    heddle_far_drop_file(&ring->files, &ring->uring, address);
    unlock(ring);
  }
}

/* Waits for anything to complete: one's own, or what others have asked for. */
bool heddle_far_progress(void) {
  struct heddle_far_ring *ring = own_ring();
  lock(ring);
  const bool is_there = reap(ring) > 0;
  const bool waits = !is_there && ring->in_flight > 0;
  if (waits) {
    submit(ring, 1);
    reap(ring);
  }
  unlock(ring);
  if (is_there || waits)
    return waits;
  reap_others(ring);
  sched_yield();
  return true;
}

void heddle_far_poll(void) {
  if (!own)
    return;
  lock(own);
  submit(own, 0);
  reap(own);
  unlock(own);
}

void heddle_far_wait(struct heddle_far_frame *frame) {
  while (atomic_load_explicit(&frame->state, memory_order_acquire) ==
         HeddleFarReading)
    heddle_far_progress();
}
