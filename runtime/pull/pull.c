/*===- pull.c - Pull loops in chunks of equal work ------------------------===*/

#include "pull/pull.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* OpenMP's runtime, which is there whenever a loop belongs to a team. */
__attribute__((weak)) int omp_get_num_threads(void);
__attribute__((weak)) int omp_get_thread_num(void);
__attribute__((weak)) void __kmpc_barrier(void *place, int32_t thread);
__attribute__((weak)) int32_t __kmpc_single(void *place, int32_t thread);
__attribute__((weak)) void __kmpc_end_single(void *place, int32_t thread);
__attribute__((weak)) void __kmpc_copyprivate(void *place, int32_t thread,
                                              size_t size, void *data,
                                              void (*copy)(void *, void *),
                                              int32_t is_source);

enum {
  CACHE_LINE = 64,
  CHUNKS_PER_THREAD = 32,
  LEAST_WORK = 8,
  /* Finding where a chunk begins and ends takes some microseconds. */
  WORTH_TAKING = 1 << 16,
  /* Rows with less than this part of a chunk's work are not cut: the rest of a
   * cut row's iteration waits for all chunks, and one thread runs it. */
  WORTH_CUTTING = 16
};

/* A position among the edges: `row` is the first that has not ended. */
struct place {
  uint64_t row;
  uint64_t edge; /* in the units of the rows' ends */
  bool in_row;   /* some of the row's edges precede it */
};

/* The position where a chunk began, for the thread that merges. */
struct chunk {
  uint64_t row;
  bool in_row;
};

/* The number of chunks taken from the share that one thread processes first. */
struct share {
  _Alignas(CACHE_LINE) atomic_uint_fast64_t taken;
};

/* The state that the threads of a loop share. */
struct heddle_pull_team {
  atomic_uint_fast64_t threads_left;
  uint64_t chunks;
  uint64_t chunk_work;
  char *slots; /* two a chunk: the row that it begins in, the row it ends in */
  struct chunk *began;
  struct share *shares; /* one a thread, with a dynamic schedule */
  uint64_t threads;
  atomic_bool has_cut_rows; /* known when all chunks are done */
};

enum state { ALONE, RUNNING, MERGING, DONE };

/*===- Rows and edges ----------------------------------------------------===*/

static uint64_t end_of(const heddle_pull_rows *rows, uint64_t row) {
  const char *at = (const char *)rows->end + (int64_t)row * rows->stride;
  if (rows->width == 4) {
    uint32_t end;
    memcpy(&end, at, sizeof end);
    return end;
  }
  uint64_t end;
  memcpy(&end, at, sizeof end);
  return end;
}

static uint64_t begin_of(const heddle_pull_rows *rows, uint64_t row) {
  return row == 0 ? rows->begin : end_of(rows, row - 1);
}

/* The work up to the end of `row`. A row counts as one edge more, so that rows
 * without any are distributed too. */
static uint64_t work_up_to(const heddle_pull_rows *rows, uint64_t row) {
  return (end_of(rows, row) - rows->begin) / rows->unit + row + 1;
}

static uint64_t work_of(const heddle_pull_rows *rows, uint64_t row) {
  return (end_of(rows, row) - begin_of(rows, row)) / rows->unit + 1;
}

/* Finds the position that `work` precedes, or the beginning of the row that
 * contains it if the row has at most `most_uncut` edges. The row is `from` or a
 * later one. */
