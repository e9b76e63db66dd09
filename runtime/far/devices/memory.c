/*===- memory.c - Memory as a device --------------------------------------===
 *
 * Each file is a block of memory, which is accessed where it is.
 *
 *===----------------------------------------------------------------------===*/

#include "far/devices/device.h"

#include "heddle/heddle.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static struct heddle_far_file *
open_memory(const char *path, enum heddle_far_mode mode, uint64_t bytes) {
  assert(!path && mode == HEDDLE_FAR_CREATE);
  (void)path, (void)mode;
  struct heddle_far_file *file = malloc(sizeof *file);
  if (!file)
    return NULL;
  *file = (struct heddle_far_file){.device = &heddle_far_memory,
                                   .size = bytes,
                                   .memory = heddle_remote_alloc(bytes)};
  if (file->memory)
    return file;
  free(file);
  errno = ENOMEM;
  return NULL;
}

static void close_memory(struct heddle_far_file *file) {
  heddle_remote_free(file->memory);
  free(file);
}

const struct heddle_far_device heddle_far_memory = {
    .alignment = 1, .open = open_memory, .close = close_memory};
