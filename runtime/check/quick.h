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
  const uint32_t call = site->flags & HEDDLE_CHECK_DIRECT ? 0 : e->cells.call;
  const uint64_t latest = __atomic_load_n(&site->instance, __ATOMIC_ACQUIRE);
  return latest && latest >> 32 == call
             ? (uint32_t)latest
             : heddle_remembered_number(innermost, site, call);
}

/* `what` is a place, with flags. */
HEDDLE_INLINE void heddle_set_note(struct heddle_note *note,
                                   const struct heddle_access *access,
                                   uint32_t what) {
  note->iteration = access->iteration;
  note->text = what | access->site;
}

/* Lets a note that is in use say what another access to its place does, if it
 * can say that and what it has said before. `place` is where it is. */
HEDDLE_INLINE bool heddle_noted_again(struct heddle_note *note,
                                      const struct heddle_access *access,
                                      uint32_t place) {
  const bool is_own = note->iteration == access->iteration;
  const uint32_t what = heddle_note_what(note);
  const uint32_t changed = (what & HEDDLE_NOTE_CHANGED) |
                           (access->is_silent ? 0 : HEDDLE_NOTE_CHANGED);
  const uint32_t before = what & ~HEDDLE_NOTE_CHANGED;
  const uint32_t written = place | HEDDLE_NOTE_WRITES;
  const uint32_t after_read =
      written | heddle_what(0, 1, HEDDLE_NOTED_AFTER_READ);
  const bool is_written = before == written || before == after_read;
  if (what == heddle_reported(place))
    return true;
  switch (access->kind) {
  case HEDDLE_ACCESS_READ:
    return before == place || (is_written && is_own && !access->is_hidden);
  case HEDDLE_ACCESS_WRITE:
    if (is_own && (before == place || is_written))
      heddle_set_note(note, access,
                      (before == place ? after_read : before) | changed);
    else if (!access->is_silent || (before != place && before != written))
      return false;
    /* Beside it, earlier silent writes do not matter; it does not beside what
     * others have read. */
    else if (before == written)
      heddle_set_note(note, access, written | changed);
    return true;
  case HEDDLE_ACCESS_UPDATE:
    /* Of those by one operation, the first tells all. */
    if (before != (written | heddle_what(0, 1, access->noted)) &&
        !(is_written && is_own))
      return false;
    if (is_own)
      heddle_set_note(note, access, before | changed);
    else if (changed != (what & HEDDLE_NOTE_CHANGED))
      note->text |= HEDDLE_NOTE_CHANGED;
    return true;
  }
  return false;
}

/* All that the conflict of an access with a note depends on, but for the
 * note's text and the site. */
HEDDLE_INLINE uint32_t heddle_how(const struct heddle_access *access) {
  return (uint32_t)access->kind | (uint32_t)access->noted << 4 |
         (uint32_t)access->is_silent << 2 | (uint32_t)access->is_hidden << 3;
}

HEDDLE_INLINE struct heddle_known_conflict *
heddle_known_at(struct heddle_execution *e, uint32_t text, uint32_t site) {
  return &e->known[(text * 0x9e3779b1u + site * 0x85ebca6bu) >> 26];
}

/* True if the kind of a conflict does not depend on where it is. */
HEDDLE_INLINE bool heddle_is_anywhere(const struct heddle_execution *e,
                                      const struct heddle_check_site *site,
                                      uint32_t number) {
  return !e->call_is_of_thread &&
         (!(site->flags & HEDDLE_CHECK_FIXED) || heddle_has_varied(e, number));
}

/* True if an access to the place of a note is in a conflict with it that is
 * known from other places: then that is counted, and the note says so. */
