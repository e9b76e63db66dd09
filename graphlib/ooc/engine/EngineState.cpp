//===- EngineState.cpp - The parts of an engine --------------------------===//

#include "heddle/graph/detail/ooc/engine/EngineState.h"

#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/memory/ProgramMemory.h"

#include <algorithm>

namespace heddle::graph::ooc {

EngineState::EngineState(const std::string &directory, WeightKind weights,
                         const EngineOptions &engineOptions)
    : options(engineOptions), ranks(options.communicator),
      graph(directory, weights, ranks.rank(), ranks.ranks()),
      recovery(graph, ranks, options),
      windows(graph.layout(), graph.share(), graph.files(),
              recovery.directories()),
      changes(graph.layout(), graph.share(), options.checkpoints),
      messages(RankGraph::runPath(directory, graph.share().firstPartition)),
      workerPool(graph, options.memoryBytes, options.progress),
      budget(options.memoryBytes, options.dispatching.has_value()),
      ioModel(graph.layout(), ranks, graph.index(), graph.filterCounts(),
              weights, options.resume) {
  const std::uint64_t cacheBytes =
      graph.hasRows() ? FarFile::limitCache(options.memoryBytes) : 0;
  // If that does not fit, the first call fails, and reports the required
  // memory.
  if (budget.reserve(fixedMemory(cacheBytes))) {
    graph.open(workerPool.first().queue, options.communicator != nullptr);
    ioModel.setSeeking(graph.seekCost().onDisk, cacheBytes);
  }
  const std::uint64_t checksum = graph.layout().checksum;
  for (const std::uint64_t other : ranks.gatherValues(checksum))
    if (other != checksum)
      throw Error(directory + ": expected the same graph on all ranks, found "
                              "several; copy one of them to all machines");
  if (options.resume)
    recovery.resume(windows);
}

/// Returns the memory that the engine allocates before the first call;
/// `cacheBytes` is the size of the cache of far memory, 0 if nothing is sought.
FixedMemory EngineState::fixedMemory(std::uint64_t cacheBytes) const {
  const bool withFilters = options.communicator != nullptr;
  const auto farBytes = [threads = workerPool.threads()](std::uint64_t cache) {
    return cache > 0 ? FarFile::memoryBytes(cache, threads) : 0;
  };
  return {
      .constant = ProgramBytes + MessageStore::BytesLeft +
                  graph.bytes(withFilters) + recovery.bytes() +
                  (withFilters ? communicatorBytes(ranks.ranks()) : 0),
      .scaled = workerPool.bytes() + farBytes(cacheBytes),
      // The process may have the cache already, which does not grow then.
      .scaledWithin = [this, farBytes, cacheBytes](std::uint64_t budgetBytes) {
        const std::uint64_t cache =
            cacheBytes > 0
                ? std::max(cacheBytes, FarFile::cacheShare(budgetBytes))
                : 0;
        return workerPool.bytesWithin(budgetBytes) + farBytes(cache);
      }};
}

ArrayStorage &EngineState::addArray(const std::string &name,
                                    std::uint64_t elementBits) {
  ArrayStorage &array = windows.add(name, elementBits, recovery.keepsArrays());
  // Before the run begins, files of an earlier run may have these names.
  if (recovery.ownsDirectories())
    windows.openFiles();
  return array;
}

MessageMemory EngineState::messageMemory(std::size_t messageBytes) const {
  // For each thread: blocks that are read ahead, the messages of a block by
  // vertex, and messages that are about to be written.
  const std::uint64_t ofThread =
      (MessageReader::BlocksAhead + 2) * mostBytesOfMessages(messageBytes);
  const std::size_t threads = workerPool.threads();
  return {.buffers = threads * ofThread + StepMessages::indexBytes(layout()) +
                     (ranks.hasOthers() ? Passing::bytes(messageBytes) : 0),
          .messages = MessageStore::mostBytes(layout(), messageBytes),
          .dispatching = Dispatcher::bytes(layout(), share(), graph.index(),
                                           messageBytes, threads)};
}

MessageMemory EngineState::memoryToCollect(std::uint64_t windowBytes) const {
  if (!ranks.hasOthers())
    return {};
  return {.buffers = windowBytes + 2 * RankGroup::PieceBytes};
}

bool EngineState::divideMemory(std::uint64_t windowBytesInUse,
                               const MessageMemory &needed) {
  const std::optional<MemoryDivision> division =
      budget.divide({.windowsInUse = windowBytesInUse,
                     .allWindows = windows.bytesOfArrays(),
                     .messages = needed});
  if (!division)
    return false;
  recovery.begin(windows);
  messages.begin(needed.messages, division->messages);
  windows.setLimit(division->windows, workerPool.first().queue);
  graph.keepAtMost(division->edges);
  ioModel.callBegun(*division);
  return true;
}

void EngineState::endCall(std::string result) {
  if (!recovery.endCall(std::move(result), changes, windows.arrayCount()))
    return;
  workerPool.forEachBatch("Checkpoint", BatchSet(layout().batches(), 1), false,
                          [&](Worker &worker, std::size_t batch) {
                            windows.saveBatch(batch, worker.queue);
                          });
  ioModel.checkpointMade();
  recovery.writeCheckpoint(windows);
}

std::unique_ptr<Passing> EngineState::makePassing(StepMessages &stepMessages,
                                                  BatchQueue &queue) {
  if (!ranks.hasOthers())
    return nullptr;
  return std::make_unique<Passing>(*options.communicator, layout(),
                                   graph.files(), graph.filterCounts(),
                                   messages, graph.kept(), stepMessages, queue);
}

void EngineState::endPassing(Passing *passing) {
  if (passing)
    totals.passed += passing->finish();
}

std::unique_ptr<Dispatcher>
EngineState::makeDispatcher(const StepMessages &stepMessages) {
  if (!mayDispatch())
    return nullptr;
  return std::make_unique<Dispatcher>(graph.part(), graph.seekCost(), messages,
                                      graph.kept(), stepMessages,
                                      options.dispatching, ranks.hasOthers());
}

void EngineState::endDispatching(const Dispatcher *dispatcher) {
  if (dispatcher)
    totals.dispatched += dispatcher->counts();
}

EngineCounts EngineState::counts() const {
  EngineCounts counts;
  counts.calls = recovery.calls();
  counts.messages = workerPool.sumOf(&Worker::messages);
  counts.edges = workerPool.sumOf(&Worker::edges);
  counts.bytes = workerPool.transferred();
  counts.bytes += totals.passed.disk;
  counts.passedMessages = totals.passed.messages;
  counts.passedBytes = totals.passed.bytes;
  counts.dispatching = totals.dispatched;
  counts.unchangedBytes = windows.unchangedBytes();
  counts.predicted = ioModel.predicted();
  counts.predictedPassedBytes = ioModel.predictedSent();
  counts.predicted.written -=
      std::min(counts.predicted.written, counts.unchangedBytes);
  // The model does not know of journals.
  const std::uint64_t journalBytes = recovery.journalBytes();
  counts.bytes.written += journalBytes;
  counts.predicted.written += journalBytes;
  return counts;
}

} // namespace heddle::graph::ooc
