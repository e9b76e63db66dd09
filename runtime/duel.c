/*===- duel.c - Robust paired comparison of two versions ------------------===*/

#include "duel.h"

#include <string.h>

/* A difference below this is not worth a switch: 0.015 is 3 % in time. */
static const double Indifference = 0.015;
/* Clocks and caches disturb even the steadiest loop by this much. */
static const double LeastDeviation = 0.012;

struct summary {
  double centre;        /* trimmed mean */
  double error_squared; /* square of its standard error */
};

void heddle_duel_start(struct heddle_duel *duel, enum heddle_duel_kind kind) {
  duel->kind = kind;
  duel->count = 0;
}

void heddle_duel_add(struct heddle_duel *duel, double champion,
                     double challenger) {
  double sum = champion + challenger;
  double sample = sum > 0 ? (challenger - champion) / sum : 0;
  duel->samples[duel->count++] = (float)sample;
}

static void sort(float *values, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    float value = values[i];
    uint32_t j = i;
    for (; j > 0 && values[j - 1] > value; --j)
      values[j] = values[j - 1];
    values[j] = value;
  }
}

/* Trimmed mean, with the standard error from the winsorised variance. */
static struct summary summarise(const struct heddle_duel *duel) {
  float values[HEDDLE_DUEL_MOST_SAMPLES];
  uint32_t count = duel->count;
  memcpy(values, duel->samples, count * sizeof *values);
  sort(values, count);

  uint32_t trimmed = count / 5;
  uint32_t kept = count - 2 * trimmed;
  double centre = 0;
  for (uint32_t i = trimmed; i < count - trimmed; ++i)
    centre += values[i];
  centre /= kept;

  for (uint32_t i = 0; i < trimmed; ++i) {
    values[i] = values[trimmed];
    values[count - 1 - i] = values[count - 1 - trimmed];
  }
  double mean = 0;
  for (uint32_t i = 0; i < count; ++i)
    mean += values[i];
  mean /= count;
  double squares = 0;
  for (uint32_t i = 0; i < count; ++i)
    squares += (values[i] - mean) * (values[i] - mean);
  double variance = count > 1 ? squares / (count - 1) : 1;
  variance += LeastDeviation * LeastDeviation;
  double share = (double)kept / count;
  return (struct summary){centre, variance / (share * share * count)};
}

static uint32_t most_samples(enum heddle_duel_kind kind) {
  return kind == HEDDLE_DUEL_TASKS ? 16 : HEDDLE_DUEL_MOST_SAMPLES;
}

enum heddle_verdict heddle_duel_judge(const struct heddle_duel *duel) {
  uint32_t count = duel->count;
  if (count < 3)
    return HEDDLE_UNDECIDED;
  struct summary result = summarise(duel);
  double size = result.centre < 0 ? -result.centre : result.centre;

  /* How many standard errors make a difference certain: more while samples are
   * few, because then the error itself is little known and every new sample is
   * another look at the data. */
  double certain = count < 6 ? 5 : count < 12 ? 3.5 : 2.8;
  if (size * size > certain * certain * result.error_squared) {
    bool gain = result.centre < 0;
    return gain && size > Indifference / 2 ? HEDDLE_SWITCH : HEDDLE_KEEP;
  }

  /* A settled choice is left in peace unless there is a hint against it. */
  if (duel->kind == HEDDLE_DUEL_RECHECK && count == 4 && result.centre > -0.01)
    return HEDDLE_KEEP;

  if (count >= 6 && size < Indifference) {
    double rest = Indifference - size;
    if (rest * rest > 4 * result.error_squared)
      return HEDDLE_KEEP;
  }

  if (count < most_samples(duel->kind))
    return HEDDLE_UNDECIDED;
  /* To leave what is known to be good takes better reasons than a first
   * choice does. */
  double convincing = duel->kind == HEDDLE_DUEL_VERSIONS ? 0 : 2;
  return result.centre < -Indifference / 2 &&
                 size * size > convincing * convincing * result.error_squared
             ? HEDDLE_SWITCH
             : HEDDLE_KEEP;
}

bool heddle_duel_is_noisy(const struct heddle_duel *duel) {
  if (duel->count < 8)
    return false;
  struct summary result = summarise(duel);
  return result.error_squared * duel->count > 0.15 * 0.15;
}
