/*===- cells.c - What is known of each place that a loop touches ----------===*/

#include "check/cells.h"
#include "host/messages.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

_Static_assert(sizeof(struct heddle_cell) == 64, "a cache line");

enum { FirstCapacity = 1 << 10 };

/* Zeroes. Large tables are accessed at random: huge pages save the processor
 * from looking for pages. */
static void *allocate(size_t count, size_t size) {
  size_t bytes = count * size;
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    heddle_fail("no memory to check a loop: %zu bytes", bytes);
  madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

static void release(void *memory, size_t count, size_t size) {
  if (memory)
    munmap(memory, count * size);
}

static void grow(struct heddle_cells *cells) {
  struct heddle_cell *old = cells->slots;
  size_t count = cells->capacity;
  size_t capacity = count ? 2 * count : FirstCapacity;
  struct heddle_cell *slots = allocate(capacity, sizeof(struct heddle_cell));
  cells->slots = slots;
  cells->capacity = capacity;
  for (size_t i = 0; i < count; ++i)
    if (old[i].epoch == cells->epoch)
      *heddle_cells_slot(cells, old[i].granule) = old[i];
  release(old, count, sizeof *old);
}

void heddle_cells_clear(struct heddle_cells *cells) {
  cells->used = 0;
  cells->note_count = 0;
  cells->other_count = 1; /* 0 is none */
  if (!++cells->note_epoch) {
    if (cells->note_capacity)
      memset(cells->notes, 0, cells->note_capacity * sizeof *cells->notes);
    cells->note_epoch = 1;
  }
  if (++cells->epoch)
    return;
  /* After 2^32 loops, cells of old ones must not come back to life. */
  if (cells->capacity)
    memset(cells->slots, 0, cells->capacity * sizeof *cells->slots);
  cells->epoch = 1;
}

void heddle_cells_free(struct heddle_cells *cells) {
  release(cells->notes, cells->note_capacity, sizeof *cells->notes);
  release(cells->slots, cells->capacity, sizeof *cells->slots);
  release(cells->others, cells->other_capacity, sizeof *cells->others);
  *cells = (struct heddle_cells){0};
}

static void grow_notes(struct heddle_cells *cells) {
  struct heddle_note *old = cells->notes;
  size_t count = cells->note_capacity;
  size_t capacity = count ? 2 * count : 4 * FirstCapacity;
  struct heddle_note *notes = allocate(capacity, sizeof *notes);
  cells->notes = notes;
  cells->note_capacity = capacity;
  for (size_t i = 0; i < count; ++i)
    if ((uint16_t)old[i].key == cells->note_epoch)
      *heddle_notes_slot(cells, old[i].key >> 16) = old[i];
  release(old, count, sizeof *old);
}

struct heddle_note *heddle_notes_at(struct heddle_cells *cells,
                                    uint64_t granule) {
  struct heddle_note *note = heddle_notes_find(cells, granule);
  if (note)
    return note;
  if (2 * cells->note_count >= cells->note_capacity)
    grow_notes(cells);
  ++cells->note_count;
  note = heddle_notes_slot(cells, granule);
  *note = (struct heddle_note){.key = granule << 16 | cells->note_epoch};
  return note;
}

void heddle_note_to_cells(struct heddle_cells *cells,
                          struct heddle_note *note) {
  if (note->reader) {
    struct heddle_cell *cell = heddle_cells_at(
        cells, note->key >> 16, note->extent >> 3, (note->extent & 7) + 1);
    cell->readers[0] = note->reader;
    cell->read_sites[0] = note->site;
    cell->flags |= HEDDLE_CELL_UNLOCKED;
  }
  note->extent = HEDDLE_HAS_CELLS;
}

static void start(struct heddle_cells *cells, struct heddle_cell *cell,
                  uint64_t granule, uint8_t offset, uint8_t bytes) {
  *cell = (struct heddle_cell){.granule = granule,
                               .epoch = cells->epoch,
                               .offset = offset,
                               .bytes = bytes};
}

static uint32_t add_other(struct heddle_cells *cells) {
  if (cells->other_count >= cells->other_capacity) {
    uint32_t capacity =
        cells->other_capacity ? 2 * cells->other_capacity : FirstCapacity;
    struct heddle_cell *others = allocate(capacity, sizeof(struct heddle_cell));
    if (cells->others)
      memcpy(others, cells->others, cells->other_count * sizeof *others);
    release(cells->others, cells->other_capacity, sizeof *others);
    cells->others = others;
    cells->other_capacity = capacity;
  }
  return cells->other_count++;
}

struct heddle_cell *heddle_cells_at(struct heddle_cells *cells,
                                    uint64_t granule, uint8_t offset,
                                    uint8_t bytes) {
  assert(cells->epoch && "cleared before the first use");
  assert(bytes && offset + bytes <= HEDDLE_GRANULE);
  if (2 * cells->used >= cells->capacity)
    grow(cells);
  struct heddle_cell *cell = heddle_cells_slot(cells, granule);
  if (cell->epoch != cells->epoch) {
    ++cells->used;
    start(cells, cell, granule, offset, bytes);
    return cell;
  }
  while (cell->offset != offset || cell->bytes != bytes) {
    if (!cell->next) {
      /* The cell may move when another is added. */
      bool is_first =
          cell < cells->others || cell >= cells->others + cells->other_capacity;
      size_t at = (size_t)(cell - (is_first ? cells->slots : cells->others));
      uint32_t added = add_other(cells);
      (is_first ? cells->slots : cells->others)[at].next = added;
      cell = &cells->others[added];
      start(cells, cell, granule, offset, bytes);
      return cell;
    }
    cell = &cells->others[cell->next];
  }
  return cell;
}

static void forget(struct heddle_cells *cells, struct heddle_cell *first,
                   uintptr_t begin, uintptr_t end) {
  for (struct heddle_cell *cell = first; cell;
       cell = heddle_cells_next(cells, cell)) {
    uintptr_t at = (uintptr_t)cell->granule * HEDDLE_GRANULE + cell->offset;
    if (at >= end || at + cell->bytes <= begin)
      continue;
    uint32_t next = cell->next;
    start(cells, cell, cell->granule, cell->offset, cell->bytes);
    cell->next = next;
  }
}

/* What is left of a granule's note if the places in [begin, end) are new. */
static void forget_note(struct heddle_note *note, uintptr_t begin,
                        uintptr_t end) {
  if (note->extent == HEDDLE_HAS_CELLS)
    return;
  uintptr_t at =
      (uintptr_t)(note->key >> 16) * HEDDLE_GRANULE + (note->extent >> 3);
  if (at < end && at + (note->extent & 7) + 1 > begin)
    note->reader = 0;
}

static void forget_granule(struct heddle_cells *cells, uint64_t granule,
                           uintptr_t begin, uintptr_t end) {
  struct heddle_note *note = heddle_notes_find(cells, granule);
  if (!note)
    return;
  forget_note(note, begin, end);
  struct heddle_cell *cell = note->extent == HEDDLE_HAS_CELLS
                                 ? heddle_cells_find(cells, granule)
                                 : NULL;
  if (cell)
    forget(cells, cell, begin, end);
}

void heddle_cells_forget(struct heddle_cells *cells, uintptr_t begin,
                         uintptr_t end) {
  if (!cells->note_count || begin >= end)
    return;
  uint64_t first = begin / HEDDLE_GRANULE, last = (end - 1) / HEDDLE_GRANULE;
  if (last - first < cells->note_capacity) {
    for (uint64_t granule = first; granule <= last; ++granule)
      forget_granule(cells, granule, begin, end);
    return;
  }
  for (size_t at = 0; at < cells->note_capacity; ++at)
    if ((uint16_t)cells->notes[at].key == cells->note_epoch)
      forget_granule(cells, cells->notes[at].key >> 16, begin, end);
}
