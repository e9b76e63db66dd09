/*===- heddle.h - Functions of the Heddle runtime for programs -----*- C -*-===
 *
 * A program needs nothing from this header to use `#pragma heddle async`. It
 * offers memory with huge pages for data that annotated loops access at random,
 * and shows what the runtime knows: the host's memory behaviour and the choices
 * made for each loop.
 *
 * Any thread may call any function at any time. None throws, and none ends the
 * program, except heddle_remote_free for a pointer that is not its own.
 *
 * Environment variables, read once:
 *
 *   HEDDLE_TUNE=off     every loop runs the version that the compiler's cost
 *                       model chose; nothing is measured
 *   HEDDLE_TUNE=once    choices are measured at first, then frozen
 *   HEDDLE_TUNE=FILE    choices are loaded from FILE, if it exists, and saved
 *                       to it when the program ends
 *   HEDDLE_TASKS=N      iterations in flight where the loop does not say
 *   HEDDLE_STATS=1      a table of all loops on stderr when the program ends
 *   HEDDLE_STATS=json:FILE  the same as JSON
 *   HEDDLE_PAGES=4k|huge    page size of heddle_remote_alloc, to measure the
 *                       difference
 *   HEDDLE_VECTORS=portable|avx2|avx512  the highest vector instructions
 *   HEDDLE_PROBE=1      probe the host now if that was not done before
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===- Memory ------------------------------------------------------------===*/

/* Allocates `size` bytes for data that is accessed at random. From 1 MiB up the
 * block starts at a multiple of 2 MiB and consists of whole huge pages, if the
 * kernel has them; smaller blocks come from the ordinary allocator, aligned to
 * 64 bytes. The contents are undefined. Size 0 gives a pointer that can only be
 * freed. On failure the result is NULL and errno is ENOMEM.
 *
 * A large block costs two system calls and its page faults, unless a block of
 * about the same size was freed before: up to 512 MiB of freed blocks are kept
 * for reuse, and the kernel takes their pages when memory is short. A small
 * block costs what malloc costs. The caller owns the block.
 *
 *   double *rank = heddle_remote_alloc(vertices * sizeof *rank);
 */
void *heddle_remote_alloc(size_t size);

/* Frees a block of heddle_remote_alloc; NULL is allowed. For another pointer,
 * the function ends the program with a message, if it notices that.
 *
 *   heddle_remote_free(rank);
 */
void heddle_remote_free(void *pointer);

/*===- The host ----------------------------------------------------------===*/

/* The ways in which a transformed loop may run. */
enum heddle_schedule {
  HEDDLE_SCHEDULE_SERIAL = 0,   /* one iteration after the other */
  HEDDLE_SCHEDULE_LOCKSTEP = 1, /* a queue for each suspension point */
  HEDDLE_SCHEDULE_FIFO = 2      /* a ring of coroutines */
};

/* "serial", "lockstep" or "fifo"; "?" for other numbers. */
const char *heddle_schedule_name(unsigned schedule);

/* Random accesses to memory far larger than the caches, as the probe measured
 * them. */
struct heddle_host {
  double latency_4k;       /* ns of an access that depends on the one before */
  double latency_huge;     /* the same with huge pages */
  double access_4k;        /* ns per access with many in flight */
  double access_huge;      /* the same with huge pages */
  uint32_t requests;       /* in flight: more of them gain nothing */
  uint32_t lockstep_tasks; /* the resulting tasks(auto) */
  uint32_t fifo_tasks;
  uint32_t huge_pages; /* whether the kernel gave huge pages */
};

/* The origin of the result of heddle_probe. */
enum heddle_probe_result {
  HEDDLE_PROBE_FAILED = -1, /* errno says why; the host is not filled in */
  HEDDLE_PROBE_MEASURED = 0,
  HEDDLE_PROBE_CACHED = 1,
  HEDDLE_PROBE_NOT_SAVED = 2 /* measured, but the cache cannot be written */
};

/* Fills in `host` from the cache in $XDG_CACHE_HOME/heddle (or
 * ~/.cache/heddle), or measures it and saves the result there; always measures
 * if `force` is not 0. Measuring takes about a second and up to 256 MiB.
 *
 *   struct heddle_host host;
 *   if (heddle_probe(&host, 0) >= 0)
 *     printf("%.0f ns\n", host.latency_4k);
 */
enum heddle_probe_result heddle_probe(struct heddle_host *host, int force);

/* Writes the name of the file with this host's result to the `size` bytes at
 * `path`. Returns 0, or -1 with errno ENOENT if there is no cache directory
 * (neither XDG_CACHE_HOME nor HOME is set) or ERANGE if `path` is too small.
 *
 *   char path[4096];
 *   if (heddle_probe_path(path, sizeof path) == 0) puts(path);
 */
int heddle_probe_path(char *path, size_t size);

/* Returns the tasks of tasks(auto) for a schedule: HEDDLE_TASKS, else the
 * cached probe's value, else 48 for lockstep and 24 for fifo; 1 for serial.
 * Does not probe, unless HEDDLE_PROBE=1 is set. Costs nothing after the first
 * call.
 *
 *   unsigned tasks = heddle_default_tasks(HEDDLE_SCHEDULE_FIFO);
 */
unsigned heddle_default_tasks(unsigned schedule);

/*===- Loops -------------------------------------------------------------===*/

/* The version and the number of tasks that are chosen for a loop. The strings
 * live as long as the program. */
struct heddle_loop {
  const char *file;
  const char *function;
  unsigned line;
  unsigned schedule; /* an enum heddle_schedule */
  unsigned tasks;    /* iterations in flight */
  int settled;       /* 0 while versions are still being compared */
};

/* Calls `visit` for every transformed loop that has run so far.
 *
 *   heddle_for_each_loop(printLoop, stdout);
 */
void heddle_for_each_loop(void (*visit)(const struct heddle_loop *loop,
                                        void *context),
                          void *context);

#ifdef __cplusplus
} // extern "C"

#include <cstdlib>
#include <new>

namespace heddle {

// An allocator for containers that uses heddle_remote_alloc. Stateless; throws
// std::bad_alloc, or ends the program if exceptions are off.
//
//   std::vector<uint64_t, heddle::RemoteAllocator<uint64_t>> table(buckets);
template <typename T> struct RemoteAllocator {
  using value_type = T;

  RemoteAllocator() = default;
  template <typename U> RemoteAllocator(const RemoteAllocator<U> &) noexcept {}

  T *allocate(std::size_t count) {
    static_assert(alignof(T) <= 64, "blocks are aligned to 64 bytes");
    void *block = nullptr;
    if (count <= SIZE_MAX / sizeof(T))
      block = heddle_remote_alloc(count * sizeof(T));
    if (!block) {
#ifdef __cpp_exceptions
      throw std::bad_alloc();
#else
      std::abort();
#endif
    }
    return static_cast<T *>(block);
  }
  void deallocate(T *block, std::size_t) noexcept { heddle_remote_free(block); }

  template <typename U>
  bool operator==(const RemoteAllocator<U> &) const noexcept {
    return true;
  }
  template <typename U>
  bool operator!=(const RemoteAllocator<U> &) const noexcept {
    return false;
  }
};

} // namespace heddle
#endif

#endif
