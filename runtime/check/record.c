/*===- record.c - What one access means for the loops around it -----------===*/

#include "check/record.h"
#include "check/quick.h"
#include "check/report.h"

static void add_provisional(struct heddle_execution *e,
                            const struct heddle_request *r,
                            const struct heddle_collision *with,
                            uintptr_t address, uint32_t cell) {
  e->provisional =
      heddle_grow(e->provisional, e->provisional_count,
                  &e->provisional_capacity, sizeof *e->provisional);
  e->provisional[e->provisional_count++] = (struct heddle_provisional){
      .sites = {with->site, r->access.site},
      .iterations = {heddle_iteration_of_user(e, with->iteration),
                     heddle_iteration_of_user(e, r->access.iteration)},
      .address = (const void *)address,
      .base = r->base,
      .count = 1,
      .cell = cell};
}

/* Two writes that a compiler keeps in order, if they are to one variable. */
static bool put_off(struct heddle_execution *e, const struct heddle_request *r,
                    const struct heddle_collision *with, uintptr_t address) {
  if (!(r->site->flags & HEDDLE_CHECK_FIXED) ||
      !heddle_site_has(with->site, HEDDLE_CHECK_FIXED) ||
      !heddle_note_place(e, r->access.site, address) ||
      !heddle_note_place(e, with->site, address))
    return false;
  for (uint32_t i = 0; i < e->provisional_count; ++i) {
    struct heddle_provisional *p = &e->provisional[i];
    if (!p->cell && p->sites[0] == with->site &&
        p->sites[1] == r->access.site) {
      ++p->count;
      return true;
    }
  }
  add_provisional(e, r, with, address, 0);
  return true;
}

/* Two writes of a place that may be in a buffer which each iteration fills and
 * reads itself: it is kept whole, and nobody is to need what the last one
 * leaves. That is seen of the iterations to come. */
static bool may_be_used(struct heddle_execution *e, struct heddle_cell *cell,
                        const struct heddle_request *r,
                        const struct heddle_collision *with,
                        uintptr_t address) {
  if (r->access.is_hidden || heddle_site_has(with->site, HEDDLE_CHECK_HIDDEN))
    return false;
  if (!(cell->flags & HEDDLE_CELL_PENDING)) {
    cell->flags |= HEDDLE_CELL_PENDING;
    add_provisional(e, r, with, address, (uint32_t)(cell - e->cells.pool));
    heddle_watch_uses(e);
  } else if (with->iteration > e->watched_from &&
             !heddle_has_own_use(e, r->base, with->site, with->iteration)) {
    /* Reported when the loop ends, in the order of the first two writes. */
    cell->flags |= HEDDLE_CELL_REPORTED;
  }
  return true;
}

static enum heddle_finding_kind kind_of(struct heddle_execution *e,
                                        const struct heddle_request *r,
                                        const struct heddle_collision *with,
                                        const struct heddle_cell *cell,
                                        uintptr_t address) {
  const struct heddle_check_site *site = r->site;
  switch (r->access.kind) {
  case HEDDLE_ACCESS_WRITE:
    if (!with->other_wrote) {
      if (heddle_other_than(cell->writers, r->access.iteration) < 0)
        return HEDDLE_FINDING_READS;
      /* The other one has read and written the place, too. */
      return site->flags & HEDDLE_CHECK_FIXED &&
                     heddle_note_place(e, r->access.site, address)
                 ? HEDDLE_FINDING_SEQUENTIAL
                 : HEDDLE_FINDING_ORDER;
    }
    return cell->flags & HEDDLE_CELL_HIDDEN ? HEDDLE_FINDING_TORN
                                            : HEDDLE_FINDING_ORDER;
  case HEDDLE_ACCESS_READ:
    if (site->flags & HEDDLE_CHECK_FIXED &&
        heddle_note_place(e, r->access.site, address))
      return HEDDLE_FINDING_SEQUENTIAL;
    if (!(site->flags & HEDDLE_CHECK_DECIDES))
      return HEDDLE_FINDING_READS;
    /* Nothing comes between accesses of one line. */
    return site->partner_line == site->line ? HEDDLE_FINDING_ORDER
                                            : HEDDLE_FINDING_TORN;
  case HEDDLE_ACCESS_UPDATE:
    return with->other_wrote ? HEDDLE_FINDING_TORN : HEDDLE_FINDING_READS;
  }
  return HEDDLE_FINDING_READS;
}

