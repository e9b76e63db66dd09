/*===- cells.h - What is known of each place that a loop touches ------------===
 *
 * A hash table of cells, one for each place, which is an offset and a number of
 * bytes in a granule of eight bytes. Most places are only read: those need no
 * more than the first iteration that has read them, since iterations come one
 * after the other. So a granule has a note first, and gets cells when it is
 * written or is read in several parts. The size of both tables is proportional
 * to the number of places. They are emptied by taking a new epoch.
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

/* A granule. `extent` is heddle_extent() of the place that is read, or says
 * that the granule has cells. */
struct heddle_note {
  uint64_t key;    /* the granule, and 16 bits of the epoch */
  uint32_t reader; /* the first iteration; 0 if there is none */
  uint32_t site : 24;
  uint32_t extent : 8;
};
enum { HEDDLE_HAS_CELLS = 0xff, HEDDLE_MOST_NOTED_SITES = 1 << 24 };

static inline uint8_t heddle_extent(unsigned offset, unsigned bytes) {
  return (uint8_t)(offset << 3 | (bytes - 1)); /* less than 64 */
}

struct heddle_cells {
  struct heddle_note *notes;
  size_t note_capacity, note_count;
  uint16_t note_epoch;
  struct heddle_cell *slots;
  size_t capacity, used;
  uint32_t epoch;
  struct heddle_cell *others; /* cells that are not the first of a granule */
  uint32_t other_count, other_capacity;
};

/* Forgets all cells. */
void heddle_cells_clear(struct heddle_cells *cells);
void heddle_cells_free(struct heddle_cells *cells);

/* Where to look for a granule. Neighbours are neighbours there, too, for some
 * cache lines. */
static inline size_t heddle_granule_hash(uint64_t granule) {
  enum { NeighbourShift = 5 };
  uint64_t block = (granule >> NeighbourShift) * 0x9e3779b97f4a7c15u;
  return (block >> 20 << NeighbourShift) +
         (granule & ((1u << NeighbourShift) - 1));
}

/* The note of a granule, or the place that it would get: then its key is
 * another. There must be room. */
static inline struct heddle_note *
heddle_notes_slot(const struct heddle_cells *cells, uint64_t granule) {
  uint64_t key = granule << 16 | cells->note_epoch;
  size_t at = heddle_granule_hash(granule) & (cells->note_capacity - 1);
  while (cells->notes[at].key != key &&
         (uint16_t)cells->notes[at].key == cells->note_epoch)
    at = (at + 1) & (cells->note_capacity - 1);
  return &cells->notes[at];
}

/* The note of a granule, or null. */
static inline struct heddle_note *
heddle_notes_find(const struct heddle_cells *cells, uint64_t granule) {
  if (!cells->note_capacity)
    return NULL;
  struct heddle_note *note = heddle_notes_slot(cells, granule);
  return note->key == (granule << 16 | cells->note_epoch) ? note : NULL;
}

/* The same; a new note if there is none. */
struct heddle_note *heddle_notes_at(struct heddle_cells *cells,
                                    uint64_t granule);

/* Gives the granule of a note cells. Pointers to cells may become invalid. */
void heddle_note_to_cells(struct heddle_cells *cells, struct heddle_note *note);

/* The slot of a granule, or the one that it would get. There must be slots. */
static inline struct heddle_cell *
heddle_cells_slot(const struct heddle_cells *cells, uint64_t granule) {
  size_t at = heddle_granule_hash(granule) & (cells->capacity - 1);
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
