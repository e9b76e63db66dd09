/*===- quick.h - Accesses whose record takes few instructions ---------------===
 *
 * Nearly all accesses are of a few kinds: the first one to a place, another
 * read of what is only read, another access to what a cell of one place tells
 * all about. They are in no conflict that has not been reported; what is to be
 * recorded of them takes as long as finding the note. All others go the long
 * way, record.h.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_QUICK_H
#define HEDDLE_RUNTIME_CHECK_QUICK_H

#include "check/check.h"
#include "check/conflicts.h"
#include "check/execution.h"

/* The number of a site for loop `e`; `innermost` remembers numbers. */
HEDDLE_INLINE uint32_t heddle_number_of(struct heddle_execution *innermost,
                                        const struct heddle_execution *e,
                                        struct heddle_check_site *site) {
  const uint32_t call = site->flags & HEDDLE_CHECK_DIRECT ? 0 : e->call;
  const uint64_t latest = __atomic_load_n(&site->instance, __ATOMIC_ACQUIRE);
  return latest && latest >> 32 == call
             ? (uint32_t)latest
             : heddle_remembered_number(innermost, site, call);
}

HEDDLE_INLINE void heddle_set_half(struct heddle_half *half,
                                   const struct heddle_access *access,
                                   unsigned what) {
  half->iteration = access->iteration;
  half->site = access->site & (HEDDLE_NOTED_SITES - 1);
  half->what = what & (2 * HEDDLE_NOTE_CELLS - 1);
}

/* Lets a half that is in use say what another access to its place does, if it
 * can say that and what it has said before. `place` is where it is. */
HEDDLE_INLINE bool heddle_noted_again(struct heddle_half *half,
                                      const struct heddle_access *access,
                                      unsigned place) {
  const bool is_own = half->iteration == access->iteration;
  const unsigned changed =
      (half->what & HEDDLE_NOTE_CHANGED) |
      (access->is_silent ? 0 : (unsigned)HEDDLE_NOTE_CHANGED);
  const unsigned before = half->what & ~(unsigned)HEDDLE_NOTE_CHANGED;
  const unsigned written = place | HEDDLE_NOTE_WRITES;
  switch (access->kind) {
  case HEDDLE_ACCESS_READ:
    return before == place ||
           (before == written && is_own && !access->is_hidden);
  case HEDDLE_ACCESS_WRITE:
    /* Beside it, earlier reads and silent writes do not matter. */
    if ((before != place && before != written) ||
        !(is_own || access->is_silent))
      return false;
    heddle_set_half(half, access, written | changed);
    return true;
  case HEDDLE_ACCESS_UPDATE:
    /* Of those by one operation, the first tells all. */
    if (before != (written | heddle_what(0, 1, access->operation)) &&
        !(before == written && is_own))
      return false;
    if (is_own)
      heddle_set_half(half, access, before | changed);
    else if (changed != (half->what & HEDDLE_NOTE_CHANGED))
      half->what |= HEDDLE_NOTE_CHANGED;
    return true;
  }
  return false;
}

/* True if a place, of one half, reaches into that of the other one, or is
 * reached by that. */
HEDDLE_INLINE bool heddle_overlaps_other(const struct heddle_half *other,
                                         unsigned offset, unsigned bytes) {
  enum { Half = HEDDLE_GRANULE / 2 };
  if (!other->iteration)
    return false;
  return offset < Half
             ? offset + bytes > Half
             : heddle_half_offset(other) + heddle_half_bytes(other) > offset;
}

/* True if a note says something of a place that begins at `offset`. */
HEDDLE_INLINE bool heddle_noted_place(const struct heddle_note *note,
                                      unsigned offset) {
  return note->halves[offset >= HEDDLE_GRANULE / 2].iteration;
}

/* Lets the note of a granule say what an access does, if it can say that and
 * what it has said before. */
HEDDLE_INLINE bool heddle_noted(struct heddle_note *note,
                                const struct heddle_access *access,
                                unsigned offset, unsigned bytes) {
  enum { Half = HEDDLE_GRANULE / 2 };
  struct heddle_half *half = &note->halves[offset >= Half];
  unsigned what = heddle_what(offset, bytes, 0);
  if (half->iteration)
    return heddle_noted_again(half, access, what);
  if (heddle_overlaps_other(&note->halves[offset < Half], offset, bytes))
    return false;
  if (access->kind != HEDDLE_ACCESS_READ)
    what |= heddle_what(0, 1, access->operation) | HEDDLE_NOTE_WRITES |
            (access->is_silent ? 0 : (unsigned)HEDDLE_NOTE_CHANGED);
  heddle_set_half(half, access, what);
  return true;
}