HEDDLE_INLINE bool heddle_counted(struct heddle_execution *e,
                                  const struct heddle_check_site *site,
                                  struct heddle_note *note,
                                  const struct heddle_access *access,
                                  uint32_t place) {
  const uint32_t text = note->text;
  const struct heddle_known_conflict *known =
      heddle_known_at(e, text, access->site);
  const uint32_t all_of_place = heddle_what(7, 8, 0);
  if (known->text != text || known->site != access->site || !known->count ||
      known->how != heddle_how(access) || (text & all_of_place) != place ||
      !heddle_is_noted(&e->cells, note) ||
      note->iteration == access->iteration ||
      !heddle_is_anywhere(e, site, access->site))
    return false;
  __atomic_fetch_add(known->count, 1, __ATOMIC_RELAXED);
  heddle_set_note(note, access, heddle_reported(place));
  return true;
}

/* True if a place has a note of its own, or could get one. */
HEDDLE_INLINE bool heddle_fits(const struct heddle_block *block,
                               uintptr_t address, unsigned bytes) {
  return !(address & ((1u << heddle_scale(block)) - 1)) &&
         address % HEDDLE_GRANULE + bytes <= HEDDLE_GRANULE;
}

/* The text of an empty note that an access to a place takes. */
HEDDLE_INLINE uint32_t heddle_first_text(const struct heddle_access *access,
                                         unsigned offset, unsigned bytes) {
  uint32_t what = heddle_what(offset, bytes, 0);
  if (access->kind != HEDDLE_ACCESS_READ)
    what |= heddle_what(0, 1, access->noted) | HEDDLE_NOTE_WRITES |
            (access->is_silent ? 0 : HEDDLE_NOTE_CHANGED);
  return what | access->site;
}

/* Lets empty notes say what an access does: that of the place, and those which
 * it reaches into, so that no other place does. False if some are in use. */
HEDDLE_INLINE bool heddle_take_notes(const struct heddle_cells *cells,
                                     const struct heddle_block *block,
                                     const struct heddle_access *access,
                                     uintptr_t address, unsigned bytes) {
  struct heddle_note *note = heddle_note_at(block, address);
  const unsigned count = heddle_notes_of_place(block, bytes);
  const struct heddle_note taken = {
      access->iteration,
      heddle_first_text(access, address % HEDDLE_GRANULE, bytes)};
  for (unsigned i = 0; i < count; ++i)
    if (heddle_is_noted(cells, &note[i]))
      return false;
  for (unsigned i = 0; i < count; ++i)
    note[i] = taken;
  return true;
}

/* The same for whole granules from `begin`, in a block that is not mixed and
 * has one note for each: returns the end of those that were empty. */
HEDDLE_INLINE uintptr_t heddle_take_granules(const struct heddle_cells *cells,
                                             const struct heddle_block *block,
                                             const struct heddle_access *access,
                                             uintptr_t begin, uintptr_t end) {
  const struct heddle_note taken = {
      access->iteration, heddle_first_text(access, 0, HEDDLE_GRANULE)};
  const uint32_t first = cells->first;
  struct heddle_note *note = heddle_note_at(block, begin);
  struct heddle_note *last = note + (end - begin) / HEDDLE_GRANULE;
  for (; note < last && note->iteration < first; ++note) {
    *note = taken;
    begin += HEDDLE_GRANULE;
  }
  return begin;
}

/* Lets the note of a place say what an access does, if it can say that and what
 * it has said before. The place fits, and its granule has no cells. */
HEDDLE_INLINE bool heddle_noted(const struct heddle_cells *cells,
                                const struct heddle_block *block,
                                const struct heddle_access *access,
                                uintptr_t address, unsigned bytes) {
  struct heddle_note *note = heddle_note_at(block, address);
  if (heddle_is_noted(cells, note))
    return heddle_noted_again(note, access,
                              heddle_what(address % HEDDLE_GRANULE, bytes, 0));
  return heddle_take_notes(cells, block, access, address, bytes);
}

/* True if a note can say all of an access, unless a lock is held. */
HEDDLE_INLINE bool heddle_make_notable(struct heddle_cells *cells,
                                       struct heddle_access *access) {
  unsigned noted = access->operation;
  if (access->operation == HEDDLE_CHECK_SET)
    noted = heddle_noted_set(cells, access->value);
  else if (noted >= HEDDLE_NOTED_SET)
    noted = HEDDLE_NOTED_OPERATIONS;
  access->noted = (uint8_t)noted;
  return access->site < HEDDLE_NOTED_SITES && noted < HEDDLE_NOTED_OPERATIONS;
}

