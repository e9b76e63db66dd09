/*===- cells.h - What is known of each place that a loop touches ------------===
 *
 * Most places are only read, or written by one iteration: a note of eight bytes
 * says all of those. Where more is to be said, a granule of eight bytes has
 * cells, one for each place, which is an offset and a number of bytes in the
 * granule. Notes lie in blocks, found by a hash table, since neighbours are
 * often touched together; a block has a note for each 8, 4, 2 or 1 bytes, as
 * its places need. All of it is in proportion to the blocks that the loop
 * touches. The next loop finds it empty, since its iterations have other
 * numbers, and it takes blocks of a new epoch.
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

enum { HEDDLE_GRANULE = 8, HEDDLE_BLOCK_SHIFT = 12, HEDDLE_LARGEST_SCALE = 3 };
enum { HEDDLE_BLOCK = 1 << HEDDLE_BLOCK_SHIFT }; /* bytes */

enum heddle_cell_flags {
  HEDDLE_CELL_CHANGED = 1,   /* some write has changed the value */
  HEDDLE_CELL_REPORTED = 2,  /* one conflict is enough */
  HEDDLE_CELL_HIDDEN = 4,    /* an iteration has read what it wrote, through an
                                address that hides the object */
  HEDDLE_CELL_MIXED = 8,     /* iterations would set different values */
  HEDDLE_CELL_UNLOCKED = 16, /* some access was made without the lock */
  /* An iteration has written over what another one wrote: fine as long as each
   * uses itself what it writes. */
  HEDDLE_CELL_PENDING = 32
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

/* Accesses to one place: reads, of which the first counts, or changes by one
 * iteration, of which the last counts. A place that is wider than what one note
 * is for takes several, of which the first tells of it. The first note of a
 * granule may say that this has cells; its other notes are empty then. */
struct heddle_note {
  uint32_t iteration; /* of an earlier loop, or 0, if the note is empty */
  uint32_t text; /* site, place and flags; or HEDDLE_NOTE_CELLS and a number */
};

/* Of `text`: a place, an operation and flags are above the site. */
enum {
  HEDDLE_NOTE_SITE_BITS = 19,
  HEDDLE_NOTED_SITES = 1 << HEDDLE_NOTE_SITE_BITS,
  /* An enum heddle_check_operation below HEDDLE_CHECK_SET; or that, and which
   * of `set_values` it sets. */
  HEDDLE_NOTED_SET = 8,
  HEDDLE_SET_VALUES = 7,
  HEDDLE_NOTED_OPERATIONS = HEDDLE_NOTED_SET + HEDDLE_SET_VALUES,
  /* A plain write by an iteration that has read the place before; of what is
   * not written, a conflict that has been reported: one is enough. */
  HEDDLE_NOTED_AFTER_READ = HEDDLE_NOTED_OPERATIONS
};
#define HEDDLE_NOTE_CHANGED (1u << (HEDDLE_NOTE_SITE_BITS + 6))
#define HEDDLE_NOTE_WRITES (1u << (HEDDLE_NOTE_SITE_BITS + 11)) /* or reads */
#define HEDDLE_NOTE_CELLS (1u << (HEDDLE_NOTE_SITE_BITS + 12))

/* A place, and the noted operation by which it is changed. */
HEDDLE_INLINE uint32_t heddle_what(unsigned offset, unsigned bytes,
                                   unsigned operation) {
  return (operation << 7 | offset << 3 | (bytes - 1)) << HEDDLE_NOTE_SITE_BITS;
}

HEDDLE_INLINE uint32_t heddle_note_what(const struct heddle_note *note) {
  return note->text & ~(uint32_t)(HEDDLE_NOTED_SITES - 1);
}

HEDDLE_INLINE uint32_t heddle_note_site(const struct heddle_note *note) {
  return note->text & (HEDDLE_NOTED_SITES - 1);
}

HEDDLE_INLINE unsigned heddle_note_offset(const struct heddle_note *note) {
  return note->text >> (HEDDLE_NOTE_SITE_BITS + 3) & 7;
}

HEDDLE_INLINE unsigned heddle_note_bytes(const struct heddle_note *note) {
  return (note->text >> HEDDLE_NOTE_SITE_BITS & 7) + 1;
}

HEDDLE_INLINE unsigned heddle_note_operation(const struct heddle_note *note) {
  return note->text >> (HEDDLE_NOTE_SITE_BITS + 7) & HEDDLE_NOTED_AFTER_READ;
}

/* What a note says of the place `what` after a conflict. */
HEDDLE_INLINE uint32_t heddle_reported(uint32_t what) {
  return what | heddle_what(0, 1, HEDDLE_NOTED_AFTER_READ);
}

HEDDLE_INLINE bool heddle_note_is_reported(const struct heddle_note *note) {
  return (note->text & (HEDDLE_NOTE_CELLS | HEDDLE_NOTE_WRITES)) == 0 &&
         heddle_note_operation(note) == HEDDLE_NOTED_AFTER_READ;
}

struct heddle_block {
  uint64_t key; /* the epoch and the number of the block */
  /* The address of the notes; the logarithm of the bytes that each is for, and
   * HEDDLE_BLOCK_MIXED. */
  uintptr_t notes;
};
enum {
  HEDDLE_BLOCK_SCALE = 3,
  /* Some place has cells, or is exempt: else an empty note is all that is to be
   * known before it is taken. */
  HEDDLE_BLOCK_MIXED = 4
};

struct heddle_chunk {
  struct heddle_note *notes;
  size_t count;
};
enum { HEDDLE_MOST_CHUNKS = 40 };

struct heddle_logged;

struct heddle_cells {
  struct heddle_block *blocks; /* a hash table */
  size_t capacity, used;
  uint32_t shift; /* from a hash to a place in the table */
  uint32_t first; /* the number of the loop's first iteration */
  /* The number of the latest one; before it, first - 1. And the number of the
   * call that it has made last; 0 if there is none. The log keeps both. */
  uint32_t iteration;
  uint32_t call;
  uint64_t epoch; /* a multiple of HEDDLE_EPOCH */
  /* The next entry of the log and its end, see log.h; both null if accesses are
   * recorded at once. */
  struct heddle_logged *log_at, *log_end;
  /* To begin this iteration is more than to count it; 0 if there is none. */
  uint32_t stop;
  uint64_t set_values[HEDDLE_SET_VALUES]; /* that notes know; [0] is 1 */
  uint32_t set_count;
  struct heddle_cell *pool; /* [0] is unused */
  uint32_t pool_count, pool_capacity;
  /* Memory of notes: `chunk_used` of `chunks[chunk]` are in use, and all of
   * those before it. */
  struct heddle_chunk chunks[HEDDLE_MOST_CHUNKS];
  uint32_t chunk;
  size_t chunk_used;
};

/* Above the numbers of blocks. */
#define HEDDLE_EPOCH ((uint64_t)1 << 48)
#define HEDDLE_BLOCK_HASH 0x9e3779b97f4a7c15u

/* Forgets all cells, for iterations to come; the first one comes before all
 * use. */
void heddle_cells_clear(struct heddle_cells *cells);
void heddle_cells_free(struct heddle_cells *cells);

HEDDLE_INLINE uint64_t heddle_block_key(const struct heddle_cells *cells,
                                        uintptr_t address) {
  return (address >> HEDDLE_BLOCK_SHIFT) + cells->epoch;
}

/* True if the entry is in use. */
HEDDLE_INLINE bool heddle_is_of_epoch(const struct heddle_cells *cells,
                                      const struct heddle_block *block) {
  return (block->key & -HEDDLE_EPOCH) == cells->epoch;
}

/* The first address in a block. */
HEDDLE_INLINE uintptr_t heddle_block_begin(const struct heddle_block *block) {
  return (block->key & (HEDDLE_EPOCH - 1)) << HEDDLE_BLOCK_SHIFT;
}

/* Where the entry of a block is first looked for. */
HEDDLE_INLINE size_t heddle_block_place(const struct heddle_cells *cells,
                                        uintptr_t address) {
  return (address >> HEDDLE_BLOCK_SHIFT) * HEDDLE_BLOCK_HASH >> cells->shift;
}

/* The entry of a block, or the one that it would get: then its key is another.
 * There must be room. */
HEDDLE_INLINE struct heddle_block *
heddle_blocks_slot(const struct heddle_cells *cells, uintptr_t address) {
  const uint64_t key = heddle_block_key(cells, address);
  size_t at = heddle_block_place(cells, address);
  while (cells->blocks[at].key != key &&
         heddle_is_of_epoch(cells, &cells->blocks[at]))
    at = (at + 1) & (cells->capacity - 1);
  return &cells->blocks[at];
}

/* The entry of a block that the loop has touched, or null. */
HEDDLE_INLINE struct heddle_block *
heddle_blocks_find(const struct heddle_cells *cells, uintptr_t address) {
  struct heddle_block *slot = heddle_blocks_slot(cells, address);
  return slot->key == heddle_block_key(cells, address) ? slot : NULL;
}

/* The same, or null if that takes more than one look. */
HEDDLE_INLINE struct heddle_block *
heddle_blocks_peek(const struct heddle_cells *cells, uintptr_t address) {
  struct heddle_block *slot =
      &cells->blocks[heddle_block_place(cells, address)];
  return slot->key == heddle_block_key(cells, address) ? slot : NULL;
}

/* The entry of a block that has a note for a place at `address`, of `bytes`
 * bytes in one granule; a new one if there is none. */
struct heddle_block *heddle_blocks_at(struct heddle_cells *cells,
                                      uintptr_t address, unsigned bytes);

HEDDLE_INLINE unsigned heddle_scale(const struct heddle_block *block) {
  return block->notes & HEDDLE_BLOCK_SCALE;
}

/* The note of the place that begins at `address`. */
HEDDLE_INLINE struct heddle_note *
heddle_note_at(const struct heddle_block *block, uintptr_t address) {
  struct heddle_note *notes =
      (struct heddle_note *)(block->notes -
                             (block->notes &
                              (HEDDLE_BLOCK_SCALE | HEDDLE_BLOCK_MIXED)));
  return &notes[(address & (HEDDLE_BLOCK - 1)) >> heddle_scale(block)];
}

/* The first note of its granule. */
HEDDLE_INLINE struct heddle_note *
heddle_note_of_granule(const struct heddle_block *block, uintptr_t address) {
  return heddle_note_at(block, address & ~(uintptr_t)(HEDDLE_GRANULE - 1));
}

HEDDLE_INLINE unsigned
heddle_notes_in_granule(const struct heddle_block *block) {
  return HEDDLE_GRANULE >> heddle_scale(block);
}

/* The notes that a place takes. */
HEDDLE_INLINE unsigned heddle_notes_of_place(const struct heddle_block *block,
                                             unsigned bytes) {
  const unsigned scale = heddle_scale(block);
  return (bytes + (1u << scale) - 1) >> scale;
}

HEDDLE_INLINE bool heddle_is_noted(const struct heddle_cells *cells,
                                   const struct heddle_note *note) {
  return note->iteration >= cells->first;
}

/* `first` is the first note of a granule. */
HEDDLE_INLINE bool heddle_has_cells(const struct heddle_cells *cells,
                                    const struct heddle_note *first) {
  return first->text & HEDDLE_NOTE_CELLS && heddle_is_noted(cells, first);
}

/* The noted operation that sets a value, or HEDDLE_NOTED_OPERATIONS. */
unsigned heddle_noted_set(struct heddle_cells *cells, uint64_t value);

/* Lets a cell say what the note of its place does. */
void heddle_cell_from_note(const struct heddle_cells *cells,
                           struct heddle_cell *cell,
                           const struct heddle_note *note);

/* Gives a granule cells. Pointers to cells may become invalid. */
void heddle_notes_to_cells(struct heddle_cells *cells,
                           struct heddle_block *block, uintptr_t address);

/* The first cell of a granule that has cells, by its first note; or null. The
 * next one is heddle_cells_next. */
HEDDLE_INLINE struct heddle_cell *
heddle_cells_first(const struct heddle_cells *cells,
                   const struct heddle_note *first) {
  uint32_t number = first->text & ~HEDDLE_NOTE_CELLS;
  return number ? &cells->pool[number] : NULL;
}

HEDDLE_INLINE struct heddle_cell *
heddle_cells_next(const struct heddle_cells *cells,
                  const struct heddle_cell *cell) {
  return cell->next ? &cells->pool[cell->next] : NULL;
}

/* The cell of a place in a granule that has cells, by its first note; a new
 * one, without accesses, if there is none. Pointers to cells are valid until
 * the next call. */
struct heddle_cell *heddle_cells_at(struct heddle_cells *cells,
                                    struct heddle_note *first,
                                    uintptr_t address, uint8_t bytes);

/* Forgets the accesses to the places in [begin, end). */
void heddle_cells_forget(struct heddle_cells *cells, uintptr_t begin,
                         uintptr_t end);

#endif
