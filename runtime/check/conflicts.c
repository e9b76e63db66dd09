/*===- conflicts.c - Which accesses of two iterations may change places ---===*/

#include "check/conflicts.h"
#include "check/check.h"

/* The last of the two iterations that is not `iteration`: its place, or -1. */
static int other_than(const uint32_t iterations[2], uint32_t iteration) {
  int at = iterations[0] == iteration;
  return iterations[at] ? at : -1;
}

static bool wrote_last(const struct heddle_cell *cell, uint32_t iteration) {
  return cell->writers[0] == iteration;
}

bool heddle_is_own(const struct heddle_cell *cell, uint32_t iteration) {
  return wrote_last(cell, iteration) && cell->operation == HEDDLE_CHECK_PLAIN;
}

static bool has_value(uint8_t operation) {
  return operation == HEDDLE_CHECK_SET || operation == HEDDLE_CHECK_DEPENDENT;
}

/* True if `access` may change places with the last update. */
static bool commutes(const struct heddle_cell *cell,
                     const struct heddle_access *access) {
  if (access->operation != cell->operation)
    return false;
  if (wrote_last(cell, access->iteration))
    return !(cell->flags & HEDDLE_CELL_MIXED);
  return !has_value(access->operation) || cell->value == access->value;
}

static bool collides_with_write(const struct heddle_cell *cell,
                                const struct heddle_access *access) {
  const bool changed = cell->flags & HEDDLE_CELL_CHANGED;
  switch (access->kind) {
  case HEDDLE_ACCESS_READ:
    return changed;
  case HEDDLE_ACCESS_UPDATE:
    return (changed || !access->is_silent) && !commutes(cell, access);
  case HEDDLE_ACCESS_WRITE:
    return !access->is_silent;
  }
  return false;
}

bool heddle_collides(const struct heddle_cell *cell,
                     const struct heddle_access *access,
                     struct heddle_collision *with) {
  if (heddle_is_own(cell, access->iteration))
    return false;
  int writer = other_than(cell->writers, access->iteration);
  if (writer >= 0 && collides_with_write(cell, access)) {
    *with = (struct heddle_collision){
        .iteration = cell->writers[writer],
        .site = cell->write_sites[writer],
        .other_wrote = true,
        .other_plain = writer == 0 && cell->operation == HEDDLE_CHECK_PLAIN};
    return true;
  }
  int reader = other_than(cell->readers, access->iteration);
  if (access->kind == HEDDLE_ACCESS_READ || access->is_silent || reader < 0)
    return false;
  *with = (struct heddle_collision){.iteration = cell->readers[reader],
                                    .site = cell->read_sites[reader]};
  return true;
}

static void push(uint32_t iterations[2], uint32_t sites[2], uint32_t iteration,
                 uint32_t site) {
  if (iterations[0] != iteration) {
    iterations[1] = iterations[0];
    sites[1] = sites[0];
    iterations[0] = iteration;
  }
  sites[0] = site;
}

void heddle_record(struct heddle_cell *cell,
                   const struct heddle_access *access) {
  if (access->kind == HEDDLE_ACCESS_READ) {
    if (!heddle_is_own(cell, access->iteration))
      push(cell->readers, cell->read_sites, access->iteration, access->site);
    else if (access->is_hidden)
      cell->flags |= HEDDLE_CELL_HIDDEN;
    return;
  }
  if (!access->is_silent)
    cell->flags |= HEDDLE_CELL_CHANGED;
  const bool is_update = access->kind == HEDDLE_ACCESS_UPDATE;
  if (is_update && cell->writers[0] && !wrote_last(cell, access->iteration) &&
      has_value(access->operation) && cell->value != access->value)
    cell->flags |= HEDDLE_CELL_MIXED;
  /* Two operations of one iteration are none that commutes. */
  const bool is_mixed = wrote_last(cell, access->iteration) &&
                        cell->operation != access->operation;
  cell->operation =
      is_update && !is_mixed ? access->operation : HEDDLE_CHECK_PLAIN;
  cell->value = access->value;
  push(cell->writers, cell->write_sites, access->iteration, access->site);
}
