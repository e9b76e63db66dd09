/*===- execution.h - The loops that a thread is executing -------------------===
 *
 * Each execution of an annotated loop has cells of its own. A loop that an
 * iteration reaches, in a callee or by recursion, lies on top of it; accesses
 * count for the innermost loops.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_EXECUTION_H
#define HEDDLE_RUNTIME_CHECK_EXECUTION_H

#include "check/cells.h"
#include "check/check.h"
#include "check/conflicts.h"
#include <stdbool.h>

/* Accesses count for so many loops around them. */
enum {
  HEDDLE_NESTED_LOOPS = 3,
  HEDDLE_HELD_LOCKS = 8,
  HEDDLE_COPIES = 4,
  HEDDLE_COPIED_WRITES = 16,
  HEDDLE_NUMBERED = 256,
  HEDDLE_VARIED = 64,
  HEDDLE_OWN_USES = 32,
  HEDDLE_KNOWN_CONFLICTS = 64,
  HEDDLE_LOGGED = 64
};

/* Two writes of one variable that are harmless as long as it is a variable: as
 * long as the sites access the same place in all iterations. Or two of a place,
 * that of `cell`, that are as long as each iteration uses what it writes to the
 * object. */
struct heddle_provisional {
  uint32_t sites[2];
  uint64_t iterations[2];
  const void *address, *base;
  uint64_t count;
  uint32_t cell; /* 0 for a variable */
};

/* `iteration`, the last one, has read some of what it had written itself: in an
 * object, by what indexes in it count from, or by a site, whose number is then
 * inverted. */
struct heddle_own_use {
  uintptr_t what;
  uint32_t iteration;
};

/* A conflict that has been reported: that an access, `how`, by `site` is in one
 * with that of a note. */
struct heddle_known_conflict {
  uint32_t text, site, how;
  uint64_t *count; /* of the finding; null if there is none */
};

/* The place of a site whose function finds it without an index. */
struct heddle_fixed_place {
  uint32_t site, execution; /* its number */
  uintptr_t address;        /* 0 if there are several */
};

/* A lock that some iteration may have held. */
struct heddle_known_lock {
  uintptr_t address;
  bool was_released;
};

struct heddle_range {
  uintptr_t begin, end;
};

/* A write into a copy, which is one into the object if that is copied back. */
struct heddle_copied_write {
  struct heddle_check_site *site;
  struct heddle_access access;
  uintptr_t offset;
  uint64_t bytes;
};

/* A variable of the iteration that stands for an object. */
struct heddle_copy {
  uintptr_t begin, end; /* of the variable */
  uintptr_t object;
  uint32_t write_count; /* up to HEDDLE_COPIED_WRITES + 1 if there are more */
  struct heddle_copied_write writes[HEDDLE_COPIED_WRITES];
};

/* The number of a site, if called from `call`. */
struct heddle_numbered {
  const struct heddle_check_site *site;
  uint32_t call, number;
};

/* Of an entry of the log, see log.h. `what` is the address of a site, or of a
 * function, and one of these. */
enum heddle_logged_kind {
  HEDDLE_LOGGED_READ,
  HEDDLE_LOGGED_WRITE,
  HEDDLE_LOGGED_SILENT_WRITE,
  HEDDLE_LOGGED_UPDATE,
  /* A function that records several accesses: of the address, the base and
   * `value`. */
  HEDDLE_LOGGED_GROUP,
  HEDDLE_LOGGED_KINDS = 8
};

struct heddle_logged {
  uintptr_t address;
  const void *base;
  uintptr_t what;
  uint64_t value; /* of an update */
  uint32_t iteration;
  uint32_t call;
};

struct heddle_execution {
  struct heddle_cells cells; /* first, see heddle_quick_execution() */
  struct heddle_execution *outer;
  uintptr_t stack; /* below it, the stack belongs to the iteration */
  const struct heddle_check_loop *loop;
  struct heddle_cells *if_quick; /* heddle_check_quick in new iterations */
  uint32_t pauses;               /* around the loop */
  uint64_t iterations_before;    /* that `iteration` has not counted */

  /* Of the iteration: zero at its begin. */
  uint32_t copy_count, held_count;
  uint32_t call_is_of_thread; /* HEDDLE_CHECK_OF_THREAD, or 0 */

  uint32_t number; /* another one for each execution */

  struct heddle_copy copies[HEDDLE_COPIES];

  uint32_t held[HEDDLE_HELD_LOCKS]; /* indexes of `locks`, outermost first */
  struct heddle_known_lock *locks;  /* [0] is unused */
  uint32_t lock_count, lock_capacity;

  struct heddle_range *exempt;
  uint32_t exempt_count, exempt_capacity;

  struct heddle_provisional *provisional;
  uint32_t provisional_count, provisional_capacity;
  /* The iteration in which some became those of places, or 0: no access of the
   * next ones is quick. */
  uint32_t watched_from;

  struct heddle_own_use own_uses[HEDDLE_OWN_USES]; /* the last ones */

  struct heddle_known_conflict known[HEDDLE_KNOWN_CONFLICTS];

  struct heddle_fixed_place *places; /* a hash table */
  uint32_t place_count, place_capacity;
  /* Sites that have several, with the number of the execution above. */
  uint64_t varied[HEDDLE_VARIED];

  struct heddle_numbered
      numbered[HEDDLE_NUMBERED]; /* stays for the next loop */

  struct heddle_logged log[HEDDLE_LOGGED];
  /* Iterations that have been timed, see log.c. */
  uint32_t slice, chosen;
  uint64_t slice_begin, slice_times[2];
};

