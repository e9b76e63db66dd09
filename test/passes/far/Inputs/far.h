// Shared by programs whose loops do the same in far memory as in memory.

#ifndef FAR_H
#define FAR_H

#include "heddle/far.h"

#include <stdio.h>
#include <stdlib.h>

// Far memory, unless the whole program is compiled for memory.
#ifdef NEAR
#define FAR
#else
#define FAR heddle_far
#endif
#ifndef DIRECTIVE
#define DIRECTIVE _Pragma("heddle async scheduler(dynamic)")
#endif
#ifdef _OPENMP
#define PARALLEL(...) _Pragma(#__VA_ARGS__)
#else
#define PARALLEL(...)
#endif
// Adds to `sum` in each iteration from 0 to `count` - 1.
#define LOOP                                                                   \
  PARALLEL(omp parallel for reduction(+ : sum))                                \
  DIRECTIVE for (__typeof__(count) i = 0; i < count; ++i)

static inline void check(int holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "wrong: %s\n", what);
    exit(1);
  }
}

// Allocates in a new file, or, without a path, in far memory that is memory.
static inline FAR void *allocate(const char *path, size_t bytes) {
#ifdef NEAR
  FAR void *data = calloc(1, bytes);
#else
  FAR void *data = *path ? heddle_far_open(path, HEDDLE_FAR_CREATE, bytes)
                         : heddle_far_allocate(bytes);
#endif
  if (!data) {
    perror(path);
    exit(1);
  }
  return data;
}

#endif
