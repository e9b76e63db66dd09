/*===- cells.c - What is known of each place that a loop touches ----------===*/

#include "check/cells.h"
#include "host/messages.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

_Static_assert(sizeof(struct heddle_cell) == 64, "a cache line");
_Static_assert(sizeof(struct heddle_note) == 16, "what documentation says");

enum {
  FirstCapacity = 1 << 10,
  FirstChunk = 1 << 7,
  BlockGranules = 1 << HEDDLE_BLOCK_SHIFT
};

/* Zeroes. Large tables are accessed at random: huge pages save the processor
 * from looking for pages. The program does not see that there may be none. */
static void *allocate(size_t count, size_t size) {
  const int was = errno;
  size_t bytes = count * size;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    heddle_fail("no memory to check a loop: %zu bytes", bytes);
  madvise(memory, bytes, MADV_HUGEPAGE);
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
  size_t capacity = count ? 2 * count : FirstCapacity;
  struct heddle_block *blocks = allocate(capacity, sizeof *blocks);
  cells->blocks = blocks;
  cells->capacity = capacity;
  for (size_t i = 0; i < count; ++i)
    if ((uint16_t)old[i].key == cells->epoch)
      *heddle_blocks_slot(cells, old[i].key >> 16) = old[i];
  release(old, count, sizeof *old);
}

void heddle_cells_clear(struct heddle_cells *cells) {
  if (!cells->capacity)
    grow_blocks(cells);
  cells->used = 0;
  cells->pool_count = 1; /* 0 is none */
  cells->chunk = 0;
  cells->chunk_used = 0;
  /* After 2^16 loops, blocks of old ones must not come back to life. */
  if (!++cells->epoch) {
    memset(cells->blocks, 0, cells->capacity * sizeof *cells->blocks);
    cells->epoch = 1;
  }
}

void heddle_cells_free(struct heddle_cells *cells) {
  release(cells->blocks, cells->capacity, sizeof *cells->blocks);
  release(cells->pool, cells->pool_capacity, sizeof *cells->pool);
  for (uint32_t i = 0; i < HEDDLE_MOST_CHUNKS; ++i)
    release(cells->chunks[i].notes, cells->chunks[i].blocks * BlockGranules,
            sizeof(struct heddle_note));
  *cells = (struct heddle_cells){0};
}

/* The notes of a block, all of them empty. */
static struct heddle_note *take_notes(struct heddle_cells *cells) {
  struct heddle_chunk *chunk = &cells->chunks[cells->chunk];
  if (chunk->notes && cells->chunk_used == chunk->blocks) {
    chunk = &cells->chunks[++cells->chunk];
    cells->chunk_used = 0;
  }
  assert(cells->chunk < HEDDLE_MOST_CHUNKS && "each is twice the last one");
  if (!chunk->notes) {
    chunk->blocks = (size_t)FirstChunk << cells->chunk;
    chunk->notes =
        allocate(chunk->blocks * BlockGranules, sizeof *chunk->notes);
  }
  struct heddle_note *notes = &chunk->notes[cells->chunk_used * BlockGranules];
  if (cells->chunk_used < chunk->used_before)
    memset(notes, 0, BlockGranules * sizeof *notes);
  else
    chunk->used_before = cells->chunk_used + 1;
  ++cells->chunk_used;
  return notes;
}

struct heddle_note *heddle_notes_at(struct heddle_cells *cells,
                                    uint64_t granule) {
  assert(cells->epoch && "cleared before the first use");
  struct heddle_note *note = heddle_notes_find(cells, granule);
  if (note)
    return note;
  if (2 * cells->used >= cells->capacity)
    grow_blocks(cells);
  ++cells->used;
  uint64_t block = granule >> HEDDLE_BLOCK_SHIFT;
  struct heddle_block *slot = heddle_blocks_slot(cells, block);
  *slot = (struct heddle_block){.key = block << 16 | cells->epoch,
                                .notes = take_notes(cells)};
  return &slot->notes[granule & (BlockGranules - 1)];
}

