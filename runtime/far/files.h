/*===- files.h - Files that a ring names by number -------------------------===
 *
 * What a ring has registered the kernel need not look up for each request. Each
 * ring has a small table of the files of regions; regions that would have the
 * same place in it go by their descriptors.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_FAR_FILES_H
#define HEDDLE_RUNTIME_FAR_FILES_H

#include <liburing.h>
#include <stdbool.h>
#include <stdint.h>

enum { HeddleFarFiles = 64 };

struct heddle_far_files {
  bool works;
  uint16_t regions[HeddleFarFiles]; /* whose files they are; 0: nobody's */
};

/* Makes the table of a new ring, if the kernel has that. */
void heddle_far_make_files(struct heddle_far_files *files,
                           struct io_uring *uring);

/* Names `file`, which is that of the region at `address`, in a request. */
void heddle_far_name_file(struct heddle_far_files *files,
                          struct io_uring *uring, struct io_uring_sqe *entry,
                          uint64_t address, int file);

/* Lets go of the file of a region, of which no request is under way. */
void heddle_far_drop_file(struct heddle_far_files *files,
                          struct io_uring *uring, uint64_t address);

#endif
