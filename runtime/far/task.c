/*===- task.c - Loops and their tasks -------------------------------------===*/

#include "far/task.h"

#include "far/cache.h"
#include "far/devices/depth.h"
#include "far/devices/feedback.h"
#include "far/owners.h"
#include "far/region.h"
#include "far/support/failure.h"
#include "far/support/thread.h"
#include "far/transfer.h"
#include "far/waiters.h"
#include "heddle/amu.h"
#include "heddle/heddle.h"
#include "host/options.h"
#include "tuner/draws.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

#define HEDDLE_API __attribute__((visibility("default")))

enum { MostWaiters = 2048 };

struct heddle_far_loop {
  struct heddle_amu amu;        /* first: compiled loops have a pointer to it */
  struct heddle_far_loop *next; /* free ones of a thread */
  /* Ids that have requested memory. The completion of a prefetch is not
   * reported, so these ids are resumed when all others have had a turn. */
  bool takes_turn[HEDDLE_AMU_IDS];
  struct heddle_far_waits waits;
  /* Finished ids that have been taken from there, the oldest first. */
  uint16_t ready[HEDDLE_AMU_IDS];
  unsigned ready_begin, ready_end;
  unsigned waiter; /* where to look for a free one */
  /* The address at which the best number of tasks is kept for the loop's next
   * run; NULL if the number is fixed. */
  uint32_t *kept;
  unsigned most;  /* tasks */
  unsigned tasks; /* the right number if this were the only loop */
  struct heddle_far_polls seen;
  struct heddle_far_owners owners;
  struct heddle_far_waiter waiters[MostWaiters];
};

/* The state of a thread. */
static __thread struct {
  struct heddle_far_loop *free;
  unsigned adapting; /* loops that it runs */
} own;

static struct heddle_far_loop *loop_of(struct heddle_amu *amu) {
  return (struct heddle_far_loop *)amu;
}

/* Sets the number of tasks that there should be. */
static void set_tasks(struct heddle_far_loop *loop) {
  const unsigned share = heddle_far_share_of_devices();
  const unsigned tasks = loop->tasks < share ? loop->tasks : share;
  loop->amu.tasks = tasks < loop->most ? tasks : loop->most;
}

/* HEDDLE_TUNE=off asks for runs that are all alike. */
static bool is_repeatable(void) {
  return heddle_process_options()->tune == HEDDLE_TUNE_OFF;
}

/* HEDDLE_TASKS fixes the number of tasks. */
static bool may_adapt(void) {
  return heddle_process_options()->tasks == 0 && !is_repeatable() &&
         !heddle_draws();
}

static void begin_adapting(struct heddle_far_loop *loop, unsigned tasks) {
  if (own.adapting++ == 0)
    heddle_far_join_devices();
  loop->tasks = tasks;
  set_tasks(loop);
}

static void end_adapting(struct heddle_far_loop *loop) {
  assert(own.adapting > 0);
  assert(loop->amu.tasks > 0 && loop->amu.tasks <= loop->most);
  if (__atomic_load_n(loop->kept, __ATOMIC_RELAXED) != loop->amu.tasks)
    __atomic_store_n(loop->kept, (uint32_t)loop->amu.tasks, __ATOMIC_RELAXED);
  if (--own.adapting == 0)
    heddle_far_leave_devices();
}

/* Gives up the loops of a thread that ends. */
static void leave_loops(void) {
  for (struct heddle_far_loop *loop = own.free; loop;) {
    struct heddle_far_loop *next = loop->next;
    free(loop);
    loop = next;
  }
  own.free = NULL;
  if (own.adapting > 0)
    heddle_far_leave_devices();
  own.adapting = 0;
}

HEDDLE_API struct heddle_amu *heddle_amu_begin(uint32_t *kept, uint64_t most) {
  assert(most > 0 && most <= HEDDLE_AMU_IDS);
  heddle_far_at_thread_end(HeddleFarLoops, leave_loops);
  struct heddle_far_loop *loop = own.free;
  if (loop)
    own.free = loop->next;
  else
    loop = calloc(1, sizeof *loop);
  if (!loop)
    heddle_far_give_up("no memory for its requests", ENOMEM);
  heddle_far_reset_waits(&loop->waits);
  loop->ready_begin = loop->ready_end = 0;
  loop->seen = (struct heddle_far_polls){.least_ready = HEDDLE_AMU_IDS};
  heddle_far_reset_owners(&loop->owners);
  const uint32_t first = kept ? __atomic_load_n(kept, __ATOMIC_RELAXED) : 0;
  loop->most = (unsigned)most;
  loop->kept = first != 0 && may_adapt() ? kept : NULL;
  if (loop->kept)
    begin_adapting(loop, first);
  else
    loop->amu.tasks =
        first != 0 && first < most && is_repeatable() ? first : most;
  return &loop->amu;
}

/* Ends the wait of a waiter. Returns its frame if this loop has started to read
 * it and no task waits for it now, or NULL. */
