//===- Interleaving.h - Common parts of hand-written versions ------*- C++ -*-//
//
// The common parts of coroutines, FIFO state machines and phase queues: a
// prefetch, and the division of the operations among OpenMP's threads, which
// interleave their parts separately.
//
// The numbers in flight are those that suit the machines this project was
// measured on; rivals of the compiler deserve a good choice.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_KERNELS_INTERLEAVING_H
#define HEDDLE_TOOLS_BENCH_KERNELS_INTERLEAVING_H

#include "../measure/Row.h"

#include <cstdint>
#include <omp.h>

namespace heddle::bench {

constexpr int CoroutinesInFlight = 24;
constexpr int FifoInFlight = 32;
constexpr int PhaseQueueInFlight = 64;

inline void prefetch(const void *address) { __builtin_prefetch(address); }
inline void prefetchForWriting(const void *address) {
  __builtin_prefetch(address, 1);
}

/// Calls `part(begin, end)` in every thread of the team on its share of
/// [begin, end), and returns the sum of the values.
template <class Part>
uint64_t sumOverThreads(int64_t begin, int64_t end, const Part &part) {
  uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    const int64_t threads = omp_get_num_threads();
    const int64_t thread = omp_get_thread_num();
    const int64_t count = end - begin;
    sum += part(begin + count * thread / threads,
                begin + count * (thread + 1) / threads);
  }
  return sum;
}

/// Runs the hand-written `version` of a kernel over [begin, end): each of the
/// three is a function of `data` and a range that returns its sum.
template <class Coroutines, class Fifo, class PhaseQueue, class... Data>
uint64_t interleave(Version version, int64_t begin, int64_t end,
                    const Coroutines &coroutines, const Fifo &fifo,
                    const PhaseQueue &phaseQueue, Data &...data) {
  const auto run = [&](const auto &byHand) {
    return sumOverThreads(begin, end, [&](int64_t first, int64_t last) {
      return byHand(data..., first, last);
    });
  };
  switch (version) {
  case Version::Coroutines:
    return run(coroutines);
  case Version::Fifo:
    return run(fifo);
  default:
    return run(phaseQueue);
  }
}

} // namespace heddle::bench

#endif
