/*===- output.h - A file that appears whole or not at all -----------*- C -*-===
 *
 * The only place that writes files for users. Everything is written to a file
 * without a name or, where the file system has none, to one with a name that no
 * one can know in advance; it takes its name when all of it is on the disk.
 * Until then an older file stays, also if the power fails. Symbolic links stay,
 * and what they lead to is written, whether it exists or not. Devices, pipes
 * and what a path like /dev/stdout names are written to at once.
 *
 * Functions return 0, or an errno.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_OUTPUT_H
#define HEDDLE_RUNTIME_HOST_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heddle_output_flags {
  /* That there is such a file, at first or in the end, is an error. */
  HEDDLE_OUTPUT_NEW = 1,
  /* The program writes something else, and this beside it: it neither waits for
   * a pipe to be read, nor dies of one that is not. */
  HEDDLE_OUTPUT_BESIDE = 2
};

struct heddle_output {
  unsigned flags;
  int descriptor;     /* -1: none is open */
  int directory;      /* -1: it is written in place */
  char name[256];     /* in the directory, in the end */
  char temporary[64]; /* its name until then, or "" if it has none */
};

/* Opens a file. After a failure the object needs no other call. */
int heddle_output_open(struct heddle_output *output, const char *path,
                       unsigned flags);

/* Appends bytes. */
int heddle_output_write(struct heddle_output *output, const void *bytes,
                        size_t size);

/* Gives the file its name and closes it, also if that fails. */
int heddle_output_commit(struct heddle_output *output);

/* Closes the file and leaves nothing of it, unless it has been committed. */
void heddle_output_abandon(struct heddle_output *output);

/* Returns when the disk has the names in a directory; at once on file systems
 * that cannot, and if the user may not list the directory. */
int heddle_sync_directory(const char *path);

#ifdef __cplusplus
}
#endif

#endif
