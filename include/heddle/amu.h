/*===- amu.h - Requests that are issued and polled -----------------*- C -*-===
 *
 * Compiled loops under `#pragma heddle async scheduler(dynamic)` call these
 * functions: the asynchronous memory unit of CoroAMU, sections III-C to III-E.
 * An id represents a task. A task issues requests under its id, awaits them and
 * is suspended. getfin returns an id whose requests have all completed, in the
 * order of completion.
 *
 * A request for a region on a device reads the page, unless it is in the cache.
 * A request for a region in memory is a prefetch; it counts as complete when
 * getfin has returned all ids that were ready before.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_AMU_H
#define HEDDLE_AMU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The requests of one loop that a thread runs. */
struct heddle_amu {
  /* The number of ids that should be in use, at least 1: the loop launches
   * tasks while there are fewer, and none while there are more. Only
   * heddle_amu_getfin changes the number, according to the results of
   * polling. */
  uint64_t tasks;
};

/* The highest number of ids of a loop. */
#define HEDDLE_AMU_IDS 256

/* Begins a loop with ids below `most`, which is at most HEDDLE_AMU_IDS. `*kept`
 * is the number of ids to start with; when the loop ends, it is the number that
 * was found best, for the next run. If `*kept` is 0, or `kept` is NULL, `most`
 * ids are used throughout. Loops may be nested; each belongs to the thread that
 * has begun it. Ends the program with a message if there is no memory. */
struct heddle_amu *heddle_amu_begin(uint32_t *kept, uint64_t most);

/* Ends a loop, in which no id may be suspended. Does not wait for requests that
 * no id has awaited: they are cancelled, unless other tasks need the pages. */
void heddle_amu_end(struct heddle_amu *amu);

/* Requests `bytes` bytes of far memory, a few pages at most, for `id`. Ignores
 * addresses outside of far memory. The access need not follow. */
void heddle_amu_aload(struct heddle_amu *amu, uint64_t id, uint64_t address,
                      uint64_t bytes);

/* Requests `bytes` bytes of far memory that `id` is going to store to: reads
 * the rest of their pages or, in memory, takes the cache lines from other
 * processors. The id stores when it has awaited the request; pages are written
 * to their file later. Ignores addresses that cannot be stored to. */
void heddle_amu_astore(struct heddle_amu *amu, uint64_t id, uint64_t address,
                       uint64_t bytes);

/* Adds `requests` requests to `id` that are not requests for memory, or that
 * other ids make. Each of them completes by a call of heddle_amu_asignal. */
void heddle_amu_aset(struct heddle_amu *amu, uint64_t id, uint32_t requests);

/* Completes one request that heddle_amu_aset has added. Any thread may call it
 * as long as the loop has not ended. */
void heddle_amu_asignal(struct heddle_amu *amu, uint64_t id);

/* Requests that `id` owns the line of 64 bytes of far memory around `address`.
 * One id of the loop at a time owns a line, in the order of the requests. So an
 * id can load from the line, be suspended, and store to it, while no other id
 * that acquires the line changes it. An id owns at most one line, and releases
 * it when it acquires another one. So there are no deadlocks, whatever the
 * order in which ids request and acquire. */
void heddle_amu_acquire(struct heddle_amu *amu, uint64_t id, uint64_t address);

/* Releases the line that `id` owns, if any. The id must not be suspended. */
void heddle_amu_release(struct heddle_amu *amu, uint64_t id);

/* Suspends `id` until all its requests have completed. Returns false if they
 * have completed already, so that the task continues. */
bool heddle_amu_await(struct heddle_amu *amu, uint64_t id);

/* Returns a suspended id whose requests have all completed, and waits until
 * there is one. At least one id must be suspended. */
uint64_t heddle_amu_getfin(struct heddle_amu *amu);

/* A page of far memory that is in memory. */
struct heddle_far_page {
  uint64_t address; /* of its first byte */
  char *bytes;
  /* The number of its bytes that may be loaded and stored, a multiple of 64; 0
   * if the region has been closed. */
  uint64_t readable, writable;
  bool is_dirty;
};

/* The pages that the thread has accessed last. The element for an address is
 * its upper 16 bits, the number of the region, modulo HEDDLE_FAR_NEAR. The
 * pages stay in memory until the thread calls one of the functions below.
 * Compiled loops look here first, and call a function only for other pages.
 * After a store, the loop sets is_dirty. */
#define HEDDLE_FAR_NEAR 8
extern __thread struct heddle_far_page *heddle_far_near[HEDDLE_FAR_NEAR]
    __attribute__((tls_model("initial-exec")));

/* Returns the address in memory of `bytes` bytes of far memory, which is valid
 * until this thread accesses far memory again. Waits for them if they are not
 * in the cache. */
const void *heddle_far_load(uint64_t address, uint64_t bytes);

/* Stores `bytes` bytes in far memory. Waits for the rest of their pages if that
 * is not in the cache. */
void heddle_far_store(uint64_t address, const void *from, uint64_t bytes);

/* Returns the page with `bytes` bytes of far memory that the caller will change
 * in place, as atomic accesses do. They must be in one page, which stays in
 * memory until this thread accesses far memory again. After the change, the
 * caller sets is_dirty. Waits for the page if it is not in the cache. */
struct heddle_far_page *heddle_far_change(uint64_t address, uint64_t bytes);

/* Copies `bytes` bytes from far memory to memory; copies them within far
 * memory, as memmove does; and sets them to `value`. */
void heddle_far_read(void *to, uint64_t address, uint64_t bytes);
void heddle_far_move(uint64_t to, uint64_t from, uint64_t bytes);
void heddle_far_fill(uint64_t address, uint8_t value, uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