static uint32_t add_cell(struct heddle_cells *cells) {
  if (cells->pool_count >= cells->pool_capacity) {
    uint32_t capacity =
        cells->pool_capacity ? 2 * cells->pool_capacity : FirstCapacity;
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

void heddle_note_to_cells(struct heddle_cells *cells, struct heddle_note *note,
                          uint64_t granule) {
  const struct heddle_note was = *note;
  *note = (struct heddle_note){
      .halves[0] = {.iteration = UINT32_MAX, .what = HEDDLE_NOTE_CELLS}};
  for (int i = 0; i < 2; ++i) {
    const struct heddle_half *half = &was.halves[i];
    if (!half->iteration)
      continue;
    struct heddle_cell *cell =
        heddle_cells_at(cells, note, granule, (uint8_t)heddle_half_offset(half),
                        (uint8_t)heddle_half_bytes(half));
    cell->flags |= HEDDLE_CELL_UNLOCKED;
    if (half->what & HEDDLE_NOTE_CHANGED)
      cell->flags |= HEDDLE_CELL_CHANGED;
    if (half->what & HEDDLE_NOTE_WRITES) {
      cell->operation = (uint8_t)heddle_half_operation(half);
      cell->writers[0] = half->iteration;
      cell->write_sites[0] = half->site;
    } else {
      cell->readers[0] = half->iteration;
      cell->read_sites[0] = half->site;
    }
  }
}

struct heddle_cell *heddle_cells_at(struct heddle_cells *cells,
                                    struct heddle_note *note, uint64_t granule,
                                    uint8_t offset, uint8_t bytes) {
  assert(heddle_note_has_cells(note));
  assert(bytes && offset + bytes <= HEDDLE_GRANULE);
  uint32_t number = note->halves[1].iteration, last = 0;
  for (; number; number = cells->pool[number].next) {
    struct heddle_cell *cell = &cells->pool[number];
    if (cell->offset == offset && cell->bytes == bytes)
      return cell;
    last = number;
  }
  number = add_cell(cells);
  *(last ? &cells->pool[last].next : &note->halves[1].iteration) = number;
  start(&cells->pool[number], granule, offset, bytes);
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

static void forget_granule(struct heddle_cells *cells, struct heddle_note *note,
                           uint64_t granule, uintptr_t begin, uintptr_t end) {
  if (heddle_note_has_cells(note)) {
    forget_cells(cells, heddle_cells_first(cells, note), begin, end);
    return;
  }
  for (int i = 0; i < 2; ++i) {
    struct heddle_half *half = &note->halves[i];
    uintptr_t at = granule * HEDDLE_GRANULE + heddle_half_offset(half);
    if (at < end && at + heddle_half_bytes(half) > begin)
      half->iteration = 0;
  }
}

static void forget_block(struct heddle_cells *cells,
                         const struct heddle_block *block, uintptr_t begin,
                         uintptr_t end) {
  uint64_t first = block->key >> 16 << HEDDLE_BLOCK_SHIFT;
  for (uint64_t at = 0; at < BlockGranules; ++at) {
    uint64_t place = (first + at) * HEDDLE_GRANULE;
    if (place < end && place + HEDDLE_GRANULE > begin)
      forget_granule(cells, &block->notes[at], first + at, begin, end);
  }
}

void heddle_cells_forget(struct heddle_cells *cells, uintptr_t begin,
                         uintptr_t end) {
  enum { Shift = HEDDLE_BLOCK_SHIFT + 3 };
  if (!cells->used || begin >= end)
    return;
  uint64_t first = begin >> Shift, last = (end - 1) >> Shift;
  if (last - first >= cells->capacity) {
    for (size_t at = 0; at < cells->capacity; ++at)
      if ((uint16_t)cells->blocks[at].key == cells->epoch)
        forget_block(cells, &cells->blocks[at], begin, end);
    return;
  }
  for (uint64_t block = first; block <= last; ++block) {
    struct heddle_block *slot = heddle_blocks_slot(cells, block);
    if (slot->key == (block << 16 | cells->epoch))
      forget_block(cells, slot, begin, end);
  }
}
