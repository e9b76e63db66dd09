/*===- uringfiles.c - Files that a ring names by number -------------------===*/

#include "far/devices/uringfiles.h"

#include <assert.h>

void heddle_far_make_files(struct heddle_far_files *files,
                           struct io_uring *uring) {
  files->works = io_uring_register_files_sparse(uring, HeddleFarFiles) == 0;
}

void heddle_far_name_file(struct heddle_far_files *files,
                          struct io_uring *uring, struct io_uring_sqe *entry,
                          uint16_t number, int descriptor) {
  assert(number != 0 && descriptor >= 0);
  const unsigned place = number % HeddleFarFiles;
  if (files->works && files->numbers[place] == 0 &&
      io_uring_register_files_update(uring, place, &descriptor, 1) == 1)
    files->numbers[place] = number;
  if (files->numbers[place] != number)
    return;
  entry->fd = (int)place;
  io_uring_sqe_set_flags(entry, IOSQE_FIXED_FILE);
}

void heddle_far_drop_file(struct heddle_far_files *files,
                          struct io_uring *uring, uint16_t number) {
  assert(number != 0);
  const unsigned place = number % HeddleFarFiles;
  if (files->numbers[place] != number)
    return;
  const int none = -1;
  io_uring_register_files_update(uring, place, &none, 1);
  files->numbers[place] = 0;
}
