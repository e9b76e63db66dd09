/*===- execution.c - The loops that a thread is executing -----------------===*/

#include "check/execution.h"
#include "check/check.h"
#include "check/log.h"
#include "check/report.h"
#include "host/messages.h"

#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { FirstPlaces = 64 };

HEDDLE_THREAD struct heddle_execution *heddle_innermost;
HEDDLE_THREAD struct heddle_cells *heddle_check_quick;
HEDDLE_THREAD uint32_t heddle_pauses;
HEDDLE_THREAD uint32_t heddle_check_depth;
/* Ended executions, whose memory the next ones use. */
static __thread struct heddle_execution *idle;

static pthread_key_t thread_end;
static pthread_once_t thread_end_once = PTHREAD_ONCE_INIT;

static _Noreturn void fail_without_memory(void) {
  heddle_fail("no memory to check a loop");
}

void *heddle_grow(void *array, uint32_t count, uint32_t *capacity,
                  size_t element) {
  if (count < *capacity)
    return array;
  *capacity = *capacity ? 2 * *capacity : 16;
  array = realloc(array, *capacity * element);
  if (!array)
    fail_without_memory();
  return array;
}

static void free_execution(struct heddle_execution *execution) {
  heddle_cells_free(&execution->cells);
  free(execution->locks);
  free(execution->exempt);
  free(execution->provisional);
  free(execution->places);
  free(execution);
}

static void free_list(struct heddle_execution **list) {
  while (*list) {
    struct heddle_execution *outer = (*list)->outer;
    free_execution(*list);
    *list = outer;
  }
}

static void end_thread(void *unused) {
  (void)unused;
  heddle_finish_log();
  free_list(&heddle_innermost);
  free_list(&idle);
  heddle_check_depth = 0;
  heddle_choose_quick();
}

static bool has_key;

static void make_key(void) {
  has_key = pthread_key_create(&thread_end, end_thread) == 0;
}

/* The code may be unloaded before its threads end. */
__attribute__((destructor)) static void delete_key(void) {
  if (has_key)
    pthread_key_delete(thread_end);
}

/* Numbers of iterations begin anew. */
static void forget_uses(struct heddle_execution *e) {
  if (e->watched_from)
    memset(e->own_uses, 0, sizeof e->own_uses);
  e->watched_from = 0;
}

static struct heddle_execution *take_execution(void) {
  struct heddle_execution *execution = idle;
  if (execution) {
    idle = execution->outer;
    return execution;
  }
  execution = calloc(1, sizeof *execution);
  if (!execution)
    fail_without_memory();
  pthread_once(&thread_end_once, make_key);
  pthread_setspecific(thread_end, execution);
  return execution;
}

/* True if it has turned out that two writes are harmless. */
static bool is_harmless(struct heddle_execution *e,
                        const struct heddle_provisional *p) {
  if (p->cell) {
    const struct heddle_cell *cell = &e->cells.pool[p->cell];
    return !(cell->flags & HEDDLE_CELL_PENDING) ||
           (!(cell->flags & HEDDLE_CELL_REPORTED) &&
            heddle_has_own_use(e, p->base, cell->write_sites[0],
                               cell->writers[0]));
  }
  return heddle_note_place(e, p->sites[0], (uintptr_t)p->address) &&
         heddle_note_place(e, p->sites[1], (uintptr_t)p->address);
}

static void judge_provisional(struct heddle_execution *execution) {
  for (uint32_t i = 0; i < execution->provisional_count; ++i) {
    const struct heddle_provisional *p = &execution->provisional[i];
    if (is_harmless(execution, p))
      continue;
    heddle_report_conflict(&(struct heddle_finding){
        .kind = HEDDLE_FINDING_ORDER,
        .sites = {p->sites[0], p->sites[1]},
        .iterations = {p->iterations[0], p->iterations[1]},
        .writes = {true, true},
        .loop = execution->loop,
        .address = p->address,
        .base = p->base,
        .count = p->count});
  }
  execution->provisional_count = 0;
}

