//===- RankGraph.cpp - The part of a graph that a rank has ---------------===//

#include "heddle/graph/detail/ooc/engine/RankGraph.h"

#include "../disk/OpenFiles.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <cstring>
#include <omp.h>

namespace heddle::graph::ooc {

namespace {

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

/// The number of block starts of a chunk or dispatching graph whose edges lead
/// from this partition.
std::size_t blockStartsFrom(const GraphLayout &layout, std::size_t partition) {
  return layout.sourceBlocks(partition) + 1;
}

} // namespace

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
  // Each partition has a lock and a file of edges, which far memory opens
  // twice.
  requireFiles(share_.partitions() * 4);
  index_.ofChunks.resize(layout_.chunks.size());
  index_.ofDispatching.resize(layout_.dispatchingGraphs.size());
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
  const auto addStarts = [&](std::size_t part, std::size_t) {
    bytes += blockStartsFrom(layout_, part) * sizeof(SourceBlock);
  };
  forEachIndexed(layout_, share_, addStarts, addStarts);
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
  }
  if (hasRows())
    seekCost_ = SeekCost::measure(files_.front());
  readIndex(queue);
  if (withFilters)
    readFilterCounts(queue);
}

/// Reads where the source blocks of all chunks and dispatching graphs begin.
void RankGraph::readIndex(IoQueue &queue) {
  const std::size_t partitions = layout_.partitions();
  std::size_t most = 0;
  for (std::size_t part = 0; part < partitions; ++part)
    most = std::max(most, blockStartsFrom(layout_, part));
  RangeReader reader(queue, kept_, 1, most * sizeof(SourceBlock));
  const auto read = [&](std::size_t part, std::uint64_t offset,
                        CheckedFile &file, std::vector<SourceBlock> &starts) {
    starts.resize(blockStartsFrom(layout_, part));
    const std::size_t bytes = starts.size() * sizeof(SourceBlock);
    reader.begin(file, {FileRange{offset, bytes}});
    std::memcpy(starts.data(), reader.finish()[0], bytes);
    reader.release();
  };
  forEachIndexed(
      layout_, share_,
      [&](std::size_t part, std::size_t batch) {
        read(part, layout_.places(part, layout_.chunk(part, batch)).blocks,
             files_[layout_.partitionOf[batch] - share_.firstPartition],
             index_.ofChunks[batch * partitions + part]);
      },
      [&](std::size_t part, std::size_t group) {
        const Chunk &graph = layout_.dispatchingGraph(part, group);
        read(part, layout_.placesOfDispatching(part, graph).blocks,
             files_[layout_.groups[group].partition - share_.firstPartition],
             index_.ofDispatching[group * partitions + part]);
      });
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
    RangeReader reader(queue, kept_, 1, count * sizeof(counts[0]));
    reader.begin(files_[part - share_.firstPartition],
                 {FileRange{layout_.files[part].filterCountsOffset,
                            count * sizeof(counts[0])}});
    std::memcpy(counts.data(), reader.finish()[0], count * sizeof(counts[0]));
    reader.release();
  }
}

void RankGraph::keepAtMost(std::uint64_t bytes) {
  kept_.setLimit(bytes);
  for (CheckedFile &file : files_)
    if (const std::uint64_t excess = kept_.excess())
      kept_.giveBack(file.forget(excess));
}

} // namespace heddle::graph::ooc
