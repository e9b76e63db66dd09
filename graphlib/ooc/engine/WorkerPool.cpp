//===- WorkerPool.cpp - The threads that work on batches -----------------===//

#include "heddle/graph/detail/ooc/engine/WorkerPool.h"

#include <omp.h>
#include <utility>

namespace heddle::graph::ooc {

namespace {

std::size_t maxThreads() {
  return static_cast<std::size_t>(omp_get_max_threads());
}

PieceBuffers buffersWithin(const RankGraph &graph, std::uint64_t budgetBytes,
                           std::size_t threads) {
  return PieceBuffers::within(budgetBytes, threads,
                              graph.layout().targetBytes(), graph.weights());
}

} // namespace

WorkerPool::WorkerPool(RankGraph &graph, std::uint64_t budgetBytes,
                       ProgressFunction progress)
    : graph(graph), buffers(buffersWithin(graph, budgetBytes, maxThreads())),
      progress(std::move(progress)) {
  for (std::size_t thread = 0; thread < maxThreads(); ++thread)
    workers.emplace_back(graph, buffers);
}

std::uint64_t WorkerPool::bytes() const {
  return threads() * ChunkScan::bytes(buffers);
}

std::uint64_t WorkerPool::bytesWithin(std::uint64_t budgetBytes) const {
  return threads() *
         ChunkScan::bytes(buffersWithin(graph, budgetBytes, threads()));
}

TransferCounts WorkerPool::transferred() const {
  TransferCounts counts;
  for (const Worker &worker : workers)
    counts += worker.queue.counts();
  for (const FarFile &file : graph.farFiles())
    counts.read += file.bytesRead();
  return counts;
}

std::uint64_t WorkerPool::sumOf(std::uint64_t Worker::*count) const {
  std::uint64_t sum = 0;
  for (const Worker &worker : workers)
    sum += worker.*count;
  return sum;
}

Worker &WorkerPool::ofThread() {
  const auto thread = static_cast<std::size_t>(omp_get_thread_num());
  HEDDLE_ASSERT(thread < workers.size());
  return workers[thread];
}

/// Whether this thread runs a phase alone. In a phase that transfers data,
/// other threads have work while this one waits.
bool WorkerPool::mayBeAlone(std::string_view phase, bool areFew) const {
  const auto moves = movesData.find(phase);
  return areFew && moves != movesData.end() && !moves->second;
}

void WorkerPool::endPhase(const char *phase, const TransferCounts &before) {
  movesData[phase] = transferred() != before;
  if (failure)
    std::rethrow_exception(failure);
}

bool WorkerPool::hasFailed() const {
  const std::lock_guard lock(mutex);
  return failure != nullptr;
}

void WorkerPool::fail(std::exception_ptr exception) {
  const std::lock_guard lock(mutex);
  if (!failure)
    failure = exception;
}

void WorkerPool::report(const char *phase, std::size_t &done,
                        std::size_t count) {
  const std::lock_guard lock(mutex);
  ++done;
  HEDDLE_ASSERT(done <= count);
  if (progress)
    progress(phase, done, count);
}

} // namespace heddle::graph::ooc
