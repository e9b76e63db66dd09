//===- SoughtEdges.h - Edges of vertices here and there --------*- C++ -*-===//

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

/// Words of a file that are to be copied to a certain place. All of them lie in
/// one block of the file.
struct WordRun {
  std::uint64_t from;
  std::uint32_t to, length;
};

/// Finds rows, and copies the edges of rows to where they lie together, each in
/// a place that does not depend on when it arrives. Many are sought at a time:
/// where the file is not kept in memory, they are read side by side. Of one
/// thread.
class SoughtEdges {
public:
  /// Whatever targets take, so many edges are whole words, and begin at one.
  static constexpr std::uint32_t Group = 4;
  /// There are so many places for edges that are copied together.
  static constexpr std::uint32_t MostEdges = std::uint32_t(1) << 16;

  static constexpr std::uint32_t MostRows = MostEdges / Group;

  /// Targets and weights take no more than so many bytes.
  SoughtEdges(std::uint64_t mostTargetBytes, std::uint64_t mostWeightBytes);

  /// What is sought from now on lies in this file, of which `farFile` is the
  /// far memory, and takes so many bytes.
  void setFile(CheckedFile &newFile, FarFile &newFarFile,
               std::uint64_t newTargetBytes, std::uint64_t newWeightBytes) {
    file = &newFile;
    farFile = &newFarFile;
    targetBytes = newTargetBytes;
    weightBytes = newWeightBytes;
  }

  /// Has the ends of a row, which are the two numbers at `offset`, found for a
  /// vertex that stays where it is.
  void addRow(std::uint64_t offset, SoughtVertex &vertex);

  /// Finds the rows that were added. Throws Error.
  void findRows();

  /// How many places of edges those of a row take.
  static std::uint32_t placesOf(const SoughtVertex &row) {
    return groupEnd(row.end) - groupBegin(row.begin);
  }

  /// Forgets what was copied.
  void clear() { used = 0; }

  /// Has the edges of a row copied, for which there must be as many places as
  /// placesOf() says. Returns the place of the first of its edges.
  std::uint32_t addEdges(const ChunkPlaces &places, const SoughtVertex &row);

  /// Copies the edges that were added. Throws Error.
  void copyEdges();

  /// The target and the weight of the edge at a place.
  const std::byte *targets(std::uint32_t place) const {
    return buffer.data() + place * targetBytes;
  }
  const std::byte *weights(std::uint32_t place) const {
    return buffer.data() + weightsOffset + place * weightBytes;
  }

  /// Bytes of memory that one of these takes.
  static std::size_t bytes(std::uint64_t mostTargetBytes,
                           std::uint64_t mostWeightBytes);

private:
  /// How many are sought in one loop at most.
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
