//===- FarLoops.cpp - The loops of `heddle bench far` --------------------===//
//
// See FarLoops.h. HEDDLE_BENCH_LOOPS names the table that this compilation
// defines, HEDDLE_BENCH_FAR, HEDDLE_BENCH_MAPPED or HEDDLE_BENCH_CACHED selects
// its kind of pointers, and HEDDLE_BENCH_DIRECTIVE that iterations are tasks.
//
//===----------------------------------------------------------------------===//

#include "FarLoops.h"

#include "FarData.h"

#if defined(HEDDLE_BENCH_FAR)
#include "heddle/far.h"
#define POINTER(Type) heddle_far Type *
#elif defined(HEDDLE_BENCH_CACHED)
#include "SynchronousCache.h"
#define POINTER(Type) CachedPointer<Type>
#elif defined(HEDDLE_BENCH_MAPPED)
#define POINTER(Type) Type *
#endif

#ifdef HEDDLE_BENCH_DIRECTIVE
#define DIRECTIVE _Pragma("heddle async scheduler(dynamic)")
#else
#define DIRECTIVE
#endif

namespace heddle::bench {

namespace {

std::uint64_t gather(std::uint64_t address, const std::uint64_t *index,
                     std::int64_t count) {
  const auto table = (POINTER(const std::uint64_t))address;
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  DIRECTIVE
  for (std::int64_t i = 0; i < count; ++i)
    sum += table[index[i]];
  return sum;
}

std::uint64_t probe(std::uint64_t headsAddress, std::uint64_t nodesAddress,
                    std::uint64_t buckets, const std::uint64_t *keys,
                    std::int64_t count) {
  const auto heads = (POINTER(const std::uint64_t))headsAddress;
  const auto nodes = (POINTER(const HashLayout::Node))nodesAddress;
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  DIRECTIVE
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t key = keys[i];
    std::uint64_t at = heads[key % buckets];
    while (at != 0 && nodes[at - 1].key != key)
      at = nodes[at - 1].next;
    if (at != 0)
      sum += nodes[at - 1].value;
  }
  return sum;
}

std::uint64_t lists(std::uint64_t address, const std::uint64_t *firsts,
                    std::int64_t count) {
  const auto nodes = (POINTER(const ListLayout::Node))address;
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  DIRECTIVE
  for (std::int64_t i = 0; i < count; ++i)
    for (std::uint64_t at = firsts[i]; at != 0; at = nodes[at - 1].next)
      sum += nodes[at - 1].value;
  return sum;
}

// Pages that follow each other are requested in time without the directive.
std::uint64_t scan(std::uint64_t address, std::int64_t count) {
  const auto table = (POINTER(const std::uint64_t))address;
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::int64_t i = 0; i < count; ++i)
    sum += table[i];
  return sum;
}

void fill(std::uint64_t address, std::int64_t count) {
  const auto table = (POINTER(std::uint64_t))address;
#pragma omp parallel for
  for (std::int64_t i = 0; i < count; ++i)
    table[i] = numberAt(static_cast<std::uint64_t>(i));
}

} // namespace

const FarLoops HEDDLE_BENCH_LOOPS = {gather, probe, lists, scan, fill};

} // namespace heddle::bench
