/*===- contexts.c - Memory for the contexts of tasks ----------------------===*/

#include "tuner/contexts.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define HEDDLE_API __attribute__((visibility("default")))

/* What malloc returns starts with its size, an `allocation`. The pointer to it
 * is in front of the aligned memory that a loop gets. */
typedef size_t allocation;

/* A thread does not keep more than this. */
enum { MOST_KEPT_BYTES = 1 << 20 };

/* The frame of each loop of this thread that has memory, the outermost first.
 * Loops that were left by longjmp() have not given theirs back; they do not
 * count any more when an outer function asks for some. */
static _Thread_local struct {
  const char *frames[HEDDLE_CONTEXT_DEPTH];
  unsigned depth;
} running;

/* The allocation that a thread keeps. The destructor is one that is not
 * unloaded with this library. */
static pthread_key_t kept;
static bool has_key;

__attribute__((constructor)) static void create_key(void) {
  has_key = pthread_key_create(&kept, free) == 0;
}

/* There are few keys: a library that is loaded again and again must not use
 * them up. What other threads have kept is lost. */
__attribute__((destructor)) static void delete_key(void) {
  if (!has_key)
    return;
  free(pthread_getspecific(kept));
  has_key = false;
  pthread_key_delete(kept);
}

/* Returns an allocation of at least `bytes`, or NULL. */
static allocation *take(size_t bytes) {
  allocation *known = has_key ? pthread_getspecific(kept) : NULL;
  if (known) {
    pthread_setspecific(kept, NULL);
    if (*known >= bytes)
      return known;
    free(known);
  }
  allocation *new = malloc(bytes);
  if (new)
    *new = bytes;
  return new;
}

HEDDLE_API void *heddle_contexts_begin(uint64_t bytes, uint64_t alignment) {
  assert(alignment >= sizeof(void *) && !(alignment & (alignment - 1)));
  const char *frame = __builtin_frame_address(0);
  while (running.depth && running.frames[running.depth - 1] <= frame)
    --running.depth;
  if (running.depth == HEDDLE_CONTEXT_DEPTH)
    return NULL;
  const size_t front = sizeof(allocation) + sizeof(void *) + alignment - 1;
  /* No object is larger than PTRDIFF_MAX. */
  allocation *from = bytes > PTRDIFF_MAX - front ? NULL : take(bytes + front);
  if (!from)
    return NULL;
  running.frames[running.depth++] = frame;
  const uintptr_t memory = ((uintptr_t)from + front) & -(uintptr_t)alignment;
  ((allocation **)memory)[-1] = from;
  return (void *)memory;
}

HEDDLE_API void heddle_contexts_end(void *contexts) {
  if (running.depth)
    --running.depth;
  allocation *from = ((allocation **)contexts)[-1];
  if (has_key && *from <= MOST_KEPT_BYTES) {
    /* Another loop may have given back memory since this one took some. */
    allocation *other = pthread_getspecific(kept);
    if (pthread_setspecific(kept, from) == 0)
      from = other;
  }
  free(from);
}
