/*===- draws.c - Choices at random for HEDDLE_TUNE=random:SEED ------------===*/

#include "tuner/draws.h"

#include "host/options.h"

#include <assert.h>

/* Chunks of up to so many times the tasks: most of the time is spent filling
 * and draining, where orders differ. */
enum { MostRounds = 8 };

bool heddle_draws(void) {
  return heddle_process_options()->tune == HEDDLE_TUNE_RANDOM;
}

/* The finaliser of SplitMix64: all bits depend on all bits. */
static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

uint64_t heddle_draw(uint64_t purpose, uint64_t bound) {
  static _Thread_local uint64_t drawn;
  assert(bound);
  uint64_t seed = heddle_process_options()->tune_seed;
  return mix(mix(seed + ++drawn * 0x9e3779b97f4a7c15u) ^ purpose) % bound;
}

/* Differs between loops, and is the same in each run. */
static uint64_t purpose_of(const heddle_site *site) {
  uint64_t purpose = site->line;
  for (const char *at = site->function; at && *at; ++at)
    purpose = purpose * 31 + (unsigned char)*at;
  return purpose;
}

static uint32_t draw_version(const heddle_site *site, uint64_t purpose) {
  uint32_t interleaved = site->versions & ~(1u << HEDDLE_SERIAL);
  if (!interleaved)
    return site->default_version;
  uint64_t skip =
      heddle_draw(purpose, (uint64_t)__builtin_popcount(interleaved));
  for (; skip; --skip)
    interleaved &= interleaved - 1;
  return (uint32_t)__builtin_ctz(interleaved);
}

/* Few and many are equally likely. */
static uint32_t draw_tasks(const heddle_site *site, uint64_t purpose) {
  uint32_t most = site->max_tasks ? site->max_tasks : 1;
  uint32_t asked =
      site->fixed_tasks ? site->fixed_tasks : heddle_process_options()->tasks;
  if (asked)
    return asked < most ? asked : most;
  if (most <= 2)
    return most;
  uint32_t bits = 32 - (uint32_t)__builtin_clz(most - 1);
  uint64_t limit = 2ull << heddle_draw(purpose, bits);
  if (limit > most)
    limit = most;
  return 2 + (uint32_t)heddle_draw(purpose, limit - 1);
}

void heddle_draw_plan(const heddle_site *site, uint64_t remaining,
                      heddle_plan *plan) {
  uint64_t purpose = purpose_of(site);
  plan->version = draw_version(site, purpose);
  plan->tasks = plan->version == HEDDLE_SERIAL ? 1 : draw_tasks(site, purpose);
  plan->iterations = remaining;
  plan->start = 0;
  if (heddle_draw(purpose, 2))
    plan->iterations = 1 + heddle_draw(purpose, plan->tasks * MostRounds);
  if (plan->iterations > remaining)
    plan->iterations = remaining;
  if (!plan->iterations)
    plan->iterations = 1;
  assert(plan->tasks >= 1);
}
