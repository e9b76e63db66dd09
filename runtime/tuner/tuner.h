/*===- tuner.h - Chooses the version of one loop while it runs --------------===
 *
 * A tuner knows a few arms: a code version with a number of iterations in
 * flight. One arm is the champion, at first the serial version. While the tuner
 * explores, each thread runs short chunks that alternate between the champion
 * and a challenger, and a duel (duel.h) says which is faster; the winner meets
 * the next challenger. First versions compete, then numbers of tasks. After
 * that the tuner is settled: it hands out the champion in long chunks, and
 * looks again after some time spent in the loop, which doubles as long as the
 * choice holds. If the time for a unit of work changes by half, it compares all
 * versions sooner.
 *
 * A loop must not lose by the directive. Versions are tried only as far as the
 * loop can afford it (balance.h); until then the serial version runs. An
 * interleaved champion meets the serial version again and again, all the more
 * often the less it has gained, and at once if its pace has changed.
 *
 * The time lost in versions that are slower than the best one is bounded, too:
 * it is known from the duel, and the next look waits until a hundred times that
 * has been spent in the loop.
 *
 * Any thread may call begin and end at any time. A settled tuner is only read,
 * except by the chunks that are timed: one in 16, or each if they are long. An
 * exploring one is changed under a lock that no thread waits for: a thread that
 * finds it taken runs the champion without measuring.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_TUNER_H
#define HEDDLE_RUNTIME_TUNER_TUNER_H

#include "tuner/arms.h"
#include "tuner/balance.h"
#include "tuner/duel.h"
#include "tuner/site.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HEDDLE_LANES = 8 };

/* A decision as site->decision and tuner->choice hold it. */
static inline uint32_t heddle_encode(uint32_t version, uint32_t tasks) {
  assert(version <= HEDDLE_DECISION_VERSION_MASK &&
         tasks <= HEDDLE_DECISION_TASKS_MASK);
  return HEDDLE_DECIDED | tasks << HEDDLE_DECISION_TASKS_SHIFT | version;
}
static inline uint32_t heddle_decoded_version(uint32_t choice) {
  return choice & HEDDLE_DECISION_VERSION_MASK;
}
static inline uint32_t heddle_decoded_tasks(uint32_t choice) {
  return (choice & ~HEDDLE_DECIDED) >> HEDDLE_DECISION_TASKS_SHIFT;
}

enum heddle_phase { HEDDLE_SETTLED, HEDDLE_EXPLORING, HEDDLE_RECHECKING };

/* The work of some chunks, and its duration. */
struct heddle_span {
  uint64_t ticks;
  uint64_t iterations;
  uint64_t work; /* iterations, those of inner loops included */
};

/* The progress of a thread in its current pair of chunks. Index 0 is the
 * champion's side, 1 the challenger's. */
struct heddle_lane {
  uintptr_t thread; /* 0 if free */
  uint64_t last_use;
  uint32_t duel_number;
  uint8_t stage;  /* 0: first side runs, 1: second */
  uint8_t first;  /* the side that runs first */
  uint64_t goal;  /* iterations that each side is to run */
  uint32_t tasks; /* of the challenger, fewer than its own where it is probed */
  struct heddle_span sides[2];
};

/* The functions that the tuner needs from its surroundings. */
struct heddle_surroundings {
  uint64_t (*now)(void); /* in ticks, never 0 */
  uint64_t (*ticks_per_microsecond)(void);
  uintptr_t (*thread)(void); /* differs between running threads, never 0 */
  uint32_t (*random)(void);  /* evenly distributed, and faster than `now` */
};

struct heddle_tuner {
  /* Read by every thread without the lock. */
  uint32_t choice;        /* the champion, encoded */
  uint32_t phase;         /* an enum heddle_phase */
  uint64_t stretch;       /* iterations in about 10 ms; 0 if not known */
  uint64_t timed_from;    /* length of settled chunks that are timed */
  uint64_t settled_ticks; /* time in the loop since it was settled */
  uint64_t recheck_after; /* ... that leads to a recheck; or UINT64_MAX */
  uint32_t starved;       /* the loop cannot afford to explore, nor to ask */
  const struct heddle_surroundings *surroundings;

