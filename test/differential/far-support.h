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

// Zeros in place of a region of this function, if there is one. Its file has no
// name any more.
__attribute__((unused)) static heddle_far void *farZeros(heddle_far void *old,
                                                         size_t bytes) {
  char path[] = "/tmp/heddle-far.XXXXXX";
  int file = mkstemp(path);
  if (file < 0 || (old && heddle_far_close(old) != 0)) {
    perror(path);
    exit(1);
  }
  close(file);
  heddle_far void *start = heddle_far_open(path, HEDDLE_FAR_CREATE, bytes);
  unlink(path);
  if (!start) {
    perror(path);
    exit(1);
  }
  return start;
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
#define FAR
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

// Adds to an element of an array of at least 8 by means of a copy of it and its
// neighbours, which a function changes. A table is read while there are two.
#define ADD_IN_BLOCK(array, index, value, table)                               \
  do {                                                                         \
    const int64_t place = (int64_t)(index);                                    \
    const int64_t first = place < 8 ? 0 : place - 7;                           \
    const uint64_t other = (uint64_t)(int64_t)(value) % ELEMENTS;              \
    Block_##array block = *(FAR const Block_##array *)&array[first];           \
    change_##array(&block, place - first, (value) + (table[other] & 1));       \
    *(FAR Block_##array *)&array[first] = block;                               \
  } while (0)

#endif
