/*===- paths.h - Where a path leads ---------------------------------*- C -*-===
 *
 * Links are followed by hand where the file at their end need not exist yet,
 * and where the end is a file that this process has open: a path such as
 * /dev/stdout means that open file, with its position, rather than the file on
 * the disk that the shell has opened for it.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_PATHS_H
#define HEDDLE_RUNTIME_HOST_PATHS_H

#include <limits.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Follows symbolic links from `path`, in place, to a path that need not exist,
 * or that is a link to an open file of this process. Returns 0 or an errno. */
int heddle_follow_links(char path[PATH_MAX]);

/* The descriptor that a path names, as /dev/stdout, /dev/fd/1 and links to them
 * do; -1 for all other paths. */
int heddle_descriptor_of(const char *path);

#ifdef __cplusplus
}
#endif

#endif
