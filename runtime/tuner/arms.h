/*===- arms.h - Which versions of a loop may meet ---------------------------===
 *
 * A version with a number of iterations in flight is an arm. Sets of arms have
 * bit i for arm i. Arms of one version that only differ in their tasks follow
 * the one with the default number.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_ARMS_H
#define HEDDLE_RUNTIME_TUNER_ARMS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { HEDDLE_MOST_ARMS = 8 };

struct heddle_arm {
  uint32_t version;
  uint32_t tasks;
};

struct heddle_arms {
  uint32_t count;
  struct heddle_arm list[HEDDLE_MOST_ARMS];
};

/* The index of the serial arm, or the number of arms if there is none. */
uint32_t heddle_arms_serial(const struct heddle_arms *arms);

/* The arms of the version of `arm`. */
uint32_t heddle_arms_like(const struct heddle_arms *arms, uint32_t arm);

/* The arms of other versions, each with its default number of tasks. */
uint32_t heddle_arms_unlike(const struct heddle_arms *arms, uint32_t arm);

/* Removes one arm from `set`, which is not empty, and returns it. */
uint32_t heddle_arms_take(uint32_t *set);

#ifdef __cplusplus
}
#endif

#endif
