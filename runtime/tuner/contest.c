/*===- contest.c - Which versions of a loop meet, and when ----------------===*/

#include "tuner/contest.h"

#include "tuner/state.h"

#include <assert.h>

/* Times in microseconds of loop time. */
enum {
  StretchTime = 10000,
  CheckedStretchTime = 500,
  TimedWhereChecked = 10,
  FirstInterval = 50000,
  LongestInterval = 2000000
};

/* A hundred times the time lost in losing arms passes before the next look. */
static const double LossFactor = 100;

static void publish_champion(struct heddle_tuner *tuner) {
  assert(tuner->champion < tuner->arms.count);
  struct heddle_arm arm = tuner->arms.list[tuner->champion];
  __atomic_store_n(&tuner->choice, heddle_encode(arm.version, arm.tasks),
                   __ATOMIC_RELAXED);
}

/* The least settled chunk of a version with tasks, in iterations a task, unless
 * it would take longer than the longest: filling and draining the pipeline
 * costs as much as some iterations without interleaving. */
enum { LeastTaskIterations = 16 };

/* The time of settled chunks. A champion that might lose is seen more often. */
static double stretch_ticks(const struct heddle_tuner *tuner) {
  double longest = (double)microseconds(tuner, StretchTime);
  if (!is_at_risk(tuner))
    return longest;
  double least = (double)microseconds(tuner, CheckedStretchTime);
  double part = heddle_balance_check_after(&tuner->balance) / 4;
  return part < least ? least : part > longest ? longest : part;
}

void heddle_contest_publish_pace(struct heddle_tuner *tuner) {
  uint64_t stretch = 0;
  if (tuner->iteration_ticks > 0) {
    stretch = (uint64_t)(stretch_ticks(tuner) / tuner->iteration_ticks);
    uint32_t tasks = tuner->arms.list[tuner->champion].tasks;
    double floor = LeastTaskIterations * (double)tasks;
    double most =
        (double)microseconds(tuner, StretchTime) / tuner->iteration_ticks;
    if (floor > most)
      floor = most;
    if ((double)stretch < floor)
      stretch = (uint64_t)floor;
    if (stretch < 64)
      stretch = 64;
  }
  store(&tuner->stretch, stretch);
  store(&tuner->timed_from,
        is_at_risk(tuner) && tuner->iteration_ticks > 0
            ? (uint64_t)((double)microseconds(tuner, TimedWhereChecked) /
                         tuner->iteration_ticks)
            : stretch >> 4);
}

static void start_duel(struct heddle_tuner *tuner, uint32_t challenger,
                       enum heddle_duel_kind kind) {
  assert(challenger < tuner->arms.count && challenger != tuner->champion);
  tuner->challenger = challenger;
  tuner->checking = is_at_risk(tuner) && is_serial(tuner, challenger);
  ++tuner->duel_number;
  tuner->sides[0] = tuner->sides[1] = (struct heddle_span){0, 0, 0};
  if (tuner->checking)
    kind = heddle_balance_presses(&tuner->balance) ? HEDDLE_DUEL_PRESSING_CHECK
                                                   : HEDDLE_DUEL_CHECK;
  heddle_duel_start(&tuner->duel, kind);
}

static void start_next_duel(struct heddle_tuner *tuner,
                            enum heddle_duel_kind kind) {
  assert(tuner->waiting >> tuner->arms.count == 0);
  start_duel(tuner, heddle_arms_take(&tuner->waiting), kind);
}

void heddle_contest_start_check(struct heddle_tuner *tuner) {
  start_duel(tuner, heddle_arms_serial(&tuner->arms), HEDDLE_DUEL_CHECK);
}

bool heddle_contest_needs_check(const struct heddle_tuner *tuner) {
  return is_at_risk(tuner) && tuner->balance.unchecked >=
                                  heddle_balance_check_after(&tuner->balance);
}

