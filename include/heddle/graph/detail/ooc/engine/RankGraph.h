//===- RankGraph.h - The part of a graph that a rank has -------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_ENGINE_RANKGRAPH_H
#define HEDDLE_GRAPH_DETAIL_OOC_ENGINE_RANKGRAPH_H

#include "heddle/graph/detail/ooc/disk/CheckedFile.h"
#include "heddle/graph/detail/ooc/edges/FarFile.h"
#include "heddle/graph/detail/ooc/messages/ChunkScan.h"
#include "heddle/graph/detail/ooc/messages/Dispatcher.h"
#include "heddle/graph/detail/ooc/ranks/Filters.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

namespace heddle::graph::ooc {

/// A prepared graph, and the files of the partitions that one of the ranks
/// works on.
struct IndexedChunk;

class RankGraph {
public:
  /// Reads the layout. Throws Error if there is no such graph, if it was
  /// prepared for fewer ranks or other weights, if the layout is damaged, and
  /// if this process may not open as many files as the graph has.
  RankGraph(const std::string &directory, WeightKind weights, unsigned rank,
            unsigned ranks);

  /// Opens the files, and reads the data that stay in memory. Throws Error.
  void open(IoQueue &queue, bool withFilters);

  /// Returns the memory of the layout and of the data that open() reads.
  std::uint64_t bytes(bool withFilters) const;

  const std::string &directory() const { return directory_; }
  const GraphLayout &layout() const { return layout_; }
  const Share &share() const { return share_; }
  WeightKind weights() const { return weights_; }
  const SourceIndex &index() const { return index_; }
  FilterCounts &filterCounts() { return filterCounts_; }
  const SeekCost &seekCost() const { return seekCost_; }
  KeptBytes &kept() { return kept_; }
  /// The files of the rank's partitions, and the same files as far memory.
  std::deque<CheckedFile> &files() { return files_; }
  std::deque<FarFile> &farFiles() { return farFiles_; }
  const std::deque<FarFile> &farFiles() const { return farFiles_; }
  ShareOfGraph part() { return {layout_, share_, files_, index_}; }

  bool has(std::size_t batch) const {
    return batch >= share_.firstBatch && batch < share_.endBatch;
  }

  /// Whether edges can be sought: whether any chunk or dispatching graph has
  /// the edges of each vertex indexed.
  bool hasRows() const;

  /// Keeps at most `bytes` bytes of edges in memory, and evicts the rest. Must
  /// not be called while anything is read.
  void keepAtMost(std::uint64_t bytes);

  /// Throws Error if this process may not open `count` files in addition to
  /// those of the journals and of its threads.
  void requireFiles(std::uint64_t count) const;

  /// The directory of a partition's run.
  static std::string runPath(const std::string &directory,
                             std::size_t partition);

  /// The share of one of the ranks. Throws Error if the graph was prepared for
  /// fewer.
  static Share shareOfRank(const GraphLayout &layout,
                           const std::string &directory, unsigned rank,
                           unsigned ranks);

private:
  void checkSizes() const;
  void readIndex(IoQueue &queue);
  void checkStarts(const IndexedChunk &chunk,
                   const std::vector<SourceBlock> &starts) const;
  void readFilterCounts(IoQueue &queue);

  const std::string directory_;
  const GraphLayout layout_;
  const Share share_;
  const WeightKind weights_; ///< that programs use
  std::deque<CheckedFile> files_;
  std::deque<FarFile> farFiles_;
  SourceIndex index_;
  FilterCounts filterCounts_;
  SeekCost seekCost_;
  KeptBytes kept_;
};

} // namespace heddle::graph::ooc

#endif