static struct place find(const heddle_pull_rows *rows, uint64_t work,
                         uint64_t from, uint64_t most_uncut) {
  /* Begins to look where it would be if all rows from there on were alike. */
  const uint64_t before_from = work_up_to(rows, from) - work_of(rows, from);
  const uint64_t mean = work_up_to(rows, rows->count - 1) / rows->count;
  uint64_t low = from, high = rows->count, step = 8;
  uint64_t guess = from + (work - before_from) / mean;
  if (guess >= high)
    guess = high - 1;
  if (work_up_to(rows, guess) <= work) {
    low = guess + 1;
    while (high - low > step && work_up_to(rows, low + step) <= work) {
      low += step + 1;
      step *= 2;
    }
    high = high - low > step ? low + step : high;
  } else {
    high = guess;
    while (high - low > step && work_up_to(rows, high - step) > work) {
      high -= step;
      step *= 2;
    }
    low = high - low > step ? high - step + 1 : low;
  }
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (work_up_to(rows, middle) <= work)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == rows->count)
    return (struct place){low, end_of(rows, low - 1), false};
  uint64_t begin = begin_of(rows, low), end = end_of(rows, low);
  assert(low < rows->count && begin <= end);
  uint64_t before = (begin - rows->begin) / rows->unit + low;
  uint64_t edge = begin + (work - before) * rows->unit;
  if (edge == begin || (end - begin) / rows->unit <= most_uncut)
    return (struct place){low, begin, false};
  /* If all edges of the row precede the position, the row ends there. */
  if (edge >= end)
    return (struct place){low + 1, end, false};
  return (struct place){low, edge, true};
}

/*===- Teams -------------------------------------------------------------===*/

static uint64_t round_up(uint64_t dividend, uint64_t divisor) {
  return dividend / divisor + (dividend % divisor != 0);
}

static void cut(const heddle_pull_rows *rows, struct heddle_pull_team *team) {
  uint64_t work = work_up_to(rows, rows->count - 1);
  uint64_t many = round_up(work, CHUNKS_PER_THREAD * team->threads);
  uint64_t edges = rows->edges_per_chunk;
  if (!edges && rows->rows_per_chunk > 1) {
    edges = work / rows->count * rows->rows_per_chunk;
    uint64_t least = many < WORTH_TAKING ? many : WORTH_TAKING;
    edges = edges < least ? least : edges;
  }
  if (!edges)
    edges = rows->dynamic ? many : round_up(work, team->threads);
  team->chunk_work = edges < LEAST_WORK ? LEAST_WORK : edges;
  team->chunks = round_up(work, team->chunk_work);
  assert(team->chunks > 0);
}

static void free_team(struct heddle_pull_team *team) {
  free(team->slots);
  free(team->began);
  free(team->shares);
  free(team);
}

/* NULL if there is no memory for it. */
static struct heddle_pull_team *make_team(const heddle_pull_rows *rows,
                                          uint64_t threads) {
  struct heddle_pull_team *team = malloc(sizeof *team);
  if (!team)
    return NULL;
  team->threads = threads;
  atomic_init(&team->threads_left, threads);
  atomic_init(&team->has_cut_rows, false);
  team->slots = NULL;
  team->began = NULL;
  team->shares = NULL;
  cut(rows, team);
  if (rows->dynamic) {
    team->shares = aligned_alloc(CACHE_LINE, threads * sizeof *team->shares);
    for (uint64_t i = 0; team->shares && i < threads; ++i)
      atomic_init(&team->shares[i].taken, 0);
  }
  if (team->chunks > 1) {
    team->slots = calloc(team->chunks, 2 * rows->piece_bytes);
    team->began = malloc(team->chunks * sizeof *team->began);
  }
  if ((team->shares || !rows->dynamic) &&
      (team->chunks == 1 || (team->slots && team->began)))
    return team;
  free_team(team);
  return NULL;
}

static void copy_team(void *to, void *from) {
  *(struct heddle_pull_team **)to = *(struct heddle_pull_team **)from;
}

/* Lets one thread create the team for all. */
static struct heddle_pull_team *join_team(const heddle_pull_rows *rows,
                                          uint64_t threads) {
  struct heddle_pull_team *team = NULL;
  int32_t chosen = __kmpc_single(rows->source_place, rows->thread);
  if (chosen) {
    team = make_team(rows, threads);
    __kmpc_end_single(rows->source_place, rows->thread);
  }
  __kmpc_copyprivate(rows->source_place, rows->thread, sizeof team, &team,
                     copy_team, chosen);
  return team;
}

