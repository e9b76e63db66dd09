/*===- allocation.c - Memory that is used again ---------------------------===*/

/* A library that does not record may free memory that an iteration has used,
 * and hand it to another one. So every allocation of the program passes here.
 * Weak, so that a program's own allocator or a sanitizer's takes precedence. */

#include "check/check.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#ifdef __GLIBC__

#define HEDDLE_REPLACES __attribute__((weak, visibility("default")))

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);
extern void *__libc_valloc(size_t bytes);
extern void *__libc_pvalloc(size_t bytes);
extern void __libc_free(void *memory);

static void *fresh(void *memory, size_t bytes) {
  heddle_check_fresh(memory, bytes);
  return memory;
}

HEDDLE_REPLACES void *malloc(size_t bytes) {
  return fresh(__libc_malloc(bytes), bytes);
}

HEDDLE_REPLACES void *calloc(size_t count, size_t bytes) {
  return fresh(__libc_calloc(count, bytes), count * bytes);
}

HEDDLE_REPLACES void *realloc(void *old, size_t bytes) {
  return fresh(__libc_realloc(old, bytes), bytes);
}

HEDDLE_REPLACES void *memalign(size_t alignment, size_t bytes) {
  return fresh(__libc_memalign(alignment, bytes), bytes);
}

HEDDLE_REPLACES void *aligned_alloc(size_t alignment, size_t bytes) {
  return fresh(__libc_memalign(alignment, bytes), bytes);
}

HEDDLE_REPLACES void *valloc(size_t bytes) {
  return fresh(__libc_valloc(bytes), bytes);
}

HEDDLE_REPLACES void *pvalloc(size_t bytes) {
  return fresh(__libc_pvalloc(bytes), bytes);
}

HEDDLE_REPLACES int posix_memalign(void **memory, size_t alignment,
                                   size_t bytes) {
  if (alignment % sizeof(void *) || !alignment || alignment & (alignment - 1))
    return EINVAL;
  const int was = errno;
  void *found = __libc_memalign(alignment, bytes);
  errno = was;
  if (!found)
    return ENOMEM;
  *memory = fresh(found, bytes);
  return 0;
}

HEDDLE_REPLACES void free(void *memory) { __libc_free(memory); }

#endif
