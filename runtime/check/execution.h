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
#include "check/conflicts.h"
#include <stdbool.h>

/* Accesses count for so many loops around them. */
enum {
  HEDDLE_NESTED_LOOPS = 3,
  HEDDLE_HELD_LOCKS = 8,
  HEDDLE_COPIES = 4,
  HEDDLE_COPIED_WRITES = 16,
  HEDDLE_NUMBERED = 256
};

/* Two writes of one variable that are harmless as long as it is a variable: as
 * long as the sites access the same place in all iterations. */
struct heddle_provisional {
  uint32_t sites[2], iterations[2];
  const void *address, *base;
  uint64_t count;
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

struct heddle_execution {
  struct heddle_execution *outer;
  uintptr_t stack;    /* below it, the stack belongs to the iteration */
  uint32_t iteration; /* counts from 1 */
  uint32_t copy_count, held_count;
  uint32_t number; /* another one for each execution */
  struct heddle_cells cells;

  const struct heddle_check_loop *loop;
  uint32_t call; /* the number of the call that the loop has made last */
  bool call_is_of_thread; /* HEDDLE_CHECK_OF_THREAD */

  struct heddle_copy copies[HEDDLE_COPIES];

  uint32_t held[HEDDLE_HELD_LOCKS]; /* indexes of `locks`, outermost first */
  struct heddle_known_lock *locks;  /* [0] is unused */
  uint32_t lock_count, lock_capacity;

  struct heddle_range *exempt;
  uint32_t exempt_count, exempt_capacity;

  struct heddle_provisional *provisional;
  uint32_t provisional_count, provisional_capacity;

  struct heddle_fixed_place *places; /* a hash table */
  uint32_t place_count, place_capacity;

  struct heddle_numbered
      numbered[HEDDLE_NUMBERED]; /* stays for the next loop */
};

/* Such variables are quick, but there is room for few bytes of them in
 * libraries that are loaded later: caches are on the heap. */
#define HEDDLE_THREAD __thread __attribute__((tls_model("initial-exec")))

/* The innermost loop of this thread, or null, and how many pauses there are
 * around what it is doing. */
extern HEDDLE_THREAD struct heddle_execution *heddle_innermost;
extern HEDDLE_THREAD uint32_t heddle_pauses;

/* Removes the loops whose functions were left by an exception or longjmp:
 * `stack` is in a frame of a function that their iterations do not call.
 * Returns what is then the innermost loop. */
struct heddle_execution *heddle_drop_left(uintptr_t stack);

/* The innermost loop whose iterations are to be recorded, or null; `stack` is
 * the address of a frame of the code that asks. */
static inline struct heddle_execution *
heddle_current_execution(uintptr_t stack) {
  struct heddle_execution *e = heddle_innermost;
  if (!e || heddle_pauses)
    return NULL;
  return e->stack < stack ? heddle_drop_left(stack) : e;
}

/* True if the place is the iteration's own, or named in a clause. */
bool heddle_is_exempt(const struct heddle_execution *execution,
                      uintptr_t address, uintptr_t stack);

/* The copy that `address` lies in, or null. */
struct heddle_copy *heddle_find_copy(struct heddle_execution *execution,
                                     uintptr_t address);

/* The lock of the first access to a place, and whether a cell's is held. */
uint32_t heddle_held_lock(const struct heddle_execution *execution);
bool heddle_holds(const struct heddle_execution *execution, uint32_t lock);

/* Notes the place of a fixed site, and says whether it has had only one. */
bool heddle_note_place(struct heddle_execution *execution, uint32_t site,
                       uintptr_t address);

/* Makes room for one more element in an array of the runtime's own. */
void *heddle_grow(void *array, uint32_t count, uint32_t *capacity,
                  size_t element);

#endif
