/*===- files.c - Read whole, replace whole --------------------------------===*/

#include "host/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LargestFile = 64 << 20 };

static char *fail(FILE *stream, char *text, int error) {
  if (stream)
    fclose(stream);
  free(text);
  errno = error;
  return NULL;
}

char *heddle_read_file(const char *path, size_t *size) {
  FILE *stream = fopen(path, "re");
  if (!stream)
    return NULL;
  struct stat status;
  if (fstat(fileno(stream), &status))
    return fail(stream, NULL, errno);
  if (S_ISDIR(status.st_mode))
    return fail(stream, NULL, EISDIR);
  size_t length = 0, room = 4096;
  char *text = malloc(room);
  while (text) {
    length += fread(text + length, 1, room - 1 - length, stream);
    if (ferror(stream))
      return fail(stream, text, errno);
    if (length < room - 1)
      break;
    if (room >= LargestFile)
      return fail(stream, text, EFBIG);
    room *= 2;
    char *larger = realloc(text, room);
    if (!larger)
      return fail(stream, text, ENOMEM);
    text = larger;
  }
  if (!text)
    return fail(stream, NULL, ENOMEM);
  fclose(stream);
  text[length] = 0;
  *size = length;
  return text;
}

static bool write_all(int file, const char *text, size_t size) {
  while (size) {
    ssize_t written = write(file, text, size);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    text += written;
    size -= (size_t)written;
  }
  return true;
}

/* The mode of the file to be replaced, or that of a new file. */
static mode_t mode_for(const char *path) {
  struct stat status;
  if (!stat(path, &status))
    return status.st_mode & 0777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static bool replace(const char *path, const char *text, size_t size) {
  char *temporary;
  if (asprintf(&temporary, "%s.XXXXXX", path) < 0) {
    errno = ENOMEM;
    return false;
  }
  mode_t mode = mode_for(path);
  int file = mkstemp(temporary);
  if (file < 0) {
    int error = errno;
    free(temporary);
    errno = error;
    return false;
  }
  bool done = write_all(file, text, size) && !fchmod(file, mode);
  int error = errno;
  if (close(file) && done) {
    done = false;
    error = errno;
  }
  if (done && rename(temporary, path)) {
    done = false;
    error = errno;
  }
  if (!done)
    unlink(temporary);
  free(temporary);
  errno = error;
  return done;
}

static bool write_device(const char *path, const char *text, size_t size) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return false;
  bool done = write_all(file, text, size);
  return !close(file) && done;
}

bool heddle_replace_file(const char *path, const char *text, size_t size) {
  struct stat status;
  if (!stat(path, &status) && !S_ISREG(status.st_mode))
    return write_device(path, text, size);
  if (!access(path, F_OK) && access(path, W_OK))
    return false;
  char *target = realpath(path, NULL);
  bool done = replace(target ? target : path, text, size);
  int error = errno;
  free(target);
  errno = error;
  return done;
}
