//===- graph.h - The arrays that the algorithms work on ---------*- C++ -*-===//
//
// Compressed sparse rows, and the growing list of vertices ("frontier") that
// BFS and its relatives pass from one round to the next. Plain arrays: the
// caller of an algorithm owns the memory.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_ALGORITHMS_GRAPH_H
#define GRAPH_ALGORITHMS_GRAPH_H

#include "atomics.h"

#include <algorithm>
#include <cstdint>

/// The neighbours of vertex v are column[rowStart[v]] up to, but not including,
/// column[rowStart[v + 1]], in ascending order; weight runs parallel to column.
struct Csr {
  int32_t vertices = 0;
  const int64_t *rowStart = nullptr;
  const int32_t *column = nullptr;
  const int32_t *weight = nullptr;

  int64_t edges() const { return rowStart[vertices]; }
  int64_t degree(int32_t v) const { return rowStart[v + 1] - rowStart[v]; }
};

/// A list of vertices in an array with room for every vertex.
struct Frontier {
  int32_t *vertex = nullptr;
  int64_t size = 0;
};

/// One thread's share of a frontier: filled locally, moved to the shared array
/// a block at a time.
class LocalFrontier {
public:
  explicit LocalFrontier(Frontier &shared) : shared(shared) {}

  void push(int32_t v) {
    buffer[count++] = v;
    if (count == Capacity)
      flush();
  }

  [[gnu::noinline]] void flush() noexcept {
    int64_t at = fetchAdd(&shared.size, count);
    std::copy(buffer, buffer + count, shared.vertex + at);
    count = 0;
  }

private:
  static constexpr int64_t Capacity = 1024;
  Frontier &shared;
  int64_t count = 0;
  int32_t buffer[Capacity];
};

#endif
