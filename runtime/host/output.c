/*===- output.c - A file that appears whole or not at all -----------------===*/

#include "host/output.h"

#include "host/files.h"
#include "host/paths.h"
#include "host/signals.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int failure(int result) { return result < 0 ? errno : 0; }

/*===- Names -------------------------------------------------------------===*/

/* Whether a path leads to the file with this status. */
static bool leads_to(const char *path, const struct stat *status) {
  struct stat found;
  return stat(path, &found) == 0 && found.st_dev == status->st_dev &&
         found.st_ino == status->st_ino;
}

static uint64_t random_number(void) {
  uint64_t number;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) ==
      (ssize_t)sizeof number)
    return number;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return ((uint64_t)getpid() << 32 ^ (uint64_t)now.tv_nsec) *
         0x9e3779b97f4a7c15u;
}

/* Calls `create` with names until there is no file of that name. */
static int create_beside(struct heddle_output *output,
                         int (*create)(struct heddle_output *)) {
  int result;
  do {
    snprintf(output->temporary, sizeof output->temporary, "%.40s-%016llx.tmp",
             output->name, (unsigned long long)random_number());
    result = create(output);
  } while (result == EEXIST);
  if (result != 0)
    output->temporary[0] = '\0';
  return result;
}

/*===- Opening -----------------------------------------------------------===*/

