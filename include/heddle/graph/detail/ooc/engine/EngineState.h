//===- EngineState.h - The parts of an engine ------------------*- C++ -*-===//
//
// The parts of an engine that do not depend on the types of vertex data,
// messages and weights.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_ENGINE_ENGINESTATE_H
#define HEDDLE_GRAPH_DETAIL_OOC_ENGINE_ENGINESTATE_H

#include "heddle/graph/detail/ooc/engine/BatchSums.h"
#include "heddle/graph/detail/ooc/engine/Recovery.h"
#include "heddle/graph/detail/ooc/engine/WorkerPool.h"
#include "heddle/graph/detail/ooc/memory/BatchScope.h"
#include "heddle/graph/detail/ooc/memory/MemoryBudget.h"
#include "heddle/graph/detail/ooc/model/IoModel.h"
#include "heddle/graph/detail/ooc/ranks/Passing.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

class EngineState {
public:
  /// An engine for programs that use these weights. Throws Error if there is no
  /// such graph, if it is damaged, or has other weights. If the graph needs
  /// more memory than the budget, only its layout is read, and divideMemory()
  /// fails.
  EngineState(const std::string &directory, WeightKind weights,
              const EngineOptions &engineOptions);

  const GraphLayout &layout() const { return graph.layout(); }
  const Share &share() const { return graph.share(); }
  /// Returns the begins of the blocks of a chunk's sources.
  const std::vector<SourceBlock> &blockStarts(std::size_t partition,
                                              std::size_t batch) const {
    return graph.index().ofChunks[batch * layout().partitions() + partition];
  }
  MessageStore &messageStore() { return messages; }
  KeptBytes &kept() { return graph.kept(); }
  WorkerPool &workers() { return workerPool; }
  IoModel &model() { return ioModel; }
  EngineCounts counts() const;

  /// A new array of zeros, or the array of that name of the resumed run.
  ArrayStorage &addArray(const std::string &name, std::uint64_t elementBits);
  ArrayStorage &addOutDegrees() { return windows.addOutDegrees(); }

  /// Begins and ends a rehearsal, in which calls only compute the memory that
  /// they need. Throws Error if one of them needs more than the budget.
  void beginRehearsal() { budget.beginRehearsal(); }
  void endRehearsal() { budget.endRehearsal(); }

  /// Returns the result of the next call in the resumed run, if it was done
  /// there.
  template <typename Sum> std::optional<Sum> resultOfEarlierRun() {
    if (budget.isRehearsing())
      return std::nullopt;
    return recovery.nextResult<Sum>();
  }

  /// Ends a call. Returns the sum of the results that all batches of all ranks
  /// have added.
  template <typename Sum> Sum endCall(const BatchSums<Sum> &sums) {
    const Sum total = BatchSums<Sum>::total(ranks.gather(sums.bytes()));
    endCall(std::string(reinterpret_cast<const char *>(&total), sizeof(Sum)));
    return total;
  }

  /// Returns the memory of the windows of one batch for each thread.
  std::uint64_t bytesInUse(std::span<const ArrayUse> uses) const {
    return workerPool.threads() * WindowPool::bytesOfBatch(layout(), uses);
  }

  /// Returns the memory that a call with messages of this size needs.
  MessageMemory messageMemory(std::size_t messageBytes) const;

  /// Returns the memory that forEachBatchInOrder() needs to collect the values
  /// of other ranks, if there are any, whose windows have up to `windowBytes`.
  MessageMemory memoryToCollect(std::uint64_t windowBytes) const;

  /// Divides the memory for a call: at least `windowBytesInUse` for windows,
  /// and `needed` for messages. Returns whether to make the call, instead of
  /// rehearsing it. Throws Error if it needs more than the budget.
  bool divideMemory(std::uint64_t windowBytesInUse,
                    const MessageMemory &needed = {});

  /// Holds the windows of a batch in memory for a thread (BatchScope).
  BatchScope enter(std::span<const ArrayUse> uses, std::size_t batch,
                   Worker &worker, bool isForSome) {
    return {windows,      changes,   uses,          batch,
            worker.queue, isForSome, worker.touched};
  }

  /// Whether the messages of the current call may be dispatched.
  bool mayDispatch() const { return budget.current().dispatches; }

  /// Dispatches messages; null unless mayDispatch().
  std::unique_ptr<Dispatcher> makeDispatcher(const StepMessages &stepMessages);
  void endDispatching(const Dispatcher *dispatcher);

  /// Returns the object that passes messages to other ranks; null if there are
  /// none.
  std::unique_ptr<Passing> makePassing(StepMessages &stepMessages,
                                       BatchQueue &queue);
  /// Waits until all messages are passed.
  void endPassing(Passing *passing);

  /// Calls `work(batch)` on the first rank for the batches of all ranks in
  /// order, with the windows of this array in memory. All ranks call this.
  template <typename Work>
  void forEachBatchInOrder(ArrayStorage &array, Work work) {
    const ArrayUse use = {&array, false};
    for (std::size_t batch = 0, done = 0; batch < layout().batches(); ++batch) {
      const bool isHere = graph.has(batch);
      std::optional<WindowScope> window;
      if (isHere)
        window.emplace(windows, std::span(&use, 1), batch,
                       workerPool.first().queue);
      ranks.copyToFirst(array.window(batch), isHere);
      if (ranks.isFirst())
        work(batch);
      if (!isHere && ranks.isFirst())
        WindowPool::drop(array, batch);
      window.reset();
      workerPool.report("Values", done, layout().batches());
    }
  }

private:
  FixedMemory fixedMemory(std::uint64_t cacheBytes) const;
  void endCall(std::string result);

  const EngineOptions options;
  const RankGroup ranks;
  RankGraph graph;
  Recovery recovery;
  WindowPool windows;
  CallChanges changes; ///< of the current call
  MessageStore messages;
  WorkerPool workerPool;
  MemoryBudget budget;
  IoModel ioModel;
  /// The work of Passing and Dispatcher objects so far.
  struct {
    PassedCounts passed;
    DispatchingCounts dispatched;
  } totals;
};

} // namespace heddle::graph::ooc

#endif