/* The cell of a place, in a granule that has cells, if no other one reaches
 * into it; else null. */
HEDDLE_INLINE struct heddle_cell *
heddle_only_cell(const struct heddle_cells *cells,
                 const struct heddle_note *first, unsigned offset,
                 unsigned bytes) {
  struct heddle_cell *only = NULL;
  for (struct heddle_cell *cell = heddle_cells_first(cells, first); cell;
       cell = heddle_cells_next(cells, cell)) {
    if (cell->offset == offset && cell->bytes == bytes)
      only = cell;
    else if (cell->offset < offset + bytes &&
             offset < (unsigned)cell->offset + cell->bytes)
      return NULL;
  }
  return only;
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
  const struct heddle_block *block = heddle_blocks_find(&e->cells, address);
  if (!block || !heddle_fits(block, address, bytes))
    return false;
  access->site = heddle_number_of(innermost, e, site);
  if (access->kind != HEDDLE_ACCESS_READ && site->flags & HEDDLE_CHECK_FIXED &&
      !heddle_is_noted_place(e, access->site, address))
    return false;
  const struct heddle_note *first = heddle_note_of_granule(block, address);
  if (!heddle_has_cells(&e->cells, first))
    return heddle_make_notable(&e->cells, access) &&
           (heddle_is_noted(&e->cells, heddle_note_at(block, address)) ||
            !heddle_is_exempt(e, address, stack)) &&
           (heddle_noted(&e->cells, block, access, address, bytes) ||
            heddle_counted(e, site, heddle_note_at(block, address), access,
                           heddle_what(offset, bytes, 0)));
  struct heddle_cell *cell = heddle_only_cell(&e->cells, first, offset, bytes);
  if (!cell)
    return false;
  /* Nothing that is to be known of it is needed any more. */
  if (cell->flags & HEDDLE_CELL_REPORTED)
    return true;
  if ((cell->flags & (HEDDLE_CELL_UNLOCKED | HEDDLE_CELL_PENDING)) !=
      HEDDLE_CELL_UNLOCKED)
    return false;
  struct heddle_collision with;
  if (heddle_collides(cell, access, &with))
    return false;
  heddle_record(cell, access);
  return true;
}

/* Completes an access of the quick execution `e`, or returns false if that, or
 * to note it, takes more instructions. */
HEDDLE_INLINE bool heddle_describe_at_once(struct heddle_execution *e,
                                           struct heddle_check_site *site,
                                           struct heddle_access *access) {
  const uint32_t call = site->flags & HEDDLE_CHECK_DIRECT ? 0 : e->cells.call;
  const uint64_t number =
      __atomic_load_n(&site->instance, __ATOMIC_ACQUIRE) ^ (uint64_t)call << 32;
  access->site = (uint32_t)number;
  access->iteration = e->cells.iteration;
  return number - 1 < HEDDLE_NOTED_SITES - 1 &&
         heddle_make_notable(&e->cells, access) &&
         (access->kind == HEDDLE_ACCESS_READ ||
          !(site->flags & HEDDLE_CHECK_FIXED) ||
          heddle_has_varied(e, access->site));
}

/* The same as heddle_record_quickly() in fewer instructions, for an access that
 * is described and a block at hand; more often false. */
HEDDLE_INLINE bool heddle_note_at_once(struct heddle_execution *e,
                                       const struct heddle_check_site *site,
                                       const struct heddle_block *block,
                                       uintptr_t address, uint32_t bytes,
                                       const struct heddle_access *access) {
  struct heddle_note *note = heddle_note_at(block, address);
  const uint32_t place = heddle_what(address % HEDDLE_GRANULE, bytes, 0);
  if (heddle_is_noted(&e->cells, note))
    return heddle_noted_again(note, access, place) ||
           heddle_counted(e, site, note, access, place);
  /* Some place in a mixed block may be exempt. */
  return heddle_fits(block, address, bytes) &&
         (!(block->notes & HEDDLE_BLOCK_MIXED) ||
          (!e->exempt_count &&
           !heddle_has_cells(&e->cells,
                             heddle_note_of_granule(block, address)))) &&
         heddle_take_notes(&e->cells, block, access, address, bytes);
}