static void end_innermost(void) {
  struct heddle_execution *execution = heddle_innermost;
  heddle_finish_log();
  judge_provisional(execution);
  heddle_innermost = execution->outer;
  --heddle_check_depth;
  heddle_pauses = execution->pauses;
  execution->outer = idle;
  idle = execution;
  heddle_choose_quick();
}

struct heddle_execution *heddle_drop_left(uintptr_t stack) {
  while (heddle_innermost && heddle_innermost->stack < stack &&
         !heddle_works_off)
    end_innermost();
  return heddle_innermost;
}

void heddle_end_loops(void) {
  while (heddle_innermost)
    end_innermost();
}

const struct heddle_cells *
heddle_check_begin(const struct heddle_check_loop *loop) {
  /* The stack pointer of the loop's function. */
  uintptr_t stack = (uintptr_t)__builtin_dwarf_cfa();
  heddle_drop_left((uintptr_t)__builtin_frame_address(0));
  heddle_finish_log();
  struct heddle_execution *execution = take_execution();
  heddle_cells_clear(&execution->cells);
  execution->cells.log_at = execution->cells.log_end = NULL;
  execution->cells.stop = 0;
  execution->outer = heddle_innermost;
  execution->loop = loop;
  execution->stack = stack;
  execution->iterations_before = 0;
  ++execution->number;
  execution->if_quick =
      heddle_innermost || heddle_pauses ? NULL : &execution->cells;
  execution->pauses = heddle_pauses;
  execution->copy_count = 0;
  execution->held_count = 0;
  execution->lock_count = 1;
  execution->exempt_count = 0;
  execution->provisional_count = 0;
  forget_uses(execution);
  execution->place_count = 0;
  heddle_innermost = execution;
  ++heddle_check_depth;
  heddle_choose_quick();
  return &execution->cells;
}

/* The innermost execution if it is one of `loop`. Those that lie on top of one
 * were left in a way that was not seen. */
static struct heddle_execution *
execution_of(const struct heddle_check_loop *loop, uintptr_t stack) {
  struct heddle_execution *e = heddle_drop_left(stack);
  while (e && e->loop != loop)
    e = e->outer;
  while (e && heddle_innermost != e)
    end_innermost();
  return e;
}

/* Accesses that are further apart than numbers reach are not compared. */
static void restart_numbers(struct heddle_execution *e) {
  heddle_finish_log();
  e->cells.log_at = e->cells.log_end = NULL;
  e->cells.stop = 0;
  judge_provisional(e);
  forget_uses(e);
  e->iterations_before += e->cells.iteration - e->cells.first + 1;
  heddle_cells_clear(&e->cells);
}

HEDDLE_INLINE void start_iteration(struct heddle_execution *e) {
  if (e->call_is_of_thread)
    heddle_finish_log();
  ++e->cells.iteration;
  e->copy_count = 0;
  e->held_count = 0;
  e->cells.call = 0;
  e->call_is_of_thread = 0;
  /* What was begun in the iteration before may have been left. */
  heddle_pauses = e->pauses;
  heddle_check_quick = e->if_quick;
  if (e->cells.iteration == e->cells.stop)
    heddle_choose_log(e);
}

static __attribute__((noinline)) void
find_and_start_iteration(const struct heddle_check_loop *loop,
                         uintptr_t stack) {
  struct heddle_execution *e = execution_of(loop, stack);
  if (!e)
    return;
  if (e->cells.iteration == UINT32_MAX)
    restart_numbers(e);
  start_iteration(e);
}

void heddle_check_iteration(const struct heddle_check_loop *loop) {
  const uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  struct heddle_execution *e = heddle_innermost;
  if (!e)
    return;
  if (e->stack < stack || e->loop != loop || e->cells.iteration == UINT32_MAX)
    find_and_start_iteration(loop, stack);
  else
    start_iteration(e);
}

