//===- EngineState.cpp - What the engine has, for any program ------------===//

#include "heddle/graph/ooc/EngineState.h"

#include "disk/OpenFiles.h"
#include "heddle/graph/Error.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <omp.h>
#include <random>
#include <thread>

namespace heddle::graph::ooc {

namespace {

std::string runPath(const std::string &directory, std::size_t partition) {
  return directory + "/run/part-" + std::to_string(partition);
}

Share shareOf(const GraphLayout &layout, const std::string &graph,
              const Communicator *communicator) {
  if (!communicator)
    return shareOf(layout, 0, 1);
  if (communicator->ranks() > layout.partitions())
    throw Error(graph + ": expected at most " +
                std::to_string(layout.partitions()) +
                " ranks, for as many was it prepared, found " +
                std::to_string(communicator->ranks()));
  return shareOf(layout, communicator->rank(), communicator->ranks());
}

std::size_t maxThreads() {
  return static_cast<std::size_t>(omp_get_max_threads());
}

RankOf rankOf(const Communicator *communicator) {
  if (!communicator)
    return {};
  return {communicator->rank(), communicator->ranks()};
}

/// Whether the edges of any vertex may be sought.
bool hasRows(const GraphLayout &layout) {
  return std::ranges::any_of(layout.chunks, &Chunk::hasRows) ||
         std::ranges::any_of(layout.dispatchingGraphs, &Chunk::hasRows);
}

/// Calls `ofChunk(partition, batch)` and `ofGraph(partition, group)` for the
/// chunks and dispatching graphs of a rank that have edges.
template <typename OfChunk, typename OfGraph>
void forEachIndexed(const GraphLayout &layout, const Share &share,
                    OfChunk ofChunk, OfGraph ofGraph) {
  for (std::size_t batch = share.firstBatch; batch < share.endBatch; ++batch)
    for (std::size_t part = 0; part < layout.partitions(); ++part)
      if (layout.chunk(part, batch).edges > 0)
        ofChunk(part, batch);
  for (std::size_t group = 0; group < layout.groups.size(); ++group)
    if (const std::size_t to = layout.groups[group].partition;
        to >= share.firstPartition && to < share.endPartition)
      for (std::size_t part = 0; part < layout.partitions(); ++part)
        if (layout.dispatchingGraph(part, group).edges > 0)
          ofGraph(part, group);
}

/// How many a chunk or dispatching graph from a partition has.
std::size_t blockStartsFrom(const GraphLayout &layout, std::size_t partition) {
  return layout.sourceBlocks(partition) + 1;
}

/// What a rank reads of the graph when it begins, and has in memory until it
/// ends.
std::uint64_t bytesReadFirst(const GraphLayout &layout, const Share &share,
                             bool hasFilters) {
  std::uint64_t bytes =
      layoutBytes(layout.partitions(), layout.batches(), layout.groups.size()) +
      (layout.chunks.size() + layout.dispatchingGraphs.size()) *
          sizeof(std::vector<SourceBlock>);
  for (std::size_t part = share.firstPartition; part < share.endPartition;
       ++part) {
    bytes += CheckedFile::overheadBytes(layout.files[part].bytes);
    if (hasFilters)
      bytes += FilterCounts::bytes(layout, part);
  }
  const auto addStarts = [&](std::size_t part, std::size_t) {
    bytes += blockStartsFrom(layout, part) * sizeof(SourceBlock);
  };
  forEachIndexed(layout, share, addStarts, addStarts);
  return bytes;
}

/// Of each partition a journal, with its queue, is open beside so many files,
/// and of the process what connects it and its threads to others.
void requireFiles(std::uint64_t more, std::size_t partitions) {
  constexpr std::uint64_t OtherFiles = 64, FilesOfJournal = 2;
  requireOpenFiles(more + partitions * FilesOfJournal + OtherFiles +
                       maxThreads(),
                   "; more ranks need fewer each");
}

template <typename T> std::string bytesOf(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof(value)};
}

template <typename T> T valueOf(const std::string &bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(value));
  return value;
}

} // namespace

