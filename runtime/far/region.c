/*===- region.c - What is behind far addresses ----------------------------===*/

#include "far/region.h"

#include "heddle/heddle.h"

#include "far/cache.h"
#include "far/ring.h"
#include "far/whole.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEDDLE_API __attribute__((visibility("default")))

enum { RegionNumbers = 4096 };

static _Atomic(struct heddle_far_region *) regions[RegionNumbers];

/* Syncs and closes come one after the other: the errors that a region keeps
 * meanwhile are those of one of them. */
static pthread_mutex_t syncing = PTHREAD_MUTEX_INITIALIZER;

uint64_t heddle_far_enter(const struct heddle_far_region *region) {
  struct heddle_far_region *entered = malloc(sizeof *entered);
  if (!entered)
    return 0;
  *entered = *region;
  for (uint64_t number = 1; number < RegionNumbers; ++number) {
    struct heddle_far_region *none = NULL;
    if (atomic_compare_exchange_strong(&regions[number], &none, entered))
      return number << HeddleFarOffsetBits;
  }
  free(entered);
  errno = EMFILE;
  return 0;
}

void heddle_far_leave(uint64_t address) {
  atomic_store(&regions[address >> HeddleFarOffsetBits], NULL);
}

struct heddle_far_region *heddle_far_region(uint64_t address) {
  uint64_t number = address >> HeddleFarOffsetBits;
  return number < RegionNumbers ? atomic_load(&regions[number]) : NULL;
}

/* Reads or writes as much of a page as its region has. Returns how much that
 * is, or a negative errno. */
static ssize_t transfer(uint64_t page, char *bytes, bool writes) {
  uint64_t address = page << HeddleFarPageBits;
  const struct heddle_far_region *region = heddle_far_region(address);
  uint64_t offset = heddle_far_offset(address);
  size_t wanted = heddle_far_bytes_of_page(region, address), done = 0;
  int file = wanted == HEDDLE_FAR_PAGE_BYTES ? region->direct : region->plain;
  while (done < wanted) {
    off_t at = (off_t)(offset + done);
    ssize_t moved = writes ? pwrite(file, bytes + done, wanted - done, at)
                           : pread(file, bytes + done, wanted - done, at);
    if (moved < 0 && errno == EINTR)
      continue;
    if (moved < 0)
      return -errno;
    if (moved == 0)
      return writes ? -EIO : -ENODATA;
    done += (size_t)moved;
    file = region->plain; /* what is left need not be aligned */
  }
  return (ssize_t)done;
}

int heddle_far_read_page(uint64_t page, void *bytes) {
  ssize_t done = transfer(page, bytes, false);
  if (done < 0)
    return (int)-done;
  memset((char *)bytes + done, 0, HEDDLE_FAR_PAGE_BYTES - (size_t)done);
  return 0;
}

int heddle_far_examine(uint64_t page, void *bytes, int error) {
  const uint64_t address = page << HeddleFarPageBits;
  const struct heddle_far_region *region = heddle_far_region(address);
  if (!region->check)
    return error;
  if (!region->check(region->check_context, heddle_far_offset(address), bytes,
                     error))
    memset(bytes, 0, HEDDLE_FAR_PAGE_BYTES);
  return 0;
}

int heddle_far_write_page(uint64_t page, void *bytes) {
  ssize_t done = transfer(page, bytes, true);
  return done < 0 ? (int)-done : 0;
}

_Noreturn void heddle_far_fail(uint64_t address, const char *doing, int error) {
  const struct heddle_far_region *region = heddle_far_region(address);
  if (!region)
    fprintf(stderr, "heddle: error: %s far memory at 0x%llx: no such region\n",
            doing, (unsigned long long)address);
  else
    fprintf(stderr, "heddle: error: %s %s at byte %llu of %llu: %s\n", doing,
            region->path ? region->path : "memory",
            (unsigned long long)heddle_far_offset(address),
            (unsigned long long)region->size,
            error == ENODATA ? "the file has become shorter" : strerror(error));
  fflush(stdout);
  _exit(1);
}

static int size_of(int file, uint64_t *size) {
  struct stat status;
  if (fstat(file, &status) != 0)
    return -1;
  if (S_ISREG(status.st_mode))
    *size = (uint64_t)status.st_size;
  else if (!S_ISBLK(status.st_mode))
    return errno = EINVAL, -1;
  else if (ioctl(file, BLKGETSIZE64, size) != 0)
    return -1;
  return *size >> HeddleFarOffsetBits ? (errno = EFBIG, -1) : 0;
}