/* True if a note can say all of an access, unless a lock is held. */
HEDDLE_INLINE bool heddle_is_notable(const struct heddle_access *access) {
  return access->site < HEDDLE_NOTED_SITES &&
         access->operation < HEDDLE_NOTED_OPERATIONS;
}

/* Records an access of `site->bytes` in the cells of `e` and returns true if
 * that is quick. No lock is held. */
HEDDLE_INLINE bool heddle_record_quickly(struct heddle_execution *innermost,
                                         struct heddle_execution *e,
                                         struct heddle_check_site *site,
                                         uintptr_t address, uintptr_t stack,
                                         struct heddle_access *access) {
  const unsigned offset = address % HEDDLE_GRANULE;
  const unsigned bytes = site->bytes;
  if (offset + bytes > HEDDLE_GRANULE || !bytes)
    return false;
  struct heddle_note *note =
      heddle_notes_find(&e->cells, address / HEDDLE_GRANULE);
  if (!note)
    return false;
  access->site = heddle_number_of(innermost, e, site);
  if (access->kind != HEDDLE_ACCESS_READ && site->flags & HEDDLE_CHECK_FIXED &&
      !heddle_is_noted_place(e, access->site, address))
    return false;
  if (!heddle_note_has_cells(note))
    return heddle_is_notable(access) &&
           (heddle_noted_place(note, offset) ||
            !heddle_is_exempt(e, address, stack)) &&
           heddle_noted(note, access, offset, bytes);
  struct heddle_cell *cell = heddle_cells_first(&e->cells, note);
  if (!cell || cell->next || cell->offset != offset || cell->bytes != bytes ||
      !(cell->flags & HEDDLE_CELL_UNLOCKED))
    return false;
  struct heddle_collision with;
  if (!(cell->flags & HEDDLE_CELL_REPORTED) &&
      heddle_collides(cell, access, &with))
    return false;
  heddle_record(cell, access);
  return true;
}

/* True if the half in use says of an access to `place` all that is to be said,
 * or can be told it in few instructions. */
HEDDLE_INLINE bool heddle_says_at_once(struct heddle_half *half,
                                       const struct heddle_access *access,
                                       unsigned place) {
  const unsigned written = place | HEDDLE_NOTE_WRITES;
  switch (access->kind) {
  case HEDDLE_ACCESS_READ:
    return half->what == place ||
           ((half->what | HEDDLE_NOTE_CHANGED) ==
                (written | HEDDLE_NOTE_CHANGED) &&
            half->iteration == access->iteration && !access->is_hidden);
  case HEDDLE_ACCESS_WRITE:
    return heddle_noted_again(half, access, place);
  case HEDDLE_ACCESS_UPDATE:
    return half->what == (written | HEDDLE_NOTE_CHANGED |
                          heddle_what(0, 1, access->operation)) &&
           half->iteration != access->iteration;
  }
  return false;
}

/* The same where that takes least: a note tells all. `bytes` are the site's. */
HEDDLE_INLINE bool heddle_record_at_once(struct heddle_execution *e,
                                         struct heddle_check_site *site,
                                         uintptr_t address, uint32_t bytes,
                                         uintptr_t stack,
                                         struct heddle_access *access) {
  enum { Half = HEDDLE_GRANULE / 2 };
  const unsigned offset = address % HEDDLE_GRANULE;
  const bool reads = access->kind == HEDDLE_ACCESS_READ;
  /* Where the loop has been left, the second difference is a large one. */
  if (address - stack < e->stack - stack || offset + bytes > HEDDLE_GRANULE ||
      (!reads && site->flags & HEDDLE_CHECK_FIXED))
    return false;
  struct heddle_note *note =
      heddle_notes_peek(&e->cells, address / HEDDLE_GRANULE);
  if (!note)
    return false;
  struct heddle_half *half = &note->halves[offset >= Half];
  access->iteration = e->iteration;
  if (half->iteration && access->kind != HEDDLE_ACCESS_WRITE)
    return heddle_says_at_once(half, access, heddle_what(offset, bytes, 0));
  const uint32_t call = site->flags & HEDDLE_CHECK_DIRECT ? 0 : e->call;
  const uint64_t number =
      __atomic_load_n(&site->instance, __ATOMIC_ACQUIRE) ^ (uint64_t)call << 32;
  access->site = (uint32_t)number;
  if (number - 1 >= HEDDLE_NOTED_SITES - 1 ||
      access->operation >= HEDDLE_NOTED_OPERATIONS ||
      heddle_note_has_cells(note))
    return false;
  if (half->iteration)
    return heddle_says_at_once(half, access, heddle_what(offset, bytes, 0));
  return !e->exempt_count && heddle_noted(note, access, offset, bytes);
}

#endif
