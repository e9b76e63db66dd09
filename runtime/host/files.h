/*===- files.h - Opening files; small files, changed whole ----------------===*/

#ifndef HEDDLE_RUNTIME_HOST_FILES_H
#define HEDDLE_RUNTIME_HOST_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens a file as open() does, closed when another program is executed. With
 * O_NONBLOCK only the opening does not wait, as it would for the other end of a
 * pipe. -1 with errno. */
int heddle_open(const char *path, int flags, mode_t mode);

/* Returns a descriptor of the same file above those of the standard streams: a
 * program may run with these closed, and its messages must not end up in a
 * file. Closes the other one. Passes -1 on. */
int heddle_above_streams(int descriptor);

/* The contents of a regular file with a NUL appended, to be freed by the
 * caller, and their length. NULL with errno set if that is not possible: EINVAL
 * for pipes and devices. */
char *heddle_read_file(const char *path, size_t *size);

/* Replaces a file as output.h says, without waiting for a pipe. False with
 * errno set on failure. */
bool heddle_replace_file(const char *path, const char *text, size_t size);

/* Replaces a file by what `change` makes of its contents, with a NUL appended,
 * and `*size` bytes: NULL and 0 for what cannot be read, with `error` saying
 * why. `change` may write to them, frees nothing, and returns what to write, to
 * be freed, and its size; or NULL to leave the file as it is. Of several
 * processes that change the file so, each sees what the one before has made.
 * False with errno set if the file could not be written. */
typedef char *heddle_change_file(char *contents, size_t *size, int error,
                                 void *context);
bool heddle_update_file(const char *path, heddle_change_file *change,
                        void *context);

#ifdef __cplusplus
}
#endif

#endif
