/*===- pairs.c - Chunks that are compared ---------------------------------===*/

#include "tuner/pairs.h"

#include "tuner/contest.h"
#include "tuner/state.h"

#include <assert.h>

/* Times in microseconds of loop time. */
enum {
  FirstChunkTime = 25,
  LongestChunkTime = 400,
  LongestFloorTime = 2000, /* bounds chunks of few, very long iterations */
  LaneExpiry = 10000
};

/* The first pairs of a duel start with the champion: it shows when a challenger
 * is so much slower that it need not run on. */
enum { UnknownPairs = 3 };

/* Iterations in flight that show whether a challenger hides much. If no more
 * can be afforded, a duel starts with so few. */
enum { ProbingTasks = 8 };

/* Of the settled chunks that are too short to be timed, one in
 * HEDDLE_SAMPLED_CHUNKS is. */
enum { SampleShift = 4 };
_Static_assert(HEDDLE_SAMPLED_CHUNKS == 1 << SampleShift, "one in so many");

/* The loss that a challenger is expected to make for each tick that the
 * champion needs: of a new one, of any at the least, and of one that is so much
 * faster that it hardly can. */
static const double FirstExpectation = 0.3, LeastExpectation = 0.05,
                    HardlyAny = 0.005, MuchFaster = 0.8;

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

/* The share of the challenger's time that is expected to be lost. */
static double expected_loss(const struct heddle_tuner *tuner) {
  if (!tuner->duel.count)
    return FirstExpectation;
  double ratio = heddle_duel_high_ratio(&tuner->duel);
  if (ratio < MuchFaster)
    return HardlyAny;
  return ratio - 1 > LeastExpectation ? ratio - 1 : LeastExpectation;
}

/* Returns the number of iterations of each side of the next pair: enough time
 * to be measured and enough iterations that filling and draining the pipeline
 * does not count against the interleaved versions. */
static uint64_t pair_goal(struct heddle_tuner *tuner) {
  uint32_t tasks = tuner->arms.list[tuner->champion].tasks;
  if (tasks < tuner->arms.list[tuner->challenger].tasks)
    tasks = tuner->arms.list[tuner->challenger].tasks;

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
  if (goal < floor)
    goal = floor;
  if (tuner->balance.kept && !tuner->checking) {
    /* Fewer if more could not be afforded. */
    double afforded = (tuner->balance.ticks - tuner->balance.stake) /
                      (expected_loss(tuner) * tuner->iteration_ticks);
    bool probes = !tuner->duel.count && tasks > ProbingTasks;
    double least = 3 * (probes ? (uint32_t)ProbingTasks : tasks);
    if (goal > afforded)
      goal = afforded > least ? afforded : least;
  }
  return (uint64_t)goal;
}

static uint8_t running_side(const struct heddle_lane *lane) {
  return lane->stage ^ lane->first;
}

static struct heddle_arm arm_of(const struct heddle_tuner *tuner,
                                const struct heddle_lane *lane, uint8_t side) {
  if (!side)
    return tuner->arms.list[tuner->champion];
  uint32_t version = tuner->arms.list[tuner->challenger].version;
  return (struct heddle_arm){version, lane->tasks};
}

/* Whether the challenger may stop early: the champion has run, and there is no
 * other sign yet that the challenger is much slower. */
static bool shows_early(const struct heddle_tuner *tuner,
                        const struct heddle_lane *lane) {
  return lane->stage == 1 && !lane->first && tuner->duel.count < UnknownPairs;
}