EngineState::EngineState(const std::string &graph, WeightKind weights,
                         const EngineOptions &engineOptions)
    : options(engineOptions), layout(readLayout(graph)),
      share_(shareOf(layout, graph, options.communicator)), weights(weights),
      pieceBuffers(PieceBuffers::within(options.memoryBytes, maxThreads(),
                                        layout.targetBytes(), weights)),
      pool(layout, share_, files, directories),
      messages(runPath(graph, share_.firstPartition)),
      callChanges(layout, share_, engineOptions.checkpoints),
      ioModel(layout, rankOf(options.communicator), index, filterCounts,
              weights, options.resume) {
  if (weights != WeightKind::None && layout.weightKind != weights)
    throw Error(graph + ": expected a graph with " + nameOf(weights) +
                ", found one with " + nameOf(layout.weightKind));
  // A lock, edges, and these twice in far memory.
  requireFiles(share_.partitions() * 4, share_.partitions());
  for (std::size_t part = share_.firstPartition; part < share_.endPartition;
       ++part)
    directories.emplace_back(runPath(graph, part));
  for (std::size_t thread = 0; thread < maxThreads(); ++thread)
    workers.emplace_back(*this);
  fixedBytes = ProgramBytes + MessageStore::BytesLeft +
               threads() * ChunkScan::bytes(pieceBuffers) +
               bytesReadFirst(layout, share_, options.communicator != nullptr);
  // A record in the making, and on its way.
  if (options.checkpoints)
    fixedBytes += directories.size() * 2 * CallChanges::MostBytes;
  if (options.communicator)
    fixedBytes += communicatorBytes(options.communicator->ranks());
  if (hasRows(layout)) {
    cacheBytes = FarFile::limitCache(options.memoryBytes);
    fixedBytes += FarFile::memoryBytes(cacheBytes, threads());
  }
  index.ofChunks.resize(layout.chunks.size());
  index.ofDispatching.resize(layout.dispatchingGraphs.size());
  // Else the first call says how much it takes, and nothing is done.
  if (fixedBytes <= options.memoryBytes)
    openGraph(graph);
  for (const std::string &other : gather(bytesOf(layout.checksum)))
    if (valueOf<std::uint64_t>(other) != layout.checksum)
      throw Error(graph + ": is not the same graph on all ranks");
  if (options.resume)
    resume();
}

/// Reads what is in memory until the end.
void EngineState::openGraph(const std::string &graph) {
  for (std::size_t part = share_.firstPartition; part < share_.endPartition;
       ++part) {
    const PartFileInfo &info = layout.files[part];
    files.emplace_back(edgesPath(graph, part), sumsPath(graph, part),
                       info.bytes, info.checksum);
    farFiles.emplace_back(files.back());
  }
  if (hasRows(layout))
    seekCost = SeekCost::measure(files.front());
  ioModel.setSeeking(seekCost.onDisk, cacheBytes);
  readIndex();
  if (options.communicator)
    readFilterCounts();
}

/// Goes on where all partitions have a checkpoint.
void EngineState::resume() {
  struct Last {
    std::uint64_t run, calls;
  };
  std::uint64_t calls = ~std::uint64_t(0), run = 0;
  for (RunDirectory &directory : directories) {
    const Checkpoint last = directory.read(layout.checksum);
    if (calls != ~std::uint64_t(0) && run != last.run)
      failToAgree();
    run = last.run;
    calls = std::min<std::uint64_t>(calls, last.results.size());
  }
  for (const std::string &bytes : gather(bytesOf(Last{run, calls}))) {
    const auto other = valueOf<Last>(bytes);
    if (other.run != run)
      failToAgree();
    calls = std::min(calls, other.calls);
  }
  std::vector<WindowPool::PartitionCopies> copies;
  arraysInCheckpoint = ~std::size_t(0);
  for (std::size_t part = 0; part < directories.size(); ++part) {
    RunDirectory &directory = directories[part];
    checkpoint = directory.read(layout.checksum, calls);
    directory.removeAfter(calls);
    // Its journal ends here, whatever more it has.
    applyChanges(layout, share_.firstPartition + part, directory, checkpoint);
    directory.write(checkpoint, layout.checksum);
    arraysInCheckpoint = std::min(arraysInCheckpoint, checkpoint.arrays.size());
    copies.push_back(std::move(checkpoint.arrays));
  }
  checkpoint.arrays.clear();
  resumedCalls = calls;
  pool.restore(std::move(copies));
}

void EngineState::failToAgree() const {
  throw Error(directories.front().path() +
              ": expected checkpoints of one run in all partitions, found "
              "several; start it again");
}

