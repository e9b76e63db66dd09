/*===- cells.h - What is known of each place that a loop touches ------------===
 *
 * Most granules of eight bytes are only read, or written by one iteration: a
 * note of 16 bytes says all of those. Other granules have cells, one for each
 * place, which is an offset and a number of bytes in the granule. Notes lie in
 * blocks, found by a hash table, since neighbours are often touched together.
 * All of it is proportional to the blocks that the loop touches, and is emptied
 * by taking a new epoch.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_CELLS_H
#define HEDDLE_RUNTIME_CHECK_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HEDDLE_GRANULE = 8, HEDDLE_BLOCK_SHIFT = 5 }; /* granules in a block */

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
  uint64_t value;   /* of the operation */
  uint32_t writers[2], readers[2];
  uint32_t write_sites[2], read_sites[2];
  uint8_t offset, bytes;
  uint8_t operation; /* of the last writer */
  uint8_t flags;
  uint32_t lock; /* held at all accesses; 0 if there is none */
  uint32_t next; /* another cell of the granule; 0 if there is none */
};

/* Accesses to one place that begins in a half of a granule: reads, of which the
 * first counts, or changes by one iteration, of which the last counts. */
struct heddle_half {
  uint32_t iteration; /* 0 if there is none */
  uint32_t site : 24;
  uint32_t extent : 8; /* heddle_extent(), HEDDLE_WRITTEN */
};

/* A granule. If halves[0].extent is HEDDLE_HAS_CELLS, halves[1].iteration is
 * the number of its first cell. No place of halves[0] reaches into halves[1] if
 * that has one. */
struct heddle_note {
  struct heddle_half halves[2];
};
enum {
  HEDDLE_WRITTEN = 0x40,
  HEDDLE_HAS_CELLS = 0xff,
  HEDDLE_MOST_NOTED_SITES = 1 << 24
};

static inline uint8_t heddle_extent(unsigned offset, unsigned bytes) {
  return (uint8_t)(offset << 3 | (bytes - 1)); /* less than 63 */
}

struct heddle_block {
  uint64_t key; /* the number of the block, and 16 bits of the epoch */
  struct heddle_note *notes;
};

struct heddle_chunk {
  struct heddle_note *notes;
  size_t blocks;
};
enum { HEDDLE_MOST_CHUNKS = 40 };

struct heddle_cells {
  struct heddle_block *blocks; /* a hash table */
  size_t capacity, used;
  uint16_t epoch;
  struct heddle_cell *pool; /* [0] is unused */
  uint32_t pool_count, pool_capacity;
  /* Memory of notes: `chunk_used` blocks of `chunks[chunk]` are in use, and all
   * of those before it. */
  struct heddle_chunk chunks[HEDDLE_MOST_CHUNKS];
  uint32_t chunk;
  size_t chunk_used;
};

/* Forgets all cells. */
void heddle_cells_clear(struct heddle_cells *cells);
void heddle_cells_free(struct heddle_cells *cells);

/* The entry of a block, or the one that it would get: then its key is another.
 * There must be room. */
static inline struct heddle_block *
heddle_blocks_slot(const struct heddle_cells *cells, uint64_t block) {
  uint64_t key = block << 16 | cells->epoch;
  size_t at = (block * 0x9e3779b97f4a7c15u) >> 20 & (cells->capacity - 1);
  while (cells->blocks[at].key != key &&
         (uint16_t)cells->blocks[at].key == cells->epoch)
    at = (at + 1) & (cells->capacity - 1);
  return &cells->blocks[at];
}

/* The note of a granule, or null if nothing in its block is known. */
static inline struct heddle_note *
heddle_notes_find(const struct heddle_cells *cells, uint64_t granule) {
  if (!cells->capacity)
    return NULL;
  uint64_t block = granule >> HEDDLE_BLOCK_SHIFT;
  struct heddle_block *slot = heddle_blocks_slot(cells, block);
  if (slot->key != (block << 16 | cells->epoch))
    return NULL;
  return &slot->notes[granule & ((1u << HEDDLE_BLOCK_SHIFT) - 1)];
}

/* The same; a new note if there is none. */
struct heddle_note *heddle_notes_at(struct heddle_cells *cells,
                                    uint64_t granule);

static inline bool heddle_note_has_cells(const struct heddle_note *note) {
  return note->halves[0].extent == HEDDLE_HAS_CELLS;
}

/* Gives a granule cells. Pointers to cells may become invalid. */
void heddle_note_to_cells(struct heddle_cells *cells, struct heddle_note *note,
                          uint64_t granule);

/* The first cell of a granule that has cells, or null. The next one is
 * heddle_cells_next. */
static inline struct heddle_cell *
heddle_cells_first(const struct heddle_cells *cells,
                   const struct heddle_note *note) {
  uint32_t first = note->halves[1].iteration;
  return first ? &cells->pool[first] : NULL;
}

static inline struct heddle_cell *
heddle_cells_next(const struct heddle_cells *cells,
                  const struct heddle_cell *cell) {
  return cell->next ? &cells->pool[cell->next] : NULL;
}

/* The cell of a place in a granule that has cells; a new one, without accesses,
 * if there is none. Pointers to cells are valid until the next call. */
struct heddle_cell *heddle_cells_at(struct heddle_cells *cells,
                                    struct heddle_note *note, uint64_t granule,
                                    uint8_t offset, uint8_t bytes);

/* Forgets the accesses to the places in [begin, end). */
void heddle_cells_forget(struct heddle_cells *cells, uintptr_t begin,
                         uintptr_t end);

#endif
