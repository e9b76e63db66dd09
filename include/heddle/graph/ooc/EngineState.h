//===- EngineState.h - What the engine has, for any program ----*- C++ -*-===//

#ifndef HEDDLE_GRAPH_OOC_ENGINESTATE_H
#define HEDDLE_GRAPH_OOC_ENGINESTATE_H

#include "heddle/graph/detail/ooc/disk/CheckedFile.h"
#include "heddle/graph/detail/ooc/edges/FarFile.h"
#include "heddle/graph/detail/ooc/memory/CallChanges.h"
#include "heddle/graph/detail/ooc/memory/WindowPool.h"
#include "heddle/graph/detail/ooc/messages/BatchQueue.h"
#include "heddle/graph/detail/ooc/messages/ChunkScan.h"
#include "heddle/graph/detail/ooc/messages/Dispatcher.h"
#include "heddle/graph/detail/ooc/messages/Messages.h"
#include "heddle/graph/detail/ooc/ranks/Filters.h"
#include "heddle/graph/detail/ooc/ranks/Passing.h"
#include "heddle/graph/detail/ooc/recovery/Checkpoint.h"
#include "heddle/graph/ooc/Communicator.h"
#include "heddle/graph/ooc/IoModel.h"
#include "heddle/graph/ooc/Layout.h"
#include "heddle/graph/ooc/Prepare.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle::graph::ooc {

/// The program itself, its libraries and their stacks. What the system keeps
/// for it beside grows with the rest.
inline constexpr std::uint64_t ProgramBytes = std::uint64_t(24) << 20;
/// Libraries that join a rank to others, and what the system keeps for each of
/// the connections.
inline constexpr std::uint64_t communicatorBytes(std::uint64_t ranks) {
  return (std::uint64_t(16) << 20) + (ranks - 1) * (std::uint64_t(1) << 18);
}

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
  /// The ranks that work on the graph together: each calls the same functions
  /// in the same order, and works on some of the partitions. None: this is the
  /// only one.
  Communicator *communicator = nullptr;
  /// How all messages are dealt out to batches, wherever they are, in place of
  /// what costs least.
  std::optional<Dispatching> dispatching = {};
};

/// The program of the run in a prepared graph that can be resumed, as this rank
/// has it. Throws Error if there is none.
std::string resumableProgram(const std::string &directory,
                             const Communicator *communicator = nullptr);

/// What an engine has done so far, on this rank.
struct EngineCounts {
  std::uint64_t calls = 0;    ///< of processVertices and processEdges
  std::uint64_t messages = 0; ///< that were generated
  std::uint64_t edges = 0;    ///< that messages went along
  TransferCounts bytes;       ///< from and to the disk
  std::uint64_t passedMessages = 0, passedBytes = 0; ///< to other ranks
  DispatchingCounts dispatching;
  /// Of vertex data that calls could have changed, and have not.
  std::uint64_t unchangedBytes = 0;
  /// What `bytes` was expected to be (IoModel.h), without what is unchanged,
  /// and `passedBytes`.
  TransferCounts predicted;
  std::uint64_t predictedPassedBytes = 0;
};

/// What each batch of a rank adds to the result of a call.
template <typename Sum> class BatchSums {
  static_assert(std::is_trivially_copyable_v<Sum>);

public:
  explicit BatchSums(const Share &share)
      : firstBatch(share.firstBatch), sums(share.batches()) {}

  Sum &operator[](std::size_t batch) { return sums[batch - firstBatch].value; }

  std::string bytes() const {
    return {reinterpret_cast<const char *>(sums.data()),
            sums.size() * sizeof(Element)};
  }

  /// The sum of what bytes() has returned, added up in the order of batches.
  static Sum total(const std::vector<std::string> &bytesOfRanks) {
    Sum total = {};
    for (const std::string &bytes : bytesOfRanks)
      for (std::size_t at = 0; at < bytes.size(); at += sizeof(Element)) {
        Element element;
        std::memcpy(&element, bytes.data() + at, sizeof(element));
        total += element.value;
      }
    return total;
  }

private:
  // Also of bool, of which a vector has several in a word.
  struct Element {
    Sum value = {};
  };

  const std::size_t firstBatch;
  std::vector<Element> sums;
};

/// What a call with messages needs, in bytes, beside its windows.
struct MessageMemory {
  std::uint64_t buffers = 0;  ///< for what passes through, and to find it
  std::uint64_t messages = 0; ///< at most
  std::uint64_t dealing = 0;  ///< to deal them out, if they can be
};

/// A prepared graph, and what all calls of an engine use.
class EngineState {
public:
  /// For programs that use these weights. Throws Error if there is no such
  /// graph, if it is damaged, and if it has other weights than that. Of a graph
  /// that takes more memory than there is, only the layout is read.
  EngineState(const std::string &directory, WeightKind weights,
              const EngineOptions &options);

