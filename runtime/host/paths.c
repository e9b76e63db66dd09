/*===- paths.c - Where a path leads ---------------------------------------===*/

#include "host/paths.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The number of bytes of a path before its last part. */
static size_t length_above(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Whether the last part of a path is in the directory of this process's open
 * files. */
static bool is_open_file(const char *path) {
  char directory[PATH_MAX + 1];
  struct stat above, own;
  snprintf(directory, sizeof directory, "%.*s.", (int)length_above(path), path);
  return stat(directory, &above) == 0 && stat("/proc/self/fd", &own) == 0 &&
         above.st_dev == own.st_dev && above.st_ino == own.st_ino;
}

int heddle_follow_links(char path[PATH_MAX]) {
  enum { MostLinks = 40 };
  for (int links = 0; links < MostLinks; ++links) {
    char link[PATH_MAX];
    const ssize_t length = readlink(path, link, sizeof link - 1);
    if (length < 0 || is_open_file(path)) /* no link, or nothing */
      return 0;
    link[length] = '\0';
    const size_t above = link[0] == '/' ? 0 : length_above(path);
    if (above + (size_t)length >= PATH_MAX)
      return ENAMETOOLONG;
    memcpy(path + above, link, (size_t)length + 1);
  }
  return ELOOP;
}

int heddle_descriptor_of(const char *path) {
  char target[PATH_MAX];
  if (strlen(path) >= sizeof target)
    return -1;
  strcpy(target, path);
  if (heddle_follow_links(target) != 0 || !is_open_file(target))
    return -1;
  char *end;
  const long number = strtol(target + length_above(target), &end, 10);
  return *end || end == target + length_above(target) ? -1 : (int)number;
}
