/*===- record.h - What one access means for the loops around it -------------===
 *
 * Records an access in the cells of all loops around it, judges it against what
 * other iterations have done there, and reports conflicts.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_CHECK_RECORD_H
#define HEDDLE_RUNTIME_CHECK_RECORD_H

#include "check/execution.h"

/* An access on its way to the cells of a loop. */
struct heddle_request {
  struct heddle_check_site *site;
  const void *base;
  uintptr_t stack; /* the address of a frame of the code that asks */
  struct heddle_access access;
};

/* An access to `bytes` bytes from `place`, for the loop `innermost` and those
 * around it. */
void heddle_record_place(struct heddle_execution *innermost,
                         struct heddle_request *request, uintptr_t place,
                         uint64_t bytes);
/* The same; `place` may be in a copy of an object. */
void heddle_record_access(struct heddle_execution *innermost,
                          struct heddle_request *request, const void *address,
                          uint64_t bytes);

#endif
