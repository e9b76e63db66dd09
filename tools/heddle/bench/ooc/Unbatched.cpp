//===- Unbatched.cpp - PageRank without batches --------------------------===//

#include "Unbatched.h"

#include "../../output/Say.h"

#include "../../command/Error.h"
#include "../TemporaryFiles.h"

#include "../../output/DiskBytes.h"
#include "../../output/ResultFile.h"

#include "heddle/graph/ReadGraph.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <omp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::bench {

namespace {

/// Bytes that a thread reads at once, a multiple of the alignment of O_DIRECT.
constexpr std::uint64_t PieceBytes = std::uint64_t(1) << 20;
constexpr std::uint64_t PieceTargets = PieceBytes / sizeof(std::uint32_t);
constexpr std::uint64_t Alignment = 4096;
constexpr std::uint64_t SourcesBetweenLooks = 64;

using Clock = std::chrono::steady_clock;

void writeArray(const std::string &path, const void *data, std::size_t bytes) {
  ResultFile file(path);
  file.write({static_cast<const char *>(data), bytes});
  file.commit();
}

/// An array in a file that is mapped. No read-ahead is requested: accesses are
/// random.
template <typename T> class MappedArray {
public:
  /// Maps an existing file, or a new one of `newCount` elements.
  explicit MappedArray(const std::string &path, std::uint64_t newCount = 0) {
    const int file =
        open(path.c_str(), O_RDWR | O_CLOEXEC | (newCount ? O_CREAT : 0), 0644);
    struct stat status;
    if (file < 0 ||
        (newCount &&
         ftruncate(file, static_cast<off_t>(newCount * sizeof(T))) != 0) ||
        fstat(file, &status) != 0)
      failToDo("open " + path);
    bytes = static_cast<std::size_t>(status.st_size);
    void *const mapped =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED)
      failToDo("map " + path);
    madvise(mapped, bytes, MADV_RANDOM);
    close(file);
    elements = static_cast<T *>(mapped);
  }
  ~MappedArray() { munmap(elements, bytes); }
  MappedArray(const MappedArray &) = delete;
  MappedArray &operator=(const MappedArray &) = delete;

  std::uint64_t size() const { return bytes / sizeof(T); }
  T &operator[](std::uint64_t index) const { return elements[index]; }
  const T *begin() const { return elements; }
  const T *end() const { return elements + size(); }

private:
  T *elements;
  std::size_t bytes;
};

struct Free {
  void operator()(std::uint32_t *targets) const { std::free(targets); }
};

class Unbatched {
public:
  explicit Unbatched(const std::string &directory)
      : offsets(directory + "/offsets"), degrees(directory + "/degrees"),
        rank(directory + "/rank", degrees.size()),
        arrived(directory + "/arrived", degrees.size()),
        path(directory + "/targets"), targets(openDirect(path, O_RDONLY)) {}
  ~Unbatched() { close(targets); }

  /// Ends early when the time has come.
  void run(const graph::PageRankOptions &options, Clock::time_point deadline);

  std::atomic<bool> isCutOff = false;

  MappedArray<std::uint64_t> offsets;
  MappedArray<std::uint32_t> degrees;
  MappedArray<float> rank, arrived;

private:
  double forEachVertex(const std::function<float(std::uint64_t v)> &newRank);
  void sendAlongEdges(Clock::time_point deadline);
  void sendPiece(std::uint64_t piece, std::uint32_t *buffer,
                 Clock::time_point deadline);

  std::string path;
  int targets;
};

/// Returns the rank of vertices without edges.
double
Unbatched::forEachVertex(const std::function<float(std::uint64_t v)> &newRank) {
  const auto vertices = static_cast<std::int64_t>(degrees.size());
  double dangling = 0;
#pragma omp parallel for reduction(+ : dangling)
  for (std::int64_t i = 0; i < vertices; ++i) {
    const auto v = static_cast<std::uint64_t>(i);
    rank[v] = newRank(v);
    arrived[v] = 0;
    dangling += degrees[v] == 0 ? rank[v] : 0;
  }
  return dangling;
}

void Unbatched::sendAlongEdges(Clock::time_point deadline) {
  const std::uint64_t edges = offsets[offsets.size() - 1];
  const auto pieces =
      static_cast<std::int64_t>((edges + PieceTargets - 1) / PieceTargets);
#pragma omp parallel
  {
    const std::unique_ptr<std::uint32_t, Free> buffer(
        static_cast<std::uint32_t *>(
            std::aligned_alloc(Alignment, PieceBytes)));
#pragma omp for schedule(dynamic)
    for (std::int64_t piece = 0; piece < pieces; ++piece)
      sendPiece(static_cast<std::uint64_t>(piece), buffer.get(), deadline);
  }
}

