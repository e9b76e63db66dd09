//===- Recovery.cpp - Calls outlive the program --------------------------===//

#include "heddle/graph/detail/ooc/engine/Recovery.h"

#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <random>
#include <utility>

namespace heddle::graph::ooc {

std::string resumableProgram(const std::string &directory,
                             const Communicator *communicator) {
  const GraphLayout layout = readLayout(directory);
  const Share share = RankGraph::shareOfRank(
      layout, directory, communicator ? communicator->rank() : 0,
      communicator ? communicator->ranks() : 1);
  return RunDirectory(RankGraph::runPath(directory, share.firstPartition))
      .read(layout.checksum)
      .program;
}

Recovery::Recovery(const RankGraph &graph, const RankGroup &ranks,
                   const EngineOptions &options)
    : graph(graph), ranks(ranks), options(options) {
  const Share &share = graph.share();
  for (std::size_t part = share.firstPartition; part < share.endPartition;
       ++part)
    directories_.emplace_back(RankGraph::runPath(graph.directory(), part));
}

std::uint64_t Recovery::journalBytes() const {
  std::uint64_t bytes = 0;
  for (const RunDirectory &directory : directories_)
    bytes += directory.journalBytes();
  return bytes;
}

std::uint64_t Recovery::bytes() const {
  // For each partition, the changes of a call and the journal's record of them.
  return options.checkpoints ? directories_.size() * 2 * CallChanges::MostBytes
                             : 0;
}

/// The number of calls that are done for all partitions of all ranks, which
/// must have checkpoints of the same run.
std::uint64_t Recovery::lastCommonCall() {
  struct Last {
    std::uint64_t run, calls;
  };
  Last common = {0, ~std::uint64_t(0)};
  for (RunDirectory &directory : directories_) {
    const Checkpoint last = directory.read(graph.layout().checksum);
    if (common.calls != ~std::uint64_t(0) && common.run != last.run)
      failToAgree();
    common.run = last.run;
    common.calls = std::min<std::uint64_t>(common.calls, last.results.size());
  }
  for (const Last &other : ranks.gatherValues(common)) {
    if (other.run != common.run)
      failToAgree();
    common.calls = std::min(common.calls, other.calls);
  }
  return common.calls;
}

void Recovery::resume(WindowPool &pool) {
  const GraphLayout &layout = graph.layout();
  resumedCalls = lastCommonCall();
  std::vector<WindowPool::PartitionCopies> copies;
  arraysInCheckpoint = ~std::size_t(0);
  for (std::size_t part = 0; part < directories_.size(); ++part) {
    RunDirectory &directory = directories_[part];
    checkpoint = directory.read(layout.checksum, resumedCalls);
    HEDDLE_ASSERT(checkpoint.results.size() == resumedCalls);
    directory.removeAfter(resumedCalls);
    // The journal ends here, even if it has records of later calls.
    applyChanges(layout, graph.share().firstPartition + part, directory,
                 checkpoint);
    directory.write(checkpoint, layout.checksum);
    arraysInCheckpoint = std::min(arraysInCheckpoint, checkpoint.arrays.size());
    copies.push_back(std::move(checkpoint.arrays));
  }
  checkpoint.arrays.clear();
  pool.restore(std::move(copies));
}

void Recovery::begin(WindowPool &pool) {
  if (ownsDirectories())
    return;
  isBegun = true;
  checkpoint.program = options.program;
  std::random_device random;
  checkpoint.run = std::uint64_t(random()) << 32 | random();
  // All ranks have the memory once all of them have reached this point.
  checkpoint.run = ranks.gatherValues(checkpoint.run)[0];
  graph.requireFiles(pool.filesToOpen());
  for (const RunDirectory &directory : directories_)
    directory.clear();
  pool.openFiles();
  if (options.checkpoints)
    for (RunDirectory &directory : directories_)
      directory.write(checkpoint, graph.layout().checksum);
}

bool Recovery::endCall(std::string result, CallChanges &changes,
                       std::size_t arrayCount) {
  HEDDLE_ASSERT(calls_ >= resumedCalls && ownsDirectories());
  ++calls_;
  if (!options.checkpoints)
    return false;
  const bool isInJournals = addToJournals(result, changes, arrayCount);
  changes.clear();
  checkpoint.results.push_back(std::move(result));
  HEDDLE_ASSERT(checkpoint.results.size() == calls_);
  return !isInJournals;
}

/// Adds a call to the journals. Returns whether its changes are few and known,
/// and there is room for them.
bool Recovery::addToJournals(const std::string &result,
                             const CallChanges &changes,
                             std::size_t arrayCount) {
  // Journals do not record the names of arrays that are missing from the
  // checkpoint.
  if (!changes.areNone() &&
      (!changes.areKnown() || arraysInCheckpoint < arrayCount))
    return false;
  std::vector<Journal::Record> records;
  for (std::size_t part = 0; part < directories_.size(); ++part) {
    records.push_back(
        {result, changes.ofPartition(graph.share().firstPartition + part)});
    if (!directories_[part].hasRoom(records.back()))
      return false;
  }
  for (std::size_t part = 0; part < directories_.size(); ++part)
    directories_[part].append(records[part]);
  return true;
}

void Recovery::writeCheckpoint(WindowPool &pool) {
  std::vector<WindowPool::PartitionCopies> copies = pool.keepCopies();
  HEDDLE_ASSERT(copies.size() == directories_.size());
  arraysInCheckpoint = pool.arrayCount();
  for (std::size_t part = 0; part < copies.size(); ++part) {
    checkpoint.arrays = std::move(copies[part]);
    directories_[part].write(checkpoint, graph.layout().checksum);
  }
}

void Recovery::failToResume() const {
  throw Error(directories_.front().path() + ": call " + std::to_string(calls_) +
              " of the resumed run returned a value of another size than this "
              "program expects; resume it with the program that began it");
}

void Recovery::failToAgree() const {
  throw Error(directories_.front().path() +
              ": expected checkpoints of one run in all partitions, found "
              "checkpoints of several; start the run again");
}

} // namespace heddle::graph::ooc