static bool is_locked(const struct heddle_execution *e,
                      const struct heddle_cell *cell) {
  return cell->lock && heddle_holds(e, cell->lock) &&
         e->locks[cell->lock].was_released;
}

/* True if the memory may be the thread's own, whose order means nothing: what a
 * callee reaches through the objects that it is handed, but for variables of
 * the program. */
static bool may_be_of_thread(const struct heddle_execution *e,
                             const struct heddle_request *r,
                             uintptr_t address) {
  extern char __data_start __attribute__((weak));
  extern char _end __attribute__((weak));
  return e->call_is_of_thread && !(r->site->flags & HEDDLE_CHECK_DIRECT) &&
         !(address >= (uintptr_t)&__data_start && address < (uintptr_t)&_end);
}

static uint64_t *report(struct heddle_execution *e,
                        const struct heddle_cell *cell,
                        const struct heddle_request *r,
                        const struct heddle_collision *with,
                        uintptr_t address) {
  return heddle_report_conflict(&(struct heddle_finding){
      .kind = kind_of(e, r, with, cell, address),
      .sites = {with->site, r->access.site},
      .iterations = {heddle_iteration_of_user(e, with->iteration),
                     heddle_iteration_of_user(e, r->access.iteration)},
      .writes = {with->other_wrote, r->access.kind != HEDDLE_ACCESS_READ},
      .loop = e->loop,
      .address = (const void *)address,
      .base = r->base,
      .count = 1});
}

/* True if the compiler keeps the order of both accesses, or it means
 * nothing. */
static bool order_is_kept(const struct heddle_execution *e,
                          const struct heddle_request *r,
                          const struct heddle_collision *with,
                          uintptr_t address) {
  return may_be_of_thread(e, r, address) ||
         (r->site->flags & HEDDLE_CHECK_ORDERED &&
          heddle_site_has(with->site, HEDDLE_CHECK_ORDERED));
}

static void judge(struct heddle_execution *e, struct heddle_cell *cell,
                  const struct heddle_request *r) {
  struct heddle_collision with;
  if (cell->flags & HEDDLE_CELL_REPORTED ||
      !heddle_collides(cell, &r->access, &with) || is_locked(e, cell))
    return;
  uintptr_t address = (uintptr_t)cell->granule * HEDDLE_GRANULE + cell->offset;
  if (order_is_kept(e, r, &with, address))
    return;
  if (r->access.kind == HEDDLE_ACCESS_WRITE && with.other_plain &&
      !(cell->flags & HEDDLE_CELL_HIDDEN) &&
      (put_off(e, r, &with, address) ||
       may_be_used(e, cell, r, &with, address)))
    return;
  cell->flags |= HEDDLE_CELL_REPORTED;
  cell->flags &= (uint8_t)~HEDDLE_CELL_PENDING; /* this one tells of it */
  report(e, cell, r, &with, address);
}

/* Judges an access by the note of its place alone; false if that does not do.
 * After a conflict nothing more is to be known of the place, and it needs no
 * cell. No lock is held. */
static bool judge_note(struct heddle_execution *e,
                       const struct heddle_request *r,
                       const struct heddle_block *block, uintptr_t address,
                       unsigned bytes) {
  struct heddle_note *note = heddle_note_at(block, address);
  const uint32_t place = heddle_what(address % HEDDLE_GRANULE, bytes, 0);
  if (!heddle_fits(block, address, bytes) ||
      !heddle_is_noted(&e->cells, note) ||
      (note->text & heddle_what(7, 8, 0)) != place)
    return false;
  if (heddle_counted(e, r->site, note, &r->access, place))
    return true;
  struct heddle_cell cell = {.granule = address / HEDDLE_GRANULE,
                             .offset = address % HEDDLE_GRANULE,
                             .bytes = (uint8_t)bytes};
  heddle_cell_from_note(&e->cells, &cell, note);
  struct heddle_collision with;
  if (!heddle_collides(&cell, &r->access, &with) ||
      (r->access.kind == HEDDLE_ACCESS_WRITE && with.other_plain) ||
      order_is_kept(e, r, &with, address))
    return false;
  uint64_t *count = report(e, &cell, r, &with, address);
  if (heddle_is_anywhere(e, r->site, r->access.site))
    *heddle_known_at(e, note->text, r->access.site) =
        (struct heddle_known_conflict){note->text, r->access.site,
                                       heddle_how(&r->access), count};
  heddle_set_note(note, &r->access, heddle_reported(place));
  return true;
}