void heddle_contest_collect(struct heddle_tuner *tuner) {
  double ticks =
      (double)__atomic_exchange_n(&tuner->settled_ticks, 0, __ATOMIC_RELAXED);
  tuner->since_recheck += ticks;
  if (is_serial(tuner, tuner->champion))
    heddle_balance_add_serial(&tuner->balance, ticks);
  else
    tuner->balance.unchecked += ticks;
}

/* The settled time until the next recheck of all kinds is due; the last
 * exploration is repaid first. */
static double recheck_due(const struct heddle_tuner *tuner) {
  double interval = (double)tuner->interval;
  if (interval < tuner->repay_ticks)
    interval = tuner->repay_ticks;
  return interval - tuner->since_recheck;
}

void heddle_contest_schedule(struct heddle_tuner *tuner) {
  double due = tuner->doubted ? 0 : recheck_due(tuner);
  if (is_at_risk(tuner)) {
    double check =
        heddle_balance_check_after(&tuner->balance) - tuner->balance.unchecked;
    if (check < due)
      due = check;
  }
  store(&tuner->recheck_after, due > 0 ? (uint64_t)due : 0);
}

void heddle_contest_settle(struct heddle_tuner *tuner) {
  assert(!tuner->waiting);
  if (tuner->lost_ticks > 0)
    tuner->repay_ticks = LossFactor * tuner->lost_ticks;
  tuner->lost_ticks = 0;
  tuner->task_stage = tuner->checking = false;
  publish_champion(tuner);
  if (never_rechecks(tuner)) {
    store(&tuner->recheck_after, UINT64_MAX);
    store(&tuner->stretch, UINT64_MAX);
    store(&tuner->timed_from, UINT64_MAX);
  } else {
    heddle_contest_collect(tuner);
    heddle_contest_schedule(tuner);
    heddle_contest_publish_pace(tuner);
  }
  set_phase(tuner, HEDDLE_SETTLED);
}

/* Starts the next duel of an exploration, or settles. */
static void continue_exploring(struct heddle_tuner *tuner) {
  if (!tuner->waiting && !tuner->task_stage) {
    tuner->task_stage = true;
    tuner->waiting = heddle_arms_like(&tuner->arms, tuner->champion) &
                     ~(1u << tuner->champion);
  }
  if (!tuner->waiting)
    heddle_contest_settle(tuner);
  else if (heddle_contest_needs_check(tuner))
    heddle_contest_start_check(tuner);
  else
    start_next_duel(tuner, tuner->task_stage ? HEDDLE_DUEL_TASKS
                                             : HEDDLE_DUEL_VERSIONS);
}

/* A rival and another number of tasks meet the champion by turns, all rivals
 * where the pace has changed. */
static void choose_candidates(struct heddle_tuner *tuner) {
  uint32_t rivals = heddle_arms_unlike(&tuner->arms, tuner->champion);
  uint32_t others = heddle_arms_like(&tuner->arms, tuner->champion) &
                    ~(1u << tuner->champion);
  bool want_rival = tuner->drifted || !tuner->rival_met || !others;
  uint32_t candidates = rivals && want_rival ? rivals : others;
  assert(candidates); /* with one arm there are no rechecks */
  tuner->rival_met = candidates == rivals;
  uint32_t *rotation = &tuner->rotation[tuner->rival_met];
  if (tuner->drifted) {
    tuner->waiting = candidates;
  } else {
    /* The next candidate at or after the rotation's position. */
    uint32_t later = candidates & ~((1u << *rotation) - 1);
    uint32_t arm = (uint32_t)__builtin_ctz(later ? later : candidates);
    *rotation = (arm + 1) % HEDDLE_MOST_ARMS;
    tuner->waiting = 1u << arm;
  }
  tuner->drifted = false;
}