static struct heddle_far_frame *forsake(struct heddle_far_waiter *waiter) {
  struct heddle_far_frame *unwanted;
  if (!atomic_load_explicit(&waiter->is_used, memory_order_acquire) ||
      !heddle_far_forsake(waiter, waiter->page, &unwanted))
    return NULL;
  const bool is_started = waiter->started == unwanted;
  heddle_far_release_waiter(waiter);
  return is_started ? unwanted : NULL;
}

/* Cancels requests that tasks have made and not awaited, unless others need the
 * pages. */
static void forsake_requests(struct heddle_far_loop *loop) {
  struct heddle_far_frame *unwanted[MostWaiters];
  unsigned count = 0;
  for (unsigned i = 0;
       i < MostWaiters && atomic_load(&loop->waits.waiting) != 0; ++i)
    if ((unwanted[count] = forsake(&loop->waiters[i])) != NULL)
      ++count;
  /* Cancels only now: a later waiter of the loop above may wait for a page of
   * the same request. */
  for (unsigned i = 0; i < count; ++i)
    heddle_far_cancel(unwanted[i]);
  /* Other threads are waking the remaining waiters. */
  while (atomic_load(&loop->waits.waiting) != 0)
    sched_yield();
}

HEDDLE_API void heddle_amu_end(struct heddle_amu *amu) {
  struct heddle_far_loop *loop = loop_of(amu);
  forsake_requests(loop);
  if (loop->kept)
    end_adapting(loop);
  loop->next = own.free;
  own.free = loop;
}

void heddle_far_forget_loops(void) {
  own.free = NULL;
  heddle_far_forget_devices(own.adapting > 0);
}

static struct heddle_far_waiter *free_waiter(struct heddle_far_loop *loop) {
  for (unsigned tries = 0; tries < 64; ++tries) {
    struct heddle_far_waiter *waiter = &loop->waiters[loop->waiter];
    loop->waiter = (loop->waiter + 1) % MostWaiters;
    if (!atomic_load_explicit(&waiter->is_used, memory_order_acquire))
      return waiter;
  }
  return NULL;
}

/* Makes a task wait for a page. Returns its frame if the page must be read. */
static struct heddle_far_frame *request_page(struct heddle_far_loop *loop,
                                             struct heddle_far_waiter *waiter,
                                             uint64_t id, uint64_t page) {
  heddle_far_use_waiter(waiter, &loop->waits, page, id);
  struct heddle_far_frame *frame;
  bool waits = false;
  enum heddle_far_taken taken =
      heddle_far_take(page, false, waiter, &waits, &frame);
  if (!waits)
    heddle_far_unuse_waiter(waiter);
  return taken == HeddleFarMissed ? frame : NULL;
}

