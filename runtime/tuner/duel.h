/*===- duel.h - Which of two versions of a loop is faster? ------------------===
 *
 * Two versions run adjacent chunks of the same loop in random order. Each such
 * pair gives one sample, the relative difference of their times for the work,
 *
 *     (challenger - champion) / (challenger + champion)
 *
 * which is in [-1, 1], changes sign when the two are exchanged, and so is
 * distributed evenly around the true value even if single iterations differ a
 * thousandfold in cost. A verdict rests on the trimmed mean of the samples,
 * weighted by their work, and its standard error (Yuen's statistic), so that an
 * interrupt in one chunk cannot decide it, and chunks with little to do do not
 * outvote those that hold the time.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_DUEL_H
#define HEDDLE_RUNTIME_TUNER_DUEL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HEDDLE_DUEL_MOST_SAMPLES = 40 };

/* The choice at stake, which determines the required evidence. */
enum heddle_duel_kind {
  HEDDLE_DUEL_VERSIONS, /* the first choice between versions */
  HEDDLE_DUEL_TASKS,    /* the same version with another number of tasks */
  HEDDLE_DUEL_RECHECK,  /* does a settled choice still hold? */
  /* Is the champion still faster than the serial version, the challenger? A
   * loop must not lose by the directive, so the serial version wins where this
   * is not shown, and sooner if the loop has lost before. */
  HEDDLE_DUEL_CHECK,
  HEDDLE_DUEL_PRESSING_CHECK
};

enum heddle_verdict {
  HEDDLE_UNDECIDED,
  HEDDLE_KEEP,  /* the champion stays */
  HEDDLE_SWITCH /* the challenger replaces the champion */
};

struct heddle_sample {
  float difference;
  float weight;
};

struct heddle_duel {
  enum heddle_duel_kind kind;
  uint32_t count;
  struct heddle_sample samples[HEDDLE_DUEL_MOST_SAMPLES];
};

void heddle_duel_start(struct heddle_duel *duel, enum heddle_duel_kind kind);

/* Adds the sample of one pair of chunks, given ticks for a unit of work, and
 * the least work of the two chunks. Must not be called once there is a
 * verdict. */
void heddle_duel_add(struct heddle_duel *duel, double champion,
                     double challenger, double work);

/* Returns the verdict of the samples so far. Never HEDDLE_UNDECIDED when there
 * are as many samples as the kind of duel allows. */
enum heddle_verdict heddle_duel_judge(const struct heddle_duel *duel);

/* The time that the challenger needs for what takes the champion one tick, by
 * the samples so far, of which there is at least one. */
double heddle_duel_ratio(const struct heddle_duel *duel);

/* The most that it is likely to be. */
double heddle_duel_high_ratio(const struct heddle_duel *duel);

/* Whether single samples differ so much that longer chunks are needed. */
bool heddle_duel_is_noisy(const struct heddle_duel *duel);

#ifdef __cplusplus
}
#endif

#endif
