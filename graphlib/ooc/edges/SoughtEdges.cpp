//===- SoughtEdges.cpp - Seeks the edges of single vertices --------------===//

#include "heddle/graph/detail/ooc/edges/SoughtEdges.h"

#include "SeekLoops.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>

namespace heddle::graph::ooc {

namespace {

constexpr std::uint64_t WordBytes = sizeof(std::uint32_t);
constexpr std::uint64_t BlockWords = BlockBytes / WordBytes;

} // namespace

std::size_t SoughtEdges::bytes(std::uint64_t mostTargetBytes,
                               std::uint64_t mostWeightBytes) {
  const std::size_t edges =
      MostEdges * (mostTargetBytes + mostWeightBytes) + 2 * BlockBytes;
  const std::size_t seeks =
      SeeksAtOnce * (2 * (sizeof(std::uint64_t) + sizeof(SoughtVertex *)) +
                     2 * sizeof(std::uint32_t) + 2 * sizeof(WordRun));
  return edges + seeks;
}

SoughtEdges::SoughtEdges(std::uint64_t mostTargetBytes,
                         std::uint64_t mostWeightBytes)
    // A target is read as a whole word, beyond the last one too.
    : weightsOffset(roundUpToBlock(MostEdges * mostTargetBytes + WordBytes)),
      begins(SeeksAtOnce), ends(SeeksAtOnce),
      buffer(weightsOffset + MostEdges * mostWeightBytes) {
  for (Rows *rows : {&keptRows, &farRows}) {
    rows->places.reserve(SeeksAtOnce);
    rows->vertices.reserve(SeeksAtOnce);
  }
  for (std::vector<WordRun> *runs : {&keptRuns, &farRuns})
    runs->reserve(SeeksAtOnce);
}

const std::uint32_t *SoughtEdges::keptWords() const {
  return reinterpret_cast<const std::uint32_t *>(file->keptBytes());
}

template <typename File> void SoughtEdges::find(Rows &rows, File &&from) {
  ooc::findRows(from, rows.places, begins.data(), ends.data());
  for (std::size_t i = 0; i < rows.vertices.size(); ++i) {
    rows.vertices[i]->begin = begins[i];
    rows.vertices[i]->end = ends[i];
  }
  rows.places.clear();
  rows.vertices.clear();
}

void SoughtEdges::addRow(std::uint64_t offset, SoughtVertex &vertex) {
  HEDDLE_ASSERT(offset % WordBytes == 0);
  const bool isKept = file->isKept({offset, 2 * WordBytes});
  Rows &rows = isKept ? keptRows : farRows;
  rows.places.push_back(offset / WordBytes);
  rows.vertices.push_back(&vertex);
  if (rows.places.size() == SeeksAtOnce)
    isKept ? find(rows, keptWords()) : find(rows, *farFile);
}

void SoughtEdges::findRows() {
  if (!keptRows.places.empty())
    find(keptRows, keptWords());
  if (!farRows.places.empty())
    find(farRows, *farFile);
}

template <typename File>
void SoughtEdges::copy(std::vector<WordRun> &runs, File &&from) {
  copyRuns(from, runs, reinterpret_cast<std::uint32_t *>(buffer.data()));
  runs.clear();
}

/// Adds whole words to copy to an offset in the buffer.
void SoughtEdges::addWords(std::uint64_t offset, std::uint64_t to,
                           std::uint64_t bytes) {
  HEDDLE_ASSERT(offset % WordBytes == 0 && to % WordBytes == 0 &&
                bytes % WordBytes == 0 && to + bytes <= buffer.size());
  std::uint64_t from = offset / WordBytes, toWord = to / WordBytes;
  for (std::uint64_t left = bytes / WordBytes, length; left > 0;
       left -= length) {
    length = std::min(left, BlockWords - from % BlockWords);
    const bool isKept = file->isKept({from * WordBytes, length * WordBytes});
    std::vector<WordRun> &runs = isKept ? keptRuns : farRuns;
    runs.push_back({from, static_cast<std::uint32_t>(toWord),
                    static_cast<std::uint32_t>(length)});
    if (runs.size() == SeeksAtOnce)
      isKept ? copy(runs, keptWords()) : copy(runs, *farFile);
    from += length;
    toWord += length;
  }
}

std::uint32_t SoughtEdges::addEdges(const ChunkPlaces &places,
                                    const SoughtVertex &row) {
  const std::uint32_t first = groupBegin(row.begin), count = placesOf(row);
  HEDDLE_ASSERT(row.begin < row.end && used + count <= MostEdges);
  addWords(places.targets + first * targetBytes, used * targetBytes,
           count * targetBytes);
  if (weightBytes > 0)
    addWords(places.weights + first * weightBytes,
             weightsOffset + used * weightBytes, count * weightBytes);
  used += count;
  return used - count + (row.begin - first);
}

void SoughtEdges::copyEdges() {
  if (!keptRuns.empty())
    copy(keptRuns, keptWords());
  if (!farRuns.empty())
    copy(farRuns, *farFile);
}

} // namespace heddle::graph::ooc
