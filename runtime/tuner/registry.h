/*===- registry.h - All transformed loops of the process --------------------===
 *
 * The first run of a loop gives it a record, which holds everything that the
 * runtime learns of it and a copy of the data for its report. Records are never
 * freed: the loop may be in a shared object that is unloaded before the report
 * is written. A loop that is loaded again at the same address finds its record
 * again.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_REGISTRY_H
#define HEDDLE_RUNTIME_TUNER_REGISTRY_H

#include "tuner/site.h"
#include "tuner/tuner.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HEDDLE_VERSIONS = 3 };

/* A loop may be entered with few iterations (a BFS level of ten vertices) and
 * with many, and the best version may differ. Each kind of entry has a tuner.
 */
enum heddle_entry { HEDDLE_LONG_ENTRY, HEDDLE_SHORT_ENTRY, HEDDLE_ENTRIES };

/* Entries of fewer iterations are short. */
enum { HEDDLE_SHORT_ITERATIONS = 256 };

/* The counts of HEDDLE_STATS, changed with relaxed atomic additions. */
struct heddle_counters {
  uint64_t chunks;
  uint64_t iterations;
  uint64_t suspensions;
  uint64_t ticks;
};

struct heddle_record {
  struct heddle_record *next;
  const heddle_site *site; /* for comparison only: it may be unloaded */
  const char *key;         /* file:line:function */
  const char *file;
  const char *function;
  uint32_t line;
  bool counted;       /* whether HEDDLE_STATS is on */
  bool drawn;         /* whether choices are made at random */
  uint32_t far_tasks; /* the latest of the site's; 0 if it has none */
  struct heddle_tuner tuners[HEDDLE_ENTRIES];
  struct heddle_counters counters[HEDDLE_ENTRIES][HEDDLE_VERSIONS];
};

/* The record of `site`, made at the first call; NULL if memory is short. */
struct heddle_record *heddle_register(heddle_site *site);

/* The newest record, from which `next` leads to all others. */
struct heddle_record *heddle_first_record(void);

/* Returns the number of tasks of a loop that runs `choice`. */
uint32_t heddle_tasks_of(const struct heddle_record *record, uint32_t choice);

const char *heddle_entry_name(enum heddle_entry entry);

#ifdef __cplusplus
}
#endif

#endif
