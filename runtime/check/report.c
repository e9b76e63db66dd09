/*===- report.c - What -fheddle-check has found ---------------------------===*/

#include "check/report.h"
#include "check/execution.h"
#include "check/log.h"
#include "check/text.h"
#include "host/messages.h"
#include "host/options.h"
#include "host/rows.h"
#include "host/signals.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct known_finding {
  struct heddle_finding finding;
  char *place; /* null if there was no memory for it */
};

struct numbered_site {
  struct heddle_check_site *site;
  uint32_t call;
  uint32_t next; /* the numbers of a site are in a ring */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct numbered_site *sites; /* [0] is unused */
static uint32_t site_count = 1, site_capacity;
static struct known_finding **findings;
static uint32_t finding_count, finding_capacity;

/* A site keeps its latest number, and the call that it is for. */
static uint64_t encode(uint32_t number, uint32_t call) {
  return (uint64_t)call << 32 | number;
}

static uint32_t find_number(struct heddle_check_site *site, uint32_t call) {
  uint32_t latest = (uint32_t)site->instance, at = latest;
  while (at && sites[at].call != call) {
    at = sites[at].next;
    if (at == latest)
      at = 0;
  }
  if (at)
    return at;
  sites = heddle_grow(sites, site_count, &site_capacity, sizeof *sites);
  struct numbered_site *added = &sites[site_count];
  *added = (struct numbered_site){site, call, site_count};
  if (latest) {
    added->next = sites[latest].next;
    sites[latest].next = site_count;
  }
  return site_count++;
}

uint32_t heddle_site_number(struct heddle_check_site *site, uint32_t call) {
  uint64_t known = __atomic_load_n(&site->instance, __ATOMIC_ACQUIRE);
  if (known && known >> 32 == call)
    return (uint32_t)known;
  /* To work it off needs the lock, and allocations do that. */
  heddle_finish_log();
  pthread_mutex_lock(&lock);
  uint32_t number = find_number(site, call);
  __atomic_store_n(&site->instance, encode(number, call), __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  return number;
}

const struct heddle_check_site *heddle_site(uint32_t number) {
  return sites[number].site;
}

const struct heddle_check_site *heddle_call_of_site(uint32_t number) {
  uint32_t call = sites[number].call;
  return call ? sites[call].site : NULL;
}

bool heddle_site_is_foreign(uint32_t number) {
  const char *file = sites[number].site->file;
  return sites[number].call &&
         (!strncmp(file, "/usr/", 5) || strstr(file, "/include/c++/"));
}

bool heddle_site_has(uint32_t number, uint32_t flag) {
  pthread_mutex_lock(&lock);
  bool has = sites[number].site->flags & flag;
  pthread_mutex_unlock(&lock);
  return has;
}

bool heddle_is_same_function(uint32_t number, uint32_t other) {
  pthread_mutex_lock(&lock);
  const struct heddle_check_site *a = sites[number].site;
  const struct heddle_check_site *b = sites[other].site;
  const bool is_same =
      !strcmp(a->function, b->function) && !strcmp(a->file, b->file);
  pthread_mutex_unlock(&lock);
  return is_same;
}

/* What findings are told apart by: in headers of the system, the call. */
static uint32_t shown(uint32_t number) {
  return heddle_site_is_foreign(number) ? sites[number].call : number;
}

static bool is_same(const struct heddle_finding *a,
                    const struct heddle_finding *b) {
  uint32_t first = shown(a->sites[0]), second = shown(a->sites[1]);
  return a->kind == b->kind &&
         ((first == shown(b->sites[0]) && second == shown(b->sites[1])) ||
          (first == shown(b->sites[1]) && second == shown(b->sites[0])));
}

static const char *place_of(const struct known_finding *known) {
  return known->place ? known->place : "?";
}

static bool has_same_numbers(const struct heddle_finding *a,
                             const struct heddle_finding *b) {
  return a->kind == b->kind && a->sites[0] == b->sites[0] &&
         a->sites[1] == b->sites[1];
}

/* Null if there is none yet. */
static struct known_finding *find(const struct heddle_finding *finding) {
  for (uint32_t i = 0; i < finding_count; ++i)
    if (has_same_numbers(&findings[i]->finding, finding))
      return findings[i];
  for (uint32_t i = 0; i < finding_count; ++i)
    if (is_same(&findings[i]->finding, finding))
      return findings[i];
  return NULL;
}

static uint64_t *add(const struct heddle_finding *finding) {
  struct known_finding *known = find(finding);
  if (known) {
    __atomic_fetch_add(&known->finding.count, finding->count, __ATOMIC_RELAXED);
    return &known->finding.count;
  }
  findings =
      heddle_grow(findings, finding_count, &finding_capacity, sizeof *findings);
  known = malloc(sizeof *known);
  if (!known)
    heddle_fail("no memory to check a loop");
  *known = (struct known_finding){*finding, heddle_place_text(finding)};
  findings[finding_count++] = known;
  const struct heddle_options *options = heddle_process_options();
  if (options->check == HEDDLE_CHECK_JSON)
    return &known->finding.count;
  const struct heddle_held_signal pipe = heddle_hold_signal(SIGPIPE);
  heddle_print_finding(stderr, finding, place_of(known));
  heddle_release_signal(&pipe);
  if (options->check == HEDDLE_CHECK_ABORT)
    abort();
  return &known->finding.count;
}

uint64_t *heddle_report_conflict(const struct heddle_finding *finding) {
  const int was = errno; /* may be what the program looks at next */
  pthread_mutex_lock(&lock);
  uint64_t *count = add(finding);
  pthread_mutex_unlock(&lock);
  errno = was;
  return count;
}

/* What a child of fork() inherits, the parent reports. */
static void before_fork(void) {
  heddle_finish_log();
  pthread_mutex_lock(&lock);
}

static void after_fork_in_parent(void) { pthread_mutex_unlock(&lock); }

static void after_fork_in_child(void) {
  for (uint32_t i = 0; i < finding_count; ++i)
    findings[i]->finding.count = 0;
  pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void prepare_for_forks(void) {
  pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static const char Begin[] = "{\"conflicts\": [", End[] = "]}\n";

static void print_json(FILE *to) {
  fputs(Begin, to);
  bool is_empty = true;
  for (uint32_t i = 0; i < finding_count; ++i) {
    if (!findings[i]->finding.count)
      continue;
    fputs(is_empty ? "\n" : ",\n", to);
    is_empty = false;
    heddle_print_conflict_json(to, &findings[i]->finding,
                               place_of(findings[i]));
  }
  fprintf(to, "%s%s", is_empty ? "" : "\n  ", End);
}

static void say_how_many(void) {
  uint32_t found = 0;
  uint64_t times = 0;
  for (uint32_t i = 0; i < finding_count; ++i) {
    found += findings[i]->finding.count != 0;
    times += findings[i]->finding.count;
  }
  if (!found)
    return;
  char text[128];
  snprintf(text, sizeof text,
           "heddle: %u conflict%s between iterations, found %llu time%s\n",
           found, found == 1 ? "" : "s", (unsigned long long)times,
           times == 1 ? "" : "s");
  heddle_say(text, strlen(text));
}

__attribute__((destructor)) static void conclude(void) {
  const struct heddle_options *options = heddle_process_options();
  heddle_end_loops();
  pthread_mutex_lock(&lock);
  if (options->check == HEDDLE_CHECK_JSON) {
    const struct heddle_rows rows = {.variable = "HEDDLE_CHECK",
                                     .path = options->check_file,
                                     .begin = Begin,
                                     .end = End,
                                     .print = print_json};
    heddle_add_rows(&rows);
  } else {
    say_how_many();
  }
  pthread_mutex_unlock(&lock);
}
