/*===- draws.h - Choices at random for HEDDLE_TUNE=random:SEED --------------===
 *
 * A test suite that is run with several seeds finds results that depend on how
 * iterations interleave. The numbers depend on the seed, on the loop, and on
 * how often the thread has drawn before: a program that divides its work in the
 * same way makes the same choices again.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_DRAWS_H
#define HEDDLE_RUNTIME_TUNER_DRAWS_H

#include "tuner/site.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether choices are made at random. */
bool heddle_draws(void);

/* A number below `bound`, which is at least 1; `purpose` tells draws apart. */
uint64_t heddle_draw(uint64_t purpose, uint64_t bound);

/* Plans the next chunk of a loop that has `remaining` iterations left: one of
 * its interleaved versions, with any number of tasks that there is room for. */
void heddle_draw_plan(const heddle_site *site, uint64_t remaining,
                      heddle_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
