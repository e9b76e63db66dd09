/*===- files.c - Files that a ring names by number ------------------------===*/

#include "far/files.h"

#include "far/region.h"

void heddle_far_make_files(struct heddle_far_files *files,
                           struct io_uring *uring) {
  files->works = io_uring_register_files_sparse(uring, HeddleFarFiles) == 0;
}

/* Where a region's file is, if it is there. */
static uint16_t *place_of(struct heddle_far_files *files, uint64_t address) {
  return &files->regions[(address >> HeddleFarOffsetBits) % HeddleFarFiles];
}

void heddle_far_name_file(struct heddle_far_files *files,
                          struct io_uring *uring, struct io_uring_sqe *entry,
                          uint64_t address, int file) {
  const uint16_t region = (uint16_t)(address >> HeddleFarOffsetBits);
  uint16_t *place = place_of(files, address);
  const unsigned number = (unsigned)(place - files->regions);
  if (files->works && *place == 0 &&
      io_uring_register_files_update(uring, number, &file, 1) == 1)
    *place = region;
  if (*place != region)
    return;
  entry->fd = (int)number;
  io_uring_sqe_set_flags(entry, IOSQE_FIXED_FILE);
}

void heddle_far_drop_file(struct heddle_far_files *files,
                          struct io_uring *uring, uint64_t address) {
  uint16_t *place = place_of(files, address);
  if (*place != address >> HeddleFarOffsetBits)
    return;
  const int none = -1;
  io_uring_register_files_update(uring, (unsigned)(place - files->regions),
                                 &none, 1);
  *place = 0;
}
