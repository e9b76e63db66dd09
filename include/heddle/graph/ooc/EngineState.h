//===- EngineState.h - What the engine has, for any program ----*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_ENGINESTATE_H
#define HEDDLE_GRAPH_OOC_ENGINESTATE_H

#include "heddle/graph/ooc/CheckedFile.h"
#include "heddle/graph/ooc/Checkpoint.h"
#include "heddle/graph/ooc/ChunkScan.h"
#include "heddle/graph/ooc/IoModel.h"
#include "heddle/graph/ooc/Layout.h"
#include "heddle/graph/ooc/Messages.h"
#include "heddle/graph/ooc/Prepare.h"
#include "heddle/graph/ooc/WindowPool.h"

#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::graph::ooc {

/// The program itself, its libraries and their stacks. What the system keeps
/// for it beside grows with the rest.
inline constexpr std::uint64_t ProgramBytes = std::uint64_t(24) << 20;

struct EngineOptions {
  /// Bytes that the program may take in all.
  std::uint64_t memoryBytes = std::uint64_t(1) << 30;
  /// Whether a checkpoint is made after each call.
  bool checkpoints = false;
  /// Go on where the last run on this graph has made its last checkpoint: calls
  /// that were done then return what they returned, and do nothing.
  bool resume = false;
  /// What is run, for who resumes it (see resumableProgram()).
  std::string program = {};
  ProgressFunction progress = {};
};

/// The program of the run in a prepared graph that can be resumed. Throws Error
/// if there is none.
std::string resumableProgram(const std::string &directory);

/// What an engine has done so far.
struct EngineCounts {
  std::uint64_t calls = 0;    ///< of processVertices and processEdges
  std::uint64_t messages = 0; ///< that were generated
  std::uint64_t edges = 0;    ///< that messages went along
  TransferCounts bytes;       ///< from and to the disk
  /// Of vertex data that calls could have changed, and have not.
  std::uint64_t unchangedBytes = 0;
  /// What `bytes` was expected to be (IoModel.h), without what is unchanged.
  TransferCounts predicted;
};

/// A prepared graph, and what all calls of an engine use.
class EngineState {
public:
  /// For programs that use these weights. Throws Error if there is no such
  /// graph, if it is damaged, and if it has other weights than that.
  EngineState(const std::string &directory, WeightKind weights,
              const EngineOptions &options);

  /// What one thread works with.
  struct Worker {
    Worker(EngineState &state)
        : scan(state.layout, state.weights, state.files, state.blocks, queue,
               state.keptBytes) {}

    IoQueue queue;
    ChunkScan scan;
    std::uint64_t messages = 0, edges = 0;
  };

  const GraphLayout &graph() const { return layout; }
  WindowPool &windows() { return pool; }
  MessageStore &messageStore() { return messages; }
  KeptBytes &kept() { return keptBytes; }
  IoModel &model() { return ioModel; }
  EngineCounts counts() const;

  /// Where the blocks of a chunk's sources begin.
  const std::vector<SourceBlock> &blockStarts(std::size_t partition,
                                              std::size_t batch) const {
    return blocks[batch * layout.partitions() + partition];
  }

  /// A new array, or that of the run that is resumed.
  ArrayStorage &addArray(const std::string &name, std::uint64_t elementBits) {
    beginRun();
    return pool.add(name, elementBits, checkpoint,
                    options.checkpoints || options.resume);
  }

  /// What the next call has returned in the run that is resumed, if it was done
  /// there.
  template <typename Sum> std::optional<Sum> resultOfEarlierRun() {
    static_assert(std::is_trivially_copyable_v<Sum>);
    if (calls >= resumedCalls)
      return std::nullopt;
    const std::string &bytes = checkpoint.results[calls];
    if (bytes.size() != sizeof(Sum))
      failToResume();
    Sum sum;
    std::memcpy(&sum, bytes.data(), sizeof(Sum));
    ++calls;
    return sum;
  }

  /// Ends a call: what it has done is there to stay. Returns its result.
  template <typename Sum> Sum endCall(const Sum &sum) {
    beginRun();
    ++calls;
    if (options.checkpoints)
      makeCheckpoint(
          std::string(reinterpret_cast<const char *>(&sum), sizeof(Sum)));
    return sum;
  }

  std::size_t threads() const { return workers.size(); }

  /// What the windows of a batch for each thread take.
  std::uint64_t bytesInUse(std::span<const ArrayUse> uses) const {
    return workers.size() * WindowPool::bytesOfBatch(layout, uses);
  }

  /// Divides the memory among what a call needs: `inUse` bytes of windows at
  /// least, `bufferBytes` for what passes through, and up to `messageBytes` of
  /// messages. Throws Error if that is too much.
  void divideMemory(std::uint64_t inUse, std::uint64_t bufferBytes = 0,
                    std::uint64_t messageBytes = 0);

  /// Calls `work(worker, batch)` for each of the batches, on the threads of
  /// OpenMP, and returns the sum of what it returns, added up in the order of
  /// batches. They come in the opposite order in every other call: what is in
  /// memory is used first. Throws what one of them has thrown.
  template <typename Work> auto sumOverBatches(const char *phase, Work work) {
    using Sum = decltype(work(workers[0], std::size_t()));
    const std::size_t count = layout.batches();
    // Also of bool, of which a vector has several in a word.
    struct BatchSum {
      Sum value = {};
    };
    std::vector<BatchSum> sums(count);
    const bool isBackward = takeTurn();
    std::size_t done = 0;
#pragma omp parallel for schedule(dynamic, 1)                                  \
    num_threads(static_cast<int>(workers.size()))
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t batch = isBackward ? count - 1 - i : i;
      try {
        if (!hasFailed()) {
          sums[batch].value = work(worker(), batch);
          report(phase, done, count);
        }
      } catch (...) {
        fail(std::current_exception());
      }
    }
    rethrow();
    Sum total = {};
    for (const BatchSum &sum : sums)
      total += sum.value;
    return total;
  }

  /// Calls `work(worker, batch)` for one batch after the other.
  template <typename Work> void forEachBatchInOrder(Work work) {
    for (std::size_t batch = 0, done = 0; batch < layout.batches(); ++batch) {
      work(workers[0], batch);
      report("Values", done, layout.batches());
    }
  }

private:
  /// Takes the place of an earlier run, once it is clear that this one can be
  /// run.
  void beginRun();
  bool takeTurn();
  Worker &worker();
  bool hasFailed() const;
  void fail(std::exception_ptr exception);
  void rethrow();
  void report(const char *phase, std::size_t &done, std::size_t count);
  void readBlocks();
  void makeCheckpoint(std::string result);
  [[noreturn]] void failToResume() const;

  const EngineOptions options;
  const GraphLayout layout;
  const RunDirectory directory;
  const WeightKind weights;                     ///< that are used
  std::deque<CheckedFile> files;                ///< per partition
  std::vector<std::vector<SourceBlock>> blocks; ///< per batch and partition
  KeptBytes keptBytes;
  WindowPool pool;
  MessageStore messages;
  std::deque<Worker> workers; ///< per thread
  IoModel ioModel;
  std::uint64_t fixedBytes = 0;
  std::uint64_t calls = 0;
  std::uint64_t resumedCalls = 0;
  Checkpoint checkpoint; ///< the last one
  bool isBegun = false, isBackward = false;
  mutable std::mutex mutex;
  std::exception_ptr failure;
};

} // namespace heddle::graph::ooc

#endif
