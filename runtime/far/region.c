/*===- region.c - Regions behind far addresses ----------------------------===*/

#include "far/region.h"
#include "host/messages.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static _Atomic(struct heddle_far_region *) regions[HeddleFarRegions];

uint64_t heddle_far_enter(const struct heddle_far_region *region) {
  assert(region->file && region->size >> HeddleFarOffsetBits == 0);
  struct heddle_far_region *entered = malloc(sizeof *entered);
  if (!entered)
    return 0;
  *entered = *region;
  for (uint64_t number = 1; number < HeddleFarRegions; ++number) {
    struct heddle_far_region *none = NULL;
    if (!atomic_load(&regions[number])) {
      entered->file->number = (uint16_t)number;
      if (atomic_compare_exchange_strong(&regions[number], &none, entered))
        return number << HeddleFarOffsetBits;
    }
  }
  free(entered);
  errno = EMFILE;
  return 0;
}

void heddle_far_leave(uint64_t address) {
  assert(heddle_far_region(address) && heddle_far_offset(address) == 0);
  atomic_store(&regions[address >> HeddleFarOffsetBits], NULL);
}

struct heddle_far_region *heddle_far_region(uint64_t address) {
  uint64_t number = address >> HeddleFarOffsetBits;
  return number < HeddleFarRegions ? atomic_load(&regions[number]) : NULL;
}

/* Reads or writes the bytes of a page that belong to its region. Returns their
 * number, or a negative errno. */
static ssize_t move_page(uint64_t page, char *bytes, bool writes) {
  const uint64_t address = page << HeddleFarPageBits;
  const struct heddle_far_region *region = heddle_far_region(address);
  assert(region && !region->memory);
  assert(heddle_far_offset(address) < region->size);
  return region->file->device->move(
      region->file, heddle_far_offset(address), bytes,
      heddle_far_bytes_of_page(region, address), writes);
}

int heddle_far_read_page(uint64_t page, void *bytes) {
  const ssize_t done = move_page(page, bytes, false);
  if (done < 0)
    return (int)-done;
  memset((char *)bytes + done, 0, HEDDLE_FAR_PAGE_BYTES - (size_t)done);
  return 0;
}

int heddle_far_examine(uint64_t page, void *bytes, int error) {
  const uint64_t address = page << HeddleFarPageBits;
  const struct heddle_far_region *region = heddle_far_region(address);
  assert(region && error >= 0);
  if (!region->check)
    return error;
  if (!region->check(region->check_context, heddle_far_offset(address), bytes,
                     error))
    memset(bytes, 0, HEDDLE_FAR_PAGE_BYTES);
  return 0;
}

int heddle_far_write_page(uint64_t page, void *bytes) {
  const ssize_t done = move_page(page, bytes, true);
  return done < 0 ? (int)-done : 0;
}

_Noreturn void heddle_far_fail(uint64_t address, const char *doing, int error) {
  const struct heddle_far_region *region = heddle_far_region(address);
  if (!region)
    heddle_fail("%s far memory at 0x%llx: no such region", doing,
                (unsigned long long)address);
  heddle_fail("%s %s at byte %llu of %llu: %s", doing,
              region->path ? region->path : "memory",
              (unsigned long long)heddle_far_offset(address),
              (unsigned long long)region->size,
              error == ENODATA ? "the file has become shorter"
                               : strerror(error));
}
