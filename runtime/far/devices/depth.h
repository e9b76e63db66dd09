/*===- depth.h - How many tasks there should be ---------------------------===
 *
 * CoroAMU, section III-A: the return block adjusts how many tasks there are to
 * what polling has shown. Two things are found out apart.
 *
 * What the devices take, for all loops together: the depth at which half as
 * much again hardly makes them faster, beyond which requests only take longer.
 * Requests are counted for a while with somewhat more tasks, then with somewhat
 * fewer, and the depth moves to where that pays. So it follows a device that
 * gets slower, or data that comes from another, without ever being told what
 * the device is.
 *
 * What a loop can use of its share: one that does not wait has more tasks than
 * it needs, and is given as few as memory takes.
 *
 * Nothing here has a clock or a device, so that tests may have others.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_DEVICES_DEPTH_H
#define HEDDLE_RUNTIME_FAR_DEVICES_DEPTH_H

#include <stdbool.h>
#include <stdint.h>

enum {
  /* Fewer tasks than this cannot be told from one more or less. */
  HeddleFarLeastTasks = 4,
  /* Of one loop, and at first. */
  HeddleFarMostTasks = 256,
  HeddleFarFirstTasks = 64
};

/* What the devices have done while the depth was the same. */
struct heddle_far_window {
  double seconds;
  double completed; /* requests */
  double under_way; /* how many there were at a time, on average */
};

struct heddle_far_depth {
  double tasks; /* between those of the two windows of a pair */
  bool is_high; /* the window that runs has the more of them */
  bool is_second;
  struct heddle_far_window first;
  /* Of the pairs since the depth has changed: what they say that more tasks
   * gain, and the squares of that. */
  unsigned pairs;
  double gains, squares;
};

/* How many tasks all loops together shall have in the window that runs. */
double heddle_far_depth_now(const struct heddle_far_depth *depth);

/* How many of `tasks` tasks each of `loops` loops shall have. */
unsigned heddle_far_tasks_each(double tasks, unsigned loops);

/* Keeps as many tasks as so many loops can have. */
void heddle_far_bound(struct heddle_far_depth *depth, unsigned loops);

/* Learns from the window that has run, and goes on to the next, while `loops`
 * loops share the devices. */
void heddle_far_learn(struct heddle_far_depth *depth,
                      const struct heddle_far_window *seen, unsigned loops);

/* What the latest polls of a loop have met. */
struct heddle_far_polls {
  unsigned polls;
  unsigned waits;       /* polls that found no task ready */
  unsigned least_ready; /* tasks, at any poll */
};

/* Whether each of `tasks` tasks has been polled about twice: completions may
 * come in large batches, between which a loop does not wait. */
bool heddle_far_has_seen(struct heddle_far_polls seen, unsigned tasks);

/* How many tasks a loop shall have that has had `tasks` then: no more than
 * `share`, or than `base` if it does not wait. */
unsigned heddle_far_loop_tasks(unsigned tasks, struct heddle_far_polls seen,
                               unsigned base, unsigned share);

#endif
