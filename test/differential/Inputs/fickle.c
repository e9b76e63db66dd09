//===- fickle.c - A tuner that changes its mind at every question ---------===//
//
// Stands in for the runtime: loops run in short chunks of all their versions in
// turn, with few tasks and many, which the real tuner does for a moment only.
//
//===----------------------------------------------------------------------===//

#include "../../../runtime/tuner/site.h"

static _Thread_local uint64_t state = 88172645463325252u;

static uint64_t below(uint64_t bound) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % bound;
}

void heddle_site_begin(heddle_site *site, uint64_t remaining,
                       heddle_plan *plan) {
  do
    plan->version = (uint32_t)below(HEDDLE_FIFO + 1);
  while (!(site->versions >> plan->version & 1));
  plan->tasks = site->fixed_tasks ? site->fixed_tasks
                                  : 1 + (uint32_t)below(site->max_tasks);
  uint64_t iterations = 1 + below(below(2) ? 8 : 100);
  plan->iterations = iterations < remaining ? iterations : remaining;
  plan->start = 0;
}

void heddle_site_end(heddle_site *site, const heddle_plan *plan,
                     uint64_t iterations, uint64_t work, uint64_t suspensions) {
  (void)site, (void)suspensions;
  if (iterations > plan->iterations || work < iterations)
    __builtin_trap();
}
