/*===- log.h - Accesses that wait to be recorded ----------------------------===
 *
 * What the check knows of a place is far away in memory where a loop touches
 * much, even if the place itself is at hand, and how an access is recorded
 * depends on it. So such a loop may write its accesses to a log. When that is
 * full, or before anything that their record depends on, they are recorded in
 * their order; what is known of all their places is requested first. Whether
 * that is quicker than to record each access at once is tried.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_LOG_H
#define HEDDLE_RUNTIME_CHECK_LOG_H

#include "check/execution.h"

/* Records what the log holds. */
void heddle_work_off(struct heddle_execution *execution);

/* From now on, a loop without others around it uses its log, which is empty, or
 * does not. */
void heddle_use_log(struct heddle_execution *execution, bool uses);

/* Lets the loop try its log, unless what is known fits in the near caches of a
 * processor, or there are loops around it. */
void heddle_try_log(struct heddle_execution *execution);
/* Says whether the loop uses its log from now on, at the iteration where it is
 * to stop for that. */
void heddle_choose_log(struct heddle_execution *execution);

/* To come before anything that the record of earlier accesses depends on. */
HEDDLE_INLINE void heddle_finish_log(void) {
  struct heddle_execution *e = heddle_innermost;
  if (e && e->cells.log_at > e->log)
    heddle_work_off(e);
}

/* Records one access; `stack` is as in quick.h. */
void heddle_record_logged(const struct heddle_logged *logged, uintptr_t stack);

#endif
