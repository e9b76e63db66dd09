/*===- environment.h - Environment variables ------------------------*- C -*-===
 *
 * The only place that reads the environment. A program that runs with more
 * rights than its user (set-uid, set-gid, or by the capabilities of its file)
 * must not let that user name the files that it reads and writes: it sees no
 * variables.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_ENVIRONMENT_H
#define HEDDLE_RUNTIME_HOST_ENVIRONMENT_H

#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The value of a variable; NULL if it is not set, or the user is not trusted.
 */
static inline const char *heddle_environment(const char *name) {
  return secure_getenv(name);
}

#ifdef __cplusplus
}
#endif

#endif
