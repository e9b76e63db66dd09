//===- SoughtEdges.h - Seeks the edges of single vertices ------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_EDGES_SOUGHTEDGES_H
#define HEDDLE_GRAPH_DETAIL_OOC_EDGES_SOUGHTEDGES_H

#include "heddle/graph/detail/ooc/disk/BlockFile.h"
#include "heddle/graph/detail/ooc/disk/CheckedFile.h"
#include "heddle/graph/detail/ooc/edges/FarFile.h"
#include "heddle/graph/ooc/Layout.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::graph::ooc {

/// A vertex whose edges are sought.
struct SoughtVertex {
  std::uint16_t source; ///< in its block
  std::uint32_t begin = 0, end = 0;
};

/// Words of one block of a file, and the address to copy them to.
struct WordRun {
  std::uint64_t from;
  std::uint32_t to, length;
};

/// Finds rows, and copies their edges next to each other, in an order that does
/// not depend on when they arrive. Many are sought at a time: from the disk
/// they are read concurrently. Used by one thread.
class SoughtEdges {
public:
  /// For any size of targets, groups of this number of edges are whole words.
  static constexpr std::uint32_t Group = 4;
  /// The number of edges that the buffer has room for.
  static constexpr std::uint32_t MostEdges = std::uint32_t(1) << 16;

  static constexpr std::uint32_t MostRows = MostEdges / Group;

  /// Takes the maximal sizes of targets and weights.
  SoughtEdges(std::uint64_t mostTargetBytes, std::uint64_t mostWeightBytes);

  /// Sets the file to seek in, the same file as far memory, and the sizes of
  /// its targets and weights.
  void setFile(CheckedFile &newFile, FarFile &newFarFile,
               std::uint64_t newTargetBytes, std::uint64_t newWeightBytes) {
    file = &newFile;
    farFile = &newFarFile;
    targetBytes = newTargetBytes;
    weightBytes = newWeightBytes;
  }

  /// Adds a row to find: its begin and end are the two numbers at `offset`. The
  /// vertex must not move.
  void addRow(std::uint64_t offset, SoughtVertex &vertex);

  /// Finds the rows that were added, and sets begin and end of their vertices.
  /// Throws Error.
  void findRows();

  /// The number of slots of the buffer that the edges of a row take.
  static std::uint32_t placesOf(const SoughtVertex &row) {
    return groupEnd(row.end) - groupBegin(row.begin);
  }

  /// Empties the buffer.
  void clear() { used = 0; }

  /// Adds the edges of a row, for which placesOf() slots must be free, to those
  /// to copy. Returns the slot of the first edge.
  std::uint32_t addEdges(const ChunkPlaces &places, const SoughtVertex &row);

  /// Copies the edges that were added. Throws Error.
  void copyEdges();

  /// The targets and weights of the edges from a slot on.
  const std::byte *targets(std::uint32_t place) const {
    return buffer.data() + place * targetBytes;
  }
  const std::byte *weights(std::uint32_t place) const {
    return buffer.data() + weightsOffset + place * weightBytes;
  }

  /// The bytes of memory that this takes.
  static std::size_t bytes(std::uint64_t mostTargetBytes,
                           std::uint64_t mostWeightBytes);

private:
  /// The most rows or runs of words that are sought in one loop.
  static constexpr std::size_t SeeksAtOnce = 2048;

  static std::uint32_t groupBegin(std::uint32_t edge) {
    return edge / Group * Group;
  }
  static std::uint32_t groupEnd(std::uint32_t edge) {
    return groupBegin(edge + Group - 1);
  }

  struct Rows {
    std::vector<std::uint64_t> places;
    std::vector<SoughtVertex *> vertices;
  };

  void addWords(std::uint64_t offset, std::uint64_t to, std::uint64_t bytes);
  template <typename File> void find(Rows &rows, File &&from);
  template <typename File> void copy(std::vector<WordRun> &runs, File &&from);
  const std::uint32_t *keptWords() const;

  const std::uint64_t weightsOffset;
  std::uint64_t targetBytes = 0, weightBytes = 0;
  CheckedFile *file = nullptr;
  FarFile *farFile = nullptr;
  Rows keptRows, farRows;
  std::vector<std::uint32_t> begins, ends;
  std::vector<WordRun> keptRuns, farRuns;
  BlockBuffer buffer;
  std::uint32_t used = 0;
};

} // namespace heddle::graph::ooc

#endif
