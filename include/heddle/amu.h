/*===- amu.h - Requests that are issued and polled -----------------*- C -*-===
 *
 * What compiled loops under `#pragma heddle async scheduler(dynamic)` call: the
 * asynchronous memory unit of CoroAMU, sections III-C to III-E. An id stands
 * for a task. A task issues requests under its id, awaits them and is
 * suspended; getfin says which id has all that it awaited, in the order of
 * completion.
 *
 * What a request is depends on the region that it is for: one to the device, if
 * the page is not in the cache, or a prefetch, if the region lies in memory.
 * The latter counts as complete when the ids that are ready have been
 * delivered.
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
  /* How many ids should be in use, at least 1, as polling has shown: the loop
   * launches tasks while there are fewer, and none while there are more.
   * Changed by heddle_amu_getfin only. */
  uint64_t tasks;
};

/* The highest number of ids of a loop. */
#define HEDDLE_AMU_IDS 256

/* Begins a loop with ids below `most`, which is HEDDLE_AMU_IDS at most. In
 * `*kept` is how many of them were found right when the loop ran before, or
 * what it is to start with; 0 if there shall always be `most`, as with NULL.
 * Loops may be nested; each belongs to the thread that has begun it. Ends the
 * program with a message if there is no memory. */
struct heddle_amu *heddle_amu_begin(uint32_t *kept, uint64_t most);

/* Ends a loop in which no id is awaited. What has been requested and not been
 * awaited is not waited for: it is cancelled, unless others need it. */
void heddle_amu_end(struct heddle_amu *amu);

/* Requests `bytes` bytes of far memory, a few pages at most, for `id`.
 * Addresses outside of far memory are ignored: what is requested need not be
 * accessed. */
void heddle_amu_aload(struct heddle_amu *amu, uint64_t id, uint64_t address,
                      uint64_t bytes);

/* Requests `bytes` bytes of far memory that `id` is going to store to: the rest
 * of their pages has to be there, and lines of memory are requested from other
 * processors. The store itself follows when they have been awaited; pages are
 * written to their file later. Addresses where nothing can be stored are
 * ignored. */
void heddle_amu_astore(struct heddle_amu *amu, uint64_t id, uint64_t address,
                       uint64_t bytes);

/* Binds requests to `id` that are no accesses, or are made by others: it is
 * suspended until heddle_amu_asignal has been called as often, too. */
void heddle_amu_aset(struct heddle_amu *amu, uint64_t id, uint32_t requests);

/* Completes one of these requests. Any thread may do so as long as the loop has
 * not ended. */
void heddle_amu_asignal(struct heddle_amu *amu, uint64_t id);

/* Requests to be the only id of the loop that owns the 64 bytes of far memory
 * around `address`, in the order of the requests: what an id loads there and
 * stores after it has been suspended no other changes meanwhile that asks in
 * the same way. An id owns one line at most, and gives it up when it acquires
 * another; so ids may request and acquire in any order, and none waits for
 * ever. */
void heddle_amu_acquire(struct heddle_amu *amu, uint64_t id, uint64_t address);

/* Gives up what `id` owns, if anything. It must not be suspended. */
void heddle_amu_release(struct heddle_amu *amu, uint64_t id);

/* Suspends `id` until all that it has requested is there. False if it is there
 * already, and the task goes on. */
bool heddle_amu_await(struct heddle_amu *amu, uint64_t id);

/* Takes an id that has all that it awaits, and waits until there is one. There
 * must be an id that is awaited. */
uint64_t heddle_amu_getfin(struct heddle_amu *amu);

/* A page of far memory that is in memory. */
struct heddle_far_page {
  uint64_t address; /* of its first byte */
  char *bytes;
  /* How many of its bytes may be loaded and stored, a multiple of 64: 0 if its
   * region has been closed. */
  uint64_t readable, writable;
  bool is_dirty;
};

/* The pages that the thread has accessed last, one for each region, or for
 * several: that of an address is at its upper 16 bits modulo
 * HEDDLE_FAR_NEAR. They stay in memory until the thread calls one of the
 * functions below. Compiled loops look here first, and call only for other
 * pages. Who stores sets is_dirty thereafter. */
#define HEDDLE_FAR_NEAR 8
extern __thread struct heddle_far_page *heddle_far_near[HEDDLE_FAR_NEAR]
    __attribute__((tls_model("initial-exec")));

/* Where `bytes` bytes of far memory are in memory. They stay there until this
 * thread accesses far memory again. The thread waits for them if it must. */
const void *heddle_far_load(uint64_t address, uint64_t bytes);

/* Stores `bytes` bytes in far memory. The thread waits for the rest of their
 * pages if it must. */
void heddle_far_store(uint64_t address, const void *from, uint64_t bytes);

/* The page of `bytes` bytes of far memory that are going to be changed where
 * they are in memory, as atomic accesses do. They must lie in one page, which
 * stays in memory until this thread accesses far memory again. Who changes them
 * sets is_dirty thereafter. The thread waits for the page if it must. */
struct heddle_far_page *heddle_far_change(uint64_t address, uint64_t bytes);

/* Copies `bytes` bytes from far memory, into it, or within it as memmove does,
 * and sets as many to `value`. */
void heddle_far_read(void *to, uint64_t address, uint64_t bytes);
void heddle_far_move(uint64_t to, uint64_t from, uint64_t bytes);
void heddle_far_fill(uint64_t address, uint8_t value, uint64_t bytes);

#ifdef __cplusplus
}
#endif

#endif
