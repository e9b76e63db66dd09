/*===- duel.c - Robust paired comparison of two versions ------------------===*/

#include "tuner/duel.h"

#include <assert.h>
#include <string.h>

/* A difference below this is not worth a switch: 0.015 is 3 % in time. */
static const double Indifference = 0.015;
/* Clocks and caches disturb even the steadiest loop by this much. */
static const double LeastDeviation = 0.012;

/* The share of the weight that is left out at either end. */
static const double Trimmed = 0.2;

struct summary {
  double centre;        /* trimmed mean */
  double error_squared; /* square of its standard error */
  double effective;     /* number of equal samples with the same evidence */
};

void heddle_duel_start(struct heddle_duel *duel, enum heddle_duel_kind kind,
                       bool to_serial) {
  duel->kind = kind;
  duel->to_serial = to_serial;
  duel->count = 0;
}

void heddle_duel_add(struct heddle_duel *duel, double champion,
                     double challenger, double work) {
  assert(duel->count < HEDDLE_DUEL_MOST_SAMPLES);
  assert(champion >= 0 && challenger >= 0 && work > 0);
  double sum = champion + challenger;
  double difference = sum > 0 ? (challenger - champion) / sum : 0;
  duel->samples[duel->count++] =
      (struct heddle_sample){(float)difference, (float)work};
}

static void sort(struct heddle_sample *samples, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    struct heddle_sample sample = samples[i];
    uint32_t j = i;
    for (; j > 0 && samples[j - 1].difference > sample.difference; --j)
      samples[j] = samples[j - 1];
    samples[j] = sample;
  }
}

static double within(double value, double least, double most) {
  return value < least ? least : value > most ? most : value;
}

/* The sample at which this much of the weight has passed, counted from `first`
 * in steps of 1 or -1. */
static double quantile(const struct heddle_sample *first, uint32_t count,
                       int step, double weight) {
  for (; --count > 0 && weight >= (double)first->weight; first += step)
    weight -= (double)first->weight;
  return first->difference;
}

/* Trimmed mean, with the standard error from the winsorised variance. */
static struct summary summarise(const struct heddle_duel *duel) {
  struct heddle_sample samples[HEDDLE_DUEL_MOST_SAMPLES];
  uint32_t count = duel->count;
  memcpy(samples, duel->samples, count * sizeof *samples);
  sort(samples, count);

  double total = 0, squares = 0;
  for (uint32_t i = 0; i < count; ++i) {
    double weight = samples[i].weight;
    total += weight;
    squares += weight * weight;
  }
  assert(total > 0);
  double effective = total * total / squares;

  double passed = 0, sum = 0, mean = 0;
  double from = Trimmed * total, to = (1 - Trimmed) * total;
  double least = quantile(samples, count, 1, from);
  double most = quantile(samples + count - 1, count, -1, from);
  for (uint32_t i = 0; i < count; ++i) {
    double value = samples[i].difference, weight = samples[i].weight;
    double first = passed < from ? from : passed;
    passed += weight;
    double last = passed > to ? to : passed;
    if (last > first)
      sum += (last - first) * value;
    mean += weight * within(value, least, most) / total;
  }
  double variance = 0;
  for (uint32_t i = 0; i < count; ++i) {
    double off = within(samples[i].difference, least, most) - mean;
    variance += (double)samples[i].weight * off * off / total;
  }
  variance = effective > 1.5 ? variance * effective / (effective - 1) : 1;
  variance += LeastDeviation * LeastDeviation;
  double share = 1 - 2 * Trimmed;
  return (struct summary){sum / (share * total),
                          variance / (share * share * effective), effective};
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

  /* The number of standard errors that make a difference certain: more while
   * samples are few, because then the error itself is little known and every
   * new sample is another look at the data. */
  double seen = result.effective;
  double certain = seen < 5.5 ? 5 : seen < 11.5 ? 3.5 : 2.8;
  if (size * size > certain * certain * result.error_squared) {
    bool gain = result.centre < 0;
    return gain && size > Indifference / 2 ? HEDDLE_SWITCH : HEDDLE_KEEP;
  }

  /* A settled choice is left in peace unless there is a hint against it. */
  double hint = duel->to_serial ? 2 * Indifference : -Indifference / 2;
  if (duel->kind == HEDDLE_DUEL_RECHECK && count == 4 && result.centre > hint)
    return HEDDLE_KEEP;

  if (seen > 5.5 && size < Indifference) {
    double rest = Indifference - size;
    if (rest * rest > 4 * result.error_squared)
      return duel->to_serial ? HEDDLE_SWITCH : HEDDLE_KEEP;
  }

  if (count < most_samples(duel->kind))
    return HEDDLE_UNDECIDED;
  /* If few samples hold all the work, they prove next to nothing. */
  if (duel->kind == HEDDLE_DUEL_RECHECK && seen < 5.5)
    return HEDDLE_KEEP;
  if (duel->to_serial)
    return result.centre < Indifference / 2 ? HEDDLE_SWITCH : HEDDLE_KEEP;
  /* Leaving a version that is known to be good takes better reasons than the
   * first choice. */
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
  return result.error_squared * result.effective > 0.15 * 0.15;
}
