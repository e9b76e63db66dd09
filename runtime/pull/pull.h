/*===- pull.h - Pull loops in chunks of equal work ----------------*- C -*-===
 *
 * The contract between loops under `#pragma heddle pull` and the runtime. Such
 * a loop runs over rows; each row combines the values of its edges. If threads
 * got equal numbers of rows, the thread with the largest row would take as long
 * as all others. So the compiler takes the loop from OpenMP's schedule and asks
 * here for ranges of rows that are balanced by edges, cut within a row where
 * necessary (section 3 of "Making Pull-Based Graph Processing Performant",
 * Grossman, Litz and Kozyrakis, PPoPP 2018).
 *
 * A row that is in one chunk is combined in registers and stored by the thread
 * that runs it. Each piece of a row that was cut leaves its combined values in
 * a slot; when all chunks are done, one thread combines the slots and runs the
 * rest of the row's iteration. Nothing is updated by two threads, so nothing is
 * atomic, and the pieces are combined in the order of the edges.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_PULL_PULL_H
#define HEDDLE_RUNTIME_PULL_PULL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The compiler's description of a loop. The edges of row r begin at the end of
 * the edges of row r - 1. */
typedef struct heddle_pull_rows {
  uint64_t count;  /* rows, at least one */
  const void *end; /* where the edges of row 0 end */
  int64_t stride;  /* bytes from there to the end of row 1 */
  uint32_t width;  /* bytes of a number that says where edges end: 4 or 8 */
  uint32_t unit;   /* the increase of a row's end with each edge */
  uint64_t begin;  /* where the edges of row 0 begin */
  /* A row's combined values: their size, their values before any edge, and a
   * function that adds those of a later piece to those of an earlier. */
  uint64_t piece_bytes;
  const void *identity;
  void (*combine)(void *into, const void *piece);
  /* The size of a chunk: its edges, or the rows that OpenMP's schedule gives to
   * a chunk. If both are 0, the runtime decides. */
  uint64_t edges_per_chunk;
  uint64_t rows_per_chunk;
  uint32_t dynamic; /* whether a thread takes the next chunk when it is ready */
  /* The calling thread and its team. */
  int32_t thread;     /* OpenMP's global number of the calling thread */
  void *source_place; /* OpenMP's description of the loop */
} heddle_pull_rows;

#define HEDDLE_PULL_NO_ROW UINT64_MAX

/* The rows that one thread runs next, and state of the runtime. */
typedef struct heddle_pull {
  uint64_t first, last; /* rows; one, unless they are whole */
  /* The chunk contains only the edges of these rows from `low` to `high`. From
   * 0 to UINT64_MAX if the rows are whole and nothing is carried or
   * deferred. */
  uint64_t low, high;
  uint64_t edges; /* of these rows, if they are whole */
  /* The row that began in an earlier chunk, or HEDDLE_PULL_NO_ROW. Its edges
   * are combined with the values in `carry`. */
  uint64_t continued;
  /* The row whose piece goes to the first slot, or HEDDLE_PULL_NO_ROW. The
   * piece of any other row whose edges end above `high` goes to the second
   * slot. */
  uint64_t deferred;
  void *slots;
  void *carry;

  const heddle_pull_rows *rows;
  struct heddle_pull_team *team;
  /* The next chunk to run or to merge. With a dynamic schedule: modulo the
   * number of threads, the thread from whose share the next chunk is taken. */
  uint64_t next;
  uint64_t row; /* the thread's next chunk begins in it or behind it */
  /* The rest of the chunk: whole rows, and of the row behind them the edges
   * before `rest_edge`, unless that is UINT64_MAX. */
  uint64_t rest, rest_end, rest_edge;
  uint32_t state;
} heddle_pull;

/* Begins a loop, once for every thread of the team. `rows` must stay. `carry`
 * has room for a piece. */
void heddle_pull_begin(heddle_pull *pull, const heddle_pull_rows *rows,
                       void *carry);

/* Fills in the next range of rows, or returns 0 when there is none left for
 * this thread. Has barriers that all threads of the team pass: behind the last
 * chunk and, if the schedule is static, behind the last row that was cut. */
uint32_t heddle_pull_next(heddle_pull *pull);

#ifdef __cplusplus
}
#endif

#endif