/* The loop that an access counts for, if no loop around it, no lock, no copy
 * and no clause is to be thought of; else null. */
HEDDLE_INLINE struct heddle_execution *heddle_quick_loop(uintptr_t address,
                                                         uintptr_t stack) {
  struct heddle_execution *e = heddle_quick_execution();
  /* Where the loop has been left, the second difference is a large one. */
  return e && address - stack >= e->stack - stack ? e : NULL;
}

/* The block of a place of such an access, if it is found at once; else null. */
HEDDLE_INLINE const struct heddle_block *heddle_quick_block(uintptr_t address,
                                                            uintptr_t stack) {
  const struct heddle_execution *e = heddle_quick_loop(address, stack);
  return e ? heddle_blocks_peek(&e->cells, address) : NULL;
}

/* True if a note says all of a read, or of an update, already, or is empty and
 * takes it. Whether it is empty is beyond what a processor foresees, and the
 * answer far away: so there is no branch. A place of eight bytes may take two
 * notes. */
HEDDLE_INLINE bool heddle_say(const struct heddle_block *block,
                              const struct heddle_check_site *site,
                              uintptr_t address, uint32_t bytes,
                              const struct heddle_access *access) {
  const struct heddle_execution *e = heddle_quick_execution();
  struct heddle_note *note = heddle_note_at(block, address);
  const uint32_t call = site->flags & HEDDLE_CHECK_DIRECT ? 0 : e->cells.call;
  const uint64_t number =
      __atomic_load_n(&site->instance, __ATOMIC_ACQUIRE) ^ (uint64_t)call << 32;
  const bool reads = access->kind == HEDDLE_ACCESS_READ;
  const uint32_t iteration = note->iteration, text = note->text;
  const uint32_t what =
      heddle_what(address % HEDDLE_GRANULE, bytes, access->operation) |
      (reads ? 0 : HEDDLE_NOTE_WRITES | HEDDLE_NOTE_CHANGED);
  const bool is_empty = iteration < e->cells.first;
  const uint64_t scale =
      block->notes & (HEDDLE_BLOCK_SCALE | HEDDLE_BLOCK_MIXED);
  struct heddle_note *other = &note[bytes == 8 && scale == 2];
  const uint32_t other_iteration = other->iteration, other_text = other->text;
  const bool is_simple = (scale == 2) | (bytes == 8 && scale == 3);
  const bool is_free =
      is_empty & is_simple & (other_iteration < e->cells.first) &
      !(address & (bytes - 1)) & (number - 1 < HEDDLE_NOTED_SITES - 1);
  const uint32_t said = text & ~(uint32_t)(HEDDLE_NOTED_SITES - 1);
  const bool is_said =
      ((said == what) & (reads | (iteration != e->cells.iteration))) |
      (said ==
       heddle_reported(heddle_what(address % HEDDLE_GRANULE, bytes, 0)));
  if (!(is_free | (!is_empty & is_said)))
    return false;
  if (!reads && site->flags & HEDDLE_CHECK_FIXED &&
      !heddle_has_varied(e, (uint32_t)number))
    return false;
  const uint32_t new_text =
      (access->is_silent ? what & ~HEDDLE_NOTE_CHANGED : what) |
      (uint32_t)number;
  const bool takes = __builtin_expect_with_probability(is_empty, 1, 0.5);
  other->iteration = takes ? e->cells.iteration : other_iteration;
  other->text = takes ? new_text : other_text;
  note->iteration = takes ? e->cells.iteration : iteration;
  note->text = takes ? new_text : text;
  return true;
}

#endif