void heddle_check_end(const struct heddle_check_loop *loop) {
  if (execution_of(loop, (uintptr_t)__builtin_frame_address(0)))
    end_innermost();
}

void heddle_check_landed(uint32_t depth) {
  /* Loops of functions that the caller has called have stacks below its own. */
  const uintptr_t stack = (uintptr_t)__builtin_dwarf_cfa();
  while (heddle_innermost &&
         (heddle_check_depth > depth || heddle_innermost->stack < stack))
    end_innermost();
}

void heddle_check_exempt(const void *address, uint64_t bytes) {
  struct heddle_execution *e = heddle_innermost;
  if (!e)
    return;
  heddle_finish_log();
  e->exempt = heddle_grow(e->exempt, e->exempt_count, &e->exempt_capacity,
                          sizeof *e->exempt);
  e->exempt[e->exempt_count++] =
      (struct heddle_range){(uintptr_t)address, (uintptr_t)address + bytes};
}

struct heddle_copy *heddle_find_copy(struct heddle_execution *execution,
                                     uintptr_t address) {
  for (uint32_t i = 0; i < execution->copy_count; ++i)
    if (address >= execution->copies[i].begin &&
        address < execution->copies[i].end)
      return &execution->copies[i];
  return NULL;
}

void heddle_check_call(struct heddle_check_site *site) {
  struct heddle_execution *e = heddle_innermost;
  if (!e)
    return;
  const uint32_t is_of_thread = site->flags & HEDDLE_CHECK_OF_THREAD;
  if (e->call_is_of_thread != is_of_thread)
    heddle_finish_log();
  e->cells.call = heddle_site_number(site, 0);
  e->call_is_of_thread = is_of_thread;
}

static bool has_copies(void) {
  for (struct heddle_execution *e = heddle_innermost; e; e = e->outer)
    if (e->copy_count)
      return true;
  return false;
}

void heddle_check_fresh(const void *address, uint64_t bytes) {
  uintptr_t begin = (uintptr_t)address;
  if (!heddle_innermost || !address || begin + bytes < begin)
    return;
  /* Nothing is known of a variable of the iteration. */
  if (begin >= (uintptr_t)__builtin_frame_address(0) &&
      begin + bytes <= heddle_innermost->stack && !has_copies())
    return;
  heddle_finish_log();
  for (struct heddle_execution *e = heddle_innermost; e; e = e->outer) {
    heddle_cells_forget(&e->cells, begin, begin + bytes);
    struct heddle_copy *copy = heddle_find_copy(e, begin);
    if (copy)
      *copy = e->copies[--e->copy_count];
  }
  heddle_choose_quick();
}

void heddle_check_fresh_object(const void *address) {
  if (heddle_innermost && address)
    heddle_check_fresh(address, malloc_usable_size((void *)address));
}

static uint32_t lock_number(struct heddle_execution *e, uintptr_t address) {
  for (uint32_t i = 1; i < e->lock_count; ++i)
    if (e->locks[i].address == address)
      return i;
  e->locks =
      heddle_grow(e->locks, e->lock_count, &e->lock_capacity, sizeof *e->locks);
  e->locks[e->lock_count] = (struct heddle_known_lock){address, false};
  return e->lock_count++;
}

void heddle_check_acquire(const void *lock, int success) {
  struct heddle_execution *e = heddle_innermost;
  if (!e || !success || e->held_count == HEDDLE_HELD_LOCKS)
    return;
  heddle_finish_log();
  uint32_t number = lock_number(e, (uintptr_t)lock);
  if (!heddle_holds(e, number))
    e->held[e->held_count++] = number;
  else if (success == HEDDLE_CHECK_OR_RELEASES)
    heddle_check_release(lock);
  heddle_choose_quick();
}