void EngineState::beginRun() {
  if (options.resume || isBegun)
    return;
  isBegun = true;
  checkpoint.program = options.program;
  std::random_device random;
  checkpoint.run = std::uint64_t(random()) << 32 | random();
  // No rank goes past this before all have come to it.
  checkpoint.run = valueOf<std::uint64_t>(gather(bytesOf(checkpoint.run))[0]);
  requireFiles(pool.filesToOpen(), share_.partitions());
  for (const RunDirectory &directory : directories)
    directory.clear();
  pool.openFiles();
  if (options.checkpoints)
    for (RunDirectory &directory : directories)
      directory.write(checkpoint, layout.checksum);
}

std::string resumableProgram(const std::string &directory,
                             const Communicator *communicator) {
  const GraphLayout layout = readLayout(directory);
  const Share share = shareOf(layout, directory, communicator);
  return RunDirectory(runPath(directory, share.firstPartition))
      .read(layout.checksum)
      .program;
}

void EngineState::failToResume() const {
  throw Error(directories.front().path() + ": call " + std::to_string(calls) +
              " of the run to go on with was not one of this program");
}

/// Adds a call that has changed little to the journals. Returns whether it was
/// such a call, and there is room.
bool EngineState::addToJournals(const std::string &result) {
  // What an array that the checkpoint has not is called, no journal says.
  if (!callChanges.areNone() &&
      (!callChanges.areKnown() || arraysInCheckpoint < pool.arrayCount()))
    return false;
  std::vector<Journal::Record> records;
  for (std::size_t part = 0; part < directories.size(); ++part) {
    records.push_back(
        {result, callChanges.ofPartition(share_.firstPartition + part)});
    if (!directories[part].hasRoom(records.back()))
      return false;
  }
  for (std::size_t part = 0; part < directories.size(); ++part)
    directories[part].append(records[part]);
  return true;
}

void EngineState::makeCheckpoint(std::string result) {
  const bool isInJournals = addToJournals(result);
  callChanges.clear();
  checkpoint.results.push_back(std::move(result));
  if (isInJournals)
    return;
  const IoModel::Batches all(layout.batches(), 1);
  forEachBatch("Checkpoint", all, false,
               [&](Worker &worker, std::size_t batch) {
                 pool.saveBatch(batch, worker.queue);
               });
  ioModel.checkpoint();
  std::vector<WindowPool::PartitionCopies> copies = pool.keepCopies();
  arraysInCheckpoint = pool.arrayCount();
  for (std::size_t part = 0; part < copies.size(); ++part) {
    checkpoint.arrays = std::move(copies[part]);
    directories[part].write(checkpoint, layout.checksum);
  }
}

std::vector<std::string> EngineState::gather(const std::string &bytes) const {
  if (!options.communicator)
    return {bytes};
  return options.communicator->gather(bytes);
}

std::unique_ptr<Passing> EngineState::makePassing(StepMessages &stepMessages,
                                                  BatchQueue &queue) {
  if (!hasOthers())
    return nullptr;
  return std::make_unique<Passing>(*options.communicator, layout, files,
                                   filterCounts, messages, keptBytes,
                                   stepMessages, queue);
}

void EngineState::endPassing(Passing *passing) {
  if (passing)
    passed += passing->finish();
}

std::unique_ptr<Dispatcher>
EngineState::makeDispatcher(const StepMessages &stepMessages) {
  if (!dealsOut)
    return nullptr;
  return std::make_unique<Dispatcher>(shareOfGraph(), seekCost, messages,
                                      keptBytes, stepMessages,
                                      options.dispatching, hasOthers());
}

void EngineState::endDispatching(const Dispatcher *dispatcher) {
  if (dispatcher)
    dispatched += dispatcher->counts();
}

Dispatching EngineState::dealOut(Dispatcher &dispatcher, Worker &worker,
                                 const BatchQueue::Turn &turn) {
  const std::size_t partition = turn.partitions[0];
  if (turn.work == BatchQueue::Work::DealOut)
    return dispatcher.dispatch(partition, turn.group, worker.scan,
                               worker.queue);
  dispatcher.pull(turn.batch, partition, worker.queue);
  return Dispatching::Pull;
}

