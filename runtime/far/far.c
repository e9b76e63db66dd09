/*===- far.c - Regions as programs open and close them --------------------===*/

#include "heddle/far.h"

#include "far/cache.h"
#include "far/devices/device.h"
#include "far/region.h"
#include "far/task.h"
#include "far/transfer.h"
#include "far/whole.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define HEDDLE_API __attribute__((visibility("default")))

/* Only one sync or close runs at a time: the errors that a region keeps
 * meanwhile belong to it. */
static pthread_mutex_t syncing = PTHREAD_MUTEX_INITIALIZER;

/*===- Processes that fork -----------------------------------------------===*/

/* A child finds all stores in the files, and nothing half done. Pages that
 * cannot be written stay for the next sync. */
static void before_fork(void) {
  pthread_mutex_lock(&syncing);
  for (uint64_t number = 1; number < HeddleFarRegions; ++number) {
    const uint64_t address = number << HeddleFarOffsetBits;
    const struct heddle_far_region *region = heddle_far_region(address);
    if (region && region->is_writable && !region->memory)
      heddle_far_write_back(address, false);
  }
  heddle_far_hold_whole();
  heddle_far_hold_frames();
}

static void after_fork(void) {
  heddle_far_release_frames();
  heddle_far_release_whole();
  pthread_mutex_unlock(&syncing);
}

/* Discards the queues and the requests in flight: they belong to the parent. */
static void after_fork_in_child(void) {
  after_fork();
  heddle_far_forget_channels();
  heddle_far_forget_loops();
  heddle_far_leave_transfers();
}

static void handle_forks(void) {
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

/*===- Regions -----------------------------------------------------------===*/

static void free_region_parts(const struct heddle_far_region *region) {
  const int error = errno;
  if (region->file)
    region->file->device->close(region->file);
  free(region->path);
  errno = error;
}

/* Opens the file of a region whose other fields are set, and registers it.
 * Takes ownership of the region's path in any case. */
static heddle_far void *open_region(struct heddle_far_region region,
                                    const struct heddle_far_device *device,
                                    enum heddle_far_mode mode, size_t bytes) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, handle_forks);
  assert(HEDDLE_FAR_PAGE_BYTES % device->alignment == 0);
  region.is_writable = mode != HEDDLE_FAR_READ;
  region.file = device->open(region.path, mode, bytes);
  if (!region.file)
    return free_region_parts(&region), (heddle_far void *)0;
  region.memory = region.file->memory;
  region.size = region.file->size;
  uint64_t address = 0;
  if (region.size >> HeddleFarOffsetBits == 0)
    address = heddle_far_enter(&region);
  else
    errno = EFBIG;
  if (address == 0)
    free_region_parts(&region);
  return (heddle_far void *)address;
}

static heddle_far void *open_path(struct heddle_far_region region,
                                  const char *path, enum heddle_far_mode mode,
                                  size_t bytes) {
  if (heddle_far_set_up() != 0 || !(region.path = strdup(path)))
    return (heddle_far void *)0;
  return open_region(region, &heddle_far_uring, mode, bytes);
}

HEDDLE_API heddle_far void *
heddle_far_open(const char *path, enum heddle_far_mode mode, size_t bytes) {
  if (mode > HEDDLE_FAR_CREATE || (mode != HEDDLE_FAR_CREATE && bytes != 0) ||
      bytes >> HeddleFarOffsetBits != 0)
    return errno = EINVAL, (heddle_far void *)0;
  return open_path((struct heddle_far_region){0}, path, mode, bytes);
}

HEDDLE_API heddle_far void *heddle_far_open_checked(const char *path,
                                                    heddle_far_check check,
                                                    void *context) {
  const struct heddle_far_region region = {.check = check,
                                           .check_context = context};
  return open_path(region, path, HEDDLE_FAR_READ, 0);
}

HEDDLE_API heddle_far void *heddle_far_allocate(size_t bytes) {
  if (bytes == 0 || bytes >> HeddleFarOffsetBits != 0)
    return errno = EINVAL, (heddle_far void *)0;
  return open_region((struct heddle_far_region){0}, &heddle_far_memory,
                     HEDDLE_FAR_CREATE, bytes);
}

HEDDLE_API size_t heddle_far_size(heddle_far const void *start) {
  const struct heddle_far_region *region = heddle_far_region((uint64_t)start);
  return region ? region->size : 0;
}

HEDDLE_API int heddle_far_sync(heddle_far void *start) {
  const struct heddle_far_region *region = heddle_far_region((uint64_t)start);
  if (!region)
    return errno = EINVAL, -1;
  if (region->memory)
    return 0;
  pthread_mutex_lock(&syncing);
  int error = heddle_far_write_back((uint64_t)start, false);
  pthread_mutex_unlock(&syncing);
  if (error != 0)
    return errno = error, -1;
  return region->is_writable ? region->file->device->sync(region->file) : 0;
}

/* Removes the pages and requests of a region from the cache and the queues. */
static int close_pages(uint64_t address) {
  const int error = heddle_far_write_back(address, true);
  heddle_far_forget_file(heddle_far_region(address)->file);
  return error;
}

HEDDLE_API int heddle_far_close(heddle_far void *start) {
  struct heddle_far_region *region = heddle_far_region((uint64_t)start);
  if (!region)
    return errno = EINVAL, -1;
  int error = 0;
  pthread_mutex_lock(&syncing);
  if (region->memory)
    heddle_far_forget_whole((uint64_t)start);
  else
    error = close_pages((uint64_t)start);
  heddle_far_leave((uint64_t)start);
  pthread_mutex_unlock(&syncing);
  free_region_parts(region);
  free(region);
  return error ? (errno = error, -1) : 0;
}
