//===- Prepare.cpp - From edges in any order to a graph on disk ----------===//

#include "heddle/graph/ooc/Prepare.h"

#include "../disk/BlockAppender.h"
#include "../disk/OpenFiles.h"
#include "BatchSize.h"
#include "ChunkWriter.h"
#include "DispatchingWriter.h"
#include "EdgeBuckets.h"
#include "FilterWriter.h"
#include "OutDegrees.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/memory/ProgramMemory.h"
#include "heddle/graph/detail/ooc/recovery/Checkpoint.h"
#include "heddle/graph/detail/sort/KeySort.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <concepts>
#include <cstring>
#include <dirent.h>
#include <filesystem>
#include <limits>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace heddle::graph::ooc {

namespace {

/// The memory that any graph takes: for the program, for pieces that are read
/// ahead, and for the buffers and temporary values of the file being written.
constexpr std::uint64_t FixedBytes = ProgramBytes + (std::uint64_t(8) << 20);
/// The minimum of memory for distributing and sorting edges.
constexpr std::uint64_t LeastBytes = std::uint64_t(1) << 20;
/// The memory of a file of a partition that is not being written, and that of
/// the kernel for it.
constexpr std::uint64_t FileBytes = 2 * BlockBytes;
/// The files other than those of the partitions: the input, and temporary files
/// of edges that are distributed repeatedly, each with its io_uring.
constexpr std::uint64_t OtherFiles = 64;

/// Returns the beginnings of the partitions. They have about equal sums of
/// alpha for each vertex and one for each of its edges in either direction.
std::vector<std::uint64_t> cutPartitions(std::uint64_t vertices,
                                         std::span<const std::uint64_t> edges,
                                         unsigned partitions, double alpha) {
  const std::size_t units = edges.size();
  if (partitions > std::max<std::size_t>(units, 1))
    throw Error("expected at most " + std::to_string(units) +
                " partitions of a graph with " + std::to_string(vertices) +
                " vertices, found " + std::to_string(partitions));
  const auto costOf = [&](std::size_t unit) {
    const std::uint64_t begin = unit * BatchUnit;
    return alpha * static_cast<double>(std::min(begin + BatchUnit, vertices) -
                                       begin) +
           static_cast<double>(edges[unit]);
  };
  double total = 0;
  for (std::size_t unit = 0; unit < units; ++unit)
    total += costOf(unit);

  std::vector<std::uint64_t> begins = {0};
  double before = 0;
  for (std::size_t unit = 0; unit < units; ++unit) {
    // Each partition gets at least one unit, and leaves one for each that
    // follows.
    const std::size_t left = partitions - begins.size();
    const bool isFull = before + costOf(unit) / 2 >=
                        total * static_cast<double>(begins.size()) / partitions;
    if (left > 0 && unit * BatchUnit > begins.back() &&
        (isFull || units - unit == left))
      begins.push_back(unit * BatchUnit);
    before += costOf(unit);
  }
  begins.push_back(vertices);
  HEDDLE_ASSERT(begins.size() == partitions + std::size_t(1));
  return begins;
}

/// Removes what a preparation that was killed has left: it may have been for
/// more partitions than this one.
void removeLeftovers(const std::string &directory) {
  DIR *files = opendir(directory.c_str());
  if (!files)
    throw WriteError(directory + ": " + std::strerror(errno));
  while (const dirent *file = readdir(files)) {
    const std::string_view name = file->d_name;
    if ((name.starts_with("part-") &&
         (name.ends_with(".edges") || name.ends_with(".sums"))) ||
        (name.starts_with("graph-") && name.ends_with(".tmp")))
      unlinkat(dirfd(files), file->d_name, 0);
  }
  closedir(files);
}

template <EdgeWeight Weight> class Preparation {
public:
  Preparation(EdgeSource<Weight> &source, const std::string &directory,
              const PrepareOptions &options)
      : source(source), directory(directory), options(options),
        budgetBytes(options.memoryBytes -
                    std::min(options.memoryBytes, FixedBytes)),
        memoryBytes(budgetBytes) {}

  GraphLayout run() {
    checkMemory(LeastBytes, "");
    requireOpenFiles(options.partitions + OtherFiles,
                     ", or prepare for fewer ranks");
    makeDirectory();
    try {
      readEdges();
      cutVertices();
      distribute();
      writeParts();
    } catch (...) {
      removeParts();
      if (madeDirectory)
        removeDirectory();
      throw;
    }
    return std::move(layout);
  }

private:
  using Element = Edge<std::uint32_t, Weight>;
  using Buckets = EdgeBuckets<Weight>;

  void progress(const char *phase, std::uint64_t done, std::uint64_t total) {
    if (options.progress)
      options.progress(phase, done, total);
  }

  void checkMemory(std::uint64_t least, const std::string &advice) const {
    if (budgetBytes >= least)
      return;
    constexpr std::uint64_t MiB = std::uint64_t(1) << 20;
    throw Error("expected a memory budget of at least " +
                std::to_string((FixedBytes + least + MiB - 1) / MiB) +
                " MiB, found " + std::to_string(options.memoryBytes / MiB) +
                " MiB" + advice);
  }

  void makeDirectory() {
    std::error_code problem;
    madeDirectory = std::filesystem::create_directories(directory, problem);
    if (problem)
      throw WriteError(directory + ": " + problem.message());
    const bool wasBegun = std::filesystem::exists(directory + "/run/lock");
    lock.emplace(directory + "/run");
    if (std::filesystem::exists(layoutPath(directory)))
      throw Error(directory + ": there is a prepared graph already; remove it, "
                              "or choose another directory");
    if (wasBegun)
      removeLeftovers(directory);
  }

  void removeParts() {
    std::error_code ignored;
    for (std::size_t part = 0; part + 1 < layout.partitionBegins.size();
         ++part) {
      std::filesystem::remove(edgesPath(directory, part), ignored);
      std::filesystem::remove(sumsPath(directory, part), ignored);
    }
  }

  /// Removes the directory unless other programs have put files there.
  void removeDirectory() {
    all.reset();
    byBatch.reset();
    lock->removeEmpty();
    std::error_code ignored;
    std::filesystem::remove(directory, ignored);
  }

  /// Writes all edges to a temporary file: the partitions depend on all of
  /// them.
  void readEdges() {
    layout.weightKind = weightKindOf<Weight>();
    layout.isUndirected = source.isUndirected() || !options.build.directed;
    bothWays = layout.isUndirected && !source.isUndirected();
    keepsLightest =
        options.build.parallelEdges == ParallelEdges::KeepLightest &&
        (bothWays || !source.isFinished());
    all.emplace(directory, 1, memoryBytes / 4);
    std::uint64_t highest = 0;
    for (auto edges = source.next(); !edges.empty(); edges = source.next()) {
      for (const Element &edge : edges) {
        if (edge.from == edge.to && options.build.dropSelfLoops)
          continue;
        highest =
            std::max<std::uint64_t>({highest, edge.from + std::uint64_t(1),
                                     edge.to + std::uint64_t(1)});
        if (highest > unitEdges.size() * BatchUnit)
          growUnits(highest);
        // An edge in both directions counts twice at each end.
        const std::uint64_t ways = bothWays && edge.from != edge.to ? 2 : 1;
        unitEdges[edge.from / BatchUnit] += ways;
        unitEdges[edge.to / BatchUnit] += ways;
        all->append(0, edge);
      }
      progress("Reading", all->size(0), 0);
    }
    all->finish();
    layout.vertices = source.vertexCount();
    if (highest > layout.vertices)
      throw Error("edge to vertex " + std::to_string(highest - 1) +
                  ": expected vertices below " +
                  std::to_string(layout.vertices));
    growUnits(layout.vertices);
  }

  /// Makes room for the counts of `vertices` vertices.
  void growUnits(std::uint64_t vertices) {
    const std::uint64_t units = (vertices + BatchUnit - 1) / BatchUnit;
    // The old counts are copied, while edges are being written.
    const std::uint64_t bytes = 2 * units * sizeof(unitEdges[0]);
    checkMemory(std::max(LeastBytes, LeastBytes / 2 + bytes), "");
    unitEdges.resize(units);
  }

  void cutVertices() {
    const unsigned partitions = std::max(options.partitions, 1u);
    layout.partitionBegins =
        cutPartitions(layout.vertices, unitEdges, partitions,
                      options.alpha.value_or(2.0 * partitions - 1));
    layout.files.resize(partitions);
    std::uint64_t largest = 0;
    for (std::size_t part = 0; part < partitions; ++part)
      largest = std::max(largest, layout.partitionSize(part));
    layout.batchVertices = batchVertices(largest);
    unitEdges = std::vector<std::uint64_t>();
    layout.deriveBatches();
    layout.deriveGroups();
    reserveForLayout();
    layout.chunks.resize(layout.partitions() * layout.batches());
  }

  /// Reserves memory for data that stay until the end.
  void reserveForLayout() {
    const std::uint64_t bytes =
        layoutBytes(layout.partitions(), layout.batches(),
                    layout.groups.size()) +
        layout.partitions() * FileBytes + bytesOfBlockLists();
    // Each batch has a few blocks of edges in memory while edges are
    // distributed; later there are some blocks of sources.
    checkMemory(
        bytes + std::max(layout.batches() * 8 * BlockBytes, LeastBytes / 2),
        layout.partitions() > 1 ? "; larger batches or fewer ranks take less"
                                : "; larger batches take less");
    memoryBytes = budgetBytes - bytes;
  }

  /// The memory of the vectors, which grow, with the blocks of a chunk and of a
  /// dispatching graph, and with the counts of filters.
  std::uint64_t bytesOfBlockLists() const {
    std::uint64_t most = 0;
    for (std::size_t part = 0; part < layout.partitions(); ++part)
      most = std::max(most,
                      2 * layout.sourceBlocks(part) * 2 * sizeof(SourceBlock) +
                          2 * layout.filterCount(part) * sizeof(std::uint32_t));
    return most;
  }

  std::uint64_t batchVertices(std::uint64_t partitionSize) const {
    const std::uint64_t chosen =
        options.batchVertices
            ? *options.batchVertices / BatchUnit +
                  (*options.batchVertices % BatchUnit != 0)
            : usualBatchUnits(partitionSize, options.memoryBytes,
                              options.threads, options.vertexBytes);
    const std::uint64_t most = (partitionSize + BatchUnit - 1) / BatchUnit;
    std::uint64_t units = std::max<std::uint64_t>(std::min(chosen, most), 1);
    while (!options.batchVertices && units > 1 && hasManyEdges(units))
      units /= 2;
    return units * BatchUnit;
  }

  /// Whether a batch of `units` units may have too many edges for a chunk.
  bool hasManyEdges(std::uint64_t units) const {
    std::uint64_t edges = 0;
    for (std::size_t unit = 0; unit < unitEdges.size(); ++unit) {
      edges += unitEdges[unit] - (unit < units ? 0 : unitEdges[unit - units]);
      if (edges > std::numeric_limits<std::uint32_t>::max())
        return true;
    }
    return false;
  }

  std::size_t batchOf(std::uint32_t vertex) const {
    const auto after = std::upper_bound(layout.partitionBegins.begin() + 1,
                                        layout.partitionBegins.end(), vertex);
    const auto part =
        static_cast<std::size_t>(after - layout.partitionBegins.begin() - 1);
    return layout.firstBatchOf[part] +
           (vertex - layout.partitionBegins[part]) / layout.batchVertices;
  }

  void distribute() {
    byBatch.emplace(directory, std::max<std::size_t>(layout.batches(), 1),
                    memoryBytes / 4);
    std::uint64_t done = 0;
    all->forEachPiece(0, [&](std::span<const Element> piece) {
      for (const Element &edge : piece) {
        byBatch->append(batchOf(edge.to), edge);
        if (bothWays && edge.from != edge.to)
          byBatch->append(batchOf(edge.from),
                          {edge.to, edge.from, edge.weight});
      }
      done += piece.size();
      progress("Distributing", done, all->size(0));
    });
    all.reset();
    byBatch->finish();
  }

  void writeParts() {
    IoQueue queue;
    PartFiles files;
    writeChunks(files, queue);
    byBatch.reset();
    appendOutDegrees(layout, files, memoryBytes, [&](std::uint64_t done) {
      progress("Counting", done, layout.vertices);
    });
    const std::uint64_t pairs = layout.partitions() * (layout.partitions() - 1);
    appendFilters(layout, files, memoryBytes, [&](std::uint64_t done) {
      progress("Filters", done, pairs);
    });
    cutGroups(layout);
    reserveForLayout();
    appendDispatchingGraphs(layout, files, directory, memoryBytes, options);
    for (std::size_t part = 0; part < layout.partitions(); ++part) {
      layout.files[part].checksum = files[part]->finish();
      layout.files[part].bytes = files[part]->position();
    }
    writeLayout(directory, layout);
  }

  void writeChunks(PartFiles &files, IoQueue &queue) {
    BatchWriter<Weight> writer(directory, layout, options.inflateRatio);
    for (std::size_t batch = 0; batch < layout.batches(); ++batch)
      total += byBatch->size(batch);
    for (std::size_t part = 0; part < layout.partitions(); ++part) {
      files.push_back(std::make_unique<BlockAppender>(
          edgesPath(directory, part), sumsPath(directory, part), queue));
      for (std::size_t batch = layout.firstBatchOf[part];
           batch < layout.firstBatchOf[part + 1]; ++batch) {
        writer.beginBatch(batch, *files.back());
        sortBucket(*byBatch, batch, writer);
        writer.endBatch();
        sorted += byBatch->size(batch);
      }
      files.back()->flush();
    }
  }

  static std::uint64_t keyOf(const Element &edge) {
    return std::uint64_t(edge.from) << 32 | edge.to;
  }

  /// Orders weights totally, including NaN.
  static std::uint64_t weightKeyOf(const Element &edge) {
    if constexpr (std::same_as<Weight, Unweighted>)
      return 0;
    else {
      constexpr std::uint32_t Sign = std::uint32_t(1) << 31;
      const auto bits = std::bit_cast<std::uint32_t>(edge.weight);
      // Negative floating-point numbers are a sign and a magnitude.
      if (std::floating_point<Weight> && bits >= Sign)
        return ~bits;
      return bits ^ Sign;
    }
  }

  /// Writes the edges of a bucket in the order of their keys.
  void sortBucket(Buckets &buckets, std::size_t bucket,
                  BatchWriter<Weight> &writer) {
    progress("Sorting", sorted, total);
    // Sorting takes up to three times their size, and nothing else is in
    // memory.
    const std::uint64_t most = memoryBytes / (3 * sizeof(Element));
    if (buckets.size(bucket) <= most)
      sortInMemory(buckets, bucket, writer);
    else
      splitBucket(buckets, bucket, writer);
  }

  /// The least and the greatest key in a bucket that is not empty.
  template <typename KeyOf>
  std::pair<std::uint64_t, std::uint64_t>
  keysOf(Buckets &buckets, std::size_t bucket, KeyOf keyOf) {
    std::uint64_t lowest = ~std::uint64_t(0), highest = 0;
    buckets.forEachPiece(bucket, [&](std::span<const Element> piece) {
      for (const Element &edge : piece) {
        lowest = std::min(lowest, keyOf(edge));
        highest = std::max(highest, keyOf(edge));
      }
    });
    return {lowest, highest};
  }

  void splitBucket(Buckets &buckets, std::size_t bucket,
                   BatchWriter<Weight> &writer) {
    const auto [lowest, highest] = keysOf(buckets, bucket, keyOf);
    if (lowest < highest)
      splitByKey(buckets, bucket, writer, lowest, highest, keyOf);
    else
      splitParallel(buckets, bucket, writer);
  }

  template <typename KeyOf>
  void splitByKey(Buckets &buckets, std::size_t bucket,
                  BatchWriter<Weight> &writer, std::uint64_t lowest,
                  std::uint64_t highest, KeyOf keyOf) {
    constexpr std::uint64_t Parts = 64;
    const std::uint64_t width = (highest - lowest) / Parts + 1;
    Buckets parts(directory, Parts, memoryBytes / 2);
    buckets.forEachPiece(bucket, [&](std::span<const Element> piece) {
      for (const Element &edge : piece)
        parts.append((keyOf(edge) - lowest) / width, edge);
    });
    parts.finish();
    for (std::size_t part = 0; part < Parts; ++part)
      sortBucket(parts, part, writer);
  }

  /// Writes edges with the same ends, which do not fit in memory.
  void splitParallel(Buckets &buckets, std::size_t bucket,
                     BatchWriter<Weight> &writer) {
    const auto [lightest, heaviest] = keysOf(buckets, bucket, weightKeyOf);
    if (lightest < heaviest && !keepsLightest)
      return splitByKey(buckets, bucket, writer, lightest, heaviest,
                        weightKeyOf);
    bool isAdded = false;
    buckets.forEachPiece(bucket, [&](std::span<const Element> piece) {
      for (const Element &edge : piece) {
        if (weightKeyOf(edge) != lightest || (isAdded && keepsLightest))
          continue;
        writer.add(edge.from, edge.to, edge.weight);
        isAdded = true;
      }
    });
  }

  void sortInMemory(Buckets &buckets, std::size_t bucket,
                    BatchWriter<Weight> &writer) {
    Array<Element> elements(buckets.size(bucket)), sorted(elements.size());
    std::size_t count = 0;
    buckets.forEachPiece(bucket, [&](std::span<const Element> piece) {
      std::copy(piece.begin(), piece.end(), elements.begin() + count);
      count += piece.size();
    });
    detail::sortByKey<Element>([&](std::size_t i) { return elements[i]; },
                               std::span(sorted.data(), count), keyOf);
    for (std::size_t i = 0, end; i < count; i = end) {
      for (end = i + 1; end < count && keyOf(sorted[end]) == keyOf(sorted[i]);)
        ++end;
      addParallel(std::span(sorted.data() + i, end - i), writer);
    }
  }

  /// Adds edges with the same ends.
  void addParallel(std::span<Element> edges, BatchWriter<Weight> &writer) {
    HEDDLE_ASSERT(!edges.empty() &&
                  keyOf(edges.front()) == keyOf(edges.back()));
    if constexpr (!std::same_as<Weight, Unweighted>)
      std::ranges::sort(edges, {}, weightKeyOf);
    if (keepsLightest)
      edges = edges.first(1);
    for (const Element &edge : edges)
      writer.add(edge.from, edge.to, edge.weight);
  }

  EdgeSource<Weight> &source;
  std::optional<RunDirectory> lock;
  const std::string directory;
  const PrepareOptions &options;
  const std::uint64_t budgetBytes; ///< without FixedBytes
  std::uint64_t memoryBytes;       ///< without the layout, too
  GraphLayout layout;
  bool madeDirectory = false;
  bool bothWays = false, keepsLightest = false;
  std::vector<std::uint64_t> unitEdges; ///< in and out, per BatchUnit
  std::uint64_t sorted = 0, total = 0;  ///< edges
  std::optional<Buckets> all, byBatch;
};

} // namespace

template <EdgeWeight Weight>
GraphLayout prepare(EdgeSource<Weight> &edges, const std::string &directory,
                    const PrepareOptions &options) {
  return Preparation<Weight>(edges, directory, options).run();
}

#define HEDDLE_INSTANTIATE(Weight)                                             \
  template GraphLayout prepare(EdgeSource<Weight> &, const std::string &,      \
                               const PrepareOptions &);
HEDDLE_INSTANTIATE(Unweighted)
HEDDLE_INSTANTIATE(std::int32_t)
HEDDLE_INSTANTIATE(float)

} // namespace heddle::graph::ooc
