/*===- access.c - What iterations read and write --------------------------===*/

#include "check/check.h"
#include "check/conflicts.h"
#include "check/execution.h"
#include "check/report.h"

#include <string.h>

/* An access on its way to the cells of a loop. */
struct request {
  const struct heddle_check_site *site;
  const void *base;
  uintptr_t stack;
  struct heddle_access access;
};

/* Two writes that a compiler keeps in order, if they are to one variable. */
static bool put_off(struct heddle_execution *e, const struct request *r,
                    const struct heddle_collision *with, uintptr_t address) {
  if (!(r->site->flags & HEDDLE_CHECK_FIXED) ||
      !heddle_site_has(with->site, HEDDLE_CHECK_FIXED) ||
      !heddle_note_place(e, r->access.site, address) ||
      !heddle_note_place(e, with->site, address))
    return false;
  for (uint32_t i = 0; i < e->provisional_count; ++i) {
    struct heddle_provisional *p = &e->provisional[i];
    if (p->sites[0] == with->site && p->sites[1] == r->access.site) {
      ++p->count;
      return true;
    }
  }
  e->provisional =
      heddle_grow(e->provisional, e->provisional_count,
                  &e->provisional_capacity, sizeof *e->provisional);
  e->provisional[e->provisional_count++] = (struct heddle_provisional){
      .sites = {with->site, r->access.site},
      .iterations = {with->iteration, r->access.iteration},
      .address = (const void *)address,
      .base = r->base,
      .count = 1};
  return true;
}

