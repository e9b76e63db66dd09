//===- EngineState.cpp - What the engine has, for any program ------------===//

#include "heddle/graph/ooc/EngineState.h"

#include "heddle/graph/Error.h"

#include <algorithm>
#include <cstring>
#include <omp.h>

namespace heddle::graph::ooc {

namespace {

std::string runPath(const std::string &directory) { return directory + "/run"; }

} // namespace

EngineState::EngineState(const std::string &graph, WeightKind weights,
                         const EngineOptions &engineOptions)
    : options(engineOptions), layout(readLayout(graph)),
      directory(runPath(graph)), weights(weights),
      pool(layout, files, directory.path()), messages(directory.path()),
      ioModel(layout, blocks, weights, engineOptions.resume) {
  if (weights != WeightKind::None && layout.weightKind != weights)
    throw Error(graph + ": expected a graph with " + nameOf(weights) +
                ", found one with " + nameOf(layout.weightKind));
  for (std::size_t part = 0; part < layout.partitions(); ++part) {
    const PartFileInfo &info = layout.files[part];
    files.emplace_back(edgesPath(graph, part), sumsPath(graph, part),
                       info.bytes, info.checksum);
    fixedBytes += files.back().overheadBytes();
  }
  for (int thread = 0; thread < omp_get_max_threads(); ++thread)
    workers.emplace_back(*this);
  readBlocks();
  fixedBytes += ProgramBytes + workers.size() * ChunkScan::bytes(weights);

  if (options.resume) {
    checkpoint = directory.read(layout.checksum);
    resumedCalls = checkpoint.results.size();
    pool.keep(checkpoint.arrays);
  }
}

void EngineState::beginRun() {
  if (options.resume || isBegun)
    return;
  isBegun = true;
  directory.clear();
  checkpoint.program = options.program;
  if (options.checkpoints)
    directory.write(checkpoint, layout.checksum);
}

std::string resumableProgram(const std::string &directory) {
  const std::uint64_t checksum = readLayout(directory).checksum;
  return RunDirectory(runPath(directory)).read(checksum).program;
}

void EngineState::failToResume() const {
  throw Error(directory.path() + ": call " + std::to_string(calls) +
              " of the run to go on with was not one of this program");
}

void EngineState::makeCheckpoint(std::string result) {
  sumOverBatches("Checkpoint", [&](Worker &worker, std::size_t batch) {
    pool.saveBatch(batch, worker.queue);
    return 0;
  });
  ioModel.checkpoint();
  checkpoint.results.push_back(std::move(result));
  checkpoint.arrays = pool.keepCopies();
  directory.write(checkpoint, layout.checksum);
}

/// Where the blocks of all chunks' sources begin.
void EngineState::readBlocks() {
  blocks.resize(layout.chunks.size());
  std::uint64_t most = 0;
  for (std::size_t part = 0; part < layout.partitions(); ++part)
    most = std::max(most, layout.sourceBlocks(part) + 1);
  RangeReader reader(workers[0].queue, keptBytes, 1,
                     most * sizeof(SourceBlock));
  for (std::size_t batch = 0; batch < layout.batches(); ++batch)
    for (std::size_t part = 0; part < layout.partitions(); ++part) {
      const Chunk &chunk = layout.chunk(part, batch);
      if (chunk.edges == 0)
        continue;
      const std::size_t count = layout.sourceBlocks(part) + 1;
      std::vector<SourceBlock> &starts =
          blocks[batch * layout.partitions() + part];
      starts.resize(count);
      reader.begin(files[layout.partitionOf[batch]],
                   {FileRange{layout.places(part, chunk).blocks,
                              count * sizeof(SourceBlock)}});
      std::memcpy(starts.data(), reader.finish()[0],
                  count * sizeof(SourceBlock));
      reader.release();
      fixedBytes += count * sizeof(SourceBlock);
    }
}

void EngineState::divideMemory(std::uint64_t inUse, std::uint64_t bufferBytes,
                               std::uint64_t messageBytes) {
  const std::uint64_t least = fixedBytes + inUse + bufferBytes;
  if (least > options.memoryBytes)
    throw Error("expected a memory budget of at least " +
                std::to_string((least >> 20) + 1) + " MiB, found " +
                std::to_string(options.memoryBytes >> 20) +
                " MiB; smaller batches or fewer threads take less");
  // What is over goes to messages first, which are read as often as there are
  // batches, then to vertex data, which are written too, and then to edges.
  std::uint64_t free = options.memoryBytes - least;
  const std::uint64_t forMessages = std::min(messageBytes, free / 2);
  free -= forMessages;
  const std::uint64_t arrays = pool.bytesOfArrays();
  const std::uint64_t forWindows =
      arrays > inUse ? std::min(arrays - inUse, free) : 0;
  messages.begin(messageBytes, forMessages);
  pool.setLimit(inUse + forWindows, workers[0].queue);
  keptBytes.setLimit(free - forWindows);
  ioModel.beginCall({.windows = inUse + forWindows,
                     .messages = forMessages,
                     .edges = free - forWindows});
  for (CheckedFile &file : files)
    if (const std::uint64_t excess = keptBytes.excess())
      keptBytes.giveBack(file.forget(excess));
}

EngineCounts EngineState::counts() const {
  EngineCounts counts;
  counts.calls = calls;
  for (const Worker &worker : workers) {
    counts.messages += worker.messages;
    counts.edges += worker.edges;
    counts.bytes += worker.queue.counts();
  }
  counts.unchangedBytes = pool.unchangedBytes();
  counts.predicted = ioModel.predicted();
  counts.predicted.written -=
      std::min(counts.predicted.written, counts.unchangedBytes);
  return counts;
}

bool EngineState::takeTurn() { return isBackward = !isBackward; }

EngineState::Worker &EngineState::worker() {
  return workers[static_cast<std::size_t>(omp_get_thread_num())];
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
