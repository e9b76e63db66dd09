/*===- probe.c - Latency and overlap of memory ------------------------------===
 *
 * Two numbers describe random access to memory: the latency of an access whose
 * address depends on the one before, and the time an access where many are in
 * flight. Their ratio is the number of requests that the host overlaps; the
 * schedules need a small multiple of it in tasks, to keep that many requests
 * open while other tasks compute.
 *
 * The buffer is filled with zeros that the processor cannot predict, so a chain
 * of dependent accesses needs no linked list to be built: the next address is a
 * scramble of the last one plus the zero that was loaded.
 *
 *===----------------------------------------------------------------------===*/

#include "host/probe.h"

#include "host/clock.h"
#include "host/hostcache.h"
#include "host/options.h"
#include "host/sanitizers.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEDDLE_API __attribute__((visibility("default")))

enum {
  LargestBuffer = 256 << 20,
  SmallestBuffer = 16 << 20,
  LineBytes = 64,
  HugePageBytes = 2 << 20,
  ChainSteps = 50000,
  IndependentAccesses = 400000,
  MostChains = 64,
  Repetitions = 3
};

/*===- Measuring ---------------------------------------------------------===*/

/* A full-period linear congruential step, its high bits as the line number. */
static uint64_t next_state(uint64_t state, uint64_t loaded) {
  return state * 0x5851f42d4c957f2du + 0x14057b7ef767814fu + loaded;
}

static double least(double a, double b) { return a < b ? a : b; }

/* ns for each of `chains` dependent chains' accesses, run side by side. */
static double time_chains(const char *buffer, unsigned shift, uint64_t seed,
                          unsigned chains, unsigned accesses) {
  uint64_t states[MostChains];
  for (unsigned c = 0; c < chains; ++c)
    states[c] = seed = next_state(seed, c);
  unsigned steps = accesses / chains;
  uint64_t start = heddle_clock_nanoseconds();
  for (unsigned step = 0; step < steps; ++step)
    for (unsigned c = 0; c < chains; ++c) {
      const char *line = buffer + (states[c] >> shift) * LineBytes;
      uint64_t loaded = *(const volatile uint64_t *)line;
      states[c] = next_state(states[c], loaded);
      __builtin_prefetch(buffer + (states[c] >> shift) * LineBytes);
    }
  uint64_t end = heddle_clock_nanoseconds();
  return (double)(end - start) / ((double)steps * chains);
}

struct times {
  double latency;
  double access;
};

static struct times time_buffer(const char *buffer, size_t bytes) {
  unsigned line_bits = (unsigned)__builtin_ctzll(bytes / LineBytes);
  unsigned shift = 64 - line_bits;
  assert((bytes & (bytes - 1)) == 0 && line_bits > 0);
  struct times best = {1e9, 1e9};
  uint64_t seed = heddle_clock_ticks();
  for (unsigned repetition = 0; repetition < Repetitions; ++repetition) {
    best.latency = least(best.latency,
                         time_chains(buffer, shift, seed += 1, 1, ChainSteps));
    for (unsigned chains = 8; chains <= MostChains; chains *= 2)
      best.access =
          least(best.access, time_chains(buffer, shift, seed += chains, chains,
                                         IndependentAccesses / 4));
  }
  return best;
}

/* Whether a page of the mapping at `address` is huge, according to the
 * kernel. */
static bool has_huge_pages(const char *address) {
  FILE *stream = fopen("/proc/self/smaps", "re");
  if (!stream)
    return false;
  char line[512];
  bool inside = false, huge = false;
  while (!huge && fgets(line, sizeof line, stream)) {
    unsigned long long from, to, kilobytes;
    if (sscanf(line, "%llx-%llx ", &from, &to) == 2)
      inside = from <= (uintptr_t)address && (uintptr_t)address < to;
    else if (inside && sscanf(line, "AnonHugePages: %llu", &kilobytes) == 1)
      huge = kilobytes > 0;
  }
  fclose(stream);
  return huge;
}