static void leave_team(heddle_pull *pull) {
  pull->state = DONE;
  if (atomic_fetch_sub_explicit(&pull->team->threads_left, 1,
                                memory_order_acq_rel) == 1)
    free_team(pull->team);
}

/*===- The loop ----------------------------------------------------------===*/

void heddle_pull_begin(heddle_pull *pull, const heddle_pull_rows *rows,
                       void *carry) {
  assert(rows->count > 0 && rows->unit > 0);
  assert(rows->width == 4 || rows->width == 8);
  memcpy(carry, rows->identity, rows->piece_bytes);
  pull->rows = rows;
  pull->carry = carry;
  pull->team = NULL;
  pull->slots = NULL;
  pull->row = 0;
  pull->rest = pull->rest_end = 0;
  pull->rest_edge = UINT64_MAX;
  pull->next = 0;
  pull->state = ALONE;
  int threads = omp_get_num_threads ? omp_get_num_threads() : 1;
  if (threads == 1)
    return;
  int thread = omp_get_thread_num();
  pull->team = join_team(rows, (uint64_t)threads);
  pull->next = (uint64_t)thread;
  if (pull->team)
    pull->state = RUNNING;
  else if (thread != 0) /* the first runs all rows, which needs no memory */
    pull->state = DONE;
}

/* The first chunk of a thread's share. */
static uint64_t share_begin(const struct heddle_pull_team *team,
                            uint64_t thread) {
  const uint64_t each = team->chunks / team->threads;
  const uint64_t more = team->chunks % team->threads;
  return thread * each + (thread < more ? thread : more);
}

/* Returns the number of the thread's next chunk; higher than the last if there
 * is none. When a loop runs again, a core's cache still contains the data that
 * the core wrote before. So with a dynamic schedule threads take the chunks of
 * their own share first, and then those that others have not taken. */
static uint64_t take_chunk(heddle_pull *pull) {
  struct heddle_pull_team *team = pull->team;
  if (!pull->rows->dynamic) {
    uint64_t chunk = pull->next;
    pull->next += team->threads;
    return chunk;
  }
  const uint64_t end = (uint64_t)omp_get_thread_num() + team->threads;
  for (; pull->next < end; ++pull->next) {
    const uint64_t of = pull->next % team->threads;
    const uint64_t chunk = share_begin(team, of) +
                           atomic_fetch_add_explicit(&team->shares[of].taken, 1,
                                                     memory_order_relaxed);
    if (chunk < share_begin(team, of + 1))
      return chunk;
    pull->row = 0;
  }
  return team->chunks;
}

/* Sets whole rows as the thread's next range. */
static void enter_rows(heddle_pull *pull, uint64_t first, uint64_t last) {
  const heddle_pull_rows *rows = pull->rows;
  assert(first <= last && last < rows->count);
  pull->first = first;
  pull->last = last;
  pull->edges = (end_of(rows, last) - begin_of(rows, first)) / rows->unit;
  pull->low = 0;
  pull->high = UINT64_MAX;
  pull->continued = pull->deferred = HEDDLE_PULL_NO_ROW;
}

/* Sets the rest of the chunk as the thread's next range, whole rows first.
 * False if nothing is left. */
static bool enter_rest(heddle_pull *pull) {
  if (pull->rest < pull->rest_end) {
    enter_rows(pull, pull->rest, pull->rest_end - 1);
    pull->rest = pull->rest_end;
    return true;
  }
  if (pull->rest_edge == UINT64_MAX)
    return false;
  enter_rows(pull, pull->rest_end, pull->rest_end);
  pull->high = pull->rest_edge;
  pull->rest_edge = UINT64_MAX;
  return true;
}

