/*===- log.c - Accesses that wait to be recorded --------------------------===*/

#include "check/log.h"
#include "host/options.h"

#include <time.h>

_Static_assert(offsetof(struct heddle_cells, iteration) % 8 == 0 &&
                   offsetof(struct heddle_cells, call) ==
                       offsetof(struct heddle_cells, iteration) + 4 &&
                   offsetof(struct heddle_logged, call) ==
                       offsetof(struct heddle_logged, iteration) + 4,
               "code of the program copies both at once");

enum {
  LogFrom = 4, /* a chunk of notes: those before it take a megabyte */
  /* Iterations are timed in so many slices, with and without the log in turn,
   * before it is used or not for as many iterations as follow: few at first,
   * while the loop finds much that is new, four times as many each time. */
  Slices = 8,
  SliceIterations = 256,
  FewestChosen = 1 << 12,
  MostChosen = 1 << 18
};

HEDDLE_THREAD bool heddle_works_off;

static void request(const struct heddle_cells *cells,
                    const struct heddle_logged *logged) {
  const struct heddle_block *block = heddle_blocks_peek(cells, logged->address);
  if (block)
    __builtin_prefetch(heddle_note_at(block, logged->address), 1);
}

void heddle_use_log(struct heddle_execution *execution, bool uses) {
  execution->cells.log_at = uses ? execution->log : NULL;
  execution->cells.log_end = uses ? execution->log + HEDDLE_LOGGED : NULL;
}

void heddle_work_off(struct heddle_execution *execution) {
  struct heddle_execution *const e = execution;
  struct heddle_logged *const end = e->cells.log_at;
  const uint32_t iteration = e->cells.iteration, call = e->cells.call;
  heddle_use_log(e, false);
  heddle_works_off = true;
  for (const struct heddle_logged *at = e->log; at < end; ++at)
    request(&e->cells, at);
  for (const struct heddle_logged *at = e->log; at < end; ++at) {
    e->cells.iteration = at->iteration;
    e->cells.call = at->call;
    heddle_record_logged(at, e->stack);
  }
  e->cells.iteration = iteration;
  e->cells.call = call;
  heddle_works_off = false;
  heddle_use_log(e, e->if_quick);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void stop_after(struct heddle_execution *e, uint32_t iterations) {
  const uint32_t stop = e->cells.iteration + iterations;
  e->cells.stop = stop > e->cells.iteration ? stop : 0;
}

static void begin_slices(struct heddle_execution *e) {
  e->slice = 0;
  e->slice_times[0] = e->slice_times[1] = 0;
  e->slice_begin = now();
  stop_after(e, SliceIterations);
}

void heddle_try_log(struct heddle_execution *execution) {
  if (execution->if_quick && execution->cells.chunk >= LogFrom &&
      !execution->cells.stop &&
      /* Whoever wants to stop at a conflict wants to stop there. */
      heddle_process_options()->check != HEDDLE_CHECK_ABORT) {
    execution->chosen = FewestChosen;
    begin_slices(execution);
  }
}

void heddle_choose_log(struct heddle_execution *execution) {
  struct heddle_execution *const e = execution;
  heddle_finish_log();
  heddle_use_log(e, false);
  if (!e->if_quick) {
    e->cells.stop = 0;
    return;
  }
  if (e->slice == Slices) {
    begin_slices(e);
    return;
  }
  const uint64_t time = now();
  e->slice_times[e->slice % 2] += time - e->slice_begin;
  e->slice_begin = time;
  ++e->slice;
  const bool is_chosen = e->slice == Slices;
  heddle_use_log(e, is_chosen ? e->slice_times[1] < e->slice_times[0]
                              : e->slice % 2);
  stop_after(e, is_chosen ? e->chosen : SliceIterations);
  if (is_chosen && e->chosen < MostChosen)
    e->chosen *= 4;
}
