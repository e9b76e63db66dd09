/*===- registry.c - Records of loops and their arms -----------------------===*/

#include "tuner/registry.h"

#include "heddle/heddle.h"
#include "host/clock.h"
#include "host/options.h"
#include "host/sanitizers.h"
#include "tuner/draws.h"
#include "tuner/report.h"
#include "tuner/tunefile.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct heddle_record *first_record;

static uint64_t now(void) { return heddle_clock_ticks(); }

static uintptr_t thread(void) {
  static _Thread_local char anchor;
  return (uintptr_t)&anchor;
}

/* A linear congruential generator a thread, high half of the state. */
static uint32_t random_number(void) {
  static _Thread_local uint64_t state;
  state = state * 0x5851f42d4c957f2du + (thread() | 1);
  return (uint32_t)(state >> 32);
}

static const struct heddle_surroundings surroundings = {
    now, heddle_clock_ticks_per_microsecond, thread, random_number};

struct heddle_record *heddle_first_record(void) {
  return __atomic_load_n(&first_record, __ATOMIC_ACQUIRE);
}

uint32_t heddle_tasks_of(const struct heddle_record *record, uint32_t choice) {
  const uint32_t far_tasks =
      __atomic_load_n(&record->far_tasks, __ATOMIC_RELAXED);
  return far_tasks ? far_tasks : heddle_decoded_tasks(choice);
}

const char *heddle_entry_name(enum heddle_entry entry) {
  return entry == HEDDLE_SHORT_ENTRY ? "short" : "long";
}

/*===- At a fork and at the end of the process --------------------------===*/

/* The child reports only its own runs. */
static void after_fork_in_child(void) {
  heddle_tunefile_disown();
  for (struct heddle_record *r = heddle_first_record(); r; r = r->next) {
    memset(r->counters, 0, sizeof r->counters);
    for (int entry = 0; entry < HEDDLE_ENTRIES; ++entry)
      heddle_tuner_after_fork(&r->tuners[entry]);
  }
}

static void at_end(void) {
  heddle_begin_uninstrumented();
  heddle_tunefile_save();
  if (heddle_process_options()->stats)
    heddle_report();
  heddle_end_uninstrumented();
}

static void start_once(void) {
  heddle_clock_start();
  const struct heddle_options *options = heddle_process_options();
  if (options->tune_file)
    heddle_tunefile_load(options->tune_file);
  pthread_atfork(NULL, NULL, after_fork_in_child);
  if (options->tune_file || options->stats)
    atexit(at_end);
}

/*===- Making a record ---------------------------------------------------===*/

static uint32_t bounded_tasks(const heddle_site *site, uint32_t tasks) {
  uint32_t most = site->max_tasks ? site->max_tasks : 1;
  return tasks < 1 ? 1 : tasks > most ? most : tasks;
}

/* A loop over far memory finds the number of its tasks by itself, unless the
 * user fixes it. */
static bool finds_tasks_itself(const heddle_site *site) {
  return site->far_tasks && !heddle_process_options()->tasks;
}

static uint32_t default_tasks(const heddle_site *site, uint32_t version) {
  if (version == HEDDLE_SERIAL)
    return 1;
  if (finds_tasks_itself(site))
    return bounded_tasks(site, site->max_tasks);
  uint32_t tasks =
      site->fixed_tasks ? site->fixed_tasks : heddle_default_tasks(version);
  return bounded_tasks(site, tasks);
}

static bool may_vary_tasks(const heddle_site *site, uint32_t version) {
  return version != HEDDLE_SERIAL && !site->fixed_tasks && !site->far_tasks &&
         !heddle_process_options()->tasks;
}

/* The default number of tasks, then half and double. */
static uint32_t add_version(const heddle_site *site, uint32_t version,
                            struct heddle_arm *arms, uint32_t count) {
  uint32_t tasks = default_tasks(site, version);
  assert(tasks >= 1 && count < HEDDLE_MOST_ARMS);
  arms[count++] = (struct heddle_arm){version, tasks};
  if (!may_vary_tasks(site, version))
    return count;
  if (tasks >= 8)
    arms[count++] = (struct heddle_arm){version, tasks / 2};
  if (bounded_tasks(site, 2 * tasks) > tasks)
    arms[count++] =
        (struct heddle_arm){version, bounded_tasks(site, 2 * tasks)};
  return count;
}

