/*===- state.h - The fields of a tuner --------------------------------------===
 *
 * What the parts of a tuner share: access to its fields, and their units.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_STATE_H
#define HEDDLE_RUNTIME_TUNER_STATE_H

#include "tuner/tuner.h"

static inline uint64_t load(const uint64_t *value) {
  return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static inline void store(uint64_t *value, uint64_t to) {
  __atomic_store_n(value, to, __ATOMIC_RELAXED);
}

static inline bool try_lock(struct heddle_tuner *tuner) {
  return !__atomic_load_n(&tuner->lock, __ATOMIC_RELAXED) &&
         !__atomic_exchange_n(&tuner->lock, 1, __ATOMIC_ACQUIRE);
}

static inline void unlock(struct heddle_tuner *tuner) {
  __atomic_store_n(&tuner->lock, 0, __ATOMIC_RELEASE);
}

static inline enum heddle_phase phase(const struct heddle_tuner *tuner) {
  return (enum heddle_phase)__atomic_load_n(&tuner->phase, __ATOMIC_RELAXED);
}

static inline void set_phase(struct heddle_tuner *tuner, enum heddle_phase to) {
  __atomic_store_n(&tuner->phase, (uint32_t)to, __ATOMIC_RELAXED);
}

static inline bool never_rechecks(const struct heddle_tuner *tuner) {
  return tuner->frozen || tuner->arms.count < 2;
}

static inline uint64_t microseconds(const struct heddle_tuner *tuner,
                                    uint64_t count) {
  return count * tuner->surroundings->ticks_per_microsecond();
}

static inline void add(struct heddle_span *sum, struct heddle_span span) {
  sum->ticks += span.ticks;
  sum->iterations += span.iterations;
  sum->work += span.work;
}

static inline double iteration_ticks(struct heddle_span span) {
  return (double)span.ticks / (double)span.iterations;
}

static inline double work_ticks(struct heddle_span span) {
  return (double)span.ticks / (double)span.work;
}

static inline bool is_serial(const struct heddle_tuner *tuner, uint32_t arm) {
  return tuner->arms.list[arm].version == HEDDLE_SERIAL;
}

/* Whether the champion might lose by the directive. */
static inline bool is_at_risk(const struct heddle_tuner *tuner) {
  return tuner->balance.kept && !is_serial(tuner, tuner->champion);
}

#endif