  /* Changed under the lock. */
  uint32_t lock;
  bool frozen;     /* no recheck once settled */
  bool checking;   /* whether the duel is between champion and serial version */
  bool task_stage; /* whether the duel is about the number of tasks */
  bool off_pace;   /* whether the last chunks were far from the pace */
  bool drifted;    /* whether the pace has changed since the last look */
  bool doubted;    /* whether the next look is at all versions, due or not */
  struct heddle_arms arms;
  uint32_t champion;
  uint32_t challenger;
  uint32_t waiting;       /* set of the arms still to meet the champion */
  bool rival_met;         /* whether the last recheck took another version */
  uint32_t rotation[2];   /* the next arm: [0] tasks, [1] rivals */
  uint32_t duel_number;   /* counts duels, so that stale chunks are seen */
  double iteration_ticks; /* of the champion; 0 if not known */
  double pace; /* its ticks for a unit of work while settled, likewise */
  struct heddle_span recent;   /* settled chunks that `pace` lacks yet */
  struct heddle_span sides[2]; /* in this duel */
  double lost_ticks;           /* in losing arms since exploring began */
  double repay_ticks;   /* loop time that the last exploration has to earn */
  uint64_t interval;    /* loop time between rechecks */
  double since_recheck; /* loop time since the latest one */
  struct heddle_balance balance;
  struct heddle_duel duel;
  struct heddle_lane lanes[HEDDLE_LANES];
};

/* Makes `tuner` ready. The serial arm is the first champion or, if there is
 * none, `arms[0]`; arms that only differ in their tasks follow the one with the
 * default number. `frozen` rules out rechecks. With one arm the tuner is
 * settled from the start. */
void heddle_tuner_start(struct heddle_tuner *tuner,
                        const struct heddle_surroundings *surroundings,
                        const struct heddle_arm *arms, uint32_t arm_count,
                        bool frozen);

/* Settles the tuner for `arm` without measuring, adding it if it is new. */
void heddle_tuner_settle(struct heddle_tuner *tuner, struct heddle_arm arm);

/* Plans the calling thread's next chunk. */
void heddle_tuner_begin(struct heddle_tuner *tuner, uint64_t remaining,
                        heddle_plan *plan);

/* Learns from a chunk that heddle_tuner_begin planned. */
void heddle_tuner_end(struct heddle_tuner *tuner, const heddle_plan *plan,
                      uint64_t iterations, uint64_t work);

/* The choice if it is settled (also while it is being checked), else 0. */
uint32_t heddle_tuner_decision(const struct heddle_tuner *tuner);

/* Whether nothing is measured any more. */
bool heddle_tuner_is_final(const struct heddle_tuner *tuner);

/* Whether the loop runs the serial version since it can afford neither others
 * nor to ask. */
bool heddle_tuner_starved(const struct heddle_tuner *tuner);

/* Lets the next chunk of a settled tuner start a recheck of all versions. */
void heddle_tuner_doubt(struct heddle_tuner *tuner);

/* Frees the lock in the child of a fork, where its holder does not exist. */
void heddle_tuner_after_fork(struct heddle_tuner *tuner);

/* heddle_plan::start holds the time stamp (0 if none was taken), and in its low
 * bits the state for the end call. The lowest is left to the caller. */
enum {
  HEDDLE_PLAN_CALLER_BIT = 1,
  HEDDLE_PLAN_MEASURED_BIT = 2,
  HEDDLE_PLAN_SAMPLED_BIT = 4,
  HEDDLE_PLAN_TIMED_BIT = 8,
  HEDDLE_PLAN_BITS = 4
};

/* Whether heddle_tuner_end learns anything from the chunk of `plan`. */
static inline bool heddle_tuner_learns(const heddle_plan *plan) {
  return plan->start & (HEDDLE_PLAN_MEASURED_BIT | HEDDLE_PLAN_SAMPLED_BIT |
                        HEDDLE_PLAN_TIMED_BIT);
}

#ifdef __cplusplus
}
#endif

#endif