void heddle_contest_recheck(struct heddle_tuner *tuner) {
  heddle_contest_collect(tuner);
  bool full = tuner->doubted || recheck_due(tuner) <= 0;
  tuner->drifted |= tuner->doubted;
  tuner->doubted = false;
  assert(!tuner->waiting);
  if (full) {
    choose_candidates(tuner);
    tuner->since_recheck = 0;
  }
  set_phase(tuner, HEDDLE_RECHECKING);
  if (is_at_risk(tuner) && (!full || heddle_contest_needs_check(tuner)))
    heddle_contest_start_check(tuner);
  else if (full)
    start_next_duel(tuner, HEDDLE_DUEL_RECHECK);
  else
    heddle_contest_settle(tuner);
}

/* The champion has kept its place. */
static void go_on(struct heddle_tuner *tuner, bool checked) {
  if (phase(tuner) != HEDDLE_RECHECKING) {
    continue_exploring(tuner);
    return;
  }
  if (tuner->waiting) {
    if (heddle_contest_needs_check(tuner))
      heddle_contest_start_check(tuner);
    else
      start_next_duel(tuner, HEDDLE_DUEL_RECHECK);
    return;
  }
  if (!checked) {
    uint64_t longest = microseconds(tuner, LongestInterval);
    tuner->interval *= 2;
    if (tuner->interval > longest)
      tuner->interval = longest;
  }
  heddle_contest_settle(tuner);
}

void heddle_contest_finish(struct heddle_tuner *tuner, bool challenger_won) {
  assert(tuner->champion != tuner->challenger);
  struct heddle_span loser = tuner->sides[challenger_won ? 0 : 1];
  struct heddle_span winner = tuner->sides[challenger_won ? 1 : 0];
  if (loser.ticks) {
    double loss = (double)loser.ticks - (double)loser.work * work_ticks(winner);
    if (loss > 0)
      tuner->lost_ticks += loss;
  }
  heddle_balance_lose_stake(&tuner->balance);
  bool checked = tuner->checking;
  tuner->checking = false;
  if (checked && tuner->duel.count)
    heddle_balance_check(&tuner->balance, heddle_duel_ratio(&tuner->duel));
  if (!challenger_won) {
    go_on(tuner, checked);
    return;
  }

  uint32_t beaten = tuner->arms.list[tuner->champion].version;
  bool same_version = beaten == tuner->arms.list[tuner->challenger].version;
  heddle_contest_collect(tuner);
  tuner->champion = tuner->challenger;
  if (loser.ticks)
    tuner->iteration_ticks *= work_ticks(winner) / work_ticks(loser);
  tuner->pace = 0;
  tuner->recent = (struct heddle_span){0, 0, 0};
  publish_champion(tuner);
  if (checked || phase(tuner) == HEDDLE_RECHECKING) {
    /* The data has changed: every version gets another chance. */
    set_phase(tuner, HEDDLE_EXPLORING);
    tuner->interval = microseconds(tuner, FirstInterval);
    tuner->task_stage = same_version;
    tuner->waiting = 0;
    uint32_t rivals =
        same_version ? 0 : heddle_arms_unlike(&tuner->arms, tuner->champion);
    for (uint32_t i = 0; i < tuner->arms.count; ++i)
      if (tuner->arms.list[i].version != beaten)
        tuner->waiting |= rivals & 1u << i;
  }
  continue_exploring(tuner);
}

void heddle_contest_start(struct heddle_tuner *tuner) {
  uint32_t serial = heddle_arms_serial(&tuner->arms);
  bool kept = serial < tuner->arms.count;
  tuner->champion = kept ? serial : 0;
  heddle_balance_start(&tuner->balance, kept, (double)microseconds(tuner, 1));
  tuner->interval = microseconds(tuner, FirstInterval);
  set_phase(tuner, HEDDLE_EXPLORING);
  publish_champion(tuner);
  tuner->waiting = heddle_arms_unlike(&tuner->arms, tuner->champion);
  continue_exploring(tuner);
}
