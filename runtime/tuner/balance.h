/*===- balance.h - What a loop may still lose -------------------------------===
 *
 * A loop must not lose by the directive: whatever it tries, it takes at most
 * two percent longer than its serial version. Its tuner therefore keeps
 * accounts of time, in ticks. A share of the time in the loop may be spent on
 * versions that lose. What a version gains or loses against the serial one is
 * known while both run side by side; the time since then is unchecked, and is
 * settled when they meet again. The more a loop has gained, the longer that may
 * take.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_BALANCE_H
#define HEDDLE_RUNTIME_TUNER_BALANCE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_balance {
  bool kept; /* false if there is no serial version to compare with */
  double ticks_per_microsecond;
  double ticks;     /* may be lost; if negative, too much has been */
  double stake;     /* of that, lost in the duel that is going on */
  double unchecked; /* in interleaved versions since the serial one was met */
};

void heddle_balance_start(struct heddle_balance *balance, bool kept,
                          double ticks_per_microsecond);

/* Time in the serial version. */
void heddle_balance_add_serial(struct heddle_balance *balance, double ticks);

/* Time in an interleaved version, for which the serial one needs or would need
 * `serial` ticks. */
void heddle_balance_add_compared(struct heddle_balance *balance, double ticks,
                                 double serial);

/* Sets what the challenger seems to lose in this duel. Gains do not count. */
void heddle_balance_set_stake(struct heddle_balance *balance, double ticks);

/* The duel is over. */
void heddle_balance_lose_stake(struct heddle_balance *balance);

/* Time in a version that has lost, beyond what the champion needs. */
void heddle_balance_add_loss(struct heddle_balance *balance, double ticks);

/* Settles the unchecked time, for which the serial version would have needed
 * `ratio` times as long. */
void heddle_balance_check(struct heddle_balance *balance, double ratio);

/* The unchecked time that leads to the next comparison. */
double heddle_balance_check_after(const struct heddle_balance *balance);

/* Whether `ticks` may be lost now. */
bool heddle_balance_affords(const struct heddle_balance *balance, double ticks);

/* Whether so much has been lost that doubts have to be settled soon. */
bool heddle_balance_presses(const struct heddle_balance *balance);

/* The time in the serial version after which `ticks` may be lost. */
double heddle_balance_earned_after(const struct heddle_balance *balance,
                                   double ticks);

#ifdef __cplusplus
}
#endif

#endif
