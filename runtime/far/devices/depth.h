/*===- depth.h - How many tasks there should be ---------------------------===
 *
 * CoroAMU, section III-A: the return block adjusts the number of tasks to what
 * polling has shown. Two numbers are found independently.
 *
 * The depth is how many requests the devices take from all loops together. With
 * half as many again they would hardly be faster, and each request would take
 * longer. Requests are counted for a while with somewhat more tasks, then with
 * somewhat fewer, and the depth moves to where more requests complete. So it
 * follows a device that gets slower, or data that comes from another device.
 *
 * The other is what a loop can use of its share of the depth: a loop that does
 * not wait has more tasks than it needs, and gets as few as memory takes.
 *
 * Nothing here needs a clock or a device, so tests can simulate both.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_DEVICES_DEPTH_H
#define HEDDLE_RUNTIME_FAR_DEVICES_DEPTH_H

#include "heddle/amu.h"
#include "host/probe.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* With fewer, one task more or less makes too large a difference. */
  HeddleFarLeastTasks = 4,
  /* Of one loop. */
  HeddleFarMostTasks = HEDDLE_AMU_IDS,
  HeddleFarFirstTasks = HEDDLE_FAR_TASKS
};

/* A time during which the depth was the same, and what the devices did. */
struct heddle_far_window {
  double seconds;
  double completed; /* requests */
  double under_way; /* requests at a time, on average */
};

struct heddle_far_depth {
  double tasks; /* between those of the two windows of a pair */
  bool is_high; /* the present window has more of them */
  bool is_second;
  struct heddle_far_window first;
  /* Of the pairs since the depth has changed: the sum of what more tasks have
   * gained, and of the squares. */
  unsigned pairs;
  double gains, squares;
};

/* How many tasks all loops together should have in the present window. */
double heddle_far_depth_now(const struct heddle_far_depth *depth);

/* How many of `tasks` tasks each of `loops` loops should have. */
unsigned heddle_far_tasks_each(double tasks, unsigned loops);

/* Bounds the depth to what `loops` loops can have. */
void heddle_far_bound(struct heddle_far_depth *depth, unsigned loops);

/* Learns from the window that has ended, and goes on to the next one. `loops`
 * loops share the devices. */
void heddle_far_learn(struct heddle_far_depth *depth,
                      const struct heddle_far_window *seen, unsigned loops);

/* The results of the latest polls of a loop. */
struct heddle_far_polls {
  unsigned polls;
  unsigned waits;       /* polls that found no task ready */
  unsigned least_ready; /* tasks, at any poll */
};

/* Whether each of `tasks` tasks has been polled about twice. Completions may
 * come in large batches, and within a batch a loop does not wait. */
bool heddle_far_has_seen(struct heddle_far_polls seen, unsigned tasks);

/* How many tasks a loop should have after `tasks`: at most `share`, and at most
 * `base` if it does not wait. */
unsigned heddle_far_loop_tasks(unsigned tasks, struct heddle_far_polls seen,
                               unsigned base, unsigned share);

#ifdef __cplusplus
}
#endif

#endif
