/*===- files.c - Opening files; small files, read and changed whole -------===*/

#include "host/files.h"

#include "host/output.h"
#include "host/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LargestFile = 64 << 20 };

/*===- Opening -----------------------------------------------------------===*/

int heddle_above_streams(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO)
    return descriptor;
  const int above = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  close(descriptor);
  errno = error;
  return above;
}

int heddle_open(const char *path, int flags, mode_t mode) {
  int descriptor;
  do
    descriptor = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
  while (descriptor < 0 && errno == EINTR);
  descriptor = heddle_above_streams(descriptor);
  if (descriptor >= 0 && flags & O_NONBLOCK)
    fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

/*===- Reading -----------------------------------------------------------===*/

/* Returns 0 or an errno. */
static int read_all(int file, char **text, size_t *length) {
  struct stat status;
  if (fstat(file, &status) != 0)
    return errno;
  if (!S_ISREG(status.st_mode))
    return S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
  for (size_t room = 0;;) {
    if (*length + 1 >= room) {
      if (room > LargestFile)
        return EFBIG;
      room = room ? 2 * room : 4096;
      char *larger = realloc(*text, room);
      if (!larger)
        return ENOMEM;
      *text = larger;
    }
    const ssize_t got = read(file, *text + *length, room - 1 - *length);
    if (got < 0 && errno != EINTR)
      return errno;
    if (got == 0)
      break;
    *length += got > 0 ? (size_t)got : 0;
  }
  (*text)[*length] = '\0';
  return 0;
}

char *heddle_read_file(const char *path, size_t *size) {
  /* What is written to a standard stream does not replace anything in it. */
  if (heddle_descriptor_of(path) >= 0) {
    errno = EINVAL;
    return NULL;
  }
  /* The other end of a pipe would notice that it is opened. */
  struct stat status;
  if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
    errno = S_ISDIR(status.st_mode) ? EISDIR : EINVAL;
    return NULL;
  }
  const int file = heddle_open(path, O_RDONLY | O_NONBLOCK, 0);
  if (file < 0)
    return NULL;
  char *text = NULL;
  size_t length = 0;
  const int error = read_all(file, &text, &length);
  close(file);
  if (error) {
    free(text);
    errno = error;
    return NULL;
  }
  *size = length;
  return text;
}

/*===- Writing -----------------------------------------------------------===*/

bool heddle_replace_file(const char *path, const char *text, size_t size) {
  struct heddle_output output;
  int error = heddle_output_open(&output, path, HEDDLE_OUTPUT_BESIDE);
  if (!error) {
    error = heddle_output_write(&output, text, size);
    if (error)
      heddle_output_abandon(&output);
    else
      error = heddle_output_commit(&output);
  }
  errno = error;
  return error == 0;
}

/* Locks the directory of a file, since the file itself is replaced. Returns its
 * descriptor. Some file systems have no locks, and another program may hold one
 * for long: -1, and changes of another process may be lost. */
static int lock_directory_of(const char *path) {
  enum { MostTries = 300, Nanoseconds = 10000000 };
  char directory[PATH_MAX];
  if (strlen(path) >= sizeof directory)
    return -1;
  strcpy(directory, path);
  if (heddle_follow_links(directory) != 0)
    return -1;
  char *slash = strrchr(directory, '/');
  if (slash)
    slash[slash == directory] = '\0';
  int lock = heddle_open(slash ? directory : ".", O_RDONLY | O_DIRECTORY, 0);
  for (int tries = 0; lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0;
       ++tries) {
    const struct timespec moment = {0, Nanoseconds};
    if ((errno != EWOULDBLOCK && errno != EINTR) || tries == MostTries) {
      close(lock);
      return -1;
    }
    nanosleep(&moment, NULL);
  }
  return lock;
}

bool heddle_update_file(const char *path, heddle_change_file *change,
                        void *context) {
  const int lock = lock_directory_of(path);
  size_t size = 0;
  char *old = heddle_read_file(path, &size);
  const int read_error = old ? 0 : errno;
  char *text = change(old, &size, read_error, context);
  free(old);
  const bool done = !text || heddle_replace_file(path, text, size);
  const int error = errno;
  free(text);
  if (lock >= 0)
    close(lock);
  errno = error;
  return done;
}