/// Has the first rank have the window of a batch in memory, if that of another
/// has it.
void EngineState::bring(const ArrayStorage &array, std::size_t batch) {
  if (!hasOthers())
    return;
  Communicator &communicator = *options.communicator;
  const std::span<std::byte> window = array.window(batch);
  const bool isHere = batch >= share_.firstBatch && batch < share_.endBatch;
  if (isFirstRank() && !isHere) {
    for (std::size_t at = 0; at < window.size();) {
      const auto packet = communicator.receive();
      if (!packet) {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
        continue;
      }
      std::memcpy(window.data() + at, packet->bytes.data(),
                  packet->bytes.size());
      at += packet->bytes.size();
    }
  } else if (!isFirstRank() && isHere) {
    for (std::size_t at = 0; at < window.size(); at += ValueBytes) {
      const auto piece =
          window.subspan(at, std::min(ValueBytes, window.size() - at));
      communicator.send(0, Communicator::Bytes(piece.begin(), piece.end()));
      while (communicator.underWay() > 0)
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  // One sends at a time.
  gather({});
}

/// Where the blocks of all chunks' sources begin, and of dispatching graphs.
void EngineState::readIndex() {
  const std::size_t partitions = layout.partitions();
  std::size_t most = 0;
  for (std::size_t part = 0; part < partitions; ++part)
    most = std::max(most, blockStartsFrom(layout, part));
  RangeReader reader(workers[0].queue, keptBytes, 1,
                     most * sizeof(SourceBlock));
  const auto read = [&](std::size_t part, std::uint64_t offset,
                        CheckedFile &file, std::vector<SourceBlock> &starts) {
    starts.resize(blockStartsFrom(layout, part));
    const std::size_t bytes = starts.size() * sizeof(SourceBlock);
    reader.begin(file, {FileRange{offset, bytes}});
    std::memcpy(starts.data(), reader.finish()[0], bytes);
    reader.release();
  };
  forEachIndexed(
      layout, share_,
      [&](std::size_t part, std::size_t batch) {
        read(part, layout.places(part, layout.chunk(part, batch)).blocks,
             files[layout.partitionOf[batch] - share_.firstPartition],
             index.ofChunks[batch * partitions + part]);
      },
      [&](std::size_t part, std::size_t group) {
        const Chunk &graph = layout.dispatchingGraph(part, group);
        read(part, layout.placesOfDispatching(part, graph).blocks,
             files[layout.groups[group].partition - share_.firstPartition],
             index.ofDispatching[group * partitions + part]);
      });
}

void EngineState::readFilterCounts() {
  for (std::size_t part = share_.firstPartition; part < share_.endPartition;
       ++part) {
    const std::size_t count = layout.filterCount(part);
    FilterCounts::Counts &ofPartition = filterCounts.partitions.emplace_back();
    std::vector<std::uint32_t> &counts = ofPartition.ofFilters;
    if (count == 0)
      continue;
    counts.resize(count);
    ofPartition.ofRanks.resize(layout.partitions() * layout.sourceBlocks(part));
    RangeReader reader(workers[0].queue, keptBytes, 1,
                       count * sizeof(counts[0]));
    reader.begin(files[part - share_.firstPartition],
                 {FileRange{layout.files[part].filterCountsOffset,
                            count * sizeof(counts[0])}});
    std::memcpy(counts.data(), reader.finish()[0], count * sizeof(counts[0]));
    reader.release();
  }
}

MessageMemory EngineState::messageMemory(std::size_t messageBytes) const {
  // For each thread, what is read ahead, the messages of a block by vertex, and
  // those that are about to be written.
  const std::uint64_t ofThread =
      (MessageReader::BlocksAhead + 2) * mostBytesOfMessages(messageBytes);
  MessageMemory memory = {
      .buffers = threads() * ofThread + StepMessages::indexBytes(layout),
      .messages = MessageStore::mostBytes(layout, messageBytes),
      .dealing =
          Dispatcher::bytes(layout, share_, index, messageBytes, threads())};
  if (hasOthers())
    memory.buffers += Passing::bytes(messageBytes);
  return memory;
}

/// What takes a share of a budget of so many bytes: more in a larger one. The
/// cache of the process may be there, and then has its size.
std::uint64_t EngineState::sharesOf(std::uint64_t budgetBytes) const {
  const PieceBuffers buffers = PieceBuffers::within(
      budgetBytes, threads(), layout.targetBytes(), weights);
  const std::uint64_t forFar =
      cacheBytes > 0
          ? FarFile::memoryBytes(
                std::max(cacheBytes, FarFile::cacheShare(budgetBytes)),
                threads())
          : 0;
  return threads() * ChunkScan::bytes(buffers) + forFar;
}

/// Names a budget that will do, where this one would have to have `least`.
void EngineState::failForMemory(std::uint64_t least) const {
  std::uint64_t rest = least - threads() * ChunkScan::bytes(pieceBuffers);
  if (cacheBytes > 0)
    rest -= FarFile::memoryBytes(cacheBytes, threads());
  std::uint64_t mebibytes = least >> 20;
  while (rest + sharesOf(mebibytes << 20) > mebibytes << 20)
    ++mebibytes;
  throw Error("expected a memory budget of at least " +
              std::to_string(mebibytes) + " MiB, found " +
              std::to_string(options.memoryBytes >> 20) +
              " MiB; smaller batches or fewer threads take less");
}

void EngineState::endRehearsal() {
  const std::uint64_t least = *mostNeeded;
  mostNeeded.reset();
  if (least > options.memoryBytes)
    failForMemory(least);
}

bool EngineState::divideMemory(std::uint64_t inUse,
                               const MessageMemory &needed) {
  std::uint64_t least = fixedBytes + inUse + needed.buffers;
  if (options.dispatching)
    least += needed.dealing;
  if (isRehearsing()) {
    mostNeeded = std::max(*mostNeeded, least);
    return false;
  }
  if (least > options.memoryBytes)
    failForMemory(least);
  beginRun();
  // What is over goes to messages first, which are read as often as there are
  // batches, then to vertex data, which are written too, and then to edges.
  std::uint64_t free = options.memoryBytes - least;
  dealsOut = needed.dealing > 0;
  if (!options.dispatching) {
    // It takes memory, and gains nothing where messages do not go to the disk.
    dealsOut &= needed.messages > free / 2 && needed.dealing <= free / 4;
    free -= dealsOut ? needed.dealing : 0;
  }
  const std::uint64_t forMessages = std::min(needed.messages, free / 2);
  free -= forMessages;
  const std::uint64_t arrays = pool.bytesOfArrays();
  const std::uint64_t forWindows =
      arrays > inUse ? std::min(arrays - inUse, free) : 0;
  messages.begin(needed.messages, forMessages);
  pool.setLimit(inUse + forWindows, workers[0].queue);
  keptBytes.setLimit(free - forWindows);
  ioModel.beginCall({.windows = inUse + forWindows,
                     .messages = forMessages,
                     .edges = free - forWindows,
                     .dealsOut = dealsOut});
  for (CheckedFile &file : files)
    if (const std::uint64_t excess = keptBytes.excess())
      keptBytes.giveBack(file.forget(excess));
  return true;
}

EngineCounts EngineState::counts() const {
  EngineCounts counts;
  counts.calls = calls;
  for (const Worker &worker : workers) {
    counts.messages += worker.messages;
    counts.edges += worker.edges;
  }
  counts.bytes = transferred();
  counts.bytes += passed.disk;
  counts.passedMessages = passed.messages;
  counts.passedBytes = passed.bytes;
  counts.dispatching = dispatched;
  counts.unchangedBytes = pool.unchangedBytes();
  counts.predicted = ioModel.predicted();
  counts.predictedPassedBytes = ioModel.predictedSent();
  counts.predicted.written -=
      std::min(counts.predicted.written, counts.unchangedBytes);
  // What is in journals, the model is not told.
  for (const RunDirectory &directory : directories) {
    counts.bytes.written += directory.journalBytes();
    counts.predicted.written += directory.journalBytes();
  }
  return counts;
}

EngineState::Worker &EngineState::worker() {
  return workers[static_cast<std::size_t>(omp_get_thread_num())];
}

/// Whether this thread does a phase alone. Where it moves something from or to
/// the disk, others have something to do while one waits.
bool EngineState::mayBeAlone(std::string_view phase, bool areFew) const {
  const auto moves = movesData.find(phase);
  return areFew && moves != movesData.end() && !moves->second;
}

/// What workers have moved from and to the disk.
TransferCounts EngineState::transferred() const {
  TransferCounts counts;
  for (const Worker &worker : workers)
    counts += worker.queue.counts();
  for (const FarFile &file : farFiles)
    counts.read += file.bytesRead();
  return counts;
}

bool EngineState::hasFailed() const {
  const std::lock_guard lock(mutex);
  return failure != nullptr;
}

void EngineState::fail(std::exception_ptr exception) {
  const std::lock_guard lock(mutex);
  if (!failure)
    failure = exception;
}

void EngineState::rethrow() {
  if (failure)
    std::rethrow_exception(failure);
}

void EngineState::report(const char *phase, std::size_t &done,
                         std::size_t count) {
  const std::lock_guard lock(mutex);
  ++done;
  if (options.progress)
    options.progress(phase, done, count);
}

} // namespace heddle::graph::ooc
