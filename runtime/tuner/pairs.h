/*===- pairs.h - Chunks that are compared -----------------------------------===
 *
 * While two versions meet, each thread runs pairs of adjacent chunks, one of
 * either version. A challenger that turns out to be much slower stops early,
 * and a pair begins only if the loop can afford what it is likely to lose.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_PAIRS_H
#define HEDDLE_RUNTIME_TUNER_PAIRS_H

#include "tuner/tuner.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the settled chunks that are too short to be timed, one in so many is, and
 * counts as that many: threads must not contend for the counters. */
enum { HEDDLE_SAMPLED_CHUNKS = 16 };

/* Plans a chunk while a duel goes on. */
void heddle_pairs_plan(struct heddle_tuner *tuner, uint64_t remaining,
                       heddle_plan *plan);

/* Plans a chunk of the champion that is not compared. */
void heddle_pairs_plan_settled(struct heddle_tuner *tuner, uint64_t iterations,
                               uint64_t remaining, heddle_plan *plan);

/* Learns from a compared chunk. Called with the lock held. */
void heddle_pairs_add(struct heddle_tuner *tuner, const heddle_plan *plan,
                      struct heddle_span span);

#ifdef __cplusplus
}
#endif

#endif