static int open_named(struct heddle_output *output) {
  output->descriptor = heddle_above_streams(
      openat(output->directory, output->temporary,
             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  return failure(output->descriptor);
}

/* The path in /proc of the open file. */
static void path_of(const struct heddle_output *output, char path[64]) {
  snprintf(path, 64, "/proc/self/fd/%d", output->descriptor);
}

/* Opens a file without a name, which vanishes when the process ends for any
 * reason. False if the file system, or a missing /proc, does not allow it. */
static bool open_unnamed(struct heddle_output *output) {
  output->descriptor = heddle_above_streams(
      openat(output->directory, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666));
  if (output->descriptor < 0)
    return false;
  char path[64];
  path_of(output, path);
  if (access(path, F_OK) == 0)
    return true;
  close(output->descriptor);
  output->descriptor = -1;
  return false;
}

static int open_again(struct heddle_output *output, int descriptor) {
  output->descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  return failure(output->descriptor);
}

static int open_in_place(struct heddle_output *output, const char *path) {
  const bool is_beside = output->flags & HEDDLE_OUTPUT_BESIDE;
  output->descriptor =
      heddle_open(path, O_WRONLY | (is_beside ? O_NONBLOCK : 0), 0);
  return failure(output->descriptor);
}

/* Opens the directory that `target` is in, and keeps its last part. */
static int open_directory(struct heddle_output *output, char *target) {
  char *slash = strrchr(target, '/');
  const char *name = slash ? slash + 1 : target;
  if (!*name || !strcmp(name, ".") || !strcmp(name, ".."))
    return EISDIR;
  if (strlen(name) >= sizeof output->name)
    return ENAMETOOLONG;
  strcpy(output->name, name);
  if (slash)
    slash[slash == target] = '\0';
  output->directory =
      heddle_open(slash ? target : ".", O_PATH | O_DIRECTORY, 0);
  return failure(output->directory);
}

static int open_beside(struct heddle_output *output, const char *path,
                       const struct stat *old) {
  char target[PATH_MAX];
  if (strlen(path) >= sizeof target)
    return ENAMETOOLONG;
  strcpy(target, path);
  int error = heddle_follow_links(target);
  if (error)
    return error;
  /* The link to a file that another process has open, and that has lost its
   * name, has the text "<name> (deleted)", which is no path to it. */
  if (old && strcmp(target, path) && !leads_to(target, old))
    return ENOENT;
  if (old && faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0)
    return errno;
  error = open_directory(output, target);
  if (!error && !open_unnamed(output))
    error = create_beside(output, open_named);
  if (!error && old)
    fchmod(output->descriptor, old->st_mode & 0777);
  return error;
}

static int open_path(struct heddle_output *output, const char *path) {
  const int opened = heddle_descriptor_of(path);
  if (opened >= 0)
    return open_again(output, opened);
  struct stat status;
  if (stat(path, &status) != 0)
    return errno == ENOENT ? open_beside(output, path, NULL) : errno;
  if (S_ISDIR(status.st_mode))
    return EISDIR;
  if (!S_ISREG(status.st_mode))
    return open_in_place(output, path);
  if (output->flags & HEDDLE_OUTPUT_NEW)
    return EEXIST;
  return open_beside(output, path, &status);
}

int heddle_output_open(struct heddle_output *output, const char *path,
                       unsigned flags) {
  *output =
      (struct heddle_output){.flags = flags, .descriptor = -1, .directory = -1};
  const int error = open_path(output, path);
  if (error)
    heddle_output_abandon(output);
  return error;
}

/*===- Writing -----------------------------------------------------------===*/

static int write_all(int descriptor, const char *bytes, size_t size) {
  while (size > 0) {
    const ssize_t written = write(descriptor, bytes, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return errno;
    bytes += written;
    size -= (size_t)written;
  }
  return 0;
}

int heddle_output_write(struct heddle_output *output, const void *bytes,
                        size_t size) {
  assert(output->descriptor >= 0);
  const bool is_beside = output->flags & HEDDLE_OUTPUT_BESIDE;
  const struct heddle_held_signal limit = heddle_hold_signal(SIGXFSZ);
  const struct heddle_held_signal pipe =
      heddle_hold_signal(is_beside ? SIGPIPE : SIGXFSZ);
  const int error = write_all(output->descriptor, bytes, size);
  heddle_release_signal(&pipe);
  heddle_release_signal(&limit);
  return error;
}

/*===- Committing --------------------------------------------------------===*/

/* Some file systems cannot synchronize files or directories. */
static int synchronize(int descriptor) {
  if (fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS ||
      errno == EOPNOTSUPP)
    return 0;
  return errno;
}

/* Closes a descriptor once. Some file systems notice only now that there is no
 * room. */
static int close_one(int *descriptor) {
  const int closed = *descriptor;
  *descriptor = -1;
  return closed >= 0 ? failure(close(closed)) : 0;
}

static int link_as(const struct heddle_output *output, const char *name) {
  char path[64];
  path_of(output, path);
  return failure(
      linkat(AT_FDCWD, path, output->directory, name, AT_SYMLINK_FOLLOW));
}

static int link_temporary(struct heddle_output *output) {
  return link_as(output, output->temporary);
}

/* Gives the file, which has a temporary name, its own. */
static int take_name(struct heddle_output *output) {
  /* Unlike a rename, a link never replaces a file. */
  const int error = failure(output->flags & HEDDLE_OUTPUT_NEW
                                ? linkat(output->directory, output->temporary,
                                         output->directory, output->name, 0)
                                : renameat(output->directory, output->temporary,
                                           output->directory, output->name));
  if (!error && output->flags & HEDDLE_OUTPUT_NEW)
    unlinkat(output->directory, output->temporary, 0);
  if (!error)
    output->temporary[0] = '\0';
  return error;
}

/* Without a name there is nothing to be left behind, but only a file that has
 * one can replace another. */
static int name_file(struct heddle_output *output) {
  int error = 0;
  if (!output->temporary[0]) {
    error = link_as(output, output->name);
    if (!error) {
      error = close_one(&output->descriptor);
      if (error)
        unlinkat(output->directory, output->name, 0);
      return error;
    }
    if (error != EEXIST || output->flags & HEDDLE_OUTPUT_NEW)
      return error;
    error = create_beside(output, link_temporary);
  }
  if (!error)
    error = close_one(&output->descriptor);
  return error ? error : take_name(output);
}

static int synchronize_names(int directory) {
  int listed = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (listed < 0)
    return errno == EACCES ? 0 : errno;
  const int error = synchronize(listed);
  close(listed);
  return error;
}

int heddle_output_commit(struct heddle_output *output) {
  assert(output->descriptor >= 0 && "a file is committed once");
  int error = 0;
  if (output->directory >= 0) {
    error = synchronize(output->descriptor);
    if (!error)
      error = name_file(output);
    if (!error)
      error = synchronize_names(output->directory);
  }
  if (!error)
    error = close_one(&output->descriptor);
  heddle_output_abandon(output);
  return error;
}

void heddle_output_abandon(struct heddle_output *output) {
  close_one(&output->descriptor);
  if (output->temporary[0])
    unlinkat(output->directory, output->temporary, 0);
  output->temporary[0] = '\0';
  close_one(&output->directory);
}

int heddle_sync_directory(const char *path) {
  int directory = heddle_open(path, O_PATH | O_DIRECTORY, 0);
  if (directory < 0)
    return errno;
  const int error = synchronize_names(directory);
  close_one(&directory);
  return error;
}