  /// What one thread works with.
  struct Worker {
    Worker(EngineState &state)
        : scan(state.layout, state.share_, state.pieceBuffers, state.files,
               state.farFiles, state.index, state.seekCost, queue,
               state.keptBytes) {}

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
    /// And for those who have sent them.
    std::vector<std::uint16_t> sources =
        std::vector<std::uint16_t>(SourceBlockVertices);
    SentBits sent;
    TouchedVertices touched;
    std::uint64_t messages = 0, edges = 0;
  };

  const GraphLayout &graph() const { return layout; }
  const Share &share() const { return share_; }
  WindowPool &windows() { return pool; }
  MessageStore &messageStore() { return messages; }
  KeptBytes &kept() { return keptBytes; }
  IoModel &model() { return ioModel; }
  CallChanges &changes() { return callChanges; }
  EngineCounts counts() const;

  /// Where the blocks of a chunk's sources begin.
  const std::vector<SourceBlock> &blockStarts(std::size_t partition,
                                              std::size_t batch) const {
    return index.ofChunks[batch * layout.partitions() + partition];
  }

  /// A new array, or that of the run that is resumed.
  ArrayStorage &addArray(const std::string &name, std::uint64_t elementBits) {
    ArrayStorage &array =
        pool.add(name, elementBits, options.checkpoints || options.resume);
    // Files of an earlier run may be in the place of this one's.
    if (isBegun || options.resume)
      pool.openFiles();
    return array;
  }

  /// Calls that are made between these need memory and do nothing. Throws Error
  /// if one of them needs more than there is.
  void beginRehearsal() { mostNeeded = 0; }
  void endRehearsal();
  bool isRehearsing() const { return mostNeeded.has_value(); }

  /// What the next call has returned in the run that is resumed, if it was done
  /// there.
  template <typename Sum> std::optional<Sum> resultOfEarlierRun() {
    static_assert(std::is_trivially_copyable_v<Sum>);
    if (calls >= resumedCalls || isRehearsing())
      return std::nullopt;
    const std::string &bytes = checkpoint.results[calls];
    if (bytes.size() != sizeof(Sum))
      failToResume();
    Sum sum;
    std::memcpy(&sum, bytes.data(), sizeof(Sum));
    ++calls;
    return sum;
  }

  /// Ends a call: what it has done is there to stay. Returns its result, which
  /// is the sum of what all batches of all ranks have added.
  template <typename Sum> Sum endCall(const BatchSums<Sum> &sums) {
    const Sum total = BatchSums<Sum>::total(gather(sums.bytes()));
    ++calls;
    if (options.checkpoints)
      makeCheckpoint(
          std::string(reinterpret_cast<const char *>(&total), sizeof(Sum)));
    return total;
  }

  std::size_t threads() const { return workers.size(); }

  /// What the windows of a batch for each thread take.
  std::uint64_t bytesInUse(std::span<const ArrayUse> uses) const {
    return workers.size() * WindowPool::bytesOfBatch(layout, uses);
  }

  MessageMemory messageMemory(std::size_t messageBytes) const;

  /// Divides the memory among what a call needs: `inUse` bytes of windows at
  /// least, and what messages take. Returns whether the call is to be made, and
  /// not rehearsed. Throws Error if that is too much.
  bool divideMemory(std::uint64_t inUse, const MessageMemory &needed = {});

  /// What the values of all vertices take beside the memory of a window, where
  /// there are several ranks, of which another has windows of up to so many
  /// bytes.
  std::uint64_t bringingBytes(std::uint64_t windowBytes) const {
    return hasOthers() ? windowBytes + 2 * ValueBytes : 0;
  }

  /// Whether the messages of the call may be dealt out.
  bool mayDealOut() const { return dealsOut; }

  /// Deals messages out, if that may be.
  std::unique_ptr<Dispatcher> makeDispatcher(const StepMessages &stepMessages);
  void endDispatching(const Dispatcher *dispatcher);

  /// Passes messages to other ranks, if there are any.
  std::unique_ptr<Passing> makePassing(StepMessages &stepMessages,
                                       BatchQueue &queue);

  /// Waits for the messages that makePassing() has passed.
  void endPassing(Passing *passing);

  /// What a thread does about as fast alone as others take to come and help.
  static constexpr std::uint64_t FewVertices = 4096, FewEdges = 16384;

