/*===- options.c - Environment variables ----------------------------------===*/

#include "host/options.h"

#include "host/environment.h"
#include "host/messages.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { MostTasks = 65536 };

static bool is_one_of(const char *value, const char *const *words) {
  for (; *words; ++words)
    if (!strcasecmp(value, *words))
      return true;
  return false;
}

/* The number that is all of `text`; false if it is none of 64 bits. */
static bool read_seed(const char *text, uint64_t *seed) {
  char *end;
  errno = 0;
  *seed = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && !errno;
}

static void read_tune(struct heddle_options *options) {
  /* Words that are meant as a mode and not as the name of a file. */
  static const char *const looks_like_mode[] = {
      "on", "off", "once", "static", "auto", "dynamic", "none",   "yes",
      "no", "0",   "1",    "false",  "true", "",        "random", 0};
  static const char random[] = "random:";
  const char *value = heddle_environment("HEDDLE_TUNE");
  if (!value)
    return;
  if (!strcmp(value, "off"))
    options->tune = HEDDLE_TUNE_OFF;
  else if (!strcmp(value, "once") || !strcmp(value, "static"))
    options->tune = HEDDLE_TUNE_ONCE;
  else if (!strncmp(value, random, sizeof random - 1) &&
           read_seed(value + sizeof random - 1, &options->tune_seed))
    options->tune = HEDDLE_TUNE_RANDOM;
  else if (is_one_of(value, looks_like_mode) ||
           !strncmp(value, random, sizeof random - 1))
    heddle_warn("HEDDLE_TUNE='%s' ignored: expected 'off', 'once', "
                "'random:SEED' with a number as the seed, or the "
                "name of a file (write './%s' for a file of that name)",
                value, value);
  else
    options->tune_file = value;
}

static void read_stats(struct heddle_options *options) {
  const char *value = heddle_environment("HEDDLE_STATS");
  if (!value || !strcmp(value, "0"))
    return;
  options->stats = true;
  if (!strncmp(value, "json:", 5) && value[5]) {
    options->stats_file = value + 5;
  } else if (strcmp(value, "1")) {
    options->stats = false;
    heddle_warn("HEDDLE_STATS='%s' ignored: expected '0', '1' or 'json:FILE'",
                value);
  }
}

static void read_tasks(struct heddle_options *options) {
  const char *value = heddle_environment("HEDDLE_TASKS");
  if (!value)
    return;
  char *end;
  errno = 0;
  long tasks = strtol(value, &end, 10);
  if (errno || end == value || *end || tasks < 1 || tasks > MostTasks)
    heddle_warn("HEDDLE_TASKS='%s' ignored: expected a number from 1 to %d",
                value, MostTasks);
  else
    options->tasks = (uint32_t)tasks;
}

static void read_check(struct heddle_options *options) {
  const char *value = heddle_environment("HEDDLE_CHECK");
  if (!value || !strcmp(value, "report"))
    return;
  if (!strcmp(value, "abort")) {
    options->check = HEDDLE_CHECK_ABORT;
  } else if (!strncmp(value, "json:", 5) && value[5]) {
    options->check = HEDDLE_CHECK_JSON;
    options->check_file = value + 5;
  } else {
    heddle_warn("HEDDLE_CHECK='%s' ignored: expected 'report', 'abort' or "
                "'json:FILE'",
                value);
  }
}

/* The place of a variable's value among `words`, or `usual`. */
static int read_word(const char *variable, const char *const *words, int usual,
                     const char *expected) {
  const char *value = heddle_environment(variable);
  if (!value)
    return usual;
  for (int i = 0; words[i]; ++i)
    if (!strcmp(value, words[i]))
      return i;
  heddle_warn("%s='%s' ignored: expected %s", variable, value, expected);
  return usual;
}

struct heddle_options heddle_read_options(void) {
  static const char *const pages[] = {"huge", "4k", "4K", 0};
  static const char *const vectors[] = {"portable", "avx2", "avx512", 0};
  static const char *const switches[] = {"0", "1", 0};
  struct heddle_options options = {.tune = HEDDLE_TUNE_RUNNING};
  read_tune(&options);
  read_stats(&options);
  read_tasks(&options);
  read_check(&options);
  options.huge_pages =
      read_word("HEDDLE_PAGES", pages, 0, "'4k' or 'huge'") == 0;
  options.vectors = read_word("HEDDLE_VECTORS", vectors, HEDDLE_VECTORS_AVX512,
                              "'portable', 'avx2' or 'avx512'");
  options.probe = read_word("HEDDLE_PROBE", switches, 0, "'0' or '1'") == 1;
  return options;
}

static struct heddle_options process_options;

/* A copy that survives a later setenv or chdir. */
static const char *own_path(const char *path) {
  if (!path)
    return NULL;
  char *directory = *path == '/' ? NULL : getcwd(NULL, 0);
  if (!directory)
    return strdup(path);
  char *absolute;
  if (asprintf(&absolute, "%s/%s", directory, path) < 0)
    absolute = NULL;
  free(directory);
  return absolute;
}

static void read_once(void) {
  process_options = heddle_read_options();
  process_options.tune_file = own_path(process_options.tune_file);
  process_options.stats_file = own_path(process_options.stats_file);
  process_options.check_file = own_path(process_options.check_file);
}

const struct heddle_options *heddle_process_options(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, read_once);
  return &process_options;
}
