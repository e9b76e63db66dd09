/*===- site.c - Where transformed loops meet their tuners -----------------===*/

#include "tuner/site.h"

#include "host/clock.h"
#include "tuner/draws.h"
#include "tuner/registry.h"

#include <assert.h>

#define HEDDLE_API __attribute__((visibility("default")))

static void plan_without_record(const heddle_site *site, heddle_plan *plan) {
  plan->version = site->default_version;
  plan->tasks = site->fixed_tasks ? site->fixed_tasks : site->max_tasks;
  if (!plan->tasks || plan->version == HEDDLE_SERIAL)
    plan->tasks = 1;
  plan->iterations = UINT64_MAX;
  plan->start = 0;
}

static struct heddle_record *record_of(const heddle_site *site) {
  return (struct heddle_record *)(uintptr_t)__atomic_load_n(&site->state[0],
                                                            __ATOMIC_ACQUIRE);
}

static void add(uint64_t *counter, uint64_t value) {
  __atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}

/* Lets the loop run short entries without asking, where they cannot lose by it:
 * they run the serial version, or nothing is going to be measured again. While
 * the choice for long ones is in doubt, short entries have to ask too. */
static uint32_t published(const struct heddle_record *record) {
  const struct heddle_tuner *tuner = &record->tuners[HEDDLE_SHORT_ENTRY];
  if (__atomic_load_n(&record->tuners[HEDDLE_LONG_ENTRY].phase,
                      __ATOMIC_RELAXED) == HEDDLE_RECHECKING)
    return 0;
  if (heddle_tuner_starved(tuner))
    return heddle_encode(HEDDLE_SERIAL, 1);
  uint32_t decision = heddle_tuner_decision(tuner);
  return heddle_decoded_version(decision) == HEDDLE_SERIAL ||
                 heddle_tuner_is_final(tuner)
             ? decision
             : 0;
}

static void publish_decision(heddle_site *site,
                             const struct heddle_record *record) {
  uint32_t decision = published(record);
  if (__atomic_load_n(&site->decision, __ATOMIC_RELAXED) != decision)
    __atomic_store_n(&site->decision, decision, __ATOMIC_RELAXED);
}

/* The site may be unloaded before the report is written. */
static void note_far_tasks(const heddle_site *site,
                           struct heddle_record *record) {
  const uint32_t tasks = __atomic_load_n(&site->far_tasks, __ATOMIC_RELAXED);
  if (__atomic_load_n(&record->far_tasks, __ATOMIC_RELAXED) != tasks)
    __atomic_store_n(&record->far_tasks, tasks, __ATOMIC_RELAXED);
}

HEDDLE_API void heddle_site_begin(heddle_site *site, uint64_t remaining,
                                  heddle_plan *plan) {
  struct heddle_record *record = record_of(site);
  if (__builtin_expect(!record, 0)) {
    record = heddle_register(site);
    if (!record) {
      plan_without_record(site, plan);
      return;
    }
  }
  bool is_short = remaining < HEDDLE_SHORT_ITERATIONS;
  if (record->drawn)
    heddle_draw_plan(site, remaining, plan);
  else
    heddle_tuner_begin(&record->tuners[is_short], remaining, plan);
  if (record->counted && !(plan->start >> HEDDLE_PLAN_BITS))
    plan->start |= heddle_clock_ticks() << HEDDLE_PLAN_BITS;
  if (is_short)
    plan->start |= HEDDLE_PLAN_CALLER_BIT;
}

HEDDLE_API void heddle_site_end(heddle_site *site, const heddle_plan *plan,
                                uint64_t iterations, uint64_t work,
                                uint64_t suspensions) {
  struct heddle_record *record = record_of(site);
  if (__builtin_expect(!record, 0))
    return;
  assert(plan->version < HEDDLE_VERSIONS && plan->tasks > 0);
  enum heddle_entry entry = plan->start & HEDDLE_PLAN_CALLER_BIT
                                ? HEDDLE_SHORT_ENTRY
                                : HEDDLE_LONG_ENTRY;
  struct heddle_tuner *tuner = &record->tuners[entry];
  if (record->counted) {
    struct heddle_counters *counters = &record->counters[entry][plan->version];
    add(&counters->chunks, 1);
    add(&counters->iterations, iterations);
    add(&counters->suspensions, suspensions);
    add(&counters->ticks,
        heddle_clock_ticks() - (plan->start >> HEDDLE_PLAN_BITS));
  }
  note_far_tasks(site, record);
  if (record->drawn)
    return;
  /* Most chunks teach nothing. */
  if (!heddle_tuner_learns(plan) && !heddle_tuner_is_final(tuner))
    return;
  uint32_t before = heddle_tuner_decision(tuner);
  heddle_tuner_end(tuner, plan, iterations, work);
  if (record->counted)
    return; /* without a decision every entry asks, and so is counted */
  if (entry == HEDDLE_LONG_ENTRY && before &&
      heddle_tuner_decision(tuner) != before)
    heddle_tuner_doubt(&record->tuners[HEDDLE_SHORT_ENTRY]);
  publish_decision(site, record);
}
