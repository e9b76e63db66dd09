/*===- duel.c - Robust paired comparison of two versions ------------------===*/

#include "tuner/duel.h"

#include <assert.h>
#include <string.h>

/* A difference below this is not worth a switch: 0.015 is 3 % in time. */
static const double Indifference = 0.015;
/* Clocks and caches disturb even the steadiest loop by this much. */
static const double LeastDeviation = 0.012;

/* A challenger that takes ten times as long, or three times as long twice, does
 * not win. */
static const float Hopeless[] = {0.818f, 0.5f};

/* The ratio that a challenger of which nothing is known may have, and how much
 * higher than it seems that of one may be of which little is known. */
static const double UnknownRatio = 1.3, Doubt = 1.6;
/* The number of standard errors that a ratio is likely to be off. */
static const double LikelyErrors = 1;

/* The share of the weight that is left out at either end. */
static const double Trimmed = 0.2;

struct summary {
  double centre;        /* trimmed mean */
  double error_squared; /* square of its standard error */
  double effective;     /* number of equal samples with the same evidence */
};

void heddle_duel_start(struct heddle_duel *duel, enum heddle_duel_kind kind) {
  duel->kind = kind;
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

static bool is_check(const struct heddle_duel *duel) {
  return duel->kind == HEDDLE_DUEL_CHECK ||
         duel->kind == HEDDLE_DUEL_PRESSING_CHECK;
}

static uint32_t most_samples(const struct heddle_duel *duel) {
  return duel->kind == HEDDLE_DUEL_TASKS || is_check(duel)
             ? 16
             : HEDDLE_DUEL_MOST_SAMPLES;
}

static bool is_hopeless(const struct heddle_duel *duel) {
  uint32_t count = duel->count;
  return (count == 1 && duel->samples[0].difference > Hopeless[0]) ||
         (count == 2 && duel->samples[0].difference > Hopeless[1] &&
          duel->samples[1].difference > Hopeless[1]);
}

/* The serial version cannot be wrong, and so needs less evidence. */
static enum heddle_verdict judge_check(const struct heddle_duel *duel,
                                       struct summary result) {
  bool pressing = duel->kind == HEDDLE_DUEL_PRESSING_CHECK;
  double size = result.centre < 0 ? -result.centre : result.centre;
  double enough = pressing ? 1.5 : 2.5;
  if (result.effective > 3.5 && result.centre < -Indifference / 2 &&
      size * size > enough * enough * result.error_squared)
    return HEDDLE_SWITCH;
  if (duel->count < most_samples(duel))
    return HEDDLE_UNDECIDED;
  /* If few samples hold all the work, they prove next to nothing. */
  if (result.effective < 5.5)
    return HEDDLE_KEEP;
  if (pressing)
    return result.centre < Indifference / 2 ? HEDDLE_SWITCH : HEDDLE_KEEP;
  return result.centre < -Indifference / 2 && size * size > result.error_squared
             ? HEDDLE_SWITCH
             : HEDDLE_KEEP;
}

enum heddle_verdict heddle_duel_judge(const struct heddle_duel *duel) {
  uint32_t count = duel->count;
  if (is_hopeless(duel))
    return HEDDLE_KEEP;
  if (count < 3)
    return HEDDLE_UNDECIDED;
  struct summary result = summarise(duel);
  double size = result.centre < 0 ? -result.centre : result.centre;

  /* The number of standard errors that make a difference certain: more while
   * samples are few, because then the error itself is little known and every
   * new sample is another look at the data. */
  double seen = result.effective;
  double certain = seen < 5.5 ? 5 : seen < 11.5 ? 3.5 : 2.8;
  bool gain = result.centre < 0;
  if (gain && !is_check(duel))
    certain *= 1.1;
  if (size * size > certain * certain * result.error_squared)
    return gain && size > Indifference / 2 ? HEDDLE_SWITCH : HEDDLE_KEEP;

  /* A settled choice is left in peace unless there is a hint against it. */
  double hint = is_check(duel) ? 2 * Indifference : -Indifference / 2;
  if ((is_check(duel) || duel->kind == HEDDLE_DUEL_RECHECK) && count == 4 &&
      result.centre > hint)
    return HEDDLE_KEEP;

  if (seen > 5.5 && size < Indifference) {
    double rest = Indifference - size;
    if (rest * rest > 4 * result.error_squared)
      return is_check(duel) ? HEDDLE_SWITCH : HEDDLE_KEEP;
  }
  if (is_check(duel))
    return judge_check(duel, result);
  if (count < most_samples(duel))
    return HEDDLE_UNDECIDED;
  if (duel->kind == HEDDLE_DUEL_RECHECK && seen < 5.5)
    return HEDDLE_KEEP;
  /* Leaving a version that is known to be good takes good reasons. */
  const double convincing = 1.5;
  return result.centre < -Indifference / 2 &&
                 size * size > convincing * convincing * result.error_squared
             ? HEDDLE_SWITCH
             : HEDDLE_KEEP;
}

static double ratio_of(double centre) {
  centre = within(centre, -0.99, 0.99);
  return (1 + centre) / (1 - centre);
}

/* Without the mathematical library. */
static double square_root(double of) {
  double root = 1;
  for (int i = 0; i < 20; ++i)
    root = (root + of / root) / 2;
  return root;
}

double heddle_duel_ratio(const struct heddle_duel *duel) {
  return ratio_of(summarise(duel).centre);
}

double heddle_duel_high_ratio(const struct heddle_duel *duel) {
  /* Few samples tell nothing of their error. */
  if (duel->count < 3) {
    if (!duel->count)
      return UnknownRatio;
    double ratio = heddle_duel_ratio(duel), high = Doubt * ratio;
    return high < UnknownRatio    ? high
           : ratio < UnknownRatio ? UnknownRatio
                                  : ratio;
  }
  struct summary result = summarise(duel);
  return ratio_of(result.centre +
                  LikelyErrors * square_root(result.error_squared));
}

bool heddle_duel_is_noisy(const struct heddle_duel *duel) {
  if (duel->count < 8)
    return false;
  struct summary result = summarise(duel);
  return result.error_squared * result.effective > 0.15 * 0.15;
}