/* Requests pages of one block; consecutive ones are read in one request. */
static void request_pages(struct heddle_far_loop *loop, uint64_t id,
                          uint64_t begin, uint64_t end) {
  struct heddle_far_frame *first = NULL, *last = NULL;
  for (uint64_t page = begin; page < end; ++page) {
    struct heddle_far_waiter *waiter = free_waiter(loop);
    struct heddle_far_frame *frame = NULL;
    if (waiter) /* otherwise the load waits */
      frame = request_page(loop, waiter, id, page);
    if (frame && !first)
      waiter->started = first = frame;
    else if (frame)
      last->neighbour = frame;
    else if (first)
      heddle_far_start(first);
    if (!frame)
      first = NULL;
    last = frame;
  }
  if (first)
    heddle_far_start(first);
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

static void request(struct heddle_far_loop *loop, uint64_t id, uint64_t address,
                    uint64_t bytes, bool for_store) {
  const struct heddle_far_region *region = heddle_far_region(address);
  uint64_t offset = heddle_far_offset(address);
  if (!region || bytes == 0 || offset >= region->size ||
      bytes > region->size - offset || (for_store && !region->is_writable))
    return;
  if (region->memory) {
    prefetch(region->memory + offset, bytes, for_store);
    loop->takes_turn[id] = true;
    return;
  }
  uint64_t begin = address >> HeddleFarPageBits;
  const uint64_t end = ((address + bytes - 1) >> HeddleFarPageBits) + 1;
  while (begin < end) {
    uint64_t part = heddle_far_run_end(begin);
    part = part < end ? part : end;
    request_pages(loop, id, begin, part);
    begin = part;
  }
}

HEDDLE_API void heddle_amu_aload(struct heddle_amu *amu, uint64_t id,
                                 uint64_t address, uint64_t bytes) {
  request(loop_of(amu), id, address, bytes, false);
}

HEDDLE_API void heddle_amu_astore(struct heddle_amu *amu, uint64_t id,
                                  uint64_t address, uint64_t bytes) {
  request(loop_of(amu), id, address, bytes, true);
}

HEDDLE_API void heddle_amu_aset(struct heddle_amu *amu, uint64_t id,
                                uint32_t requests) {
  atomic_fetch_add_explicit(&loop_of(amu)->waits.pending[id], (int)requests,
                            memory_order_relaxed);
}

HEDDLE_API void heddle_amu_asignal(struct heddle_amu *amu, uint64_t id) {
  heddle_far_arrived(&loop_of(amu)->waits, id);
}

HEDDLE_API void heddle_amu_acquire(struct heddle_amu *amu, uint64_t id,
                                   uint64_t address) {
  heddle_amu_release(amu, id);
  if (!heddle_far_own(&loop_of(amu)->owners, (int)id, address))
    heddle_amu_aset(amu, id, 1);
}

HEDDLE_API void heddle_amu_release(struct heddle_amu *amu, uint64_t id) {
  const int next = heddle_far_disown(&loop_of(amu)->owners, (int)id);
  if (next != HeddleFarNobody)
    heddle_amu_asignal(amu, (uint64_t)next);
}

HEDDLE_API bool heddle_amu_await(struct heddle_amu *amu, uint64_t id) {
  struct heddle_far_loop *loop = loop_of(amu);
  if (atomic_load_explicit(&loop->waits.pending[id], memory_order_acquire) !=
      1) {
    loop->takes_turn[id] = false;
    /* An id that is not awaited has one request too many. */
    heddle_amu_asignal(amu, id);
    return true;
  }
  if (!loop->takes_turn[id])
    return false;
  loop->takes_turn[id] = false;
  loop->ready[loop->ready_end++ % HEDDLE_AMU_IDS] = (uint16_t)id;
  return true;
}

/* Appends finished ids to those that are ready. */
static bool take_finished(struct heddle_far_loop *loop) {
  int id = atomic_exchange_explicit(&loop->waits.finished, HeddleFarNoId,
                                    memory_order_acquire);
  if (id == HeddleFarNoId)
    return false;
  unsigned count = 0;
  for (int i = id; i != HeddleFarNoId; i = loop->waits.next_finished[i])
    ++count;
  /* The stack has the latest on top. */
  for (unsigned i = count; i-- > 0; id = loop->waits.next_finished[id])
    loop->ready[(loop->ready_end + i) % HEDDLE_AMU_IDS] = (uint16_t)id;
  loop->ready_end += count;
  assert(loop->ready_end - loop->ready_begin <= HEDDLE_AMU_IDS);
  return true;
}

/* The fewest tasks of a loop. A prefetch is finished after as many turns of
 * other tasks as the host can overlap. */
static unsigned base_of(const struct heddle_far_loop *loop) {
  const unsigned base = heddle_default_tasks(HEDDLE_SCHEDULE_FIFO);
  return base < loop->most ? base : loop->most;
}

/* Takes completions, so that ids that take turns do not delay ids whose pages
 * have arrived. */
static void look_around(struct heddle_far_loop *loop) {
  if (atomic_load_explicit(&loop->waits.waiting, memory_order_relaxed))
    heddle_far_poll();
  take_finished(loop);
}

static void adapt(struct heddle_far_loop *loop) {
  const unsigned tasks = (unsigned)loop->amu.tasks;
  if (!heddle_far_has_seen(loop->seen, tasks))
    return;
  loop->tasks = heddle_far_loop_tasks(tasks, loop->seen, base_of(loop),
                                      heddle_far_share_of_devices());
  loop->seen = (struct heddle_far_polls){.least_ready = HEDDLE_AMU_IDS};
  set_tasks(loop);
}

static void wait_for_finished(struct heddle_far_loop *loop) {
  bool waits = false;
  while (!take_finished(loop))
    waits |= heddle_far_progress();
  loop->seen.waits += waits;
  if (waits && loop->kept)
    set_tasks(loop);
}

/* Puts any of the ids that are ready first. */
static void draw_next(struct heddle_far_loop *loop) {
  unsigned first = loop->ready_begin % HEDDLE_AMU_IDS;
  unsigned drawn =
      (loop->ready_begin +
       (unsigned)heddle_draw(0, loop->ready_end - loop->ready_begin)) %
      HEDDLE_AMU_IDS;
  uint16_t id = loop->ready[drawn];
  loop->ready[drawn] = loop->ready[first];
  loop->ready[first] = id;
}

HEDDLE_API uint64_t heddle_amu_getfin(struct heddle_amu *amu) {
  enum { PollsBetween = 64 };
  struct heddle_far_loop *loop = loop_of(amu);
  const unsigned ready = loop->ready_end - loop->ready_begin;
  assert(ready <= HEDDLE_AMU_IDS);
  if (ready < loop->seen.least_ready)
    loop->seen.least_ready = ready;
  if (++loop->seen.polls % PollsBetween == 0) {
    look_around(loop);
    if (loop->kept)
      adapt(loop);
  }
  if (loop->ready_begin == loop->ready_end)
    wait_for_finished(loop);
  if (heddle_draws())
    draw_next(loop);
  return loop->ready[loop->ready_begin++ % HEDDLE_AMU_IDS];
}
