//===- far-support.h - Arrays of random programs in far memory --*- C++ -*-===//

#ifndef HEDDLE_TEST_DIFFERENTIAL_FARSUPPORT_H
#define HEDDLE_TEST_DIFFERENTIAL_FARSUPPORT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#ifdef FAR_ARRAYS
#include "heddle/far.h"

#include <stdio.h>
#include <unistd.h>

#define FAR heddle_far

// Ends the program if something has not worked.
static void require(int holds, const char *path) {
  if (!holds) {
    perror(path);
    exit(1);
  }
}

// A region with the bytes of an array, or with zeros. Its file has no name any
// more.
static heddle_far void *farRegion(const void *array, size_t bytes) {
  char path[] = "/tmp/heddle-far.XXXXXX";
  int file = mkstemp(path);
  require(file >= 0, path);
  require(!array || write(file, array, bytes) == (ssize_t)bytes, path);
  close(file);
  heddle_far void *start =
      array ? heddle_far_open(path, HEDDLE_FAR_READ, 0)
            : heddle_far_open(path, HEDDLE_FAR_CREATE, bytes);
  unlink(path);
  require(start != NULL, path);
  return start;
}

static heddle_far const void *farCopy(const void *array, size_t bytes) {
  return farRegion(array, bytes);
}

// Zeros in place of what this function has returned before, if anything.
__attribute__((unused)) static heddle_far void *farZeros(heddle_far void *old,
                                                         size_t bytes) {
  require(!old || heddle_far_close(old) == 0, "heddle_far_close");
  return farRegion(NULL, bytes);
}

// Reports what is in far memory like what is not.
__attribute__((unused)) static void
reportFar(const char *name, heddle_far const void *data, size_t bytes) {
  heddle_far const unsigned char *from = (heddle_far const unsigned char *)data;
  unsigned char *copy = (unsigned char *)malloc(bytes);
  for (size_t k = 0; k < bytes; ++k)
    copy[k] = from[k];
  reportBytes(name, copy, bytes);
  free(copy);
}

#else
#define reportFar reportBytes

__attribute__((unused)) static void *farZeros(void *old, size_t bytes) {
  free(old);
  return calloc(1, bytes);
}

static const void *farCopy(const void *array, size_t bytes) {
  (void)bytes;
  return array;
}
#endif

__attribute__((noinline, unused)) static void addToFar(FAR uint64_t *counter,
                                                       uint64_t value) {
  *counter += value;
}

#endif