static void note_lock(const struct heddle_execution *e,
                      struct heddle_cell *cell) {
  if (cell->flags & HEDDLE_CELL_UNLOCKED)
    return;
  const bool is_first = !cell->writers[0] && !cell->readers[0];
  if (is_first)
    cell->lock = heddle_held_lock(e);
  if (!cell->lock || !heddle_holds(e, cell->lock)) {
    cell->lock = 0;
    cell->flags |= HEDDLE_CELL_UNLOCKED;
  }
}

static bool overlaps(const struct heddle_cell *cell, unsigned offset,
                     unsigned bytes) {
  return cell->offset < offset + bytes && offset < cell->offset + cell->bytes;
}

/* Notes that an iteration reads what it has written itself. What a function
 * keeps for itself is to be a variable of its own. */
static void note_use(struct heddle_execution *e, const struct heddle_cell *cell,
                     const struct heddle_request *r, unsigned offset,
                     unsigned bytes) {
  for (; cell; cell = heddle_cells_next(&e->cells, cell))
    if (overlaps(cell, offset, bytes) && cell->writers[0] &&
        heddle_is_own(cell, r->access.iteration) &&
        (r->site->flags & HEDDLE_CHECK_DIRECT ||
         !heddle_is_same_function(r->access.site, cell->write_sites[0]))) {
      /* A function may write to several objects by one site. */
      const uint32_t site = cell->write_sites[0];
      heddle_note_own_use(e, r->base,
                          heddle_site_has(site, HEDDLE_CHECK_DIRECT) ? site : 0,
                          r->access.iteration);
      return;
    }
}

/* True if accesses to some place in the block count for no iteration. */
static bool is_partly_exempt(const struct heddle_execution *e,
                             uintptr_t address) {
  const uintptr_t begin = address - address % HEDDLE_BLOCK;
  const uintptr_t end = begin + HEDDLE_BLOCK;
  if (begin < e->stack && e->stack < end)
    return true;
  for (uint32_t i = 0; i < e->exempt_count; ++i)
    if (e->exempt[i].begin < end && begin < e->exempt[i].end)
      return true;
  return false;
}

static unsigned mask_of(unsigned offset, unsigned bytes) {
  return ((1u << bytes) - 1) << offset;
}

/* The bytes of a granule whose values an iteration has written itself. */
static unsigned own_bytes(const struct heddle_execution *e,
                          const struct heddle_cell *first, uint32_t iteration) {
  unsigned own = 0;
  for (const struct heddle_cell *cell = first; cell;
       cell = heddle_cells_next(&e->cells, cell))
    if (cell->writers[0] && heddle_is_own(cell, iteration))
      own |= mask_of(cell->offset, cell->bytes);
  return own;
}

/* Records a read in cells of the bytes that are not the iteration's own. */
static void record_rest(struct heddle_execution *e,
                        const struct heddle_request *r,
                        struct heddle_note *notes, uintptr_t address,
                        unsigned bytes, unsigned own) {
  const uintptr_t granule = address - address % HEDDLE_GRANULE;
  unsigned end = (unsigned)(address - granule) + bytes;
  for (unsigned at = end - bytes, next; at < end; at = next) {
    const bool is_own = own >> at & 1;
    for (next = at + 1; next < end && (own >> next & 1) == is_own;)
      ++next;
    if (is_own)
      continue;
    struct heddle_cell *cell =
        heddle_cells_at(&e->cells, notes, granule + at, (uint8_t)(next - at));
    note_lock(e, cell);
    heddle_record(cell, &r->access);
  }
}

/* An access within one granule. Cells of other places in it, such as a field of
 * a structure that is copied as a whole, are judged too. */
