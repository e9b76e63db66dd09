/*===- region.h - Regions behind far addresses ----------------------------===
 *
 * A far address consists of 16 bits for the region's number, which is never 0,
 * and 48 bits for the offset in the region.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_REGION_H
#define HEDDLE_RUNTIME_FAR_REGION_H

#include "far/devices/device.h"
#include "heddle/far.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
  HeddleFarOffsetBits = 48,
  HeddleFarPageBits = 12,
  HeddleFarRegions = 4096 /* numbers */
};
#define HEDDLE_FAR_PAGE_BYTES ((uint64_t)1 << HeddleFarPageBits)
/* The bits of a page's number that say where in its region it is. */
#define HEDDLE_FAR_PAGE_MASK                                                   \
  (((uint64_t)1 << (HeddleFarOffsetBits - HeddleFarPageBits)) - 1)

struct heddle_far_region {
  char *path; /* NULL if it has none */
  struct heddle_far_file *file;
  char *memory;  /* of the file; not NULL: the region has no pages */
  uint64_t size; /* of the file */
  bool is_writable;
  heddle_far_check check; /* of pages that have been read, if any */
  void *check_context;
  /* While a thread syncs the region, the first errno of a write is kept here.
   */
  _Atomic bool is_synced;
  _Atomic int write_error;
};

/* Enters a copy of a region. Returns its address, or 0 with errno. */
uint64_t heddle_far_enter(const struct heddle_far_region *region);

/* Takes the region at `address` out of the table. Its owner frees it. */
void heddle_far_leave(uint64_t address);

/* Returns the region that `address` belongs to, even if it is behind its end.
 * NULL if there is none. */
struct heddle_far_region *heddle_far_region(uint64_t address);

static inline uint64_t heddle_far_offset(uint64_t address) {
  return address & (((uint64_t)1 << HeddleFarOffsetBits) - 1);
}

/* Returns the number of bytes of the page at `address` that belong to its
 * region. */
static inline uint64_t
heddle_far_bytes_of_page(const struct heddle_far_region *region,
                         uint64_t address) {
  const uint64_t left = region->size - heddle_far_offset(address);
  return left < HEDDLE_FAR_PAGE_BYTES ? left : HEDDLE_FAR_PAGE_BYTES;
}

/* Returns the number of whole pages from `page` to the end of its region. */
static inline uint64_t heddle_far_whole_pages(uint64_t page) {
  const uint64_t address = page << HeddleFarPageBits;
  return (heddle_far_region(address)->size - heddle_far_offset(address)) >>
         HeddleFarPageBits;
}

/* Reads a page, whose number is its address without the offset in it, into
 * `bytes`, which is as long and aligned as a page; zeros behind the end of the
 * region. Returns 0 or an errno. */
int heddle_far_read_page(uint64_t page, void *bytes);

/* Examines a page whose reading has ended, with 0 or an errno, before any
 * thread sees it. Returns the errno that remains: a region's check replaces
 * bytes that must not be used by zeros. */
int heddle_far_examine(uint64_t page, void *bytes, int error);

/* Writes the bytes of a page that belong to its region. Returns 0 or an
 * errno. */
int heddle_far_write_page(uint64_t page, void *bytes);

/* Ends the program with a message about the page at `address`. */
_Noreturn void heddle_far_fail(uint64_t address, const char *doing, int error);

#endif
