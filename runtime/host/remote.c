/*===- remote.c - Memory with huge pages ------------------------------------===
 *
 * Random accesses to large data miss the TLB as often as the caches. Large
 * blocks are therefore mapped at 2 MiB boundaries, and the kernel is asked for
 * huge pages. A small header directly precedes every block; before a mapped one
 * it has a page of its own, so that the block itself keeps its alignment.
 *
 * Programs run an algorithm again and again on arrays of the same sizes, and
 * the kernel may take longer to clear a fresh page than the algorithm to use
 * it. So some freed blocks are kept, until the kernel is short of memory.
 *
 *===----------------------------------------------------------------------===*/

#include "heddle/heddle.h"
#include "host/messages.h"
#include "host/options.h"

#include <assert.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEDDLE_API __attribute__((visibility("default")))

enum {
  HeaderBytes = 64,
  SmallestMapped = 1 << 20,
  HugePageBytes = 2 << 20,
  MostKept = 16,
  MostBytesKept = 512 << 20,
};

/* Marks live blocks, so that a foreign pointer or a second free is noticed. */
static const uint64_t MappedMark = 0x4845444d41505045;
static const uint64_t SmallMark = 0x484544534d414c4c;

struct header {
  uint64_t mark;
  size_t mapped_bytes; /* from the start of the header's page */
};
_Static_assert(sizeof(struct header) <= HeaderBytes, "header has no room");

/* Present in programs that are checked for leaks: mapped blocks may hold the
 * only reference to other memory. */
__attribute__((weak)) void __lsan_register_root_region(const void *start,
                                                       size_t size);
__attribute__((weak)) void __lsan_unregister_root_region(const void *start,
                                                         size_t size);

static struct header *header_of(void *block) {
  return (struct header *)((char *)block - HeaderBytes);
}

static size_t page_bytes(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static void *fail(void) {
  errno = ENOMEM;
  return NULL;
}

static void *allocate_small(size_t size) {
  size_t bytes = (size + 2 * HeaderBytes - 1) & ~(size_t)(HeaderBytes - 1);
  char *start = aligned_alloc(HeaderBytes, bytes);
  if (!start)
    return fail();
  void *block = start + HeaderBytes;
  header_of(block)->mark = SmallMark;
  return block;
}

/* Freed blocks, the oldest first. A thread that finds the list locked does
 * without. */
static struct {
  atomic_flag in_use;
  unsigned count;
  size_t bytes;
  void *blocks[MostKept];
} kept = {.in_use = ATOMIC_FLAG_INIT};

static bool claim_kept(void) {
  return !atomic_flag_test_and_set_explicit(&kept.in_use, memory_order_acquire);
}

static void release_kept(void) {
  atomic_flag_clear_explicit(&kept.in_use, memory_order_release);
}

static void unmap(void *block) {
  size_t bytes = header_of(block)->mapped_bytes;
  munmap((char *)block - page_bytes(), bytes);
}

static void *remove_kept(unsigned i) {
  assert(i < kept.count && kept.count <= MostKept);
  void *block = kept.blocks[i];
  --kept.count;
  for (; i < kept.count; ++i)
    kept.blocks[i] = kept.blocks[i + 1];
  assert(kept.bytes >= header_of(block)->mapped_bytes);
  kept.bytes -= header_of(block)->mapped_bytes;
  return block;
}

/* The smallest kept block of at least `mapped_bytes` and at most a quarter
 * more, or NULL. */
static void *take_kept(size_t mapped_bytes) {
  if (!claim_kept())
    return NULL;
  size_t least = mapped_bytes + mapped_bytes / 4 + 1;
  unsigned found = kept.count;
  for (unsigned i = 0; i < kept.count; ++i) {
    size_t bytes = header_of(kept.blocks[i])->mapped_bytes;
    if (bytes >= mapped_bytes && bytes < least) {
      least = bytes;
      found = i;
    }
  }
  void *block = found < kept.count ? remove_kept(found) : NULL;
  release_kept();
  return block;
}

static void unmap_kept(void) {
  if (!claim_kept())
    return;
  while (kept.count > 0)
    unmap(remove_kept(0));
  release_kept();
}

/* Under a leak or address checker no block is kept, so that accesses to freed
 * blocks are found. The kernel may take the pages of kept blocks at any time.
 */
static void keep_or_unmap(void *block) {
  size_t bytes = header_of(block)->mapped_bytes;
  if (bytes > MostBytesKept || __lsan_register_root_region || !claim_kept()) {
    unmap(block);
    return;
  }
  madvise(block, bytes - page_bytes(), MADV_FREE);
  while (kept.count == MostKept || kept.bytes + bytes > MostBytesKept)
    unmap(remove_kept(0));
  kept.blocks[kept.count++] = block;
  kept.bytes += bytes;
  release_kept();
}

/* Maps new memory. Gives up kept blocks if there is too little. */
static void *map(size_t bytes) {
  for (bool again = false;; again = true) {
    void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start != MAP_FAILED || again)
      return start;
    unmap_kept();
  }
}

static void *map_large(size_t size) {
  size_t page = page_bytes();
  if (size > PTRDIFF_MAX - 2 * (size_t)HugePageBytes - page)
    return fail();
  size_t bytes = (size + HugePageBytes - 1) & ~(size_t)(HugePageBytes - 1);
  char *again = take_kept(page + bytes);
  if (again) {
    header_of(again)->mark = MappedMark;
    return again;
  }

  /* Room for the header's page and for moving to the next boundary; the rest at
   * both ends is unmapped. */
  size_t room = page + bytes + HugePageBytes;
  char *base = map(room);
  if (base == MAP_FAILED)
    return fail();
  size_t past = (size_t)((uintptr_t)(base + page) & (HugePageBytes - 1));
  char *block = base + page + (past ? HugePageBytes - past : 0);
  char *start = block - page, *end = block + bytes;
  assert(start >= base && end <= base + room);
  if (start > base)
    munmap(base, (size_t)(start - base));
  if (end < base + room)
    munmap(end, (size_t)(base + room - end));

  /* Advice: a kernel without huge pages is no failure. */
  madvise(block, bytes,
          heddle_process_options()->huge_pages ? MADV_HUGEPAGE
                                               : MADV_NOHUGEPAGE);
  *header_of(block) = (struct header){MappedMark, page + bytes};
  if (__lsan_register_root_region)
    __lsan_register_root_region(block, bytes);
  return block;
}

HEDDLE_API void *heddle_remote_alloc(size_t size) {
  return size < SmallestMapped ? allocate_small(size) : map_large(size);
}

HEDDLE_API void heddle_remote_free(void *pointer) {
  if (!pointer)
    return;
  struct header *header = header_of(pointer);
  if (header->mark == SmallMark) {
    header->mark = 0;
    free(header);
    return;
  }
  if (header->mark != MappedMark) {
    heddle_say_error("heddle_remote_free(%p): not a live block of "
                     "heddle_remote_alloc",
                     pointer);
    abort();
  }
  header->mark = 0;
  if (__lsan_unregister_root_region)
    __lsan_unregister_root_region(pointer, header->mapped_bytes - page_bytes());
  keep_or_unmap(pointer);
}