static enum heddle_finding_kind kind_of(struct heddle_execution *e,
                                        const struct request *r,
                                        const struct heddle_collision *with,
                                        const struct heddle_cell *cell,
                                        uintptr_t address) {
  const struct heddle_check_site *site = r->site;
  switch (r->access.kind) {
  case HEDDLE_ACCESS_WRITE:
    if (!with->other_wrote)
      return HEDDLE_FINDING_READS;
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
                             const struct request *r, uintptr_t address) {
  extern char __data_start __attribute__((weak));
  extern char _end __attribute__((weak));
  return e->call_is_of_thread && !(r->site->flags & HEDDLE_CHECK_DIRECT) &&
         !(address >= (uintptr_t)&__data_start && address < (uintptr_t)&_end);
}

static void judge(struct heddle_execution *e, struct heddle_cell *cell,
                  const struct request *r) {
  struct heddle_collision with;
  if (cell->flags & HEDDLE_CELL_REPORTED ||
      !heddle_collides(cell, &r->access, &with) || is_locked(e, cell))
    return;
  uintptr_t address = (uintptr_t)cell->granule * HEDDLE_GRANULE + cell->offset;
  if (may_be_of_thread(e, r, address) ||
      (r->site->flags & HEDDLE_CHECK_ORDERED &&
       heddle_site_has(with.site, HEDDLE_CHECK_ORDERED)))
    return;
  if (r->access.kind == HEDDLE_ACCESS_WRITE && with.other_plain &&
      !(cell->flags & HEDDLE_CELL_HIDDEN) && put_off(e, r, &with, address))
    return;
  cell->flags |= HEDDLE_CELL_REPORTED;
  heddle_report_conflict(&(struct heddle_finding){
      .kind = kind_of(e, r, &with, cell, address),
      .sites = {with.site, r->access.site},
      .iterations = {with.iteration, r->access.iteration},
      .writes = {with.other_wrote, r->access.kind != HEDDLE_ACCESS_READ},
      .loop = e->loop,
      .address = (const void *)address,
      .base = r->base,
      .count = 1});
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

/* True if a note can say all of an access. */
static bool is_notable(const struct heddle_execution *e,
                       const struct request *r) {
  return !e->held_count && r->access.site < HEDDLE_MOST_NOTED_SITES &&
         (r->access.kind == HEDDLE_ACCESS_READ ||
          (r->access.kind == HEDDLE_ACCESS_WRITE && !r->access.is_silent));
}

/* Lets the note of a granule say what an access does, if it can say that and
 * what it has said before. */
static bool noted(const struct request *r, struct heddle_note *note,
                  unsigned offset, unsigned bytes) {
  enum { Half = HEDDLE_GRANULE / 2 };
  const bool reads = r->access.kind == HEDDLE_ACCESS_READ;
  struct heddle_half *half = &note->halves[offset >= Half];
  const struct heddle_half *other = &note->halves[offset < Half];
  const unsigned extent = heddle_extent(offset, bytes);
  if (half->iteration) {
    const bool is_own = half->extent == (extent | HEDDLE_WRITTEN) &&
                        half->iteration == r->access.iteration;
    if (is_own && !reads)
      half->site = r->access.site & (HEDDLE_MOST_NOTED_SITES - 1);
    return is_own ? !(reads && r->access.is_hidden)
                  : reads && half->extent == extent;
  }
  const bool overlaps_other =
      other->iteration &&
      (offset < Half ? offset + bytes > Half
                     : (other->extent >> 3 & 7) + (other->extent & 7u) >= Half);
  if (overlaps_other)
    return false;
  half->iteration = r->access.iteration;
  half->site = r->access.site & (HEDDLE_MOST_NOTED_SITES - 1);
  half->extent = (reads ? extent : extent | HEDDLE_WRITTEN) & 0xff;
  return true;
}

/* An access within one granule. Cells of other places in it, such as a field of
 * a structure that is copied as a whole, are judged too. */
static void access_part(struct heddle_execution *e, const struct request *r,
                        uintptr_t address, unsigned bytes) {
  const bool reads = r->access.kind == HEDDLE_ACCESS_READ;
  uint64_t granule = address / HEDDLE_GRANULE;
  unsigned offset = address % HEDDLE_GRANULE;
  struct heddle_note *note = heddle_notes_at(&e->cells, granule);
  if (!heddle_note_has_cells(note)) {
    if (is_notable(e, r) && noted(r, note, offset, bytes))
      return;
    heddle_note_to_cells(&e->cells, note, granule);
  }
  struct heddle_cell *own = heddle_cells_at(&e->cells, note, granule,
                                            (uint8_t)offset, (uint8_t)bytes);
  struct heddle_cell *first = heddle_cells_first(&e->cells, note);
  note_lock(e, own);
  judge(e, own, r);
  if (!first->next || (reads && heddle_is_own(own, r->access.iteration))) {
    heddle_record(own, &r->access);
    return;
  }
  bool wrote_part = false;
  for (struct heddle_cell *cell = first; cell;
       cell = heddle_cells_next(&e->cells, cell)) {
    if (cell == own || !overlaps(cell, offset, bytes))
      continue;
    judge(e, cell, r);
    if (reads)
      wrote_part |= heddle_is_own(cell, r->access.iteration);
    else if (offset <= cell->offset &&
             cell->offset + cell->bytes <= offset + bytes)
      heddle_record(cell, &r->access);
  }
  if (!wrote_part)
    heddle_record(own, &r->access);
}

static void access_loop(struct heddle_execution *e, struct request *r,
                        uintptr_t address, uint64_t bytes) {
  r->access.iteration = e->iteration;
  if (!e->iteration || heddle_is_exempt(e, address, r->stack))
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

/* heddle_site_number without its lock where the loop has asked before. */
static uint32_t number_of(struct heddle_execution *innermost,
                          struct heddle_check_site *site, uint32_t call) {
  struct heddle_numbered *at =
      &innermost
           ->numbered[((uintptr_t)site >> 4 ^ call * 31u) % HEDDLE_NUMBERED];
  if (at->site != site || at->call != call) {
    at->site = site;
    at->call = call;
    at->number = heddle_site_number(site, call);
  }
  return at->number;
}

/* The number of a site for loop `e`. */
static uint32_t site_of(struct heddle_execution *innermost,
                        const struct heddle_execution *e,
                        struct heddle_check_site *site) {
  return number_of(innermost, site,
                   site->flags & HEDDLE_CHECK_DIRECT ? 0 : e->call);
}

/* An access to `place` counts for all loops around it. */
static void access_loops(struct heddle_execution *innermost,
                         struct heddle_check_site *site, struct request *r,
                         uintptr_t place, uint64_t bytes) {
  struct heddle_execution *e = innermost;
  r->site = site;
  for (int depth = 0; e && depth < HEDDLE_NESTED_LOOPS; ++depth, e = e->outer) {
    r->access.site = site_of(innermost, e, site);
    access_loop(e, r, place, bytes);
  }
}

/* Writes into a copy wait until it is copied back. What the iteration reads
 * there, but for its own writes, it has read in the object. */
static void access_copy(struct heddle_execution *innermost,
                        struct heddle_copy *copy,
                        struct heddle_check_site *site, struct request *r,
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
          (struct heddle_copied_write){site, r->access, offset, bytes};
    return;
  }
  for (uint32_t i = 0; i < kept; ++i)
    if (copy->writes[i].access.kind == HEDDLE_ACCESS_WRITE &&
        copy->writes[i].offset <= offset &&
        offset + bytes <= copy->writes[i].offset + copy->writes[i].bytes)
      return;
  access_loops(innermost, site, r, copy->object + offset, bytes);
}

static void access_place(struct heddle_execution *innermost,
                         struct heddle_check_site *site, struct request *r,
                         const void *address, uint64_t bytes) {
  r->access.is_hidden = site->flags & HEDDLE_CHECK_HIDDEN;
  uintptr_t place = (uintptr_t)address;
  struct heddle_copy *copy = heddle_find_copy(innermost, place);
  if (copy)
    access_copy(innermost, copy, site, r, place, bytes);
  else
    access_loops(innermost, site, r, place, bytes);
}

/* Does nothing outside of the loops that are checked. */
static void access_if_checked(struct heddle_check_site *site, struct request *r,
                              const void *address, uint64_t bytes) {
  struct heddle_execution *e = heddle_current_execution(r->stack);
  if (e)
    access_place(e, site, r, address, bytes);
}

/* True if only one loop is to record an access, in the usual way. */
static bool is_simple(const struct heddle_execution *e) {
  return !e->outer && !e->copy_count && !e->held_count && e->iteration;
}

/* True if there is nothing to record of a read: the place has been read before
 * and not written since, or by the iteration itself. */
static bool is_known(const struct heddle_execution *e,
                     const struct heddle_check_site *site,
                     const void *address) {
  const unsigned offset = (uintptr_t)address % HEDDLE_GRANULE;
  if (!is_simple(e) || offset + site->bytes > HEDDLE_GRANULE)
    return false;
  const struct heddle_note *note =
      heddle_notes_find(&e->cells, (uintptr_t)address / HEDDLE_GRANULE);
  if (!note)
    return false;
  if (heddle_note_has_cells(note)) {
    const struct heddle_cell *cell = heddle_cells_first(&e->cells, note);
    return cell && cell->readers[0] == e->iteration && cell->offset == offset &&
           cell->bytes == site->bytes;
  }
  const struct heddle_half *half = &note->halves[offset >= HEDDLE_GRANULE / 2];
  const unsigned extent = heddle_extent(offset, site->bytes);
  return half->iteration && (half->extent == extent ||
                             (half->extent == (extent | HEDDLE_WRITTEN) &&
                              half->iteration == e->iteration &&
                              !(site->flags & HEDDLE_CHECK_HIDDEN)));
}

/* Records an update of a place that has only been updated so. */
static bool update_again(struct heddle_execution *e,
                         struct heddle_check_site *site, const void *address,
                         uint64_t value) {
  const unsigned offset = (uintptr_t)address % HEDDLE_GRANULE;
  const bool is_silent = site->flags & HEDDLE_CHECK_DECIDES;
  if (!is_simple(e) || site->flags & HEDDLE_CHECK_FIXED)
    return false;
  const struct heddle_note *note =
      heddle_notes_find(&e->cells, (uintptr_t)address / HEDDLE_GRANULE);
  if (!note || !heddle_note_has_cells(note))
    return false;
  struct heddle_cell *cell = heddle_cells_first(&e->cells, note);
  if (!cell || cell->next || cell->offset != offset ||
      cell->bytes != site->bytes || cell->operation != site->operation ||
      cell->value != value || cell->readers[0] || !cell->writers[0] ||
      (cell->flags | (is_silent ? HEDDLE_CELL_CHANGED : 0)) !=
          (HEDDLE_CELL_CHANGED | HEDDLE_CELL_UNLOCKED))
    return false;
  heddle_record(cell,
                &(struct heddle_access){.kind = HEDDLE_ACCESS_UPDATE,
                                        .operation = (uint8_t)site->operation,
                                        .is_silent = is_silent,
                                        .iteration = e->iteration,
                                        .site = site_of(e, e, site),
                                        .value = value});
  return true;
}

static bool has_value(const void *address, uint64_t value, uint32_t bytes) {
  switch (bytes) {
  case 4:
    return !memcmp(address, &value, 4);
  case 8:
    return !memcmp(address, &value, 8);
  default:
    return bytes <= sizeof value && !memcmp(address, &value, bytes);
  }
}

void heddle_check_read(struct heddle_check_site *site, const void *address,
                       const void *base) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  struct heddle_execution *e = heddle_current_execution(stack);
  if (!e || is_known(e, site, address))
    return;
  struct request r = {
      .base = base, .stack = stack, .access.kind = HEDDLE_ACCESS_READ};
  access_place(e, site, &r, address, site->bytes);
}

void heddle_check_write(struct heddle_check_site *site, const void *address,
                        const void *base, uint64_t value) {
  struct request r = {
      .base = base,
      .stack = (uintptr_t)__builtin_frame_address(0),
      .access = {.kind = HEDDLE_ACCESS_WRITE,
                 .is_silent = has_value(address, value, site->bytes)}};
  access_if_checked(site, &r, address, site->bytes);
}

void heddle_check_update(struct heddle_check_site *site, const void *address,
                         const void *base, uint64_t value) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  struct heddle_execution *e = heddle_current_execution(stack);
  if (!e || update_again(e, site, address, value))
    return;
  struct request r = {
      .base = base,
      .stack = stack,
      .access = {.kind = HEDDLE_ACCESS_UPDATE,
                 .operation = (uint8_t)site->operation,
                 .is_silent = site->flags & HEDDLE_CHECK_DECIDES,
                 .value = value}};
  access_place(e, site, &r, address, site->bytes);
}