static bool time_pages(size_t bytes, bool huge, struct times *times,
                       uint32_t *got_huge) {
  size_t room = bytes + HugePageBytes;
  char *base = mmap(NULL, room, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return false;
  char *buffer = (char *)(((uintptr_t)base + HugePageBytes - 1) &
                          ~(uintptr_t)(HugePageBytes - 1));
  madvise(buffer, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  /* A page that was only read would be the kernel's one page of zeros. */
  for (size_t offset = 0; offset < bytes; offset += 4096)
    *(volatile char *)(buffer + offset) = 0;
  *times = time_buffer(buffer, bytes);
  if (huge)
    *got_huge = has_huge_pages(buffer);
  munmap(base, room);
  return true;
}

static uint32_t clamp(double value, uint32_t lowest, uint32_t highest) {
  return value < lowest    ? lowest
         : value > highest ? highest
                           : (uint32_t)(value + 0.5);
}

void heddle_derive_tasks(struct heddle_host *host) {
  assert(host->access_4k > 0);
  double overlap = host->latency_4k / host->access_4k;
  host->requests = clamp(overlap, 1, 1024);
  /* Multiples of eight, the number of lanes of a vector. With more than the
   * upper bounds, the contexts of the tasks would fill the first-level
   * cache. */
  host->lockstep_tasks = 8 * clamp(overlap * 4 / 8, 4, 12);
  host->fifo_tasks = 8 * clamp(overlap * 2 / 8, 2, 6);
}

bool heddle_measure_host(struct heddle_host *host, size_t bytes) {
  struct times small, large;
  *host = (struct heddle_host){0};
  if (!time_pages(bytes, false, &small, &host->huge_pages) ||
      !time_pages(bytes, true, &large, &host->huge_pages)) {
    errno = ENOMEM;
    return false;
  }
  host->latency_4k = small.latency;
  host->access_4k = small.access;
  host->latency_huge = large.latency;
  host->access_huge = large.access;
  heddle_derive_tasks(host);
  return true;
}

/* Returns the memory that the kernel would give without swapping; 0 if it does
 * not say. */
static uint64_t available_bytes(void) {
  FILE *stream = fopen("/proc/meminfo", "re");
  if (!stream)
    return 0;
  char line[256];
  unsigned long long kilobytes = 0;
  while (fgets(line, sizeof line, stream) &&
         sscanf(line, "MemAvailable: %llu", &kilobytes) != 1)
    ;
  fclose(stream);
  return kilobytes * 1024;
}

static size_t buffer_bytes(void) {
  uint64_t available = available_bytes();
  size_t bytes = LargestBuffer;
  while (bytes > SmallestBuffer && bytes > available / 4)
    bytes /= 2;
  return bytes;
}

/*===- Interface ---------------------------------------------------------===*/

static enum heddle_probe_result probe(struct heddle_host *host, int force) {
  if (!force && heddle_load_host(host))
    return HEDDLE_PROBE_CACHED;
  if (!heddle_measure_host(host, buffer_bytes()))
    return HEDDLE_PROBE_FAILED;
  return heddle_save_host(host) ? HEDDLE_PROBE_MEASURED
                                : HEDDLE_PROBE_NOT_SAVED;
}

HEDDLE_API enum heddle_probe_result heddle_probe(struct heddle_host *host,
                                                 int force) {
  heddle_begin_uninstrumented();
  const enum heddle_probe_result result = probe(host, force);
  heddle_end_uninstrumented();
  return result;
}

static unsigned default_lockstep = HEDDLE_LOCKSTEP_TASKS;
static unsigned default_fifo = HEDDLE_FIFO_TASKS;

static void find_default_tasks(void) {
  const struct heddle_options *options = heddle_process_options();
  struct heddle_host host;
  if (options->tasks) {
    default_lockstep = default_fifo = options->tasks;
  } else if (options->probe ? heddle_probe(&host, 0) >= 0
                            : heddle_load_host(&host)) {
    default_lockstep = host.lockstep_tasks;
    default_fifo = host.fifo_tasks;
  }
}

HEDDLE_API unsigned heddle_default_tasks(unsigned schedule) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_default_tasks);
  switch (schedule) {
  case HEDDLE_SCHEDULE_LOCKSTEP:
    return default_lockstep;
  case HEDDLE_SCHEDULE_FIFO:
    return default_fifo;
  default:
    return 1;
  }
}

HEDDLE_API const char *heddle_schedule_name(unsigned schedule) {
  switch (schedule) {
  case HEDDLE_SCHEDULE_SERIAL:
    return "serial";
  case HEDDLE_SCHEDULE_LOCKSTEP:
    return "lockstep";
  case HEDDLE_SCHEDULE_FIFO:
    return "fifo";
  default:
    return "?";
  }
}