/* Sets `chunk` as the thread's next range. False if it is empty. */
static bool enter_chunk(heddle_pull *pull, uint64_t chunk) {
  const heddle_pull_rows *rows = pull->rows;
  struct heddle_pull_team *team = pull->team;
  const uint64_t most_uncut = team->chunk_work / WORTH_CUTTING;
  struct place begin = {0, rows->begin, false};
  if (chunk > 0)
    begin = find(rows, chunk * team->chunk_work, pull->row, most_uncut);
  struct place end = {rows->count, 0, false};
  if (chunk + 1 < team->chunks)
    end = find(rows, (chunk + 1) * team->chunk_work, begin.row, most_uncut);
  else
    end.edge = end_of(rows, rows->count - 1);
  assert(begin.row <= end.row);
  pull->row = end.row > 0 ? end.row - 1 : 0;
  if (team->began)
    team->began[chunk] = (struct chunk){begin.row, begin.in_row};
  if (begin.in_row)
    atomic_store_explicit(&team->has_cut_rows, true, memory_order_relaxed);
  pull->slots =
      team->slots ? team->slots + chunk * 2 * rows->piece_bytes : NULL;
  pull->rest = begin.row;
  pull->rest_end = end.row;
  pull->rest_edge = end.in_row ? end.edge : UINT64_MAX;
  if (!begin.in_row)
    return enter_rest(pull);
  enter_rows(pull, begin.row, begin.row);
  pull->continued = pull->deferred = begin.row;
  pull->low = begin.edge;
  if (end.row == begin.row) {
    pull->high = end.edge;
    pull->rest_edge = UINT64_MAX;
  } else {
    ++pull->rest;
  }
  return true;
}

/* Sets the next cut row as the thread's next range, with the combined values of
 * its pieces. False if there is none left. */
static bool enter_cut_row(heddle_pull *pull) {
  const heddle_pull_rows *rows = pull->rows;
  const struct heddle_pull_team *team = pull->team;
  uint64_t chunk = pull->next;
  while (chunk < team->chunks && !team->began[chunk].in_row)
    ++chunk;
  if (chunk == team->chunks)
    return false;
  assert(chunk > 0); /* the first chunk begins with a row */
  uint64_t row = team->began[chunk].row;
  const uint64_t bytes = rows->piece_bytes;
  memcpy(pull->carry, team->slots + (2 * chunk - 1) * bytes, bytes);
  for (; chunk < team->chunks && team->began[chunk].in_row &&
         team->began[chunk].row == row;
       ++chunk)
    rows->combine(pull->carry, team->slots + 2 * chunk * bytes);
  pull->next = chunk;
  enter_rows(pull, row, row);
  /* None of the row's edges are run again, and nothing is deferred. */
  pull->low = UINT64_MAX;
  pull->continued = row;
  return true;
}

uint32_t heddle_pull_next(heddle_pull *pull) {
  const heddle_pull_rows *rows = pull->rows;
  struct heddle_pull_team *team = pull->team;
  if (pull->state == ALONE) {
    enter_rows(pull, 0, rows->count - 1);
    pull->state = DONE;
    return 1;
  }
  if (pull->state == RUNNING) {
    if (enter_rest(pull))
      return 1;
    for (uint64_t chunk = take_chunk(pull); chunk < team->chunks;
         chunk = take_chunk(pull))
      if (enter_chunk(pull, chunk))
        return 1;
    __kmpc_barrier(rows->source_place, rows->thread);
    pull->state = MERGING;
    pull->next = 1;
  }
  if (pull->state == MERGING) {
    bool has_cut_rows =
        atomic_load_explicit(&team->has_cut_rows, memory_order_relaxed);
    if (has_cut_rows && omp_get_thread_num() == 0 && enter_cut_row(pull))
      return 1;
    /* With a static schedule, a thread may read the results of its rows next,
     * without OpenMP's barrier. */
    if (has_cut_rows && !rows->dynamic)
      __kmpc_barrier(rows->source_place, rows->thread);
    leave_team(pull);
  }
  return 0;
}
