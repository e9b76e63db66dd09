// Memory that an iteration allocates anew while others use it: from the load of
// the pointer to the last access through it, no other iteration runs.
//
// RUN: %same_output -fno-exceptions | FileCheck %s
// CHECK-COUNT-4: remark: {{loop not interleaved|interleaved}}

#include "../Inputs/program.h"

#include <stdlib.h>
#include <string.h>
#include <vector>

enum { Arrays = 32 };

/// What takes long, from the second load on.
#define FAR(i) table[table[table[i]]]

struct Growing {
  int64_t *items;
  uint32_t length, capacity;
};
static Growing arrays[Arrays];

static int64_t total() {
  uint64_t sum = 0;
  for (Growing &array : arrays) {
    uint64_t ofArray = 0;
    for (uint32_t k = 0; k < array.length; ++k)
      ofArray += uint64_t(array.items[k]);
    sum = sum * 31 + ofArray;
    free(array.items);
    array = {};
  }
  return int64_t(sum);
}

PROGRAM(reallocated) {
  ASYNC_LOOP(CLAUSES) {
    Growing &array = arrays[FAR(keys[i]) % Arrays];
    if (array.length == array.capacity) {
      array.capacity += 16;
      array.items = static_cast<int64_t *>(
          realloc(array.items, array.capacity * sizeof(int64_t)));
    }
    int64_t *items = array.items;
    const uint32_t at = array.length++;
    items[at] = FAR(FAR(i));
  }
  return total();
}

PROGRAM(copied) {
  ASYNC_LOOP(CLAUSES) {
    Growing &array = arrays[FAR(keys[i]) % Arrays];
    if (array.length == array.capacity) {
      array.capacity += 16;
      auto *larger =
          static_cast<int64_t *>(malloc(array.capacity * sizeof(int64_t)));
      if (array.length)
        memcpy(larger, array.items, array.length * sizeof(int64_t));
      free(array.items);
      array.items = larger;
    }
    const uint32_t at = array.length++;
    const int64_t value = FAR(FAR(i));
    array.items[at] = value;
  }
  return total();
}

static std::vector<int64_t> vectors[Arrays];
static int64_t totalOfVectors() {
  uint64_t sum = 0;
  for (std::vector<int64_t> &vector : vectors) {
    uint64_t ofVector = 0;
    for (int64_t item : vector)
      ofVector += uint64_t(item);
    sum = sum * 31 + ofVector;
    vector.clear();
    vector.shrink_to_fit();
  }
  return int64_t(sum);
}

PROGRAM(resized) {
  ASYNC_LOOP(CLAUSES) {
    std::vector<int64_t> &vector = vectors[FAR(keys[i]) % Arrays];
    const size_t at = vector.size();
    vector.resize(at + 1);
    const int64_t value = FAR(FAR(i));
    vector[at] = value;
  }
  return totalOfVectors();
}

PROGRAM(counted) {
  ASYNC_LOOP(CLAUSES) {
    std::vector<int64_t> &vector = vectors[FAR(keys[i]) % Arrays];
    vector.resize(vector.size() + 1);
    vector.back() += FAR(FAR(i));
  }
  return totalOfVectors();
}

int main() {
  prepare();
  printPrograms();
}