  /// Calls `work(worker, batch)` for each of the batches of `visited`, on the
  /// threads of OpenMP or, if few vertices are worked on in all and the phase
  /// moved nothing from or to the disk the last time, on this one.
  /// They come in the opposite order in every other call: what is in memory is
  /// used first. Throws what one of them has thrown.
  template <typename Work>
  void forEachBatch(const char *phase, const IoModel::Batches &visited,
                    bool areFew, Work work) {
    std::vector<std::size_t> batches;
    for (std::size_t batch = share_.firstBatch; batch < share_.endBatch;
         ++batch)
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
        workOn(worker(), batches[i]);
    }
    movesData[phase] = transferred() != before;
    rethrow();
  }

  /// Calls `work(worker, turn)` for each batch that is to follow edges, in the
  /// same manner, and deals messages out meanwhile. Of few messages, too, many
  /// edges may lead away, or some be on the disk: then others come and help.
  template <typename Work>
  void forEachTurn(const char *phase, BatchQueue &queue, Dispatcher *dispatcher,
                   bool areFew, Work work) {
    isBackward = !isBackward;
    const TransferCounts before = transferred();
    std::size_t done = 0;
    constexpr std::uint64_t AllEdges = ~std::uint64_t(0);
    // Returns whether there are no more for this thread.
    const auto takeTurns = [&](Worker &worker, std::uint64_t mostEdges) {
      const std::uint64_t edgesBefore = worker.edges;
      try {
        while (mostEdges == AllEdges ||
               (worker.edges - edgesBefore < mostEdges &&
                transferred() == before)) {
          const std::optional<BatchQueue::Turn> turn = queue.take(isBackward);
          if (!turn)
            return true;
          Dispatching decision = Dispatching::None;
          if (turn->work == BatchQueue::Work::Follow)
            work(worker, *turn);
          else
            decision = dealOut(*dispatcher, worker, *turn);
          if (queue.finish(*turn, decision))
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
      takeTurns(worker(), AllEdges);
    }
    movesData[phase] = transferred() != before;
    rethrow();
  }

  /// Calls `work(batch)` on the first rank for one batch of all ranks after the
  /// other, when the windows of this array are in memory there.
  template <typename Work>
  void forEachBatchInOrder(ArrayStorage &array, Work work) {
    const ArrayUse use = {&array, false};
    for (std::size_t batch = 0, done = 0; batch < layout.batches(); ++batch) {
      const bool isHere = batch >= share_.firstBatch && batch < share_.endBatch;
      if (isHere)
        pool.acquire(std::span(&use, 1), batch, workers[0].queue);
      bring(array, batch);
      if (isFirstRank())
        work(batch);
      if (isHere)
        pool.release(std::span(&use, 1), batch);
      else if (isFirstRank())
        pool.drop(array, batch);
      report("Values", done, layout.batches());
    }
  }

private:
  /// What goes between ranks at a time, of values that one of them writes out.
  static constexpr std::size_t ValueBytes = std::size_t(1) << 20;

  /// Takes the place of an earlier run, when all ranks have found that they
  /// have the memory for the first call.
  void beginRun();
  void resume();
  std::vector<std::string> gather(const std::string &bytes) const;
  bool hasOthers() const {
    return options.communicator && options.communicator->ranks() > 1;
  }
  bool isFirstRank() const {
    return !options.communicator || options.communicator->rank() == 0;
  }
  void bring(const ArrayStorage &array, std::size_t batch);
  Dispatching dealOut(Dispatcher &dispatcher, Worker &worker,
                      const BatchQueue::Turn &turn);
  ShareOfGraph shareOfGraph() { return {layout, share_, files, index}; }
  Worker &worker();
  bool mayBeAlone(std::string_view phase, bool areFew) const;
  TransferCounts transferred() const;
  bool hasFailed() const;
  void fail(std::exception_ptr exception);
  void rethrow();
  void report(const char *phase, std::size_t &done, std::size_t count);
  void openGraph(const std::string &graph);
  void readIndex();
  void readFilterCounts();
  std::uint64_t sharesOf(std::uint64_t budgetBytes) const;
  [[noreturn]] void failForMemory(std::uint64_t least) const;
  void makeCheckpoint(std::string result);
  bool addToJournals(const std::string &result);
  [[noreturn]] void failToResume() const;
  [[noreturn]] void failToAgree() const;

  const EngineOptions options;
  const GraphLayout layout;
  const Share share_;
  std::deque<RunDirectory> directories; ///< per partition of the share
  const WeightKind weights;             ///< that are used
  const PieceBuffers pieceBuffers;      ///< of each worker
  std::deque<CheckedFile> files;        ///< per partition of the share
  std::deque<FarFile> farFiles;         ///< the same
  SourceIndex index;
  FilterCounts filterCounts;
  SeekCost seekCost;
  KeptBytes keptBytes;
  WindowPool pool;
  MessageStore messages;
  std::deque<Worker> workers; ///< per thread
  CallChanges callChanges;
  IoModel ioModel;
  std::uint64_t fixedBytes = 0;
  std::uint64_t cacheBytes = 0; ///< of far memory, if anything is sought
  std::uint64_t calls = 0;
  std::uint64_t resumedCalls = 0;
  Checkpoint checkpoint; ///< the last one, but for the arrays
  std::size_t arraysInCheckpoint = 0;
  PassedCounts passed;
  DispatchingCounts dispatched;
  /// Whether a phase has moved anything from or to the disk the last time.
  std::map<std::string_view, bool> movesData;
  bool dealsOut = false; ///< in this call
  bool isBegun = false, isBackward = false;
  /// In a rehearsal: the bytes that the largest of its calls needs.
  std::optional<std::uint64_t> mostNeeded;
  mutable std::mutex mutex;
  std::exception_ptr failure;
};

} // namespace heddle::graph::ooc

#endif
