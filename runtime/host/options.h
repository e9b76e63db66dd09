/*===- options.h - The environment variables of the runtime -----------------===
 *
 * Each variable is read once, at the first need, and a value that makes no
 * sense is reported once on stderr and then ignored.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_OPTIONS_H
#define HEDDLE_RUNTIME_HOST_OPTIONS_H

#include "host/vectors.h"
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heddle_tune_mode {
  HEDDLE_TUNE_RUNNING, /* measure, settle, look again */
  HEDDLE_TUNE_OFF,
  HEDDLE_TUNE_ONCE,
  HEDDLE_TUNE_RANDOM /* choose at random, to find what depends on the order */
};

/* What a program built with -fheddle-check does with its findings. */
enum heddle_check_mode {
  HEDDLE_CHECK_REPORT,
  HEDDLE_CHECK_ABORT,
  HEDDLE_CHECK_JSON
};

struct heddle_options {
  enum heddle_tune_mode tune;
  uint64_t tune_seed;
  const char *tune_file;  /* NULL if none */
  bool stats;             /* count, and report at exit */
  const char *stats_file; /* for JSON; NULL for a table on stderr */
  uint32_t tasks;         /* 0 if not given */
  bool huge_pages;
  int vectors; /* an enum heddle_vectors, the highest to use */
  bool probe;
  enum heddle_check_mode check;
  const char *check_file; /* for JSON */
};

/* The options of this process. Any thread. */
const struct heddle_options *heddle_process_options(void);

/* Reads the options from the environment as it is now; the part of
 * heddle_process_options that tests can repeat. Strings point into the
 * environment. */
struct heddle_options heddle_read_options(void);

#ifdef __cplusplus
}
#endif

#endif