/* Lists all arms to try for a loop, its default first. */
static uint32_t list_arms(const heddle_site *site, struct heddle_arm *arms) {
  if (heddle_process_options()->tune == HEDDLE_TUNE_OFF) {
    arms[0] = (struct heddle_arm){site->default_version,
                                  default_tasks(site, site->default_version)};
    return 1;
  }
  assert(site->versions >> site->default_version & 1);
  uint32_t count = add_version(site, site->default_version, arms, 0);
  for (uint32_t version = 0; version < HEDDLE_VERSIONS; ++version)
    if (version != site->default_version && site->versions >> version & 1)
      count = add_version(site, version, arms, count);
  assert(count <= HEDDLE_MOST_ARMS);
  return count;
}

/* Whether a saved choice suits the loop as it was compiled this time. */
static bool is_possible(const heddle_site *site, struct heddle_arm arm) {
  if (arm.version >= HEDDLE_VERSIONS || !(site->versions >> arm.version & 1))
    return false;
  return arm.tasks == default_tasks(site, arm.version) ||
         (may_vary_tasks(site, arm.version) && arm.tasks >= 1 &&
          arm.tasks <= site->max_tasks);
}

static struct heddle_record *make_record(const heddle_site *site,
                                         const char *key) {
  const char *file = site->file ? site->file : "?";
  const char *function = site->function ? site->function : "?";
  size_t key_size = strlen(key) + 1, file_size = strlen(file) + 1;
  size_t function_size = strlen(function) + 1;
  struct heddle_record *record =
      calloc(1, sizeof *record + key_size + file_size + function_size);
  if (!record)
    return NULL;
  char *text = (char *)(record + 1);
  record->key = memcpy(text, key, key_size);
  record->file = memcpy(text + key_size, file, file_size);
  record->function =
      memcpy(text + key_size + file_size, function, function_size);
  record->line = site->line;
  record->site = site;
  record->counted = heddle_process_options()->stats;
  record->drawn = heddle_draws();

  struct heddle_arm arms[HEDDLE_MOST_ARMS];
  uint32_t count = list_arms(site, arms);
  for (int entry = 0; entry < HEDDLE_ENTRIES; ++entry) {
    struct heddle_tuner *tuner = &record->tuners[entry];
    heddle_tuner_start(tuner, &surroundings, arms, count,
                       heddle_process_options()->tune == HEDDLE_TUNE_ONCE);
    struct heddle_arm saved;
    if (heddle_tunefile_find(key, (enum heddle_entry)entry, &saved) &&
        is_possible(site, saved))
      heddle_tuner_settle(tuner, saved);
  }
  return record;
}

static struct heddle_record *find_record(const heddle_site *site,
                                         const char *key) {
  struct heddle_record *record = heddle_first_record();
  while (record && (record->site != site || strcmp(record->key, key)))
    record = record->next;
  return record;
}

static char *make_key(const heddle_site *site) {
  const char *file = site->file ? site->file : "?";
  const char *function = site->function ? site->function : "?";
  char *key;
  return asprintf(&key, "%s:%u:%s", file, site->line, function) < 0 ? NULL
                                                                    : key;
}

static struct heddle_record *registered(heddle_site *site) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start_once);

  char *key = make_key(site);
  if (!key)
    return NULL;
  struct heddle_record *known = find_record(site, key);
  struct heddle_record *record = known ? known : make_record(site, key);
  free(key);
  if (!record)
    return NULL;

  uint64_t expected = 0;
  if (!__atomic_compare_exchange_n(&site->state[0], &expected,
                                   (uint64_t)(uintptr_t)record, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    /* Another thread was first. */
    if (!known)
      free(record);
    return (struct heddle_record *)(uintptr_t)expected;
  }
  if (!known) {
    struct heddle_record *next = heddle_first_record();
    do
      record->next = next;
    while (!__atomic_compare_exchange_n(&first_record, &next, record, true,
                                        __ATOMIC_RELEASE, __ATOMIC_RELAXED));
  }
  return record;
}

struct heddle_record *heddle_register(heddle_site *site) {
  heddle_begin_uninstrumented();
  struct heddle_record *record = registered(site);
  heddle_end_uninstrumented();
  return record;
}

/*===- The public view ---------------------------------------------------===*/

__attribute__((visibility("default"))) void heddle_for_each_loop(
    void (*visit)(const struct heddle_loop *loop, void *context),
    void *context) {
  for (struct heddle_record *r = heddle_first_record(); r; r = r->next) {
    const struct heddle_tuner *tuner = &r->tuners[heddle_main_entry(r)];
    uint32_t choice = __atomic_load_n(&tuner->choice, __ATOMIC_RELAXED);
    struct heddle_loop loop = {r->file,
                               r->function,
                               r->line,
                               heddle_decoded_version(choice),
                               heddle_tasks_of(r, choice),
                               heddle_tuner_decision(tuner) != 0};
    visit(&loop, context);
  }
}
