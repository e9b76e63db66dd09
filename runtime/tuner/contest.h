/*===- contest.h - Which versions of a loop meet, and when ------------------===
 *
 * The champion of a tuner meets one challenger after the other, in a duel each;
 * pairs.h says how their chunks are run. First versions compete, then numbers
 * of tasks, then the tuner is settled for a time. Called with the lock held.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_CONTEST_H
#define HEDDLE_RUNTIME_TUNER_CONTEST_H

#include "tuner/tuner.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts to explore the arms. */
void heddle_contest_start(struct heddle_tuner *tuner);

/* Ends the duel. The next one starts, or the tuner is settled. */
void heddle_contest_finish(struct heddle_tuner *tuner, bool challenger_won);

/* Settles the tuner for the champion. */
void heddle_contest_settle(struct heddle_tuner *tuner);

/* Starts a recheck of a settled tuner: of all kinds if that is due or the
 * choice is doubted. Otherwise the champion only meets the serial version. */
void heddle_contest_recheck(struct heddle_tuner *tuner);

/* Whether the champion has to meet the serial version before all others. */
bool heddle_contest_needs_check(const struct heddle_tuner *tuner);

/* Lets them meet; the arms that wait are for afterwards. */
void heddle_contest_start_check(struct heddle_tuner *tuner);

/* Takes the time in chunks that no duel has measured into account. */
void heddle_contest_collect(struct heddle_tuner *tuner);

/* Sets when a settled tuner looks again, from what has been collected. */
void heddle_contest_schedule(struct heddle_tuner *tuner);

/* Tells all threads how long settled chunks are, by the time of an iteration.
 */
void heddle_contest_publish_pace(struct heddle_tuner *tuner);

#ifdef __cplusplus
}
#endif

#endif
