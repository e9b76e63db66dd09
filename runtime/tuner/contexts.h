/*===- contexts.h - Memory for the contexts of tasks ------------------------===
 *
 * A transformed loop keeps the contexts of its tasks in memory that it has
 * while they run. Each thread keeps one block for the next loop, so that loops
 * with few iterations need not ask malloc. Both functions are referenced
 * weakly: loops linked without the runtime call malloc and free themselves.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_TUNER_CONTEXTS_H
#define HEDDLE_RUNTIME_TUNER_CONTEXTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The most loops of a thread that have memory at the same time. */
enum { HEDDLE_CONTEXT_DEPTH = 8 };

/* Returns `bytes` bytes of memory, aligned to `alignment`, a power of two; or
 * NULL if there is none, or if HEDDLE_CONTEXT_DEPTH loops of this thread have
 * some. A loop that gets NULL runs serially. */
void *heddle_contexts_begin(uint64_t bytes, uint64_t alignment);

/* Gives back what heddle_contexts_begin() has returned, perhaps to another
 * thread. */
void heddle_contexts_end(void *contexts);

#ifdef __cplusplus
}
#endif

#endif
