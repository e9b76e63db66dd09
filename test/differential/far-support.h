//===- far-support.h - Arrays of random programs in far memory --*- C++ -*-===//

#ifndef HEDDLE_TEST_DIFFERENTIAL_FARSUPPORT_H
#define HEDDLE_TEST_DIFFERENTIAL_FARSUPPORT_H

#include <stddef.h>

#ifdef FAR_ARRAYS
#include "heddle/far.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define FAR heddle_far

// A region with the bytes of an array. Its file has no name any more.
static heddle_far const void *farCopy(const void *array, size_t bytes) {
  char path[] = "/tmp/heddle-far.XXXXXX";
  int file = mkstemp(path);
  if (file < 0 || write(file, array, bytes) != (ssize_t)bytes) {
    perror(path);
    exit(1);
  }
  close(file);
  heddle_far const void *start = heddle_far_open(path, HEDDLE_FAR_READ, 0);
  unlink(path);
  if (!start) {
    perror(path);
    exit(1);
  }
  return start;
}

#else
#define FAR

static const void *farCopy(const void *array, size_t bytes) {
  (void)bytes;
  return array;
}
#endif

#endif
