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

/* Of what is on the way of every access. A compiler would rather call some of
 * it, and then pass through memory what fits in registers. */
#define HEDDLE_INLINE static inline __attribute__((always_inline))

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
  uint32_t site : 20;
  uint32_t what : 12; /* heddle_what() and flags of heddle_note_flags */
};

/* A granule. If halves[0].what is HEDDLE_NOTE_CELLS, halves[1].iteration is the
 * number of its first cell, and halves[0].iteration is not 0. No place of
 * halves[0] reaches into halves[1] if that has one. */
struct heddle_note {
  struct heddle_half halves[2];
};

enum heddle_note_flags {
  HEDDLE_NOTE_CHANGED = 1 << 6,
  HEDDLE_NOTE_WRITES = 1 << 10, /* else it reads */
  HEDDLE_NOTE_CELLS = 1 << 11
};
enum { HEDDLE_NOTED_SITES = 1 << 20, HEDDLE_NOTED_OPERATIONS = 1 << 3 };

/* A place, and the operation by which it is changed. */
HEDDLE_INLINE unsigned heddle_what(unsigned offset, unsigned bytes,
                                   unsigned operation) {
  return operation << 7 | offset << 3 | (bytes - 1);
}

HEDDLE_INLINE unsigned heddle_half_offset(const struct heddle_half *half) {
  return half->what >> 3 & 7;
}

HEDDLE_INLINE unsigned heddle_half_bytes(const struct heddle_half *half) {
  return (half->what & 7) + 1;
}

HEDDLE_INLINE unsigned heddle_half_operation(const struct heddle_half *half) {
  return half->what >> 7 & (HEDDLE_NOTED_OPERATIONS - 1);
}

struct heddle_block {
  uint64_t key; /* the number of the block, and 16 bits of the epoch */
  struct heddle_note *notes;
};

struct heddle_chunk {
  struct heddle_note *notes;
  size_t blocks, used_before; /* the others are zeroes */
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

/* Forgets all cells; the first one comes before all use. */
void heddle_cells_clear(struct heddle_cells *cells);
void heddle_cells_free(struct heddle_cells *cells);

HEDDLE_INLINE uint64_t heddle_block_key(const struct heddle_cells *cells,
                                        uint64_t block) {
  return block << 16 | cells->epoch;
}

/* Where the entry of a block is first looked for. */
HEDDLE_INLINE size_t heddle_block_place(const struct heddle_cells *cells,
                                        uint64_t block) {
  return (block * 0x9e3779b97f4a7c15u) >> 20 & (cells->capacity - 1);
}

/* The entry of a block, or the one that it would get: then its key is another.
 * There must be room. */
HEDDLE_INLINE struct heddle_block *
heddle_blocks_slot(const struct heddle_cells *cells, uint64_t block) {
  const uint64_t key = heddle_block_key(cells, block);
  size_t at = heddle_block_place(cells, block);
  while (cells->blocks[at].key != key &&
         (uint16_t)cells->blocks[at].key == cells->epoch)
    at = (at + 1) & (cells->capacity - 1);
  return &cells->blocks[at];
}

/* The note of a granule in the block of an entry, or null if the entry is of
 * another block. */
HEDDLE_INLINE struct heddle_note *
heddle_note_of(const struct heddle_cells *cells,
               const struct heddle_block *entry, uint64_t granule) {
  return entry->key == heddle_block_key(cells, granule >> HEDDLE_BLOCK_SHIFT)
             ? &entry->notes[granule & ((1u << HEDDLE_BLOCK_SHIFT) - 1)]
             : NULL;
}

/* The note of a granule, or null if nothing in its block is known. */
HEDDLE_INLINE struct heddle_note *
heddle_notes_find(const struct heddle_cells *cells, uint64_t granule) {
  return heddle_note_of(
      cells, heddle_blocks_slot(cells, granule >> HEDDLE_BLOCK_SHIFT), granule);
}

/* The same, or null if that takes more than one look. */
HEDDLE_INLINE struct heddle_note *
heddle_notes_peek(const struct heddle_cells *cells, uint64_t granule) {
  const size_t at = heddle_block_place(cells, granule >> HEDDLE_BLOCK_SHIFT);
  return heddle_note_of(cells, &cells->blocks[at], granule);
}

/* The same; a new note if there is none. */
struct heddle_note *heddle_notes_at(struct heddle_cells *cells,
                                    uint64_t granule);

HEDDLE_INLINE bool heddle_note_has_cells(const struct heddle_note *note) {
  return note->halves[0].what == HEDDLE_NOTE_CELLS;
}

/* Gives a granule cells. Pointers to cells may become invalid. */
void heddle_note_to_cells(struct heddle_cells *cells, struct heddle_note *note,
                          uint64_t granule);

/* The first cell of a granule that has cells, or null. The next one is
 * heddle_cells_next. */
HEDDLE_INLINE struct heddle_cell *
heddle_cells_first(const struct heddle_cells *cells,
                   const struct heddle_note *note) {
  uint32_t first = note->halves[1].iteration;
  return first ? &cells->pool[first] : NULL;
}

HEDDLE_INLINE struct heddle_cell *
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