static void access_part(struct heddle_execution *e, struct heddle_request *r,
                        uintptr_t address, unsigned bytes) {
  const bool reads = r->access.kind == HEDDLE_ACCESS_READ;
  const unsigned offset = address % HEDDLE_GRANULE;
  const unsigned place = mask_of(offset, bytes);
  struct heddle_block *block = heddle_blocks_at(&e->cells, address, bytes);
  if (is_partly_exempt(e, address))
    block->notes |= HEDDLE_BLOCK_MIXED;
  struct heddle_note *notes = heddle_note_of_granule(block, address);
  if (!heddle_has_cells(&e->cells, notes)) {
    if (!e->held_count && !e->watched_from &&
        heddle_make_notable(&e->cells, &r->access) &&
        (heddle_noted(&e->cells, block, &r->access, address, bytes) ||
         judge_note(e, r, block, address, bytes)))
      return;
    heddle_notes_to_cells(&e->cells, block, address);
  }
  struct heddle_cell *own =
      heddle_cells_at(&e->cells, notes, address, (uint8_t)bytes);
  struct heddle_cell *first = heddle_cells_first(&e->cells, notes);
  note_lock(e, own);
  if (reads && !r->access.is_hidden && e->watched_from)
    note_use(e, first, r, offset, bytes);
  const unsigned written =
      reads && first->next ? own_bytes(e, first, r->access.iteration) : 0;
  if (!(place & ~written) && !heddle_is_own(own, r->access.iteration))
    return;
  judge(e, own, r);
  if (!first->next || (reads && heddle_is_own(own, r->access.iteration))) {
    heddle_record(own, &r->access);
    return;
  }
  for (struct heddle_cell *cell = first; cell;
       cell = heddle_cells_next(&e->cells, cell)) {
    const unsigned common = mask_of(cell->offset, cell->bytes) & place;
    if (cell == own || !(common & ~written))
      continue;
    note_lock(e, cell);
    judge(e, cell, r);
    if (!reads && common == mask_of(cell->offset, cell->bytes))
      heddle_record(cell, &r->access);
  }
  if (written & place)
    record_rest(e, r, notes, address, bytes, written);
  else
    heddle_record(own, &r->access);
}

static void access_loop(struct heddle_execution *e, struct heddle_request *r,
                        uintptr_t address, uint64_t bytes) {
  if (!heddle_has_begun(e) || heddle_is_exempt(e, address, r->stack))
    return;
  if (r->site->flags & HEDDLE_CHECK_FIXED &&
      r->access.kind != HEDDLE_ACCESS_READ)
    heddle_note_place(e, r->access.site, address);
  while (bytes) {
    uint64_t part = HEDDLE_GRANULE - address % HEDDLE_GRANULE;
    if (part > bytes)
      part = bytes;
    access_part(e, r, address, (unsigned)part);
    address += part;
    bytes -= part;
  }
}

void heddle_record_place(struct heddle_execution *innermost,
                         struct heddle_request *r, uintptr_t place,
                         uint64_t bytes) {
  struct heddle_execution *e = innermost;
  for (int depth = 0; e && depth < HEDDLE_NESTED_LOOPS; ++depth, e = e->outer) {
    r->access.iteration = e->cells.iteration;
    if (bytes == r->site->bytes && !e->held_count && !e->watched_from &&
        heddle_has_begun(e) &&
        heddle_record_quickly(innermost, e, r->site, place, r->stack,
                              &r->access))
      continue;
    r->access.site = heddle_number_of(innermost, e, r->site);
    access_loop(e, r, place, bytes);
  }
}

/* Writes into a copy wait until it is copied back. What the iteration reads
 * there, but for its own writes, it has read in the object. */
static void access_copy(struct heddle_execution *innermost,
                        struct heddle_copy *copy, struct heddle_request *r,
                        uintptr_t place, uint64_t bytes) {
  uintptr_t offset = place - copy->begin;
  uint32_t kept = copy->write_count < HEDDLE_COPIED_WRITES
                      ? copy->write_count
                      : HEDDLE_COPIED_WRITES;
  if (r->access.kind != HEDDLE_ACCESS_READ) {
    if (copy->write_count <= HEDDLE_COPIED_WRITES)
      ++copy->write_count;
    if (kept < HEDDLE_COPIED_WRITES)
      copy->writes[kept] =
          (struct heddle_copied_write){r->site, r->access, offset, bytes};
    return;
  }
  for (uint32_t i = 0; i < kept; ++i)
    if (copy->writes[i].access.kind == HEDDLE_ACCESS_WRITE &&
        copy->writes[i].offset <= offset &&
        offset + bytes <= copy->writes[i].offset + copy->writes[i].bytes)
      return;
  heddle_record_place(innermost, r, copy->object + offset, bytes);
}

void heddle_record_access(struct heddle_execution *innermost,
                          struct heddle_request *r, const void *address,
                          uint64_t bytes) {
  r->access.is_hidden = r->site->flags & HEDDLE_CHECK_HIDDEN;
  uintptr_t place = (uintptr_t)address;
  struct heddle_copy *copy = heddle_find_copy(innermost, place);
  if (copy)
    access_copy(innermost, copy, r, place, bytes);
  else
    heddle_record_place(innermost, r, place, bytes);
}
