//===- WorkerPool.h - The threads that work on batches ---------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_ENGINE_WORKERPOOL_H
#define HEDDLE_GRAPH_DETAIL_OOC_ENGINE_WORKERPOOL_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"
#include "heddle/graph/detail/ooc/engine/RankGraph.h"
#include "heddle/graph/detail/ooc/memory/CallChanges.h"
#include "heddle/graph/detail/ooc/messages/BatchQueue.h"
#include "heddle/graph/detail/ooc/messages/ChunkScan.h"
#include "heddle/graph/detail/ooc/messages/Messages.h"
#include "heddle/graph/ooc/Prepare.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::graph::ooc {

/// The state and the buffers of one thread.
struct Worker {
  Worker(RankGraph &graph, const PieceBuffers &buffers)
      : scan(graph.layout(), graph.share(), buffers, graph.files(),
             graph.farFiles(), graph.index(), graph.seekCost(), queue,
             graph.kept()) {}

  /// Room for the messages of a block, by vertex or one after the other.
  template <typename Message> Message *messageValues() {
    constexpr std::size_t Bytes = SourceBlockVertices * sizeof(Message);
    if (values.size() < Bytes)
      values = BlockBuffer(Bytes);
    return reinterpret_cast<Message *>(values.data());
  }

  IoQueue queue;
  ChunkScan scan;
  BlockBuffer values;
  /// Room for the senders of the messages of a block.
  std::vector<std::uint16_t> sources =
      std::vector<std::uint16_t>(SourceBlockVertices);
  SentBits sent;
  TouchedVertices touched;
  std::uint64_t messages = 0; ///< that were generated
  std::uint64_t edges = 0;    ///< that messages were delivered along
};

/// One worker for each thread of OpenMP. An exception on one thread ends the
/// phase on all threads, and is thrown again on the calling thread.
class WorkerPool {
public:
  WorkerPool(RankGraph &graph, std::uint64_t budgetBytes,
             ProgressFunction progress);

  std::size_t threads() const { return workers.size(); }

  /// The worker of the calling thread while no phase is running.
  Worker &first() { return workers[0]; }

  /// The bytes of all workers' buffers now, and under another budget.
  std::uint64_t bytes() const;
  std::uint64_t bytesWithin(std::uint64_t budgetBytes) const;

  /// The workers' transfers from and to the disk so far.
  TransferCounts transferred() const;
  /// The sum of a count of all workers.
  std::uint64_t sumOf(std::uint64_t Worker::*count) const;

  /// A thread alone works on so few about as fast as other threads begin.
  static constexpr std::uint64_t FewVertices = 4096, FewEdges = 16384;

  /// Calls `work(worker, batch)` for each of the visited batches of the rank,
  /// on all threads; or on this thread, if few vertices are processed in all
  /// and the phase transferred nothing the last time. Every other call visits
  /// the batches in the opposite order, to begin with those that are in memory.
  template <typename Work>
  void forEachBatch(const char *phase, const BatchSet &visited, bool areFew,
                    Work work) {
    HEDDLE_ASSERT(visited.size() == graph.layout().batches());
    std::vector<std::size_t> batches;
    for (std::size_t batch = graph.share().firstBatch;
         batch < graph.share().endBatch; ++batch)
      if (visited[batch])
        batches.push_back(batch);
    isBackward = !isBackward;
    if (isBackward)
      std::ranges::reverse(batches);
    const TransferCounts before = transferred();
    std::size_t done = 0;
    const auto workOn = [&](Worker &worker, std::size_t batch) {
      try {
        if (hasFailed())
          return;
        work(worker, batch);
        report(phase, done, batches.size());
      } catch (...) {
        fail(std::current_exception());
      }
    };
    if (batches.size() <= 1 || mayBeAlone(phase, areFew)) {
      for (const std::size_t batch : batches)
        workOn(workers[0], batch);
    } else {
#pragma omp parallel for schedule(dynamic, 1)                                  \
    num_threads(static_cast<int>(workers.size()))
      for (std::size_t i = 0; i < batches.size(); ++i)
        workOn(ofThread(), batches[i]);
    }
    endPhase(phase, before);
  }

  /// Calls `work(worker, turn)` for each turn of the queue, which returns its
  /// decision if the turn is for dispatching messages. Few messages may have
  /// many edges, or edges on disk: then the other threads join this one.
  template <typename Work>
  void forEachTurn(const char *phase, BatchQueue &queue, bool areFew,
                   Work work) {
    isBackward = !isBackward;
    const TransferCounts before = transferred();
    std::size_t done = 0;
    constexpr std::uint64_t AllEdges = ~std::uint64_t(0);
    // Returns whether there are no more turns for this thread.
    const auto takeTurns = [&](Worker &worker, std::uint64_t mostEdges) {
      const std::uint64_t edgesBefore = worker.edges;
      try {
        while (mostEdges == AllEdges ||
               (worker.edges - edgesBefore < mostEdges &&
                transferred() == before)) {
          const std::optional<BatchQueue::Turn> turn = queue.take(isBackward);
          if (!turn)
            return true;
          if (queue.finish(*turn, work(worker, *turn)))
            report(phase, done, queue.size());
        }
        return false;
      } catch (...) {
        fail(std::current_exception());
        queue.fail(std::current_exception());
        return true;
      }
    };
    const std::uint64_t alone = queue.size() <= 1           ? AllEdges
                                : mayBeAlone(phase, areFew) ? FewEdges
                                                            : 0;
    if (!takeTurns(workers[0], alone)) {
#pragma omp parallel num_threads(static_cast<int>(workers.size()))
      takeTurns(ofThread(), AllEdges);
    }
    endPhase(phase, before);
  }

  /// Reports progress: one more of `count` batches is done.
  void report(const char *phase, std::size_t &done, std::size_t count);

private:
  Worker &ofThread();
  bool mayBeAlone(std::string_view phase, bool areFew) const;
  void endPhase(const char *phase, const TransferCounts &before);
  bool hasFailed() const;
  void fail(std::exception_ptr exception);

  const RankGraph &graph;
  const PieceBuffers buffers; ///< of each worker
  const ProgressFunction progress;
  std::deque<Worker> workers; ///< per thread
  bool isBackward = false;
  /// Whether a phase transferred anything the last time.
  std::map<std::string_view, bool> movesData;
  mutable std::mutex mutex;
  std::exception_ptr failure; ///< the first
};

} // namespace heddle::graph::ooc

#endif
