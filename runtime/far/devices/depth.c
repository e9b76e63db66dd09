/*===- depth.c - How many tasks there should be ---------------------------===*/

#include "far/devices/depth.h"

#include <assert.h>

/* The windows of a pair have the depth times this, and divided by this. */
static const double Apart = 1.225;
/* If the numbers of requests in flight differ by less, the loops do not follow
 * the depth. */
static const double LeastApart = 1.2;
/* With more requests in flight, more must complete: at least this part of the
 * increase. Otherwise there are enough. */
static const double Worthwhile = 0.05;
/* The least deviation that is assumed between pairs. */
static const double LeastDeviation = 0.05;
/* The number of standard errors that make a result certain. */
static const double CertainOfMore = 1.5, CertainOfFewer = 2;

enum { LeastPairs = 2, MostPairs = 64 };

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

double heddle_far_depth_now(const struct heddle_far_depth *depth) {
  return depth->is_high ? depth->tasks * Apart : depth->tasks / Apart;
}

unsigned heddle_far_tasks_each(double tasks, unsigned loops) {
  const unsigned each = (unsigned)(tasks / (loops ? loops : 1) + 0.5);
  return each < HeddleFarLeastTasks  ? HeddleFarLeastTasks
         : each > HeddleFarMostTasks ? HeddleFarMostTasks
                                     : each;
}

/* Finds the relative increase of completed requests, divided by that of
 * requests in flight: 1 if in proportion, 0 if none. Its sign changes when the
 * windows are exchanged, so errors are symmetric. */
static bool find_gain(const struct heddle_far_window *low,
                      const struct heddle_far_window *high, double *gain) {
  if (low->completed <= 0 || high->completed <= 0 || low->seconds <= 0 ||
      high->seconds <= 0 || low->under_way <= 0 ||
      high->under_way < LeastApart * low->under_way)
    return false;
  const double slow = low->completed / low->seconds;
  const double fast = high->completed / high->seconds;
  const double more =
      (high->under_way - low->under_way) / (high->under_way + low->under_way);
  *gain = (fast - slow) / (fast + slow) / more;
  *gain = most(-2, least(2, *gain));
  return true;
}

/* Returns the factor by which the depth should change; 1 if the pairs are not
 * conclusive yet. */
static double find_factor(const struct heddle_far_depth *depth) {
  if (depth->pairs < LeastPairs)
    return 1;
  const double count = depth->pairs, gain = depth->gains / count;
  const double variance = most(0, depth->squares / count - gain * gain) +
                          LeastDeviation * LeastDeviation;
  const double off = gain - Worthwhile;
  const double certain = off > 0 ? CertainOfMore : CertainOfFewer;
  if (off * off * count <= certain * certain * variance)
    return 1;
  return off > 0 ? 1 + most(0.1, least(0.5, gain)) : 0.8;
}

void heddle_far_bound(struct heddle_far_depth *depth, unsigned loops) {
  depth->tasks = most((double)HeddleFarLeastTasks * loops,
                      least((double)HeddleFarMostTasks * loops, depth->tasks));
}

void heddle_far_learn(struct heddle_far_depth *depth,
                      const struct heddle_far_window *seen, unsigned loops) {
  if (!depth->is_second) {
    depth->first = *seen;
    depth->is_second = true;
    depth->is_high = !depth->is_high;
    return;
  }
  /* The next pair begins as this one ends, so that neither is always first. */
  depth->is_second = false;
  double gain;
  if (!find_gain(depth->is_high ? &depth->first : seen,
                 depth->is_high ? seen : &depth->first, &gain))
    return;
  ++depth->pairs;
  depth->gains += gain;
  depth->squares += gain * gain;
  const double factor = find_factor(depth);
  if (factor == 1 && depth->pairs < MostPairs)
    return;
  depth->pairs = 0;
  depth->gains = depth->squares = 0;
  assert(factor > 0 && loops > 0);
  depth->tasks *= factor;
  heddle_far_bound(depth, loops);
}

bool heddle_far_has_seen(struct heddle_far_polls seen, unsigned tasks) {
  return seen.polls >= 2 * tasks;
}

unsigned heddle_far_loop_tasks(unsigned tasks, struct heddle_far_polls seen,
                               unsigned base, unsigned share) {
  assert(tasks > 0 && share > 0);
  if (tasks > share)
    tasks = share;
  if (seen.waits > 0)
    tasks += tasks / 2 + 1;
  else if (tasks > base)
    tasks -= seen.least_ready / 2 < tasks - base ? seen.least_ready / 2
                                                 : tasks - base;
  return tasks < share ? tasks : share;
}
