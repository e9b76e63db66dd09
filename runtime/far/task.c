/*===- task.c - Who waits for what ----------------------------------------===*/

#include "far/task.h"

#include "far/owners.h"
#include "far/spin.h"
#include "heddle/amu.h"
#include "heddle/far.h"

#include <errno.h>
#include <liburing.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEDDLE_API __attribute__((visibility("default")))

enum {
  RingEntries = 512,
  SubmittedAtOnce = 16,
  MostWaiters = 2048,
  NoId = -1,
};

/* A ring, with what its thread needs. Rings stay when their threads end, for
 * the next threads. */
struct ring {
  struct ring *next; /* of all */
  _Atomic bool is_owned;
  atomic_flag in_use;
  struct io_uring uring;
  unsigned unsubmitted, in_flight; /* under the lock */
  bool works;                      /* if not, pages are read one by one */
  bool has_buffers;
};

struct heddle_amu {
  struct heddle_amu *next; /* free ones of a thread */
  /* Ids with requests for memory, which are there when others have had a turn:
   * nothing says when. */
  bool takes_turn[HEDDLE_AMU_IDS];
  unsigned turns;
  /* For each id one more than there are requests on their way, until the id is
   * awaited; then what there is, until it is 0 and the id is finished. */
  _Atomic int pending[HEDDLE_AMU_IDS];
  /* Finished ids: a stack that any thread may push on, and what has been taken
   * from it, the oldest first. */
  _Atomic int finished;
  int next_finished[HEDDLE_AMU_IDS];
  uint16_t ready[HEDDLE_AMU_IDS];
  unsigned ready_begin, ready_end;
  _Atomic unsigned waiting; /* waiters in use */
  unsigned waiter;          /* where to look for a free one */
  struct heddle_far_owners owners;
  struct heddle_far_waiter waiters[MostWaiters];
};

static _Atomic(struct ring *) rings;

/* What a thread has. Its ring is given back when the thread ends. */
static __thread struct {
  struct ring *ring;
  struct heddle_amu *free;
} own;
static pthread_key_t own_key;

_Noreturn static void fail(const char *what, int error) {
  fprintf(stderr, "heddle: error: far memory: %s: %s\n", what, strerror(error));
  fflush(stdout);
  _exit(1);
}

static void lock(struct ring *ring) { heddle_lock(&ring->in_use); }
static void unlock(struct ring *ring) { heddle_unlock(&ring->in_use); }

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

static struct ring *create_ring(void) {
  struct ring *ring = calloc(1, sizeof *ring);
  if (!ring)
    fail("no memory for a queue", ENOMEM);
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
  if (ring->works)
    ring->has_buffers = register_frames(&ring->uring);
  else
    warn_of_no_uring(-error);
  atomic_store(&ring->is_owned, true);
  ring->next = atomic_load(&rings);
  while (!atomic_compare_exchange_weak(&rings, &ring->next, ring))
    ;
  return ring;
}

static void leave(void *joined) {
  (void)joined;
  heddle_far_leave_thread();
  for (struct heddle_amu *amu = own.free; amu;) {
    struct heddle_amu *next = amu->next;
    free(amu);
    amu = next;
  }
  own.free = NULL;
  if (own.ring)
    atomic_store(&own.ring->is_owned, false);
  own.ring = NULL;
}

/* The rings are the parent's, and so is what they are reading. */
static void forget_rings(void) {
  atomic_store(&rings, NULL);
  own.ring = NULL;
  own.free = NULL;
  heddle_far_forget_arriving();
}

static void create_key(void) {
  pthread_key_create(&own_key, leave);
  pthread_atfork(NULL, NULL, forget_rings);
}

void heddle_far_join_thread(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, create_key);
  pthread_setspecific(own_key, &own);
}

