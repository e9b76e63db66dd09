/*===- site.h - The contract between transformed loops and the runtime ------===
 *
 * AsyncSplit gives every transformed loop one `heddle_site` in writable data
 * and calls the two functions below around each chunk of iterations that it
 * runs. The site holds the compiler's facts about the loop and, behind them,
 * the results of the site tuner. Both functions are referenced weakly: a
 * program linked without the runtime runs its sites' default version.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_SITE_H
#define HEDDLE_RUNTIME_TUNER_SITE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The code versions that a transformed loop may hold. */
enum heddle_version {
  HEDDLE_SERIAL = 0,
  HEDDLE_LOCKSTEP = 1, /* phase queues */
  HEDDLE_FIFO = 2      /* ring of coroutines */
};

/* In `decision` below: it has been made; the bits that hold the version and the
 * tasks. */
#define HEDDLE_DECIDED 0x80000000u
enum {
  HEDDLE_DECISION_VERSION_MASK = 0xff,
  HEDDLE_DECISION_TASKS_SHIFT = 8,
  HEDDLE_DECISION_TASKS_MASK = 0xffff
};

/* One transformed loop. The passes list the fields again, which is checked when
 * they are compiled. All fields up to `decision` are constants written by the
 * compiler; the rest belongs to the runtime, and starts as zero except
 * `far_tasks`. */
typedef struct heddle_site {
  const char *file;
  const char *function;
  uint32_t line;
  uint32_t versions;        /* bit (1 << version) set for each version held */
  uint32_t default_version; /* what the cost model would choose */
  uint32_t fixed_tasks;     /* tasks(N), or 0 for tasks(auto) */
  uint32_t max_tasks;       /* room for this many iterations in flight */
  uint32_t suspension_points;
  /* 0 while undecided; else HEDDLE_DECIDED | tasks << 8 | version. Read by the
   * transformed code itself (relaxed) so that short loops need no call. */
  uint32_t decision;
  /* Loops over far memory whose number of tasks adapts: the latest best number,
   * up to max_tasks. 0 for other loops. */
  uint32_t far_tasks;
  uint64_t state[24];
} heddle_site;

/* The version and the chunk to run next. */
typedef struct heddle_plan {
  uint32_t version;    /* an enum heddle_version */
  uint32_t tasks;      /* iterations in flight, 1..site->max_tasks */
  uint64_t iterations; /* run at most this many, at least 1 */
  uint64_t start;      /* for the runtime: time stamp of the begin call */
} heddle_plan;

/* Fills `plan` for the next chunk of a loop that has `remaining` iterations
 * left (UINT64_MAX when not known). Called by any thread at any time. */
void heddle_site_begin(heddle_site *site, uint64_t remaining,
                       heddle_plan *plan);

/* Reports that the chunk of `plan` is over: `iterations` were run to their end,
 * and iterations were suspended `suspensions` times. `work` is the number of
 * iterations, including those of inner loops if the compiler could count them:
 * the same for all versions, and so a measure of the work. */
void heddle_site_end(heddle_site *site, const heddle_plan *plan,
                     uint64_t iterations, uint64_t work, uint64_t suspensions);

#ifdef __cplusplus
}
#endif

#endif