static void start_pair(struct heddle_tuner *tuner, struct heddle_lane *lane) {
  lane->duel_number = tuner->duel_number;
  lane->stage = 0;
  lane->first = tuner->surroundings->random() >> 31;
  if (tuner->duel.count < UnknownPairs)
    lane->first = 0;
  lane->goal = pair_goal(tuner);
  lane->tasks = tuner->arms.list[tuner->challenger].tasks;
  if (!tuner->duel.count && lane->tasks > lane->goal / 3)
    lane->tasks = lane->goal < 3 ? 1 : (uint32_t)(lane->goal / 3);
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

void heddle_pairs_plan_settled(struct heddle_tuner *tuner, uint64_t iterations,
                               uint64_t remaining, heddle_plan *plan) {
  /* A rest that is short beside the chunk is not worth another one. */
  if (remaining > iterations && remaining - iterations < iterations / 2)
    iterations = remaining;
  set_plan(plan, __atomic_load_n(&tuner->choice, __ATOMIC_RELAXED), iterations,
           remaining);
  uint64_t timed_from = load(&tuner->timed_from);
  if (plan->iterations >= timed_from)
    stamp(tuner, plan, HEDDLE_PLAN_TIMED_BIT);
  else if (timed_from != UINT64_MAX &&
           !(tuner->surroundings->random() >> (32 - SampleShift)))
    stamp(tuner, plan, HEDDLE_PLAN_SAMPLED_BIT);
}

/* Lets the next duel begin in which a pair of chunks can be afforded, the check
 * of a champion that is due before all others. Returns false if the loop has to
 * run its serial version first; then `earning` is for how long. */
static bool find_affordable_duel(struct heddle_tuner *tuner, double *earning) {
  while (phase(tuner) != HEDDLE_SETTLED && !tuner->checking) {
    if (heddle_contest_needs_check(tuner)) {
      tuner->waiting |= 1u << tuner->challenger;
      heddle_contest_start_check(tuner);
      return true;
    }
    double loss = expected_loss(tuner) * (double)pair_goal(tuner) *
                  tuner->iteration_ticks;
    if (heddle_balance_affords(&tuner->balance, loss))
      return true;
    if (is_serial(tuner, tuner->champion)) {
      *earning = heddle_balance_earned_after(&tuner->balance, loss);
      return false;
    }
    heddle_contest_finish(tuner, false);
  }
  return true;
}

/* Plans a chunk of the thread's pair. Called with the lock held. */
static void plan_pair(struct heddle_tuner *tuner, struct heddle_lane *lane,
                      uint64_t remaining, heddle_plan *plan) {
  uint8_t side = running_side(lane);
  struct heddle_arm arm = arm_of(tuner, lane, side);
  uint64_t done = lane->sides[side].iterations;
  uint64_t goal = lane->goal;
  if (shows_early(tuner, lane) && !done) {
    goal /= tuner->duel.count ? 4 : 16;
    if (goal < arm.tasks)
      goal = arm.tasks;
    if (goal > lane->goal)
      goal = lane->goal;
  }
  set_plan(plan, heddle_encode(arm.version, arm.tasks), goal - done, remaining);
}

void heddle_pairs_plan(struct heddle_tuner *tuner, uint64_t remaining,
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
  if (lane->duel_number != tuner->duel_number) {
    heddle_contest_collect(tuner);
    double earning = 0;
    bool affordable = find_affordable_duel(tuner, &earning);
    /* Even to ask costs more than short entries of such loops may lose. */
    bool starved = !affordable &&
                   tuner->iteration_ticks * 10 < (double)microseconds(tuner, 1);
    __atomic_store_n(&tuner->starved, starved, __ATOMIC_RELAXED);
    if (!affordable || phase(tuner) == HEDDLE_SETTLED) {
      uint64_t iterations = load(&tuner->stretch);
      if (!affordable && earning / tuner->iteration_ticks < (double)iterations)
        iterations = (uint64_t)(earning / tuner->iteration_ticks);
      unlock(tuner);
      heddle_pairs_plan_settled(tuner, iterations < few ? few : iterations,
                                remaining, plan);
      return;
    }
    start_pair(tuner, lane);
  }
  plan_pair(tuner, lane, remaining, plan);
  unlock(tuner);
  stamp(tuner, plan, HEDDLE_PLAN_MEASURED_BIT);
}

/* Takes a pair of chunks into account. */
static void balance_pair(struct heddle_tuner *tuner,
                         const struct heddle_lane *lane) {
  if (!tuner->balance.kept)
    return;
  struct heddle_span champion = lane->sides[0], challenger = lane->sides[1];
  double as_champion = (double)challenger.work * work_ticks(champion);
  if (is_serial(tuner, tuner->champion)) {
    heddle_balance_add_serial(&tuner->balance, (double)champion.ticks);
    /* By all pairs of the duel: single ones tell little. */
    double ratio = heddle_duel_high_ratio(&tuner->duel);
    heddle_balance_set_stake(&tuner->balance,
                             (double)tuner->sides[1].ticks * (1 - 1 / ratio));
  } else if (tuner->checking) {
    heddle_balance_add_compared(&tuner->balance, (double)champion.ticks,
                                (double)champion.work * work_ticks(challenger));
    heddle_balance_add_serial(&tuner->balance, (double)challenger.ticks);
  } else {
    tuner->balance.unchecked += (double)champion.ticks + as_champion;
    if ((double)challenger.ticks > as_champion)
      heddle_balance_add_loss(&tuner->balance,
                              (double)challenger.ticks - as_champion);
  }
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
  balance_pair(tuner, lane);
  enum heddle_verdict verdict = heddle_duel_judge(&tuner->duel);
  if (verdict != HEDDLE_UNDECIDED)
    heddle_contest_finish(tuner, verdict == HEDDLE_SWITCH);
}

void heddle_pairs_add(struct heddle_tuner *tuner, const heddle_plan *plan,
                      struct heddle_span span) {
  if (phase(tuner) == HEDDLE_SETTLED)
    return;
  if (tuner->iteration_ticks <= 0) {
    tuner->iteration_ticks = iteration_ticks(span);
    heddle_contest_publish_pace(tuner);
    return;
  }
  struct heddle_lane *lane = find_lane(tuner, tuner->surroundings->thread());
  if (!lane || lane->duel_number != tuner->duel_number)
    return;
  uint8_t side = running_side(lane);
  struct heddle_arm arm = arm_of(tuner, lane, side);
  if (arm.version != plan->version || arm.tasks != plan->tasks)
    return;
  struct heddle_span *sum = &lane->sides[side];
  add(sum, span);
  bool enough = sum->iterations >= lane->goal;
  /* A side whose iterations turn out long need not run them all. */
  if (!enough && sum->iterations >= 2 * arm.tasks + 1)
    enough = sum->ticks > microseconds(tuner, 2 * LongestFloorTime);
  if (!enough && shows_early(tuner, lane))
    enough = work_ticks(*sum) > 3 * work_ticks(lane->sides[0]);
  if (!enough)
    return;
  if (lane->stage == 0)
    lane->stage = 1;
  else
    finish_pair(tuner, lane);
}
