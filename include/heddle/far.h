/*===- far.h - Arrays that need not fit in memory ------------------*- C -*-===
 *
 * Far memory is stored in files and block devices, or in memory that is used in
 * the same way. A pointer to it is marked in its type, with `heddle_far`; its
 * target is used like any other object:
 *
 *   heddle_far const long *table =
 *       heddle_far_open("table.bin", HEDDLE_FAR_READ, 0);
 *   #pragma heddle async scheduler(dynamic)
 *   for (size_t i = 0; i < count; ++i)
 *     sum += table[index[i]];
 *
 * Pages of far memory are read into a cache of a fixed size when they are
 * accessed. Ordinarily the accessing thread waits for its page; in a loop under
 * `#pragma heddle async scheduler(dynamic)` other iterations run meanwhile.
 *
 * Compile with Clang and the Heddle plugin, and link with libheddle-far and
 * liburing. An access that the device fails, or that is outside of a region,
 * ends the program with a message that names the file and the offset: there is
 * no value to continue with.
 *
 * Environment variables, read once:
 *
 *   HEDDLE_FAR_CACHE=SIZE   bytes of the cache, or a number followed by K, M or
 *                           G, which are powers of 1024; 256M by default
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_FAR_H
#define HEDDLE_FAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef __clang__
#error "far memory needs Clang with the Heddle plugin"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The address space of pointers to far memory. */
#define HEDDLE_FAR_SPACE 100
#define heddle_far __attribute__((address_space(HEDDLE_FAR_SPACE)))

enum heddle_far_mode {
  HEDDLE_FAR_READ,   /* an existing file; stores are errors */
  HEDDLE_FAR_UPDATE, /* an existing file */
  HEDDLE_FAR_CREATE  /* a new file of zeros, replaces an existing one */
};

/* Makes the file or block device `path` a region of far memory and returns its
 * start. `bytes` is the size of a new file, and must be 0 otherwise. On failure
 * the result is NULL and errno says why; EINVAL: an invalid mode or size,
 * EMFILE: 4095 regions are open. */
heddle_far void *heddle_far_open(const char *path, enum heddle_far_mode mode,
                                 size_t bytes);

/* Checks a page of a region that has just been read, before any access can see
 * it: the 4096 bytes from byte `offset` of the region on, with zeros behind the
 * end of the region. If `error` is not 0, the page could not be read, and
 * `error` is the errno. Returns whether the page may be used. If not, all
 * accesses read zeros from it, and the program must remember that itself.
 *
 * Every thread that accesses far memory may call the function, also several at
 * once. It must not access far memory. */
typedef bool (*heddle_far_check)(void *context, uint64_t offset,
                                 const void *page, int error);

/* Like heddle_far_open(path, HEDDLE_FAR_READ, 0), with a check for each page
 * that is read. Reads that the device fails do not end the program then. */
heddle_far void *heddle_far_open_checked(const char *path,
                                         heddle_far_check check, void *context);

/* Makes a region of `bytes` bytes of ordinary memory, in huge pages where the
 * kernel has them. It is used like any other region: a request for it is a
 * prefetch, which counts as complete when other iterations have had their turn.
 * The contents are undefined at first, and lost when the region is closed. On
 * failure the result is NULL and errno says why, as above or ENOMEM. */
heddle_far void *heddle_far_allocate(size_t bytes);

/* The size in bytes of the region that starts at `start`. */
size_t heddle_far_size(heddle_far const void *start);

/* Writes all stores in the region to its file and waits until the device has
 * them. Returns 0, or -1 with errno; the next call then writes the remaining
 * pages. Calls by several threads run one after the other. */
int heddle_far_sync(heddle_far void *start);

/* Writes all stores in a region, and closes it. No thread may be using it.
 * Returns 0, or -1 with errno if something could not be written; the region is
 * closed in either case. */
int heddle_far_close(heddle_far void *start);

/* Limits the cache of the whole program to `bytes`, or to 1 MiB if that is
 * more. The cache is allocated when the first region of a file is opened. Its
 * size is the lowest limit that was set before, or HEDDLE_FAR_CACHE if that is
 * less, and does not change any more. Returns the size of the cache or, before
 * it is allocated, the largest size that it can get. */
size_t heddle_far_limit_cache(size_t bytes);

/* Counts of requests and transfers of pages, in all regions. */
struct heddle_far_counts {
  uint64_t hits;    /* requests for pages that were in the cache */
  uint64_t misses;  /* pages that were not; most of them have been read */
  uint64_t written; /* pages that were written */
  uint64_t cache_bytes;
};
struct heddle_far_counts heddle_far_counts(void);

#ifdef __cplusplus
}
#endif

#endif
