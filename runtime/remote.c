/*===- remote.c - Memory with huge pages ------------------------------------===
 *
 * Random accesses to large data miss the TLB as often as the caches. Large
 * blocks are therefore mapped at 2 MiB boundaries, and the kernel is asked for
 * huge pages. A small header lies right before every block; before a mapped
 * one it has a page of its own, so that the block itself keeps its alignment.
 *
 *===----------------------------------------------------------------------===*/

#include "heddle/heddle.h"
#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEDDLE_API __attribute__((visibility("default")))

enum {
  HeaderBytes = 64,
  SmallestMapped = 1 << 20,
  HugePageBytes = 2 << 20,
};

/* Marks live blocks, so that a foreign pointer or a second free is noticed. */
static const uint64_t MappedMark = 0x4845444d41505045;
static const uint64_t SmallMark = 0x484544534d414c4c;

struct header {
  uint64_t mark;
  size_t mapped_bytes; /* from the start of the header's page */
};
_Static_assert(sizeof(struct header) <= HeaderBytes, "header has no room");

/* Present in programs that are checked for leaks: what lies in mapped blocks
 * may be the only reference to other memory. */
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

static void *map_large(size_t size) {
  size_t page = page_bytes();
  if (size > PTRDIFF_MAX - 2 * (size_t)HugePageBytes - page)
    return fail();
  size_t bytes = (size + HugePageBytes - 1) & ~(size_t)(HugePageBytes - 1);

  /* Room for the header's page and for moving to the next boundary; what is
   * left over at both ends goes back. */
  size_t room = page + bytes + HugePageBytes;
  char *base = mmap(NULL, room, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return fail();
  size_t past = (size_t)((uintptr_t)(base + page) & (HugePageBytes - 1));
  char *block = base + page + (past ? HugePageBytes - past : 0);
  char *start = block - page, *end = block + bytes;
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
    fprintf(stderr,
            "heddle: error: heddle_remote_free(%p): not a live block of "
            "heddle_remote_alloc\n",
            pointer);
    abort();
  }
  size_t bytes = header->mapped_bytes, page = page_bytes();
  header->mark = 0;
  if (__lsan_unregister_root_region)
    __lsan_unregister_root_region(pointer, bytes - page);
  munmap((char *)pointer - page, bytes);
}
