/*===- tuner.c - Explore, settle, look again ------------------------------===*/

#include "tuner/tuner.h"

#include <assert.h>

/* Times in microseconds of loop time. */
enum {
  FirstChunkTime = 25,
  LongestChunkTime = 400,
  LongestFloorTime = 2000, /* bounds chunks of few, very long iterations */
  StretchTime = 10000,
  FirstInterval = 50000,
  LongestInterval = 2000000,
  DriftInterval = 25000,
  LongestDriftInterval = 500000,
  LaneExpiry = 10000
};

/* Iterations of a settled chunk while their cost is not known. */
enum { UnknownStretch = 4096 };

/* Of the settled chunks that are too short to be timed, one in SampledChunks is
 * timed, and counts as that many: threads must not contend for the counters. */
enum { SampleShift = 4, SampledChunks = 1 << SampleShift };

/* A hundred times the time lost in losing arms passes before the next look. */
static const double LossFactor = 100;

static uint64_t load(const uint64_t *value) {
  return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static void store(uint64_t *value, uint64_t to) {
  __atomic_store_n(value, to, __ATOMIC_RELAXED);
}

static bool try_lock(struct heddle_tuner *tuner) {
  return !__atomic_load_n(&tuner->lock, __ATOMIC_RELAXED) &&
         !__atomic_exchange_n(&tuner->lock, 1, __ATOMIC_ACQUIRE);
}

static void unlock(struct heddle_tuner *tuner) {
  __atomic_store_n(&tuner->lock, 0, __ATOMIC_RELEASE);
}

static enum heddle_phase phase(const struct heddle_tuner *tuner) {
  return (enum heddle_phase)__atomic_load_n(&tuner->phase, __ATOMIC_RELAXED);
}

static void set_phase(struct heddle_tuner *tuner, enum heddle_phase to) {
  __atomic_store_n(&tuner->phase, (uint32_t)to, __ATOMIC_RELAXED);
}

static bool never_rechecks(const struct heddle_tuner *tuner) {
  return tuner->frozen || tuner->arm_count < 2;
}

static uint64_t microseconds(const struct heddle_tuner *tuner, uint64_t count) {
  return count * tuner->surroundings->ticks_per_microsecond();
}

static void add(struct heddle_span *sum, struct heddle_span span) {
  sum->ticks += span.ticks;
  sum->iterations += span.iterations;
  sum->work += span.work;
}

static double iteration_ticks(struct heddle_span span) {
  return (double)span.ticks / (double)span.iterations;
}

static double work_ticks(struct heddle_span span) {
  return (double)span.ticks / (double)span.work;
}

/*===- Which arms meet ---------------------------------------------------===*/

static void publish_champion(struct heddle_tuner *tuner) {
  assert(tuner->champion < tuner->arm_count);
  struct heddle_arm arm = tuner->arms[tuner->champion];
  __atomic_store_n(&tuner->choice, heddle_encode(arm.version, arm.tasks),
                   __ATOMIC_RELAXED);
}

static void publish_iteration_ticks(struct heddle_tuner *tuner) {
  uint64_t stretch = 0;
  if (tuner->iteration_ticks > 0) {
    double time = (double)microseconds(tuner, StretchTime);
    stretch = (uint64_t)(time / tuner->iteration_ticks);
    if (stretch < 64)
      stretch = 64;
  }
  store(&tuner->stretch, stretch);
  store(&tuner->timed_from, stretch >> 4);
}

/* The arms with the default number of tasks: the first of each version. */
static uint32_t version_arms(const struct heddle_tuner *tuner) {
  uint32_t seen = 0, set = 0;
  for (uint32_t i = 0; i < tuner->arm_count; ++i) {
    uint32_t bit = 1u << tuner->arms[i].version;
    if (!(seen & bit))
      set |= 1u << i;
    seen |= bit;
  }
  return set;
}

/* The arms of the champion's version. */
static uint32_t task_arms(const struct heddle_tuner *tuner) {
  uint32_t set = 0;
  for (uint32_t i = 0; i < tuner->arm_count; ++i)
    if (tuner->arms[i].version == tuner->arms[tuner->champion].version)
      set |= 1u << i;
  return set;
}

/* The arms of other versions, each with its default number of tasks. */
static uint32_t rival_arms(const struct heddle_tuner *tuner) {
  return version_arms(tuner) & ~task_arms(tuner);
}

static void start_duel(struct heddle_tuner *tuner, enum heddle_duel_kind kind) {
  assert(tuner->waiting >> tuner->arm_count == 0);
  assert(tuner->waiting && !(tuner->waiting & 1u << tuner->champion));
  tuner->challenger = (uint32_t)__builtin_ctz(tuner->waiting);
  tuner->waiting &= tuner->waiting - 1;
  ++tuner->duel_number;
  tuner->sides[0] = tuner->sides[1] = (struct heddle_span){0, 0, 0};
  heddle_duel_start(&tuner->duel, kind,
                    tuner->arms[tuner->challenger].version == HEDDLE_SERIAL);
}

/* Sets when the next recheck starts, but lets the last exploration be repaid
 * first. */
static void recheck_after(struct heddle_tuner *tuner, uint64_t ticks) {
  if ((double)ticks < tuner->repay_ticks)
    ticks = (uint64_t)tuner->repay_ticks;
  store(&tuner->recheck_after, ticks);
}

static void settle(struct heddle_tuner *tuner) {
  tuner->repay_ticks = LossFactor * tuner->lost_ticks;
  tuner->lost_ticks = 0;
  tuner->task_stage = false;
  publish_champion(tuner);
  if (never_rechecks(tuner)) {
    store(&tuner->recheck_after, UINT64_MAX);
    store(&tuner->stretch, UINT64_MAX);
    store(&tuner->timed_from, UINT64_MAX);
  } else {
    store(&tuner->settled_ticks, 0);
    recheck_after(tuner, tuner->interval);
    publish_iteration_ticks(tuner);
  }
  set_phase(tuner, HEDDLE_SETTLED);
}

/* Starts the next duel of an exploration, or settles. */
static void continue_exploring(struct heddle_tuner *tuner) {
  if (!tuner->waiting && !tuner->task_stage) {
    tuner->task_stage = true;
    tuner->waiting = task_arms(tuner) & ~(1u << tuner->champion);
  }
  if (tuner->waiting)
    start_duel(tuner,
               tuner->task_stage ? HEDDLE_DUEL_TASKS : HEDDLE_DUEL_VERSIONS);
  else
    settle(tuner);
}

/* A rival and another number of tasks meet the champion by turns, all rivals
 * where the pace has changed. */
static void start_recheck(struct heddle_tuner *tuner) {
  uint32_t rivals = rival_arms(tuner);
  uint32_t others = task_arms(tuner) & ~(1u << tuner->champion);
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
  start_duel(tuner, HEDDLE_DUEL_RECHECK);
  set_phase(tuner, HEDDLE_RECHECKING);
}

static void finish_duel(struct heddle_tuner *tuner, bool challenger_won) {
  assert(tuner->champion != tuner->challenger);
  struct heddle_span loser = tuner->sides[challenger_won ? 0 : 1];
  struct heddle_span winner = tuner->sides[challenger_won ? 1 : 0];
  double loss = (double)loser.ticks - (double)loser.work * work_ticks(winner);
  if (loss > 0)
    tuner->lost_ticks += loss;

  bool recheck = phase(tuner) == HEDDLE_RECHECKING;
  if (!challenger_won) {
    if (recheck && tuner->waiting) {
      start_duel(tuner, HEDDLE_DUEL_RECHECK);
    } else if (recheck) {
      tuner->interval *= 2;
      uint64_t longest = microseconds(tuner, LongestInterval);
      if (tuner->interval > longest)
        tuner->interval = longest;
      settle(tuner);
    } else {
      continue_exploring(tuner);
    }
    return;
  }

  uint32_t beaten = tuner->arms[tuner->champion].version;
  bool same_version = beaten == tuner->arms[tuner->challenger].version;
  tuner->champion = tuner->challenger;
  if (loser.ticks)
    tuner->iteration_ticks *= work_ticks(winner) / work_ticks(loser);
  tuner->pace = 0;
  tuner->recent = (struct heddle_span){0, 0, 0};
  publish_champion(tuner);
  if (recheck) {
    /* The data has changed: every version gets another chance. */
    set_phase(tuner, HEDDLE_EXPLORING);
    tuner->interval = microseconds(tuner, FirstInterval);
    tuner->task_stage = same_version;
    tuner->waiting = 0;
    uint32_t rivals = same_version ? 0 : rival_arms(tuner);
    for (uint32_t i = 0; i < tuner->arm_count; ++i)
      if (tuner->arms[i].version != beaten)
        tuner->waiting |= rivals & 1u << i;
  }
  continue_exploring(tuner);
}

/*===- Chunks that are measured ------------------------------------------===*/

static struct heddle_lane *find_lane(struct heddle_tuner *tuner,
                                     uintptr_t thread) {
  for (int i = 0; i < HEDDLE_LANES; ++i)
    if (tuner->lanes[i].thread == thread)
      return &tuner->lanes[i];
  return 0;
}

/* Returns the lane of this thread; a free or forgotten one if it has none
 * yet. */
static struct heddle_lane *claim_lane(struct heddle_tuner *tuner,
                                      uint64_t now) {
  uintptr_t thread = tuner->surroundings->thread();
  struct heddle_lane *lane = find_lane(tuner, thread);
  if (!lane)
    lane = find_lane(tuner, 0);
  uint64_t expiry = microseconds(tuner, LaneExpiry);
  for (int i = 0; i < HEDDLE_LANES && !lane; ++i)
    if (now - tuner->lanes[i].last_use > expiry)
      lane = &tuner->lanes[i];
  if (lane && lane->thread != thread)
    *lane = (struct heddle_lane){.thread = thread};
  return lane;
}

/* Returns the number of iterations of each side of the next pair: enough time
 * to be measured and enough iterations that filling and draining the pipeline
 * does not count against the interleaved versions. */
static uint64_t pair_goal(struct heddle_tuner *tuner) {
  uint32_t tasks = tuner->arms[tuner->champion].tasks;
  if (tasks < tuner->arms[tuner->challenger].tasks)
    tasks = tuner->arms[tuner->challenger].tasks;

  uint64_t time = FirstChunkTime;
  if (tuner->duel.count >= 8)
    time *= 2;
  if (tuner->duel.count >= 16)
    time *= 2;
  if (heddle_duel_is_noisy(&tuner->duel))
    time *= 4;
  if (time > LongestChunkTime)
    time = LongestChunkTime;

  double goal = (double)microseconds(tuner, time) / tuner->iteration_ticks;
  double floor = 8 * tasks < 256 ? 256 : 8 * tasks;
  double most =
      (double)microseconds(tuner, LongestFloorTime) / tuner->iteration_ticks;
  if (floor > most)
    floor = most > 2 * tasks ? most : 2 * tasks;
  return (uint64_t)(goal > floor ? goal : floor);
}

static uint8_t running_side(const struct heddle_lane *lane) {
  return lane->stage ^ lane->first;
}

static void start_pair(struct heddle_tuner *tuner, struct heddle_lane *lane) {
  lane->duel_number = tuner->duel_number;
  lane->stage = 0;
  lane->first = tuner->surroundings->random() >> 31;
  lane->goal = pair_goal(tuner);
  lane->sides[0] = lane->sides[1] = (struct heddle_span){0, 0, 0};
}

static void set_plan(heddle_plan *plan, uint32_t choice, uint64_t iterations,
                     uint64_t remaining) {
  plan->version = heddle_decoded_version(choice);
  plan->tasks = heddle_decoded_tasks(choice);
  if (iterations > remaining)
    iterations = remaining;
  plan->iterations = iterations ? iterations : 1;
  assert(plan->tasks > 0);
  plan->start = 0;
}

static void stamp(const struct heddle_tuner *tuner, heddle_plan *plan,
                  uint64_t bits) {
  plan->start = tuner->surroundings->now() << HEDDLE_PLAN_BITS | bits;
}

/* Plans a chunk while a duel runs. */
static void plan_measured(struct heddle_tuner *tuner, uint64_t remaining,
                          heddle_plan *plan) {
  uint32_t choice = __atomic_load_n(&tuner->choice, __ATOMIC_RELAXED);
  uint64_t few = load(&tuner->stretch) >> 8;
  if (few < 256)
    few = 256;
  if (!try_lock(tuner)) {
    set_plan(plan, choice, few, remaining);
    return;
  }
  if (tuner->iteration_ticks <= 0) {
    /* The very first chunk only measures the time of an iteration. */
    uint64_t tasks = heddle_decoded_tasks(choice);
    set_plan(plan, choice, tasks < 32 ? 64 : 2 * tasks, remaining);
    unlock(tuner);
    stamp(tuner, plan, HEDDLE_PLAN_MEASURED_BIT);
    return;
  }
  uint64_t now = tuner->surroundings->now();
  struct heddle_lane *lane = claim_lane(tuner, now);
  if (!lane) {
    unlock(tuner);
    set_plan(plan, choice, few, remaining);
    return;
  }
  lane->last_use = now;
  if (lane->duel_number != tuner->duel_number)
    start_pair(tuner, lane);
  uint8_t side = running_side(lane);
  struct heddle_arm arm =
      tuner->arms[side ? tuner->challenger : tuner->champion];
  set_plan(plan, heddle_encode(arm.version, arm.tasks),
           lane->goal - lane->sides[side].iterations, remaining);
  unlock(tuner);
  stamp(tuner, plan, HEDDLE_PLAN_MEASURED_BIT);
}

static void finish_pair(struct heddle_tuner *tuner, struct heddle_lane *lane) {
  assert(lane->sides[0].work > 0 && lane->sides[1].work > 0);
  double champion = work_ticks(lane->sides[0]);
  double challenger = work_ticks(lane->sides[1]);
  tuner->iteration_ticks +=
      0.25 * (iteration_ticks(lane->sides[0]) - tuner->iteration_ticks);
  add(&tuner->sides[0], lane->sides[0]);
  add(&tuner->sides[1], lane->sides[1]);
  lane->duel_number = 0;

  /* If one side happened to have much more work, the two are hardly
   * comparable. */
  uint64_t work = lane->sides[0].work < lane->sides[1].work
                      ? lane->sides[0].work
                      : lane->sides[1].work;
  heddle_duel_add(&tuner->duel, champion, challenger, (double)work);
  enum heddle_verdict verdict = heddle_duel_judge(&tuner->duel);
  if (verdict != HEDDLE_UNDECIDED)
    finish_duel(tuner, verdict == HEDDLE_SWITCH);
}

/* Adds a measured chunk to its lane. Called with the lock held. */
static void add_chunk(struct heddle_tuner *tuner, const heddle_plan *plan,
                      struct heddle_span span) {
  if (phase(tuner) == HEDDLE_SETTLED)
    return;
  if (tuner->iteration_ticks <= 0) {
    tuner->iteration_ticks = iteration_ticks(span);
    publish_iteration_ticks(tuner);
    return;
  }
  struct heddle_lane *lane = find_lane(tuner, tuner->surroundings->thread());
  if (!lane || lane->duel_number != tuner->duel_number)
    return;
  uint8_t side = running_side(lane);
  struct heddle_arm arm =
      tuner->arms[side ? tuner->challenger : tuner->champion];
  if (arm.version != plan->version || arm.tasks != plan->tasks)
    return;
  struct heddle_span *sum = &lane->sides[side];
  add(sum, span);
  bool enough = sum->iterations >= lane->goal;
  /* A side whose iterations turn out long need not run them all. */
  if (!enough && sum->iterations >= 2 * arm.tasks + 1)
    enough = sum->ticks > microseconds(tuner, 2 * LongestFloorTime);
  if (!enough)
    return;
  if (lane->stage == 0)
    lane->stage = 1;
  else
    finish_pair(tuner, lane);
}

/*===- Chunks of a settled loop ------------------------------------------===*/

/* Follows the loop's pace. A change by half or more, seen twice, may mean other
 * data, so the next recheck comes sooner. Called with the lock held. */
static void follow_pace(struct heddle_tuner *tuner, struct heddle_span span) {
  /* Short chunks tell little until there are some of them. */
  add(&tuner->recent, span);
  struct heddle_span recent = tuner->recent;
  if (recent.ticks < microseconds(tuner, StretchTime) >> 5)
    return;
  tuner->recent = (struct heddle_span){0, 0, 0};

  double pace = work_ticks(recent);
  bool off_pace =
      tuner->pace > 0 && (pace > 1.5 * tuner->pace || 1.5 * pace < tuner->pace);
  bool drifted = off_pace && tuner->off_pace;
  tuner->off_pace = off_pace && !drifted;
  if (tuner->off_pace)
    return;
  double weight = tuner->pace > 0 && !drifted ? 0.25 : 1;
  tuner->pace += weight * (pace - tuner->pace);
  tuner->iteration_ticks +=
      weight * (iteration_ticks(recent) - tuner->iteration_ticks);
  publish_iteration_ticks(tuner);
  if (!drifted)
    return;
  tuner->drifted = true;
  /* A loss on other data need not be repaid in full. */
  double most = (double)microseconds(tuner, LongestDriftInterval);
  if (tuner->repay_ticks > most)
    tuner->repay_ticks = most;
  recheck_after(tuner, microseconds(tuner, DriftInterval));
  tuner->interval = microseconds(tuner, FirstInterval);
}

static void add_settled_ticks(struct heddle_tuner *tuner, uint64_t ticks) {
  uint64_t total =
      __atomic_add_fetch(&tuner->settled_ticks, ticks, __ATOMIC_RELAXED);
  if (total < load(&tuner->recheck_after) || !try_lock(tuner))
    return;
  if (load(&tuner->settled_ticks) >= load(&tuner->recheck_after) &&
      phase(tuner) == HEDDLE_SETTLED)
    start_recheck(tuner);
  unlock(tuner);
}

/*===- Interface ---------------------------------------------------------===*/

void heddle_tuner_start(struct heddle_tuner *tuner,
                        const struct heddle_surroundings *surroundings,
                        const struct heddle_arm *arms, uint32_t arm_count,
                        bool frozen) {
  *tuner =
      (struct heddle_tuner){.surroundings = surroundings, .frozen = frozen};
  tuner->arm_count =
      arm_count < HEDDLE_MOST_ARMS ? arm_count : HEDDLE_MOST_ARMS;
  assert(arm_count > 0);
  for (uint32_t i = 0; i < tuner->arm_count; ++i)
    tuner->arms[i] = arms[i];
  tuner->interval = microseconds(tuner, FirstInterval);
  set_phase(tuner, HEDDLE_EXPLORING);
  publish_champion(tuner);
  tuner->waiting = rival_arms(tuner);
  continue_exploring(tuner);
}

void heddle_tuner_settle(struct heddle_tuner *tuner, struct heddle_arm arm) {
  uint32_t i = 0;
  while (i < tuner->arm_count && (tuner->arms[i].version != arm.version ||
                                  tuner->arms[i].tasks != arm.tasks))
    ++i;
  if (i == HEDDLE_MOST_ARMS)
    return;
  if (i == tuner->arm_count)
    tuner->arms[tuner->arm_count++] = arm;
  tuner->champion = i;
  settle(tuner);
}

void heddle_tuner_begin(struct heddle_tuner *tuner, uint64_t remaining,
                        heddle_plan *plan) {
  if (phase(tuner) != HEDDLE_SETTLED) {
    plan_measured(tuner, remaining, plan);
    return;
  }
  uint64_t stretch = load(&tuner->stretch);
  set_plan(plan, __atomic_load_n(&tuner->choice, __ATOMIC_RELAXED),
           stretch ? stretch : UnknownStretch, remaining);
  uint64_t timed_from = load(&tuner->timed_from);
  if (plan->iterations >= timed_from)
    stamp(tuner, plan, HEDDLE_PLAN_TIMED_BIT);
  else if (timed_from != UINT64_MAX &&
           !(tuner->surroundings->random() >> (32 - SampleShift)))
    stamp(tuner, plan, HEDDLE_PLAN_SAMPLED_BIT);
}

void heddle_tuner_end(struct heddle_tuner *tuner, const heddle_plan *plan,
                      uint64_t iterations, uint64_t work) {
  bool measured = plan->start & HEDDLE_PLAN_MEASURED_BIT;
  bool sampled = plan->start & HEDDLE_PLAN_SAMPLED_BIT;
  bool timed = plan->start & HEDDLE_PLAN_TIMED_BIT;
  if (!iterations || (!measured && !sampled && !timed) ||
      load(&tuner->recheck_after) == UINT64_MAX)
    return;
  struct heddle_span span = {tuner->surroundings->now() -
                                 (plan->start >> HEDDLE_PLAN_BITS),
                             iterations, work < iterations ? iterations : work};
  if (try_lock(tuner)) {
    if (measured)
      add_chunk(tuner, plan, span);
    else if (phase(tuner) == HEDDLE_SETTLED &&
             tuner->choice == heddle_encode(plan->version, plan->tasks))
      follow_pace(tuner, span);
    unlock(tuner);
  }
  if (!measured)
    add_settled_ticks(tuner, sampled ? SampledChunks * span.ticks : span.ticks);
}

uint32_t heddle_tuner_decision(const struct heddle_tuner *tuner) {
  uint32_t choice = __atomic_load_n(&tuner->choice, __ATOMIC_RELAXED);
  return phase(tuner) == HEDDLE_EXPLORING ? 0 : choice;
}

void heddle_tuner_doubt(struct heddle_tuner *tuner) {
  if (!try_lock(tuner))
    return;
  if (load(&tuner->recheck_after) != UINT64_MAX)
    store(&tuner->recheck_after, 0);
  unlock(tuner);
}

void heddle_tuner_after_fork(struct heddle_tuner *tuner) { unlock(tuner); }
