/*===- cells.c - What is known of each place that a loop touches ----------===*/

#include "check/cells.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct heddle_cell) == 64, "a cache line");

enum { FirstCapacity = 1 << 10 };

static void *allocate(size_t count) {
  void *memory = NULL;
  size_t bytes = count * sizeof(struct heddle_cell);
  if (posix_memalign(&memory, sizeof(struct heddle_cell), bytes)) {
    fprintf(stderr, "heddle: error: no memory to check a loop: %zu bytes\n",
            bytes);
    abort();
  }
  memset(memory, 0, bytes);
  return memory;
}

static void grow(struct heddle_cells *cells) {
  struct heddle_cell *old = cells->slots;
  size_t count = cells->capacity;
  size_t capacity = count ? 2 * count : FirstCapacity;
  /* The cells must be in order while the allocator says that memory is new. */
  struct heddle_cell *slots = allocate(capacity);
  cells->slots = slots;
  cells->capacity = capacity;
  for (size_t i = 0; i < count; ++i)
    if (old[i].epoch == cells->epoch)
      *heddle_cells_slot(cells, old[i].granule) = old[i];
  free(old);
}

void heddle_cells_clear(struct heddle_cells *cells) {
  cells->used = 0;
  cells->other_count = 1; /* 0 is none */
  if (++cells->epoch)
    return;
  /* After 2^32 loops, cells of old ones must not come back to life. */
  if (cells->capacity)
    memset(cells->slots, 0, cells->capacity * sizeof *cells->slots);
  cells->epoch = 1;
}

void heddle_cells_free(struct heddle_cells *cells) {
  free(cells->slots);
  free(cells->others);
  *cells = (struct heddle_cells){0};
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
    struct heddle_cell *others = allocate(capacity);
    if (cells->others)
      memcpy(others, cells->others, cells->other_count * sizeof *others);
    free(cells->others);
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

void heddle_cells_forget(struct heddle_cells *cells, uintptr_t begin,
                         uintptr_t end) {
  if (!cells->used || begin >= end)
    return;
  uint64_t first = begin / HEDDLE_GRANULE, last = (end - 1) / HEDDLE_GRANULE;
  if (last - first < cells->capacity) {
    for (uint64_t granule = first; granule <= last; ++granule) {
      struct heddle_cell *cell = heddle_cells_find(cells, granule);
      if (cell)
        forget(cells, cell, begin, end);
    }
    return;
  }
  for (size_t at = 0; at < cells->capacity; ++at)
    if (cells->slots[at].epoch == cells->epoch)
      forget(cells, &cells->slots[at], begin, end);
}
