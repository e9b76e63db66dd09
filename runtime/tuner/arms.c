/*===- arms.c - Which versions of a loop may meet -------------------------===*/

#include "tuner/arms.h"

#include "tuner/site.h"

#include <assert.h>

uint32_t heddle_arms_serial(const struct heddle_arms *arms) {
  uint32_t i = 0;
  while (i < arms->count && arms->list[i].version != HEDDLE_SERIAL)
    ++i;
  return i;
}

/* The first arm of each version. */
static uint32_t defaults(const struct heddle_arms *arms) {
  uint32_t seen = 0, set = 0;
  for (uint32_t i = 0; i < arms->count; ++i) {
    uint32_t bit = 1u << arms->list[i].version;
    if (!(seen & bit))
      set |= 1u << i;
    seen |= bit;
  }
  return set;
}

uint32_t heddle_arms_like(const struct heddle_arms *arms, uint32_t arm) {
  assert(arm < arms->count);
  uint32_t set = 0;
  for (uint32_t i = 0; i < arms->count; ++i)
    if (arms->list[i].version == arms->list[arm].version)
      set |= 1u << i;
  return set;
}

uint32_t heddle_arms_unlike(const struct heddle_arms *arms, uint32_t arm) {
  return defaults(arms) & ~heddle_arms_like(arms, arm);
}

uint32_t heddle_arms_take(uint32_t *set) {
  assert(*set);
  uint32_t arm = (uint32_t)__builtin_ctz(*set);
  *set &= *set - 1;
  return arm;
}