/* Such variables are quick, but there is room for few bytes of them in
 * libraries that are loaded later: caches are on the heap. */
#define HEDDLE_THREAD __thread __attribute__((tls_model("initial-exec")))

/* The innermost loop of this thread, or null, and how many pauses there are
 * around what it is doing. */
extern HEDDLE_THREAD struct heddle_execution *heddle_innermost;
extern HEDDLE_THREAD uint32_t heddle_pauses;
/* True while the log is worked off: no loop is left then. */
extern HEDDLE_THREAD bool heddle_works_off;
/* True if the loop has begun its first iteration. */
HEDDLE_INLINE bool heddle_has_begun(const struct heddle_execution *e) {
  return e->cells.iteration >= e->cells.first;
}

/* Sets heddle_check_quick, after anything that it depends on has changed. */
HEDDLE_INLINE void heddle_choose_quick(void) {
  struct heddle_execution *e = heddle_innermost;
  heddle_check_quick = e && !heddle_pauses && !e->copy_count &&
                               !e->held_count && heddle_has_begun(e)
                           ? e->if_quick
                           : NULL;
}

/* The execution that heddle_check_quick is of, or null. */
HEDDLE_INLINE struct heddle_execution *heddle_quick_execution(void) {
  return (struct heddle_execution *)heddle_check_quick;
}

/* Removes the loops whose functions were left by an exception or longjmp:
 * `stack` is in a frame of a function that their iterations do not call.
 * Returns what is then the innermost loop. */
struct heddle_execution *heddle_drop_left(uintptr_t stack);

/* Ends all loops of the thread, which does not come back to them. */
void heddle_end_loops(void);

/* The number of an iteration as users count, from 0. */
HEDDLE_INLINE uint64_t heddle_iteration_of_user(
    const struct heddle_execution *execution, uint32_t iteration) {
  return execution->iterations_before + iteration - execution->cells.first;
}

/* The innermost loop whose iterations are to be recorded, or null; `stack` is
 * the address of a frame of the code that asks. */
HEDDLE_INLINE struct heddle_execution *
heddle_current_execution(uintptr_t stack) {
  struct heddle_execution *e = heddle_innermost;
  if (!e || heddle_pauses)
    return NULL;
  return e->stack < stack ? heddle_drop_left(stack) : e;
}

/* True if the place is the iteration's own, or named in a clause. */
HEDDLE_INLINE bool heddle_is_exempt(const struct heddle_execution *execution,
                                    uintptr_t address, uintptr_t stack) {
  if (address >= stack && address < execution->stack)
    return true;
  for (uint32_t i = 0; i < execution->exempt_count; ++i)
    if (address >= execution->exempt[i].begin &&
        address < execution->exempt[i].end)
      return true;
  return false;
}

/* The copy that `address` lies in, or null. */
struct heddle_copy *heddle_find_copy(struct heddle_execution *execution,
                                     uintptr_t address);

/* The lock of the first access to a place, and whether a cell's is held. */
uint32_t heddle_held_lock(const struct heddle_execution *execution);
bool heddle_holds(const struct heddle_execution *execution, uint32_t lock);

/* heddle_site_number without its lock where the loop has asked before. */
uint32_t heddle_remembered_number(struct heddle_execution *execution,
                                  struct heddle_check_site *site,
                                  uint32_t call);

HEDDLE_INLINE struct heddle_fixed_place *
heddle_place_of(const struct heddle_execution *e, uint32_t site) {
  uint32_t at = site * 0x9e3779b1u & (e->place_capacity - 1);
  while (e->places[at].execution == e->number && e->places[at].site != site)
    at = (at + 1) & (e->place_capacity - 1);
  return &e->places[at];
}

HEDDLE_INLINE uint64_t heddle_varied(const struct heddle_execution *e,
                                     uint32_t site) {
  return (uint64_t)e->number << 32 | site;
}

/* True if it is at hand that a fixed site has had several places. */
HEDDLE_INLINE bool heddle_has_varied(const struct heddle_execution *e,
                                     uint32_t site) {
  return e->varied[site % HEDDLE_VARIED] == heddle_varied(e, site);
}

/* True if to note the place of a fixed site would change nothing. */
HEDDLE_INLINE bool heddle_is_noted_place(const struct heddle_execution *e,
                                         uint32_t site, uintptr_t address) {
  if (!e->place_capacity)
    return false;
  const struct heddle_fixed_place *place = heddle_place_of(e, site);
  return place->execution == e->number &&
         (place->address == address || !place->address);
}

/* Notes the place of a fixed site, and says whether it has had only one. */
bool heddle_note_place(struct heddle_execution *execution, uint32_t site,
                       uintptr_t address);

/* Sees to it that all reads are looked at from now on. */
void heddle_watch_uses(struct heddle_execution *execution);
/* Notes that an iteration has read what it wrote itself to an object, or by
 * `site`, unless that is 0. */
void heddle_note_own_use(struct heddle_execution *execution, const void *base,
                         uint32_t site, uint32_t iteration);
/* True if `iteration`, or a later one, has read some of what it wrote by
 * `site`, or of what it wrote to the object. */
bool heddle_has_own_use(const struct heddle_execution *execution,
                        const void *base, uint32_t site, uint32_t iteration);

/* Makes room for one more element in an array of the runtime's own. */
void *heddle_grow(void *array, uint32_t count, uint32_t *capacity,
                  size_t element);

#endif
