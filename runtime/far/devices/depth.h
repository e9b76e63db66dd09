/*===- depth.h - The best number of tasks ---------------------------------===
 *
 * CoroAMU, section III-A: the return block adjusts the number of tasks to the
 * results of polling. Two numbers are found independently.
 *
 * The depth is the number of requests that the devices take from all loops
 * together. With 50 % more the devices would hardly be faster, and each request
 * would take longer. Requests are counted for a while with somewhat more tasks,
 * then with somewhat fewer, and the depth moves in the direction in which more
 * requests complete. So it adapts to a device that gets slower, or to data that
 * comes from another device.
 *
 * The other number is the part of its share of the depth that a loop can use: a
 * loop that does not wait has more tasks than it needs, and gets as few as
 * accesses to memory need.
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
  /* With fewer tasks, one more or less makes too large a difference. */
  HeddleFarLeastTasks = 4,
  /* Limits of one loop. */
  HeddleFarMostTasks = HEDDLE_AMU_IDS,
  HeddleFarFirstTasks = HEDDLE_FAR_TASKS
};

/* A period during which the depth was the same, and the work of the devices. */
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
  /* The number of pairs since the depth has changed, the sum of their gains
   * from more tasks, and the sum of the squares. */
  unsigned pairs;
  double gains, squares;
};

/* Returns the number of tasks that all loops together should have in the
 * present window. */
double heddle_far_depth_now(const struct heddle_far_depth *depth);

/* Returns the number of tasks, of `tasks` in all, that each of `loops` loops
 * should have. */
unsigned heddle_far_tasks_each(double tasks, unsigned loops);

/* Limits the depth to the number of tasks that `loops` loops can have. */
void heddle_far_bound(struct heddle_far_depth *depth, unsigned loops);

/* Learns from the window that has ended, and starts the next one. `loops` loops
 * share the devices. */
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

/* Returns the number of tasks that a loop should have after `tasks`: at most
 * `share`, and at most `base` if it does not wait. */
unsigned heddle_far_loop_tasks(unsigned tasks, struct heddle_far_polls seen,
                               unsigned base, unsigned share);

#ifdef __cplusplus
}
#endif

#endif
