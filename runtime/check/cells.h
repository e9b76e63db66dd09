/*===- cells.h - What is known of each place that a loop touches ------------===
 *
 * A hash table of cells, one for each place, which is an offset and a number of
 * bytes in a granule of eight bytes. Its size is proportional to the number of
 * places. It is emptied by taking a new epoch.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_CELLS_H
#define HEDDLE_RUNTIME_CHECK_CELLS_H

#include <stddef.h>
#include <stdint.h>

enum { HEDDLE_GRANULE = 8 };

enum heddle_cell_flags {
  HEDDLE_CELL_CHANGED = 1,  /* some write has changed the value */
  HEDDLE_CELL_REPORTED = 2, /* one conflict is enough */
  HEDDLE_CELL_HIDDEN = 4,   /* an iteration has read what it wrote, through an
                               address that hides the object */
  HEDDLE_CELL_MIXED = 8,    /* iterations would set different values */
  HEDDLE_CELL_UNLOCKED = 16 /* some access was made without the lock */
};

/* Iterations count from 1; 0 is none. Of writers and readers, [0] is the last,
 * [1] the last before it that is another iteration. Sites are numbers. 64
 * bytes, a cache line. */
struct heddle_cell {
  uint64_t granule; /* the address divided by the size */
  uint32_t epoch;
  uint8_t offset, bytes;
  uint8_t operation; /* of the last writer */
  uint8_t flags;
  uint32_t writers[2], readers[2];
  uint32_t write_sites[2], read_sites[2];
  uint64_t value; /* of the operation */
  uint32_t lock;  /* held at all accesses; 0 if there is none */
  uint32_t next;  /* another cell of the granule; 0 if there is none */
};

struct heddle_cells {
  struct heddle_cell *slots;
  size_t capacity, used;
  uint32_t epoch;
  struct heddle_cell *others; /* cells that are not the first of a granule */
  uint32_t other_count, other_capacity;
};

/* Forgets all cells. */
void heddle_cells_clear(struct heddle_cells *cells);
void heddle_cells_free(struct heddle_cells *cells);

/* The slot of a granule, or the one that it would get. Neighbours are
 * neighbours there, too, for some cache lines. There must be slots. */
static inline struct heddle_cell *
heddle_cells_slot(const struct heddle_cells *cells, uint64_t granule) {
  enum { NeighbourShift = 5 };
  uint64_t block = (granule >> NeighbourShift) * 0x9e3779b97f4a7c15u;
  size_t at = (block >> 20 << NeighbourShift) +
              (granule & ((1u << NeighbourShift) - 1));
  at &= cells->capacity - 1;
  while (cells->slots[at].epoch == cells->epoch &&
         cells->slots[at].granule != granule)
    at = (at + 1) & (cells->capacity - 1);
  return &cells->slots[at];
}

/* The first cell of a granule, or null. The next one is heddle_cells_next. */
static inline struct heddle_cell *
heddle_cells_find(const struct heddle_cells *cells, uint64_t granule) {
  if (!cells->capacity)
    return NULL;
  struct heddle_cell *cell = heddle_cells_slot(cells, granule);
  return cell->epoch == cells->epoch ? cell : NULL;
}

static inline struct heddle_cell *
heddle_cells_next(const struct heddle_cells *cells,
                  const struct heddle_cell *cell) {
  return cell->next ? &cells->others[cell->next] : NULL;
}

/* The cell of a place; a new one, without accesses, if there is none. Pointers
 * to cells are valid until the next call. */
struct heddle_cell *heddle_cells_at(struct heddle_cells *cells,
                                    uint64_t granule, uint8_t offset,
                                    uint8_t bytes);

/* Forgets the accesses to the places in [begin, end). */
void heddle_cells_forget(struct heddle_cells *cells, uintptr_t begin,
                         uintptr_t end);

#endif
