// A function that is not the one of the library, and writes.

#include "search.h"

int64_t find(const Table &, uint64_t key) {
  ++state;
  return static_cast<int64_t>(key ^ state);
}
