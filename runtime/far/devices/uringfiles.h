/*===- uringfiles.h - Files that a ring names by number -------------------===
 *
 * The kernel need not look up files that a ring has registered. Each ring has a
 * small table of them; of files that share an entry, the first one occupies it,
 * and the others are named by their descriptors.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_DEVICES_URINGFILES_H
#define HEDDLE_RUNTIME_FAR_DEVICES_URINGFILES_H

#include <liburing.h>
#include <stdbool.h>
#include <stdint.h>

enum { HeddleFarFiles = 64 };

struct heddle_far_files {
  bool works;
  uint16_t numbers[HeddleFarFiles]; /* of the files; 0: a free entry */
};

/* Makes the table of a new ring, if the kernel has that. */
void heddle_far_make_files(struct heddle_far_files *files,
                           struct io_uring *uring);

/* Names a file in a request, by its number and its descriptor. */
void heddle_far_name_file(struct heddle_far_files *files,
                          struct io_uring *uring, struct io_uring_sqe *entry,
                          uint16_t number, int descriptor);

/* Releases a file that has no requests in flight. */
void heddle_far_drop_file(struct heddle_far_files *files,
                          struct io_uring *uring, uint16_t number);

#endif