void heddle_check_release(const void *lock) {
  struct heddle_execution *e = heddle_innermost;
  if (!e)
    return;
  for (uint32_t i = 0; i < e->held_count; ++i) {
    struct heddle_known_lock *held = &e->locks[e->held[i]];
    if (held->address != (uintptr_t)lock)
      continue;
    heddle_finish_log();
    held->was_released = true;
    memmove(&e->held[i], &e->held[i + 1],
            (--e->held_count - i) * sizeof *e->held);
    heddle_choose_quick();
    return;
  }
}

uint32_t heddle_held_lock(const struct heddle_execution *execution) {
  return execution->held_count ? execution->held[0] : 0;
}

bool heddle_holds(const struct heddle_execution *execution, uint32_t lock) {
  for (uint32_t i = 0; i < execution->held_count; ++i)
    if (execution->held[i] == lock)
      return true;
  return false;
}

void heddle_check_pause(int begins) {
  heddle_finish_log();
  heddle_pauses += begins != 0;
  heddle_choose_quick();
}

void heddle_check_resume(void) {
  heddle_finish_log();
  heddle_pauses -= heddle_pauses > 0;
  heddle_choose_quick();
}

uint32_t heddle_remembered_number(struct heddle_execution *execution,
                                  struct heddle_check_site *site,
                                  uint32_t call) {
  struct heddle_numbered *at =
      &execution
           ->numbered[((uintptr_t)site >> 4 ^ call * 31u) % HEDDLE_NUMBERED];
  if (at->site != site || at->call != call) {
    at->site = site;
    at->call = call;
    at->number = heddle_site_number(site, call);
  }
  return at->number;
}

static void grow_places(struct heddle_execution *e) {
  struct heddle_fixed_place *old = e->places;
  uint32_t count = e->place_capacity;
  e->place_capacity = count ? 2 * count : FirstPlaces;
  e->places = calloc(e->place_capacity, sizeof *e->places);
  if (!e->places)
    fail_without_memory();
  for (uint32_t i = 0; i < count; ++i)
    if (old[i].execution == e->number)
      *heddle_place_of(e, old[i].site) = old[i];
  free(old);
}

bool heddle_note_place(struct heddle_execution *execution, uint32_t site,
                       uintptr_t address) {
  if (2 * execution->place_count >= execution->place_capacity)
    grow_places(execution);
  struct heddle_fixed_place *place = heddle_place_of(execution, site);
  if (place->execution != execution->number) {
    ++execution->place_count;
    *place = (struct heddle_fixed_place){site, execution->number, address};
  } else if (place->address != address) {
    place->address = 0;
    execution->varied[site % HEDDLE_VARIED] = heddle_varied(execution, site);
  }
  return place->address;
}

void heddle_watch_uses(struct heddle_execution *execution) {
  if (execution->watched_from)
    return;
  execution->watched_from = execution->cells.iteration;
  execution->if_quick = NULL;
  heddle_choose_quick();
}

static void note_own_use(struct heddle_execution *e, uintptr_t what,
                         uint32_t iteration) {
  struct heddle_own_use *at = e->own_uses;
  for (uint32_t i = 0; i < HEDDLE_OWN_USES; ++i) {
    struct heddle_own_use *other = &e->own_uses[i];
    if (other->what == what) {
      at = other;
      break;
    }
    if (other->iteration < at->iteration)
      at = other;
  }
  *at = (struct heddle_own_use){what, iteration};
}

void heddle_note_own_use(struct heddle_execution *execution, const void *base,
                         uint32_t site, uint32_t iteration) {
  if (base)
    note_own_use(execution, (uintptr_t)base, iteration);
  if (site)
    note_own_use(execution, ~(uintptr_t)site, iteration);
}

bool heddle_has_own_use(const struct heddle_execution *execution,
                        const void *base, uint32_t site, uint32_t iteration) {
  for (uint32_t i = 0; i < HEDDLE_OWN_USES; ++i) {
    const struct heddle_own_use *use = &execution->own_uses[i];
    if (use->what && use->iteration >= iteration &&
        (use->what == (uintptr_t)base || use->what == ~(uintptr_t)site))
      return true;
  }
  return false;
}