static struct ring *own_ring(void) {
  if (own.ring)
    return own.ring;
  heddle_far_join_thread();
  for (struct ring *ring = atomic_load(&rings); ring && !own.ring;
       ring = ring->next) {
    bool is_owned = false;
    if (atomic_compare_exchange_strong(&ring->is_owned, &is_owned, true))
      own.ring = ring;
  }
  if (!own.ring)
    own.ring = create_ring();
  return own.ring;
}

static void finish(struct heddle_amu *amu, int id) {
  /* An id that is not awaited has one request too many. */
  atomic_store_explicit(&amu->pending[id], 1, memory_order_relaxed);
  int head = atomic_load_explicit(&amu->finished, memory_order_relaxed);
  do
    amu->next_finished[id] = head;
  while (!atomic_compare_exchange_weak_explicit(
      &amu->finished, &head, id, memory_order_release, memory_order_relaxed));
}

static void wake(struct heddle_far_waiter *waiter) {
  while (waiter) {
    struct heddle_far_waiter *next = waiter->next;
    struct heddle_amu *amu = waiter->amu;
    int id = (int)waiter->id;
    if (atomic_fetch_sub(&amu->pending[id], 1) == 1)
      finish(amu, id);
    atomic_store_explicit(&waiter->is_used, false, memory_order_release);
    /* The last that is done here to the loop, which may have ended then. */
    atomic_fetch_sub(&amu->waiting, 1);
    waiter = next;
  }
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
    wake(heddle_far_transferred(frame, is_done ? 0 : transfer(frame)));
    frame = neighbour;
  }
}

/* What a completion says is an errno, or how much has been done. What is short
 * is tried again as a whole, which also finds out why. */
static void complete(struct heddle_far_frame *frame, int result) {
  int expected = 0;
  for (struct heddle_far_frame *page = frame; page; page = page->neighbour)
    expected += (int)HEDDLE_FAR_PAGE_BYTES;
  finish_run(frame, result == expected);
}

/* Takes what has completed, with the lock. */
static unsigned reap(struct ring *ring) {
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
    for (unsigned i = 0; i < count; ++i) {
      done[i].frame = io_uring_cqe_get_data(completions[i]);
      done[i].result = completions[i]->res;
    }
    io_uring_cq_advance(&ring->uring, count);
    ring->in_flight -= count;
    for (unsigned i = 0; i < count; ++i)
      complete(done[i].frame, done[i].result);
  }
  return all;
}

/* With the lock. */
static void submit(struct ring *ring, unsigned wait_for) {
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
      fail("io_uring", -submitted);
    ring->unsubmitted -= (unsigned)submitted;
    wait_for = 0;
  }
}

/* Takes completions from other rings, and submits what their threads have left
 * behind: pages that were asked for ahead may be waited for by anyone. */
static void reap_others(const struct ring *mine) {
  for (struct ring *ring = atomic_load(&rings); ring; ring = ring->next) {
    if (ring == mine || !heddle_try_lock(&ring->in_use))
      continue;
    if (ring->works)
      submit(ring, 0);
    reap(ring);
    unlock(ring);
  }
}

