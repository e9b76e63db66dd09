//===- DispatchingWriter.cpp - Writes dispatching graphs -----------------===//

#include "DispatchingWriter.h"

#include "ChunkWriter.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace heddle::graph::ooc {

namespace {

/// The edges of a dispatching graph: the sources of the chunks of a group.
std::uint64_t pairsOf(const GraphLayout &layout, std::size_t from,
                      const BatchGroup &group) {
  std::uint64_t pairs = 0;
  for (std::size_t batch = group.firstBatch; batch < group.endBatch; ++batch)
    pairs += layout.chunk(from, batch).sources;
  return pairs;
}

class DispatchingWriter {
public:
  DispatchingWriter(GraphLayout &layout, const PartFiles &files,
                    const std::string &directory, std::uint64_t memoryBytes,
                    const PrepareOptions &options)
      : layout(layout), files(files), memoryBytes(memoryBytes),
        sources(layout, files),
        writer(directory, layout, options.inflateRatio) {}

  void write(std::size_t from, std::size_t toGroup) {
    const BatchGroup &group = layout.groups[toGroup];
    if (group.batches() == 1 || pairsOf(layout, from, group) == 0)
      return;
    writer.begin(from, layout.dispatchingGraph(from, toGroup), 1,
                 *files[group.partition]);
    wordsOfVertex = (group.batches() + 63) / 64;
    const std::uint64_t blockBytes =
        SourceBlockVertices * wordsOfVertex * sizeof(std::uint64_t);
    const std::uint64_t window =
        ChunkSources::blocksWithin(memoryBytes, blockBytes);
    const std::uint64_t blocks = layout.sourceBlocks(from);
    for (std::uint64_t first = 0; first < blocks; first += window)
      writeWindow(from, group, first, std::min(first + window, blocks));
    writer.end();
  }

private:
  void writeWindow(std::size_t from, const BatchGroup &group,
                   std::uint64_t first, std::uint64_t end) {
    bits.assign((end - first) * SourceBlockVertices * wordsOfVertex, 0);
    for (std::uint64_t batch = group.firstBatch; batch < group.endBatch;
         ++batch) {
      const std::uint64_t place = batch - group.firstBatch;
      sources.forEach(from, batch, first, end,
                      [&](std::uint64_t vertex, std::uint32_t) {
                        bits[vertex * wordsOfVertex + place / 64] |=
                            std::uint64_t(1) << (place % 64);
                      });
    }
    for (std::uint64_t word = 0; word < bits.size(); ++word)
      for (std::uint64_t rest = bits[word]; rest != 0; rest &= rest - 1)
        writer.add(static_cast<std::uint32_t>(first * SourceBlockVertices +
                                              word / wordsOfVertex),
                   static_cast<std::uint32_t>(
                       word % wordsOfVertex * 64 +
                       static_cast<unsigned>(std::countr_zero(rest))),
                   {});
  }

  GraphLayout &layout;
  const PartFiles &files;
  const std::uint64_t memoryBytes;
  ChunkSources sources;
  ChunkWriter<Unweighted> writer;
  std::uint64_t wordsOfVertex = 0;
  std::vector<std::uint64_t> bits; ///< of each vertex, a bit for each batch
};

} // namespace

void cutGroups(GraphLayout &layout) {
  const auto isTooLarge = [&](const BatchGroup &group) {
    for (std::size_t from = 0; from < layout.partitions(); ++from)
      if (group.batches() > 1 && pairsOf(layout, from, group) >=
                                     std::numeric_limits<std::uint32_t>::max())
        return true;
    return false;
  };
  layout.groupBatches = MostGroupBatches;
  layout.deriveGroups();
  while (std::ranges::any_of(layout.groups, isTooLarge)) {
    layout.groupBatches /= 2;
    layout.deriveGroups();
  }
}

void appendDispatchingGraphs(GraphLayout &layout, const PartFiles &files,
                             const std::string &directory,
                             std::uint64_t memoryBytes,
                             const PrepareOptions &options) {
  layout.dispatchingGraphs.resize(layout.groups.size() * layout.partitions());
  DispatchingWriter writer(layout, files, directory, memoryBytes, options);
  for (std::size_t group = 0, done = 0; group < layout.groups.size(); ++group) {
    for (std::size_t from = 0; from < layout.partitions(); ++from) {
      writer.write(from, group);
      if (options.progress)
        options.progress("Dispatching", ++done,
                         layout.dispatchingGraphs.size());
    }
    // There may be many partitions, and each would keep its buffers.
    files[layout.groups[group].partition]->flush();
  }
}

} // namespace heddle::graph::ooc