static void close_files(const struct heddle_far_region *region) {
  int error = errno;
  if (region->direct != region->plain)
    close(region->direct);
  close(region->plain);
  free(region->path);
  errno = error;
}

static int open_files(struct heddle_far_region *region, const char *path,
                      enum heddle_far_mode mode, size_t bytes) {
  int flags = O_CLOEXEC | (mode == HEDDLE_FAR_READ ? O_RDONLY : O_RDWR);
  int create = mode == HEDDLE_FAR_CREATE ? O_CREAT | O_TRUNC : 0;
  region->is_writable = mode != HEDDLE_FAR_READ;
  region->path = strdup(path);
  region->plain = open(path, flags | create, 0666);
  region->direct = region->plain;
  if (region->plain < 0)
    return free(region->path), -1;
  if (!region->path)
    return close_files(region), -1;
  region->direct = open(path, flags | O_DIRECT);
  if (region->direct < 0)
    region->direct = region->plain;
  if ((create && ftruncate(region->plain, (off_t)bytes) != 0) ||
      size_of(region->plain, &region->size) != 0)
    return close_files(region), -1;
  return 0;
}

/* Opens the files of a region of which the rest is given, and enters it. */
static heddle_far void *open_region(struct heddle_far_region region,
                                    const char *path, enum heddle_far_mode mode,
                                    size_t bytes) {
  if (heddle_far_set_up() != 0 || open_files(&region, path, mode, bytes) != 0)
    return (heddle_far void *)0;
  uint64_t address = heddle_far_enter(&region);
  if (address == 0)
    close_files(&region);
  return (heddle_far void *)address;
}

HEDDLE_API heddle_far void *
heddle_far_open(const char *path, enum heddle_far_mode mode, size_t bytes) {
  if (mode > HEDDLE_FAR_CREATE || (mode != HEDDLE_FAR_CREATE && bytes != 0) ||
      bytes >> HeddleFarOffsetBits != 0)
    return errno = EINVAL, (heddle_far void *)0;
  return open_region((struct heddle_far_region){0}, path, mode, bytes);
}

HEDDLE_API heddle_far void *heddle_far_open_checked(const char *path,
                                                    heddle_far_check check,
                                                    void *context) {
  const struct heddle_far_region region = {.check = check,
                                           .check_context = context};
  return open_region(region, path, HEDDLE_FAR_READ, 0);
}

HEDDLE_API heddle_far void *heddle_far_allocate(size_t bytes) {
  struct heddle_far_region region = {.size = bytes, .is_writable = true};
  if (bytes == 0 || bytes >> HeddleFarOffsetBits != 0)
    return errno = EINVAL, (heddle_far void *)0;
  region.memory = heddle_remote_alloc(bytes);
  if (!region.memory)
    return errno = ENOMEM, (heddle_far void *)0;
  uint64_t address = heddle_far_enter(&region);
  if (address == 0)
    heddle_remote_free(region.memory);
  return (heddle_far void *)address;
}

HEDDLE_API size_t heddle_far_size(heddle_far const void *start) {
  const struct heddle_far_region *region = heddle_far_region((uint64_t)start);
  return region ? region->size : 0;
}

void heddle_far_hold_regions(void) {
  pthread_mutex_lock(&syncing);
  for (uint64_t number = 1; number < RegionNumbers; ++number) {
    const uint64_t address = number << HeddleFarOffsetBits;
    const struct heddle_far_region *region = heddle_far_region(address);
    if (region && region->is_writable && !region->memory)
      heddle_far_write_back(address, false);
  }
}

void heddle_far_release_regions(void) { pthread_mutex_unlock(&syncing); }

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
  return region->is_writable ? fdatasync(region->plain) : 0;
}

/* Takes what the cache and the rings have of a region. */
static int close_pages(uint64_t address) {
  const int error = heddle_far_write_back(address, true);
  heddle_far_forget_file(address);
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
  if (region->memory)
    heddle_remote_free(region->memory);
  else
    close_files(region);
  free(region);
  return error ? (errno = error, -1) : 0;
}