/* Room for one more on its way, with the lock. */
static struct io_uring_sqe *next_entry(struct ring *ring) {
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
static int buffer_of(const struct ring *ring, const struct iovec *piece) {
  size_t all;
  const char *start = heddle_far_frames(&all);
  const size_t begin = (size_t)((char *)piece->iov_base - start);
  const size_t last = begin + piece->iov_len - 1;
  const bool has_one = ring->has_buffers && begin >> 30 == last >> 30;
  return has_one ? (int)(begin >> 30) : -1;
}

/* The kernel looks at several pieces when the request is submitted. */
static void prepare(const struct ring *ring, struct io_uring_sqe *entry,
                    int file, uint64_t offset, bool writes,
                    const struct iovec *pieces, unsigned count) {
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
  struct ring *ring = own_ring();
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
  io_uring_sqe_set_data(entry, frame);
  /* Single pages may be many, which are submitted together. */
  if (++ring->unsubmitted >= SubmittedAtOnce || frame->neighbour)
    submit(ring, 0);
  unlock(ring);
}

void heddle_far_need_not_read(struct heddle_far_frame *frame) {
  finish_run(frame, true);
}

/* Waits for anything to complete: one's own, or what others have asked for. */
static void wait_for_any(struct ring *ring) {
  lock(ring);
  bool is_done = reap(ring) > 0;
  if (!is_done && ring->in_flight > 0) {
    submit(ring, 1);
    reap(ring);
    is_done = true;
  }
  unlock(ring);
  if (is_done)
    return;
  reap_others(ring);
  sched_yield();
}

void heddle_far_progress(void) { wait_for_any(own_ring()); }

void heddle_far_wait(struct heddle_far_frame *frame) {
  while (atomic_load_explicit(&frame->state, memory_order_acquire) ==
         HeddleFarReading)
    heddle_far_progress();
}

HEDDLE_API struct heddle_amu *heddle_amu_begin(void) {
  heddle_far_join_thread();
  struct heddle_amu *amu = own.free;
  if (amu)
    own.free = amu->next;
  else
    amu = calloc(1, sizeof *amu);
  if (!amu)
    fail("no memory for its requests", ENOMEM);
  for (unsigned id = 0; id < HEDDLE_AMU_IDS; ++id)
    atomic_store_explicit(&amu->pending[id], 1, memory_order_relaxed);
  atomic_store(&amu->finished, NoId);
  amu->ready_begin = amu->ready_end = 0;
  heddle_far_reset_owners(&amu->owners);
  return amu;
}

HEDDLE_API void heddle_amu_end(struct heddle_amu *amu) {
  /* Tasks may have ended without awaiting what they had requested. */
  while (atomic_load(&amu->waiting) != 0)
    wait_for_any(own_ring());
  amu->next = own.free;
  own.free = amu;
}

static struct heddle_far_waiter *free_waiter(struct heddle_amu *amu) {
  for (unsigned tries = 0; tries < 64; ++tries) {
    struct heddle_far_waiter *waiter = &amu->waiters[amu->waiter];
    amu->waiter = (amu->waiter + 1) % MostWaiters;
    if (!atomic_load_explicit(&waiter->is_used, memory_order_acquire))
      return waiter;
  }
  return NULL;
}

static void request_page(struct heddle_amu *amu, uint64_t id, uint64_t page) {
  struct heddle_far_waiter *waiter = free_waiter(amu);
  if (!waiter)
    return; /* its load will wait */
  waiter->amu = amu;
  waiter->id = (uint32_t)id;
  atomic_store_explicit(&waiter->is_used, true, memory_order_relaxed);
  atomic_fetch_add_explicit(&amu->waiting, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&amu->pending[id], 1, memory_order_relaxed);
  struct heddle_far_frame *frame;
  bool waits = false;
  enum heddle_far_taken taken =
      heddle_far_take(page, false, waiter, &waits, &frame);
  if (!waits) {
    atomic_fetch_sub_explicit(&amu->pending[id], 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&amu->waiting, 1, memory_order_relaxed);
    atomic_store_explicit(&waiter->is_used, false, memory_order_relaxed);
  }
  if (taken == HeddleFarMissed)
    heddle_far_start(frame);
}

static void prefetch(const char *begin, uint64_t bytes, bool for_store) {
  enum { LineBytes = 64, MostLines = 64 };
  const char *end =
      begin +
      (bytes < LineBytes * MostLines ? bytes : (uint64_t)LineBytes * MostLines);
  for (const char *line = begin - (uintptr_t)begin % LineBytes; line < end;
       line += LineBytes)
    if (for_store)
      __builtin_prefetch(line, 1);
    else
      __builtin_prefetch(line);
}

static void request(struct heddle_amu *amu, uint64_t id, uint64_t address,
                    uint64_t bytes, bool for_store) {
  const struct heddle_far_region *region = heddle_far_region(address);
  uint64_t offset = heddle_far_offset(address);
  if (!region || bytes == 0 || offset >= region->size ||
      bytes > region->size - offset || (for_store && !region->is_writable))
    return;
  if (region->memory) {
    prefetch(region->memory + offset, bytes, for_store);
    amu->takes_turn[id] = true;
    return;
  }
  uint64_t last = (address + bytes - 1) >> HeddleFarPageBits;
  for (uint64_t page = address >> HeddleFarPageBits; page <= last; ++page)
    request_page(amu, id, page);
}

HEDDLE_API void heddle_amu_aload(struct heddle_amu *amu, uint64_t id,
                                 uint64_t address, uint64_t bytes) {
  request(amu, id, address, bytes, false);
}

HEDDLE_API void heddle_amu_astore(struct heddle_amu *amu, uint64_t id,
                                  uint64_t address, uint64_t bytes) {
  request(amu, id, address, bytes, true);
}

HEDDLE_API void heddle_amu_aset(struct heddle_amu *amu, uint64_t id,
                                uint32_t requests) {
  atomic_fetch_add_explicit(&amu->pending[id], (int)requests,
                            memory_order_relaxed);
}

HEDDLE_API void heddle_amu_asignal(struct heddle_amu *amu, uint64_t id) {
  if (atomic_fetch_sub(&amu->pending[id], 1) == 1)
    finish(amu, (int)id);
}

HEDDLE_API void heddle_amu_acquire(struct heddle_amu *amu, uint64_t id,
                                   uint64_t address) {
  heddle_amu_release(amu, id);
  if (!heddle_far_own(&amu->owners, (int)id, address))
    heddle_amu_aset(amu, id, 1);
}

HEDDLE_API void heddle_amu_release(struct heddle_amu *amu, uint64_t id) {
  const int next = heddle_far_disown(&amu->owners, (int)id);
  if (next != HeddleFarNobody)
    heddle_amu_asignal(amu, (uint64_t)next);
}

HEDDLE_API bool heddle_amu_await(struct heddle_amu *amu, uint64_t id) {
  if (atomic_load_explicit(&amu->pending[id], memory_order_acquire) != 1) {
    heddle_amu_queue(amu, id);
    return true;
  }
  if (!amu->takes_turn[id])
    return false;
  amu->takes_turn[id] = false;
  amu->ready[amu->ready_end++ % HEDDLE_AMU_IDS] = (uint16_t)id;
  return true;
}

/* What an id that is not awaited has too many. */
HEDDLE_API void heddle_amu_queue(struct heddle_amu *amu, uint64_t id) {
  amu->takes_turn[id] = false;
  heddle_amu_asignal(amu, id);
}

/* Puts finished ids behind those that are ready. */
static bool take_finished(struct heddle_amu *amu) {
  int id = atomic_exchange_explicit(&amu->finished, NoId, memory_order_acquire);
  if (id == NoId)
    return false;
  unsigned count = 0;
  for (int i = id; i != NoId; i = amu->next_finished[i])
    ++count;
  /* The stack has the latest on top. */
  for (unsigned i = count; i-- > 0; id = amu->next_finished[id])
    amu->ready[(amu->ready_end + i) % HEDDLE_AMU_IDS] = (uint16_t)id;
  amu->ready_end += count;
  return true;
}

/* Those that take turns must not keep others waiting that have what they want:
 * looks now and then at what has arrived. */
static void look_around(struct heddle_amu *amu) {
  enum { Turns = 64 };
  if (++amu->turns % Turns != 0)
    return;
  if (own.ring && atomic_load_explicit(&amu->waiting, memory_order_relaxed)) {
    lock(own.ring);
    submit(own.ring, 0);
    reap(own.ring);
    unlock(own.ring);
  }
  take_finished(amu);
}

HEDDLE_API uint64_t heddle_amu_getfin(struct heddle_amu *amu) {
  look_around(amu);
  while (amu->ready_begin == amu->ready_end)
    if (!take_finished(amu))
      wait_for_any(own_ring());
  return amu->ready[amu->ready_begin++ % HEDDLE_AMU_IDS];
}
