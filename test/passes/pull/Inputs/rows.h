//===- rows.h - Rows and edges of the programs under test -------*- C++ -*-===//

#ifndef HEDDLE_TEST_SCHEDULE_AWARE_ROWS_H
#define HEDDLE_TEST_SCHEDULE_AWARE_ROWS_H

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#define NOINLINE __attribute__((noinline))
/// A loop over the rows from 0 to `n` - 1.
#define PULL_LOOP(Type)                                                        \
  _Pragma("omp parallel for SCHEDULE")                                         \
      _Pragma("heddle pull CLAUSES") for (Type v = 0; v < n; ++v)

/// Some number between 0 and \p below that depends on \p i only.
inline uint64_t numberOf(uint64_t i, uint64_t below) {
  i = (i + 1) * 0x9e3779b97f4a7c15u;
  i = (i ^ (i >> 29)) * 0xbf58476d1ce4e5b9u;
  return (i ^ (i >> 32)) % below;
}

struct Rows {
  int count;
  std::vector<int64_t> ends{0}; // where row v's edges end is ends[v + 1]
  std::vector<int> sources;

  /// Rows with as many edges as \p Degree says.
  template <typename Function> Rows(int count, Function degree) : count(count) {
    for (int v = 0; v < count; ++v) {
      for (int64_t left = degree(v); left > 0; --left)
        sources.push_back(static_cast<int>(
            numberOf(sources.size(), static_cast<uint64_t>(count))));
      ends.push_back(static_cast<int64_t>(sources.size()));
    }
  }
};

/// Few edges for most rows, none for many, and hubs, two of them neighbours.
inline Rows skewedRows() {
  return Rows(1500, [](int v) -> int64_t {
    if (v == 77 || v == 1499)
      return 3000;
    if (v == 78 || v == 0)
      return 300;
    if (v % 3 == 0 || (v > 1000 && v < 1400))
      return 0;
    return static_cast<int64_t>(numberOf(static_cast<uint64_t>(v), 20));
  });
}

/// Adds what the edges of row \p v bring to \p start. Inlined at every level of
/// optimization, for the directive is in front of its caller's loop.
__attribute__((always_inline)) inline double
sumOfRow(int64_t v, const int64_t *ends, const int *sources, const double *x,
         double start = 0) {
  double sum = start;
  for (int64_t e = ends[v]; e < ends[v + 1]; ++e)
    sum += x[sources[e]];
  return sum;
}

template <typename T> std::vector<T> values(size_t count, uint64_t below) {
  std::vector<T> all(count);
  for (size_t i = 0; i < count; ++i)
    all[i] = static_cast<T>(numberOf(i, below));
  return all;
}

/// One line for an array: a hash that takes all NaN, and both zeros, for the
/// same.
template <typename T> void print(const char *name, const T *all, size_t count) {
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < count; ++i) {
    double value = static_cast<double>(all[i]);
    uint64_t bits = 0;
    if (value != value)
      bits = 1;
    else if (value != 0)
      memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 1099511628211u;
  }
  printf("%s: %016llx\n", name, static_cast<unsigned long long>(hash));
}

template <typename T> void print(const char *name, const std::vector<T> &all) {
  print(name, all.data(), all.size());
}

#endif
