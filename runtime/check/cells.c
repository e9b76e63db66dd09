/*===- cells.c - What is known of each place that a loop touches ----------===*/

#include "check/cells.h"
#include "check/check.h"
#include "host/messages.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

_Static_assert(sizeof(struct heddle_cell) == 64, "a cache line");
_Static_assert(sizeof(struct heddle_note) == 8, "what documentation says");
_Static_assert((int)HEDDLE_CHECK_SET <= (int)HEDDLE_NOTED_SET,
               "others are as they are");
_Static_assert((HEDDLE_NOTED_AFTER_READ & (HEDDLE_NOTED_AFTER_READ + 1)) == 0,
               "all bits of an operation");

enum {
  FirstCapacityShift = 8,
  FirstCells = 1 << 10,
  FirstChunk = 2 * HEDDLE_BLOCK, /* at least one block of the finest notes */
  /* A note that has the last bits of its place's address lets processors take a
   * load of the place for one of what has just been stored to the note. */
  Shifted = 264,
  HugePage = 1 << 21
};

/* Large tables are accessed at random: huge pages save the processor from
 * looking for pages, where memory begins with one. The program does not see
 * that there may be none. */
static char *map(size_t bytes) {
  const size_t more = bytes < HugePage ? 0 : HugePage;
  char *memory = mmap(NULL, bytes + more, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  const size_t before = more ? -(uintptr_t)memory % HugePage : 0;
  if (before)
    munmap(memory, before);
  if (more > before)
    munmap(memory + before + bytes, more - before);
  madvise(memory + before, bytes, MADV_HUGEPAGE);
  return memory + before;
}

/* Zeroes. */
static void *allocate(size_t count, size_t size) {
  const int was = errno;
  void *memory = map(count * size);
  if (!memory)
    heddle_fail("no memory to check a loop: %zu bytes", count * size);
  errno = was;
  return memory;
}

static void release(void *memory, size_t count, size_t size) {
  if (memory)
    munmap(memory, count * size);
}

static void grow_blocks(struct heddle_cells *cells) {
  struct heddle_block *old = cells->blocks;
  size_t count = cells->capacity;
  cells->shift = count ? cells->shift - 1 : 64 - FirstCapacityShift;
  cells->capacity = (size_t)1 << (64 - cells->shift);
  cells->blocks = allocate(cells->capacity, sizeof *cells->blocks);
  for (size_t i = 0; i < count; ++i)
    if (heddle_is_of_epoch(cells, &old[i]))
      *heddle_blocks_slot(cells, heddle_block_begin(&old[i])) = old[i];
  release(old, count, sizeof *old);
}

static void free_notes(struct heddle_cells *cells) {
  for (uint32_t i = 0; i < HEDDLE_MOST_CHUNKS; ++i)
    release(cells->chunks[i].notes, cells->chunks[i].count,
            sizeof(struct heddle_note));
  memset(cells->chunks, 0, sizeof cells->chunks);
}

void heddle_cells_clear(struct heddle_cells *cells) {
  if (!cells->capacity)
    grow_blocks(cells);
  cells->used = 0;
  /* Code of the program relies on the first one. */
  if (!cells->set_count || cells->set_count == HEDDLE_SET_VALUES)
    cells->set_count = 1;
  cells->set_values[0] = 1;
  cells->pool_count = 1; /* 0 is none */
  cells->chunk = 0;
  cells->chunk_used = 0;
  /* After 2^16 loops, blocks of old ones must not come back to life. */
  cells->epoch += HEDDLE_EPOCH;
  if (!cells->epoch) {
    memset(cells->blocks, 0, cells->capacity * sizeof *cells->blocks);
    cells->epoch = HEDDLE_EPOCH;
  }
  /* Nor must old notes, where numbers start again. */
  if (cells->iteration > UINT32_MAX / 2) {
    free_notes(cells);
    cells->iteration = 0;
  }
  cells->first = cells->iteration + 1;
}

void heddle_cells_free(struct heddle_cells *cells) {
  release(cells->blocks, cells->capacity, sizeof *cells->blocks);
  release(cells->pool, cells->pool_capacity, sizeof *cells->pool);
  free_notes(cells);
  *cells = (struct heddle_cells){0};
}

static size_t notes_of_scale(unsigned scale) {
  return (size_t)HEDDLE_BLOCK >> scale;
}

/* The notes of a block: zeroes, or of earlier loops. */
static uintptr_t take_notes(struct heddle_cells *cells, unsigned scale) {
  const size_t count = notes_of_scale(scale);
  struct heddle_chunk *chunk = &cells->chunks[cells->chunk];
  if (chunk->notes && Shifted + cells->chunk_used + count > chunk->count) {
    chunk = &cells->chunks[++cells->chunk];
    cells->chunk_used = 0;
  }
  assert(cells->chunk < HEDDLE_MOST_CHUNKS && "each is twice the last one");
  if (!chunk->notes) {
    chunk->count = (size_t)FirstChunk << cells->chunk;
    chunk->notes = allocate(chunk->count, sizeof *chunk->notes);
  }
  struct heddle_note *notes = &chunk->notes[cells->chunk_used + Shifted];
  cells->chunk_used += count;
  return (uintptr_t)notes;
}

/* The bytes, as a logarithm, of which all places like this one are made. */
static unsigned scale_of(uintptr_t address, unsigned bytes) {
  return (unsigned)__builtin_ctz((unsigned)address | bytes | HEDDLE_GRANULE);
}

/* Gives a block notes for fewer bytes each. */
static void refine(struct heddle_cells *cells, struct heddle_block *block,
                   unsigned scale) {
  const struct heddle_block old = *block;
  block->notes =
      take_notes(cells, scale) | scale | (old.notes & HEDDLE_BLOCK_MIXED);
  const struct heddle_note *from = heddle_note_at(&old, 0);
  struct heddle_note *to = heddle_note_at(block, 0);
  const unsigned step = 1u << (heddle_scale(&old) - scale);
  for (size_t i = 0; i < notes_of_scale(heddle_scale(&old)); ++i) {
    const unsigned end =
        from[i].text & HEDDLE_NOTE_CELLS
            ? 0
            : heddle_note_offset(&from[i]) + heddle_note_bytes(&from[i]);
    /* The place may reach into some of those that are new, too. */
    for (size_t at = i * step; at < (i + 1) * step; ++at)
      to[at] = at == i * step || (at << scale) % HEDDLE_GRANULE < end
                   ? from[i]
                   : (struct heddle_note){0};
  }
}

struct heddle_block *heddle_blocks_at(struct heddle_cells *cells,
                                      uintptr_t address, unsigned bytes) {
  assert(cells->epoch && "cleared before the first use");
  unsigned scale = scale_of(address, bytes);
  struct heddle_block *block = heddle_blocks_find(cells, address);
  if (!block) {
    if (2 * cells->used >= cells->capacity)
      grow_blocks(cells);
    ++cells->used;
    block = heddle_blocks_slot(cells, address);
    /* As fine as it was in an earlier loop, if the entry is of that. */
    const bool was_known =
        heddle_block_begin(block) == address - address % HEDDLE_BLOCK;
    if (was_known && heddle_scale(block) < scale)
      scale = heddle_scale(block);
    *block = (struct heddle_block){.key = heddle_block_key(cells, address),
                                   .notes = take_notes(cells, scale) | scale};
  } else if (address & ((1u << heddle_scale(block)) - 1)) {
    refine(cells, block, scale);
  }
  return block;
}

static uint32_t add_cell(struct heddle_cells *cells) {
  if (cells->pool_count >= cells->pool_capacity) {
    uint32_t capacity =
        cells->pool_capacity ? 2 * cells->pool_capacity : FirstCells;
    struct heddle_cell *pool = allocate(capacity, sizeof *pool);
    if (cells->pool)
      memcpy(pool, cells->pool, cells->pool_count * sizeof *pool);
    release(cells->pool, cells->pool_capacity, sizeof *pool);
    cells->pool = pool;
    cells->pool_capacity = capacity;
  }
  return cells->pool_count++;
}

static void start(struct heddle_cell *cell, uint64_t granule, uint8_t offset,
                  uint8_t bytes) {
  *cell = (struct heddle_cell){
      .granule = granule, .offset = offset, .bytes = bytes};
}

unsigned heddle_noted_set(struct heddle_cells *cells, uint64_t value) {
  for (uint32_t i = 0; i < cells->set_count; ++i)
    if (cells->set_values[i] == value)
      return HEDDLE_NOTED_SET + i;
  if (cells->set_count == HEDDLE_SET_VALUES)
    return HEDDLE_NOTED_OPERATIONS;
  cells->set_values[cells->set_count] = value;
  return HEDDLE_NOTED_SET + cells->set_count++;
}

void heddle_cell_from_note(const struct heddle_cells *cells,
                           struct heddle_cell *cell,
                           const struct heddle_note *note) {
  cell->flags |= HEDDLE_CELL_UNLOCKED;
  if (note->text & HEDDLE_NOTE_CHANGED)
    cell->flags |= HEDDLE_CELL_CHANGED;
  if (heddle_note_is_reported(note))
    cell->flags |= HEDDLE_CELL_REPORTED;
  const bool writes = note->text & HEDDLE_NOTE_WRITES;
  const unsigned operation = heddle_note_operation(note);
  if (!writes || operation == HEDDLE_NOTED_AFTER_READ) {
    cell->readers[0] = note->iteration;
    cell->read_sites[0] = heddle_note_site(note);
  }
  if (!writes)
    return;
  cell->writers[0] = note->iteration;
  cell->write_sites[0] = heddle_note_site(note);
  if (operation < HEDDLE_NOTED_SET) {
    cell->operation = (uint8_t)operation;
  } else if (operation < HEDDLE_NOTED_OPERATIONS) {
    cell->operation = HEDDLE_CHECK_SET;
    cell->value = cells->set_values[operation - HEDDLE_NOTED_SET];
  }
}

void heddle_notes_to_cells(struct heddle_cells *cells,
                           struct heddle_block *block, uintptr_t address) {
  struct heddle_note *first = heddle_note_of_granule(block, address);
  struct heddle_note was[HEDDLE_GRANULE];
  const unsigned count = heddle_notes_in_granule(block);
  memcpy(was, first, count * sizeof *was);
  memset(first, 0, count * sizeof *first);
  *first = (struct heddle_note){cells->first, HEDDLE_NOTE_CELLS};
  block->notes |= HEDDLE_BLOCK_MIXED;
  for (unsigned i = 0; i < count; ++i)
    if (heddle_is_noted(cells, &was[i]) &&
        heddle_note_offset(&was[i]) == i << heddle_scale(block))
      heddle_cell_from_note(
          cells,
          heddle_cells_at(cells, first,
                          address - address % HEDDLE_GRANULE +
                              heddle_note_offset(&was[i]),
                          (uint8_t)heddle_note_bytes(&was[i])),
          &was[i]);
}

struct heddle_cell *heddle_cells_at(struct heddle_cells *cells,
                                    struct heddle_note *first,
                                    uintptr_t address, uint8_t bytes) {
  const uint8_t offset = address % HEDDLE_GRANULE;
  assert(heddle_has_cells(cells, first));
  assert(bytes && offset + bytes <= HEDDLE_GRANULE);
  struct heddle_cell *last = NULL;
  for (struct heddle_cell *cell = heddle_cells_first(cells, first); cell;
       cell = heddle_cells_next(cells, cell)) {
    if (cell->offset == offset && cell->bytes == bytes)
      return cell;
    last = cell;
  }
  const size_t before = last ? (size_t)(last - cells->pool) : 0;
  const uint32_t number = add_cell(cells);
  if (before)
    cells->pool[before].next = number;
  else
    first->text = HEDDLE_NOTE_CELLS | number;
  start(&cells->pool[number], address / HEDDLE_GRANULE, offset, bytes);
  return &cells->pool[number];
}

static void forget_cells(struct heddle_cells *cells, struct heddle_cell *first,
                         uintptr_t begin, uintptr_t end) {
  for (struct heddle_cell *cell = first; cell;
       cell = heddle_cells_next(cells, cell)) {
    uintptr_t at = (uintptr_t)cell->granule * HEDDLE_GRANULE + cell->offset;
    if (at >= end || at + cell->bytes <= begin)
      continue;
    uint32_t next = cell->next;
    start(cell, cell->granule, cell->offset, cell->bytes);
    cell->next = next;
  }
}

static void forget_granule(struct heddle_cells *cells,
                           const struct heddle_block *block, uintptr_t granule,
                           uintptr_t begin, uintptr_t end) {
  struct heddle_note *first = heddle_note_of_granule(block, granule);
  if (heddle_has_cells(cells, first)) {
    forget_cells(cells, heddle_cells_first(cells, first), begin, end);
    return;
  }
  for (unsigned i = 0; i < heddle_notes_in_granule(block); ++i) {
    uintptr_t at = granule + heddle_note_offset(&first[i]);
    if (at < end && at + heddle_note_bytes(&first[i]) > begin)
      first[i].iteration = 0;
  }
}

/* Of one block, the part in [begin, end). */
static void forget_in_block(struct heddle_cells *cells,
                            const struct heddle_block *block, uintptr_t begin,
                            uintptr_t end) {
  for (uintptr_t at = begin - begin % HEDDLE_GRANULE; at < end;
       at += HEDDLE_GRANULE)
    forget_granule(cells, block, at, begin, end);
}

static uintptr_t greater(uintptr_t a, uintptr_t b) { return a > b ? a : b; }
static uintptr_t lesser(uintptr_t a, uintptr_t b) { return a < b ? a : b; }

void heddle_cells_forget(struct heddle_cells *cells, uintptr_t begin,
                         uintptr_t end) {
  if (!cells->used || begin >= end)
    return;
  if ((end - begin) / HEDDLE_BLOCK >= cells->capacity) {
    for (size_t i = 0; i < cells->capacity; ++i) {
      const struct heddle_block *block = &cells->blocks[i];
      const uintptr_t at = heddle_block_begin(block);
      if (heddle_is_of_epoch(cells, block))
        forget_in_block(cells, block, greater(at, begin),
                        lesser(at + HEDDLE_BLOCK, end));
    }
    return;
  }
  for (uintptr_t at = begin; at < end;) {
    const uintptr_t next = at - at % HEDDLE_BLOCK + HEDDLE_BLOCK;
    const struct heddle_block *block = heddle_blocks_find(cells, at);
    if (block)
      forget_in_block(cells, block, at, lesser(next, end));
    at = next;
  }
}
