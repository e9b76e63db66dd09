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
 * Inline, since every access of a checked loop is judged here.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_CONFLICTS_H
#define HEDDLE_RUNTIME_CHECK_CONFLICTS_H

#include "check/cells.h"
#include "check/check.h"
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
  uint8_t noted;     /* the same in notes, see heddle_make_notable() */
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

/* The last of the two iterations that is not `iteration`: its place, or -1. */
HEDDLE_INLINE int heddle_other_than(const uint32_t iterations[2],
                                    uint32_t iteration) {
  int at = iterations[0] == iteration;
  return iterations[at] ? at : -1;
}

HEDDLE_INLINE bool heddle_wrote_last(const struct heddle_cell *cell,
                                     uint32_t iteration) {
  return cell->writers[0] == iteration;
}

/* True if the value is what the iteration wrote, whatever others did before. */
HEDDLE_INLINE bool heddle_is_own(const struct heddle_cell *cell,
                                 uint32_t iteration) {
  return heddle_wrote_last(cell, iteration) &&
         cell->operation == HEDDLE_CHECK_PLAIN;
}

HEDDLE_INLINE bool heddle_has_value(uint8_t operation) {
  return operation == HEDDLE_CHECK_SET || operation == HEDDLE_CHECK_DEPENDENT;
}

/* True if `access` may change places with the last update. */
HEDDLE_INLINE bool heddle_commutes(const struct heddle_cell *cell,
                                   const struct heddle_access *access) {
  if (access->operation != cell->operation)
    return false;
  if (heddle_wrote_last(cell, access->iteration))
    return !(cell->flags & HEDDLE_CELL_MIXED);
  return !heddle_has_value(access->operation) || cell->value == access->value;
}

HEDDLE_INLINE bool
heddle_collides_with_write(const struct heddle_cell *cell,
                           const struct heddle_access *access) {
  const bool changed = cell->flags & HEDDLE_CELL_CHANGED;
  switch (access->kind) {
  case HEDDLE_ACCESS_READ:
    return changed;
  case HEDDLE_ACCESS_UPDATE:
    return (changed || !access->is_silent) && !heddle_commutes(cell, access);
  case HEDDLE_ACCESS_WRITE:
    return !access->is_silent;
  }
  return false;
}

/* True if `access` is in conflict with an earlier one of another iteration,
 * which is described in `with`. */
HEDDLE_INLINE bool heddle_collides(const struct heddle_cell *cell,
                                   const struct heddle_access *access,
                                   struct heddle_collision *with) {
  /* What it wrote itself may have been the value that was there. */
  const int writer = heddle_is_own(cell, access->iteration)
                         ? -1
                         : heddle_other_than(cell->writers, access->iteration);
  const int reader = access->kind == HEDDLE_ACCESS_READ || access->is_silent
                         ? -1
                         : heddle_other_than(cell->readers, access->iteration);
  /* Two writes may be harmless where a read and a write are not. */
  if (writer >= 0 && (reader < 0 || access->kind != HEDDLE_ACCESS_WRITE) &&
      heddle_collides_with_write(cell, access)) {
    *with = (struct heddle_collision){
        .iteration = cell->writers[writer],
        .site = cell->write_sites[writer],
        .other_wrote = true,
        .other_plain = writer == 0 && cell->operation == HEDDLE_CHECK_PLAIN};
    return true;
  }
  if (reader < 0)
    return false;
  *with = (struct heddle_collision){.iteration = cell->readers[reader],
                                    .site = cell->read_sites[reader],
                                    .other_wrote = false,
                                    .other_plain = false};
  return true;
}

HEDDLE_INLINE void heddle_push(uint32_t iterations[2], uint32_t sites[2],
                               uint32_t iteration, uint32_t site) {
  if (iterations[0] != iteration) {
    iterations[1] = iterations[0];
    sites[1] = sites[0];
    iterations[0] = iteration;
  }
  sites[0] = site;
}

HEDDLE_INLINE void heddle_record(struct heddle_cell *cell,
                                 const struct heddle_access *access) {
  if (access->kind == HEDDLE_ACCESS_READ) {
    if (!heddle_is_own(cell, access->iteration))
      heddle_push(cell->readers, cell->read_sites, access->iteration,
                  access->site);
    else if (access->is_hidden)
      cell->flags |= HEDDLE_CELL_HIDDEN;
    return;
  }
  if (!access->is_silent)
    cell->flags |= HEDDLE_CELL_CHANGED;
  const bool is_update = access->kind == HEDDLE_ACCESS_UPDATE;
  if (is_update && cell->writers[0] &&
      !heddle_wrote_last(cell, access->iteration) &&
      heddle_has_value(access->operation) && cell->value != access->value)
    cell->flags |= HEDDLE_CELL_MIXED;
  /* Two operations of one iteration are none that commutes. */
  const bool is_mixed = heddle_wrote_last(cell, access->iteration) &&
                        cell->operation != access->operation;
  cell->operation =
      is_update && !is_mixed ? access->operation : HEDDLE_CHECK_PLAIN;
  cell->value = access->value;
  heddle_push(cell->writers, cell->write_sites, access->iteration,
              access->site);
}

#endif
