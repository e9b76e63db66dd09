//===- RankGraph.cpp - The part of a graph that a rank has ---------------===//

#include "heddle/graph/detail/ooc/engine/RankGraph.h"

#include "../../files/FileError.h"
#include "../disk/OpenFiles.h"
#include "../messages/ChunkPieces.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <filesystem>
#include <omp.h>
#include <system_error>

namespace heddle::graph::ooc {

std::string RankGraph::runPath(const std::string &directory,
                               std::size_t partition) {
  return directory + "/run/part-" + std::to_string(partition);
}

Share RankGraph::shareOfRank(const GraphLayout &layout,
                             const std::string &directory, unsigned rank,
                             unsigned ranks) {
  if (ranks > layout.partitions())
    throw Error(directory + ": prepared for " +
                std::to_string(layout.partitions()) +
                (layout.partitions() == 1 ? " rank" : " ranks") +
                ", but run with " + std::to_string(ranks) +
                "; run it with fewer ranks, or prepare it again");
  return shareOf(layout, rank, ranks);
}

RankGraph::RankGraph(const std::string &directory, WeightKind weights,
                     unsigned rank, unsigned ranks)
    : directory_(directory), layout_(readLayout(directory)),
      share_(shareOfRank(layout_, directory, rank, ranks)), weights_(weights) {
  if (weights != WeightKind::None && layout_.weightKind != weights)
    throw Error(directory + ": expected a graph with " + nameOf(weights) +
                ", found one with " + nameOf(layout_.weightKind));
  checkSizes();
  // Each partition has a lock and a file of edges, which far memory opens
  // twice.
  requireFiles(share_.partitions() * 4);
  index_.ofChunks.resize(layout_.chunks.size());
  index_.ofDispatching.resize(layout_.dispatchingGraphs.size());
}

/// Throws Error if a file of this rank has another size than the layout says,
/// or no room for its parts. Memory for what is known about its blocks is
/// allocated before it is opened.
void RankGraph::checkSizes() const {
  for (std::size_t part = share_.firstPartition; part < share_.endPartition;
       ++part) {
    const std::string path = edgesPath(directory_, part);
    const std::uint64_t expected = layout_.files[part].bytes;
    checkPlaces(directory_, layout_, part);
    std::error_code isMissing;
    const std::uint64_t found = std::filesystem::file_size(path, isMissing);
    if (!isMissing && found != expected)
      failAtByte(path, std::min(found, expected),
                 "expected a file of " + std::to_string(expected) +
                     " bytes, found " + std::to_string(found));
  }
}

/// Counts the descriptors that are not files of the graph or of arrays as well:
/// a journal and its queue for each partition, sockets, and what each thread
/// opens.
void RankGraph::requireFiles(std::uint64_t count) const {
  constexpr std::uint64_t OtherFiles = 64, FilesOfJournal = 2;
  requireOpenFiles(count + share_.partitions() * FilesOfJournal + OtherFiles +
                       static_cast<std::uint64_t>(omp_get_max_threads()),
                   ", or use more ranks");
}

bool RankGraph::hasRows() const {
  return std::ranges::any_of(layout_.chunks, &Chunk::hasRows) ||
         std::ranges::any_of(layout_.dispatchingGraphs, &Chunk::hasRows);
}

std::uint64_t RankGraph::bytes(bool withFilters) const {
  std::uint64_t bytes =
      layoutBytes(layout_.partitions(), layout_.batches(),
                  layout_.groups.size()) +
      (layout_.chunks.size() + layout_.dispatchingGraphs.size()) *
          sizeof(std::vector<SourceBlock>);
  for (std::size_t part = share_.firstPartition; part < share_.endPartition;
       ++part) {
    bytes += CheckedFile::overheadBytes(layout_.files[part].bytes);
    if (withFilters)
      bytes += FilterCounts::bytes(layout_, part);
  }
  forEachIndexed(layout_, share_, [&](const IndexedChunk &chunk) {
    bytes += chunk.starts.bytes;
  });
  return bytes;
}

void RankGraph::open(IoQueue &queue, bool withFilters) {
  HEDDLE_ASSERT(files_.empty() && "opened once");
  for (std::size_t part = share_.firstPartition; part < share_.endPartition;
       ++part) {
    const PartFileInfo &info = layout_.files[part];
    files_.emplace_back(edgesPath(directory_, part), sumsPath(directory_, part),
                        info.bytes, info.checksum);
    farFiles_.emplace_back(files_.back());
    checkDegreesPlace(directory_, layout_, part);
  }
  if (hasRows())
    seekCost_ = SeekCost::measure(files_.front());
  readIndex(queue);
  if (withFilters)
    readFilterCounts(queue);
}

/// Reads where the source blocks of all chunks and dispatching graphs begin.
void RankGraph::readIndex(IoQueue &queue) {
  std::uint64_t most = 0;
  forEachIndexed(layout_, share_, [&](const IndexedChunk &chunk) {
    most = std::max(most, chunk.starts.bytes);
  });
  RangeReader reader(queue, kept_, 1, most);
  forEachIndexed(layout_, share_, [&](const IndexedChunk &chunk) {
    std::vector<SourceBlock> &starts =
        (chunk.isDispatching ? index_.ofDispatching
                             : index_.ofChunks)[chunk.number];
    starts.resize(chunk.starts.bytes / sizeof(SourceBlock));
    reader.copy(files_[chunk.file], chunk.starts, starts.data());
    checkStarts(chunk, starts);
  });
}

/// Throws Error if blocks do not follow each other, or have more sources than
/// vertices.
void RankGraph::checkStarts(const IndexedChunk &chunk,
                            const std::vector<SourceBlock> &starts) const {
  const std::size_t partition = chunk.number % layout_.partitions();
  const Chunk &whole = (chunk.isDispatching ? layout_.dispatchingGraphs
                                            : layout_.chunks)[chunk.number];
  bool isRight = starts.front().source == 0 && starts.front().edge == 0 &&
                 starts.back().source == whole.sources &&
                 starts.back().edge == whole.edges;
  for (std::size_t block = 0; block + 1 < starts.size(); ++block) {
    const SourceBlock &begin = starts[block], &end = starts[block + 1];
    const std::uint64_t sources = end.source - begin.source;
    isRight = isRight && begin.source <= end.source && begin.edge <= end.edge &&
              sources <= end.edge - begin.edge &&
              sources <= verticesOfBlock(layout_, partition, block);
  }
  if (!isRight)
    failAtByte(files_[chunk.file].file().path(), chunk.starts.offset,
               "expected blocks of sources in ascending order, found others: "
               "the file is damaged");
}

void RankGraph::readFilterCounts(IoQueue &queue) {
  for (std::size_t part = share_.firstPartition; part < share_.endPartition;
       ++part) {
    const std::size_t count = layout_.filterCount(part);
    FilterCounts::Counts &ofPartition = filterCounts_.partitions.emplace_back();
    std::vector<std::uint32_t> &counts = ofPartition.ofFilters;
    if (count == 0)
      continue;
    counts.resize(count);
    ofPartition.ofRanks.resize(layout_.partitions() *
                               layout_.sourceBlocks(part));
    const FileRange range = {layout_.files[part].filterCountsOffset,
                             count * sizeof(counts[0])};
    RangeReader(queue, kept_, 1, range.bytes)
        .copy(files_[part - share_.firstPartition], range, counts.data());
  }
}

void RankGraph::keepAtMost(std::uint64_t bytes) {
  kept_.setLimit(bytes);
  for (CheckedFile &file : files_)
    if (const std::uint64_t excess = kept_.excess())
      kept_.giveBack(file.forget(excess));
}

} // namespace heddle::graph::ooc
