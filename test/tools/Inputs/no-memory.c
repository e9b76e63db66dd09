// Preloaded, lets memory run out for good: from the allocation with the number
// NO_MEMORY_FROM on, there is none.

#include <errno.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

static _Atomic long left = -1; // less than 0: not counted yet

__attribute__((constructor)) static void start(void) {
  const char *from = getenv("NO_MEMORY_FROM");
  left = from ? atol(from) : -1;
}

static int fails(void) {
  if (left != 1) {
    left -= left > 1;
    return 0;
  }
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t bytes) { return fails() ? NULL : __libc_malloc(bytes); }

void *calloc(size_t count, size_t bytes) {
  return fails() ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) {
  return fails() ? NULL : __libc_realloc(old, bytes);
}
