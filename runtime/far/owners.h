/*===- owners.h - The owners of lines -------------------------------------===
 *
 * The table of waiting coroutines of CoroAMU, section III-E and figure 8, for
 * the tasks of one loop, which one thread runs. A task that may be suspended
 * between the load and the store of a read-modify-write owns the line that it
 * accesses; others that need the line wait in order.
 *
 * A task owns one line at most and releases it before it acquires another. So a
 * task that waits for a line owns none, owners wait for memory only, and there
 * is no deadlock.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_OWNERS_H
#define HEDDLE_RUNTIME_FAR_OWNERS_H

#include "heddle/amu.h"

#include <stdbool.h>
#include <stdint.h>

enum { HeddleFarNobody = -1 };

struct heddle_far_owners {
  /* Owners by their lines, chained. */
  int16_t chains[HEDDLE_AMU_IDS];
  struct {
    uint64_t line;       /* owned or waited for; 0: none */
    int16_t next;        /* in its chain, or in the queue for its line */
    int16_t first, last; /* of the queue for the line that it owns */
  } ids[HEDDLE_AMU_IDS];
};

/* Resets the table: no line has an owner. */
void heddle_far_reset_owners(struct heddle_far_owners *owners);

/* Gives the line at `address`, which is not 0, to an id that owns none. False
 * if the id has to wait. */
bool heddle_far_own(struct heddle_far_owners *owners, int id, uint64_t address);

/* Takes the line, if any, from an id that does not wait. Returns the id that
 * has waited for it and owns it now, or HeddleFarNobody. */
int heddle_far_disown(struct heddle_far_owners *owners, int id);

#endif
