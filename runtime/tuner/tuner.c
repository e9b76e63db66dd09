/*===- tuner.c - Explore, settle, look again ------------------------------===*/

#include "tuner/tuner.h"

#include "tuner/contest.h"
#include "tuner/pairs.h"
#include "tuner/state.h"

#include <assert.h>

/* Times in microseconds of loop time. */
enum {
  PaceTime = 300, /* how much of the loop tells its pace */
  DriftInterval = 25000,
  LongestDriftInterval = 500000
};

/* Iterations of a settled chunk while their cost is not known. */
enum { UnknownStretch = 4096 };

/*===- Chunks of a settled loop ------------------------------------------===*/

/* Follows the loop's pace. A change by half or more, seen twice, may mean other
 * data, so the next recheck comes sooner. Called with the lock held. */
static void follow_pace(struct heddle_tuner *tuner, struct heddle_span span) {
  /* Short chunks tell little until there are some of them. */
  add(&tuner->recent, span);
  struct heddle_span recent = tuner->recent;
  if (recent.ticks < microseconds(tuner, PaceTime))
    return;
  tuner->recent = (struct heddle_span){0, 0, 0};

  double pace = work_ticks(recent), factor = is_at_risk(tuner) ? 1.25 : 1.5;
  bool off_pace = tuner->pace > 0 &&
                  (pace > factor * tuner->pace || factor * pace < tuner->pace);
  bool drifted = off_pace && tuner->off_pace;
  tuner->off_pace = off_pace && !drifted;
  if (tuner->off_pace)
    return;
  double weight = tuner->pace > 0 && !drifted ? 0.25 : 1;
  tuner->pace += weight * (pace - tuner->pace);
  tuner->iteration_ticks +=
      weight * (iteration_ticks(recent) - tuner->iteration_ticks);
  heddle_contest_publish_pace(tuner);
  if (!drifted)
    return;
  heddle_contest_collect(tuner);
  tuner->drifted = true;
  /* A loss on other data need not be repaid in full. */
  double most = (double)microseconds(tuner, LongestDriftInterval);
  if (tuner->repay_ticks > most)
    tuner->repay_ticks = most;
  tuner->interval = microseconds(tuner, DriftInterval);
  tuner->since_recheck = 0;
  heddle_contest_schedule(tuner);
  if (is_at_risk(tuner) && 8 * tuner->balance.unchecked >
                               heddle_balance_check_after(&tuner->balance))
    store(&tuner->recheck_after, 0);
}

static void add_settled_ticks(struct heddle_tuner *tuner, uint64_t ticks) {
  uint64_t total =
      __atomic_add_fetch(&tuner->settled_ticks, ticks, __ATOMIC_RELAXED);
  if (total < load(&tuner->recheck_after) || !try_lock(tuner))
    return;
  if (load(&tuner->settled_ticks) >= load(&tuner->recheck_after) &&
      phase(tuner) == HEDDLE_SETTLED)
    heddle_contest_recheck(tuner);
  unlock(tuner);
}

/*===- Interface ---------------------------------------------------------===*/

void heddle_tuner_start(struct heddle_tuner *tuner,
                        const struct heddle_surroundings *surroundings,
                        const struct heddle_arm *arms, uint32_t arm_count,
                        bool frozen) {
  *tuner =
      (struct heddle_tuner){.surroundings = surroundings, .frozen = frozen};
  assert(arm_count > 0);
  tuner->arms.count =
      arm_count < HEDDLE_MOST_ARMS ? arm_count : HEDDLE_MOST_ARMS;
  for (uint32_t i = 0; i < tuner->arms.count; ++i)
    tuner->arms.list[i] = arms[i];
  heddle_contest_start(tuner);
}

void heddle_tuner_settle(struct heddle_tuner *tuner, struct heddle_arm arm) {
  uint32_t i = 0;
  while (i < tuner->arms.count && (tuner->arms.list[i].version != arm.version ||
                                   tuner->arms.list[i].tasks != arm.tasks))
    ++i;
  if (i == HEDDLE_MOST_ARMS)
    return;
  if (i == tuner->arms.count)
    tuner->arms.list[tuner->arms.count++] = arm;
  tuner->champion = i;
  tuner->waiting = 0;
  __atomic_store_n(&tuner->starved, false, __ATOMIC_RELAXED);
  heddle_contest_settle(tuner);
}

void heddle_tuner_begin(struct heddle_tuner *tuner, uint64_t remaining,
                        heddle_plan *plan) {
  if (phase(tuner) != HEDDLE_SETTLED) {
    heddle_pairs_plan(tuner, remaining, plan);
    return;
  }
  uint64_t stretch = load(&tuner->stretch);
  heddle_pairs_plan_settled(tuner, stretch ? stretch : UnknownStretch,
                            remaining, plan);
}

void heddle_tuner_end(struct heddle_tuner *tuner, const heddle_plan *plan,
                      uint64_t iterations, uint64_t work) {
  bool measured = plan->start & HEDDLE_PLAN_MEASURED_BIT;
  bool sampled = plan->start & HEDDLE_PLAN_SAMPLED_BIT;
  if (!iterations || !heddle_tuner_learns(plan) ||
      load(&tuner->recheck_after) == UINT64_MAX)
    return;
  struct heddle_span span = {tuner->surroundings->now() -
                                 (plan->start >> HEDDLE_PLAN_BITS),
                             iterations, work < iterations ? iterations : work};
  if (try_lock(tuner)) {
    if (measured)
      heddle_pairs_add(tuner, plan, span);
    else if (phase(tuner) == HEDDLE_SETTLED &&
             tuner->choice == heddle_encode(plan->version, plan->tasks))
      follow_pace(tuner, span);
    unlock(tuner);
  }
  if (!measured)
    add_settled_ticks(tuner, sampled ? HEDDLE_SAMPLED_CHUNKS * span.ticks
                                     : span.ticks);
}

uint32_t heddle_tuner_decision(const struct heddle_tuner *tuner) {
  uint32_t choice = __atomic_load_n(&tuner->choice, __ATOMIC_RELAXED);
  return phase(tuner) == HEDDLE_EXPLORING ? 0 : choice;
}

bool heddle_tuner_is_final(const struct heddle_tuner *tuner) {
  return phase(tuner) == HEDDLE_SETTLED &&
         load(&tuner->recheck_after) == UINT64_MAX;
}

bool heddle_tuner_starved(const struct heddle_tuner *tuner) {
  return __atomic_load_n(&tuner->starved, __ATOMIC_RELAXED);
}

void heddle_tuner_doubt(struct heddle_tuner *tuner) {
  if (!try_lock(tuner))
    return;
  if (phase(tuner) == HEDDLE_SETTLED &&
      load(&tuner->recheck_after) != UINT64_MAX) {
    tuner->doubted = true;
    store(&tuner->recheck_after, 0);
  }
  unlock(tuner);
}

void heddle_tuner_after_fork(struct heddle_tuner *tuner) { unlock(tuner); }