void heddle_check_read_range(struct heddle_check_site *site,
                             const void *address, uint64_t bytes) {
  struct request r = {.base = address,
                      .stack = (uintptr_t)__builtin_frame_address(0),
                      .access.kind = HEDDLE_ACCESS_READ};
  if (bytes)
    access_if_checked(site, &r, address, bytes);
}

void heddle_check_write_range(struct heddle_check_site *site,
                              const void *address, uint64_t bytes,
                              const void *from) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  struct heddle_execution *e = heddle_current_execution(stack);
  if (!e || !bytes)
    return;
  struct request r = {
      .base = address,
      .stack = stack,
      .access = {.kind = HEDDLE_ACCESS_WRITE,
                 .is_silent = from && !memcmp(address, from, bytes)}};
  access_place(e, site, &r, address, bytes);
}

void heddle_check_define(struct heddle_check_site *site, const void *address,
                         const void *base) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  struct heddle_execution *e = heddle_current_execution(stack);
  if (!e)
    return;
  heddle_check_fresh(address, site->bytes);
  struct request r = {
      .base = base, .stack = stack, .access.kind = HEDDLE_ACCESS_WRITE};
  access_place(e, site, &r, address, site->bytes);
}

void heddle_check_copy_in(struct heddle_check_site *site, const void *variable,
                          const void *object, uint64_t bytes) {
  struct heddle_execution *e =
      heddle_current_execution((uintptr_t)__builtin_frame_address(0));
  if (!e || !bytes)
    return;
  heddle_check_fresh(variable, bytes);
  if (e->copy_count == HEDDLE_COPIES) {
    heddle_check_read_range(site, object, bytes);
    return;
  }
  struct heddle_copy *copy = &e->copies[e->copy_count++];
  copy->begin = (uintptr_t)variable;
  copy->end = (uintptr_t)variable + bytes;
  copy->object = (uintptr_t)object;
  copy->write_count = 0;
}

void heddle_check_copy_out(struct heddle_check_site *site, const void *object,
                           const void *variable, uint64_t bytes) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  struct heddle_execution *e = heddle_current_execution(stack);
  if (!e)
    return;
  struct heddle_copy *copy = heddle_find_copy(e, (uintptr_t)variable);
  if (!copy || copy->begin != (uintptr_t)variable ||
      copy->object != (uintptr_t)object ||
      copy->write_count > HEDDLE_COPIED_WRITES) {
    heddle_check_write_range(site, object, bytes, variable);
    return;
  }
  for (uint32_t i = 0; i < copy->write_count; ++i) {
    struct heddle_copied_write *w = &copy->writes[i];
    struct request r = {.base = object, .stack = stack, .access = w->access};
    access_loops(e, w->site, &r, copy->object + w->offset, w->bytes);
  }
  copy->write_count = 0;
}

void heddle_check_read_string(struct heddle_check_site *site,
                              const char *string) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (string && heddle_current_execution(stack))
    heddle_check_read_range(site, string, strlen(string) + 1);
}

void heddle_check_write_string(struct heddle_check_site *site,
                               const char *string) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  if (string && heddle_current_execution(stack))
    heddle_check_write_range(site, string, strlen(string) + 1, NULL);
}
