/*===- conflicts.h - Which accesses of two iterations may change places -----===
 *
 * The rules, on one cell. Two iterations are in conflict at a place if the
 * result could be another one with their accesses in another order:
 *
 *  * one reads what the other has written;
 *  * one changes what the other has read, or has written otherwise;
 *  * both update it, but not by one commutative operation.
 *
 * A write of the value that is already there changes nothing. What an iteration
 * reads after it has written it itself comes from no other iteration.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_CONFLICTS_H
#define HEDDLE_RUNTIME_CHECK_CONFLICTS_H

#include "check/cells.h"
#include <stdbool.h>
#include <stdint.h>

enum heddle_access_kind {
  HEDDLE_ACCESS_READ,
  HEDDLE_ACCESS_WRITE,
  HEDDLE_ACCESS_UPDATE
};

struct heddle_access {
  enum heddle_access_kind kind;
  uint8_t operation; /* an enum heddle_check_operation */
  bool is_silent;    /* does not change the value */
  bool is_hidden;    /* HEDDLE_CHECK_HIDDEN */
  uint32_t iteration;
  uint32_t site;
  uint64_t value;
};

struct heddle_collision {
  uint32_t iteration, site; /* of the other access */
  bool other_wrote;
  bool other_plain; /* by a plain write */
};

/* True if the value is what the iteration wrote, whatever others did before. */
bool heddle_is_own(const struct heddle_cell *cell, uint32_t iteration);

/* True if `access` is in conflict with an earlier one of another iteration,
 * which is described in `with`. */
bool heddle_collides(const struct heddle_cell *cell,
                     const struct heddle_access *access,
                     struct heddle_collision *with);

void heddle_record(struct heddle_cell *cell,
                   const struct heddle_access *access);

#endif