void Unbatched::sendPiece(std::uint64_t piece, std::uint32_t *buffer,
                          Clock::time_point deadline) {
  if (isCutOff)
    return;
  const std::uint64_t begin = piece * PieceTargets;
  const std::uint64_t end =
      std::min(begin + PieceTargets, offsets[offsets.size() - 1]);
  const ssize_t got = pread(targets, buffer, PieceBytes,
                            static_cast<off_t>(piece * PieceBytes));
  if (got < static_cast<ssize_t>((end - begin) * sizeof(std::uint32_t))) {
    // An exception has nowhere to go from a thread of OpenMP.
    say("heddle: error: cannot read {}\n", path);
    _exit(1);
  }
  auto source = static_cast<std::uint64_t>(
      std::upper_bound(offsets.begin(), offsets.end(), begin) -
      offsets.begin() - 1);
  std::uint64_t sources = 0;
  for (std::uint64_t edge = begin; edge < end; ++source) {
    const std::uint64_t last = std::min(end, offsets[source + 1]);
    if (edge >= last)
      continue;
    if (++sources % SourcesBetweenLooks == 0 && Clock::now() > deadline) {
      isCutOff = true;
      return;
    }
    const float message = rank[source] / static_cast<float>(degrees[source]);
    for (; edge < last; ++edge)
      std::atomic_ref(arrived[buffer[edge - begin]])
          .fetch_add(message, std::memory_order_relaxed);
  }
}

void Unbatched::run(const graph::PageRankOptions &options,
                    Clock::time_point deadline) {
  const double share = 1 / static_cast<double>(degrees.size());
  const auto damping = static_cast<float>(options.damping);
  double dangling =
      forEachVertex([&](std::uint64_t) { return static_cast<float>(share); });
  for (unsigned iteration = 0; iteration < options.iterations; ++iteration) {
    sendAlongEdges(deadline);
    if (isCutOff)
      return;
    const auto base = static_cast<float>(
        (1 - options.damping + options.damping * dangling) * share);
    dangling = forEachVertex(
        [&](std::uint64_t v) { return base + damping * arrived[v]; });
  }
}

} // namespace

void prepareUnbatched(const std::string &graphPath,
                      const std::string &directory) {
  std::filesystem::create_directory(directory);
  const graph::Csr<> graph = graph::readGraph(graphPath);
  const auto &rows = graph.outRows();
  writeArray(directory + "/offsets", rows.offsets.data(),
             rows.offsets.size() * sizeof(std::uint64_t));
  writeArray(directory + "/targets", rows.targets.data(),
             rows.targets.size() * sizeof(std::uint32_t));
  std::vector<std::uint32_t> degrees(graph.vertexCount());
  for (std::uint32_t v = 0; v < graph.vertexCount(); ++v)
    degrees[v] = static_cast<std::uint32_t>(graph.outDegree(v));
  writeArray(directory + "/degrees", degrees.data(),
             degrees.size() * sizeof(std::uint32_t));
}

OocOutcome runUnbatched(const Program &program, const std::string &directory,
                        double patienceSeconds, const std::string &valuesPath,
                        const MemoryGroup *group) {
  for (const char *name : {"/rank", "/arrived"})
    std::filesystem::remove(directory + name);
  Unbatched state(directory);
  const DiskBytes before = diskBytesOfProcess().value_or(DiskBytes());
  OocOutcome outcome = timeInGroup(group, [&] {
    state.run(program.pageRank,
              Clock::now() +
                  std::chrono::duration_cast<Clock::duration>(
                      std::chrono::duration<double>(patienceSeconds)));
  });
  outcome.isCutOff = state.isCutOff;
  const DiskBytes after = diskBytesOfProcess().value_or(DiskBytes());
  outcome.bytesRead = after.read - before.read;
  outcome.bytesWritten = after.written - before.written;
  if (!valuesPath.empty() && !outcome.isCutOff) {
    ResultFile values(valuesPath);
    for (const float rank : state.rank)
      values.write(fmt::format("{}\n", rank));
    values.commit();
  }
  return outcome;
}

} // namespace heddle::bench
