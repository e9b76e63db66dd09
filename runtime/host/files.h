/*===- files.h - Small files, read whole and replaced whole ---------------===*/

#ifndef HEDDLE_RUNTIME_HOST_FILES_H
#define HEDDLE_RUNTIME_HOST_FILES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The contents of a file with a NUL appended, to be freed by the caller, and
 * their length. NULL with errno set if that is not possible. */
char *heddle_read_file(const char *path, size_t *size);

/* Replaces a file, or creates it. Readers see either the old contents or the
 * new; a failure leaves the old. A symbolic link is followed; a device or pipe
 * is written to. False with errno set on failure. */
bool heddle_replace_file(const char *path, const char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
