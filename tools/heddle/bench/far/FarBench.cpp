//===- FarBench.cpp - Loops over a file larger than memory ---------------===//
//
// Each run of a contestant has a process and a memory group of its own, and
// starts without pages of the file in the page cache.
//
//===----------------------------------------------------------------------===//

#include "FarBench.h"

#include "FarData.h"

#include "../../command/Error.h"
#include "../../command/Interrupt.h"
#include "../Chosen.h"
#include "../Level.h"
#include "../Progress.h"
#include "../Report.h"
#include "../TemporaryFiles.h"
#include "../measure/Contest.h"
#include "../measure/Isolate.h"
#include "../measure/MemoryGroup.h"

#include "../../output/Json.h"
#include "../../output/ResultFile.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace heddle::bench {

namespace {

/// One contestant with a number of threads, and the results of its runs.
struct Entry {
  FarContestant contestant;
  int threads;
  FarOutcome last = {};
  std::uint64_t peakBytes = 0;
};

const char *nameOf(FarContestant contestant) {
  constexpr const char *Names[] = {"heddle", "waiting", "mmap", "by-hand",
                                   "tricache-scheme"};
  return Names[static_cast<std::size_t>(contestant)];
}

const char *nameOf(FarFile file) {
  constexpr const char *Names[] = {"numbers", "table", "lists", "filled"};
  return Names[static_cast<std::size_t>(file)];
}

std::vector<Entry> entriesOf(const FarLoopKind &loop,
                             const FarOptions &options) {
  std::vector<Entry> entries;
  for (const int threads : options.threads)
    entries.push_back({FarContestant::Heddle, threads});
  // In order, no directive is needed, so that there is no difference.
  if (!loop.isInOrder())
    entries.push_back({FarContestant::Waiting, 1});
  entries.push_back({FarContestant::Mapped, 1});
  entries.push_back({FarContestant::Hand, 1});
  for (const int threads : options.cacheThreads)
    entries.push_back({FarContestant::Cached, threads});
  return entries;
}

class Bench {
public:
  explicit Bench(const FarOptions &options)
      : options(options), controller(memoryControllerOrWarning()),
        files(options.directory) {
    files.checkRoom(options.fileBytes);
  }

  void printHeader() const;
  void measure(const FarLoopKind &loop, const Progress &progress,
               std::vector<JsonObject> &rows);

private:
  void provideFile(const FarLoopKind &loop, const Progress &progress);
  double runOnce(const FarLoopKind &loop, Entry &entry);
  void report(const FarLoopKind &kind, const std::vector<Entry> &entries,
              const std::vector<Standing> &standings,
              std::vector<JsonObject> &rows) const;

  const FarOptions &options;
  const std::optional<MemoryController> controller;
  const TemporaryFiles files;
  std::string present; ///< the file that is there
};

void Bench::printHeader() const {
  fmt::print("a file of {}, {}, caches of {}\n", formatBytes(options.fileBytes),
             controller ? fmt::format("{} of memory (cgroup version {})",
                                      formatBytes(options.memoryBytes),
                                      controller->version)
                        : "memory without a limit",
             formatBytes(options.cacheBytes));
  fmt::print("tricache-scheme: each access is a synchronous call of a page "
             "cache (the scheme of TriCache, OSDI 2022, rebuilt)\n");
  fmt::print("{:<7} {:<15} {:>7} {:>10} {:>8} {:>9}", "loop", "contestant",
             "threads", "k op/s", "MB/s", "peak MiB");
  for (const int threads : options.threads)
    fmt::print(" {:>14}", fmt::format("heddle-{} is", threads));
  fmt::print("\n");
  std::fflush(stdout);
}

void Bench::provideFile(const FarLoopKind &loop, const Progress &progress) {
  if (present == nameOf(loop.file))
    return;
  if (!present.empty())
    files.remove(present);
  present = nameOf(loop.file);
  if (loop.fills())
    return;
  progress.show("writing the file");
  runInChild([&] {
    loop.writeFile(files.path(present), options.fileBytes);
    return std::string();
  });
}

double Bench::runOnce(const FarLoopKind &loop, Entry &entry) {
  const FarRun run = {loop,
                      entry.contestant,
                      entry.threads,
                      files.path(present),
                      options.fileBytes,
                      options.cacheBytes,
                      options.accesses,
                      options.depth};
  if (loop.fills())
    files.remove(present);
  else
    dropFromPageCache(run.path);
  entry.last =
      runWithin(controller, options.memoryBytes,
                fmt::format("{}, {}, {} threads", loop.name,
                            nameOf(entry.contestant), entry.threads),
                [&](const MemoryGroup *group) { return runFar(run, group); });
  entry.peakBytes = std::max(entry.peakBytes, entry.last.peakBytes);
  return entry.last.seconds;
}

void Bench::measure(const FarLoopKind &loop, const Progress &progress,
                    std::vector<JsonObject> &rows) {
  provideFile(loop, progress);
  std::vector<Entry> entries = entriesOf(loop, options);
  std::vector<Rival> rivals;
  std::string repetition;
  std::optional<std::uint64_t> checksum;
  for (Entry &entry : entries)
    rivals.push_back([&, this] {
      progress.show(fmt::format("{}, {}, {} threads", repetition,
                                nameOf(entry.contestant), entry.threads));
      const double seconds = runOnce(loop, entry);
      if (!checksum)
        checksum = entry.last.checksum;
      if (*checksum != entry.last.checksum)
        throw Error(fmt::format(
            "{} with {} threads computes checksum {:016x}, but before it was "
            "{:016x}",
            nameOf(entry.contestant), entry.threads, entry.last.checksum,
            *checksum));
      return seconds;
    });
  const std::vector<Standing> standings =
      compete(rivals, options.repetitions,
              [&](const std::string &text) { repetition = text; });
  progress.clear();
  report(loop, entries, standings, rows);
}

void Bench::report(const FarLoopKind &kind, const std::vector<Entry> &entries,
                   const std::vector<Standing> &standings,
                   std::vector<JsonObject> &rows) const {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry &entry = entries[i];
    const double seconds = standings[i].seconds;
    const double operations = static_cast<double>(entry.last.operations);
    const double thousands = operations / seconds / 1e3;
    const double megabytes =
        static_cast<double>(options.fileBytes) / seconds / 1e6;
    fmt::print("{:<7} {:<15} {:>7} {:>10.1f} {:>8} {:>9}", kind.name,
               nameOf(entry.contestant), entry.threads, thousands,
               kind.isInOrder() ? fmt::format("{:.0f}", megabytes) : "-",
               controller ? fmt::format("{}", entry.peakBytes >> 20) : "-");
    JsonObject row;
    row.add("loop", kind.name)
        .add("contestant", nameOf(entry.contestant))
        .add("threads", entry.threads)
        .add("operations", entry.last.operations)
        .add("seconds", seconds)
        .add("kops_per_s", thousands);
    JsonObject ratios;
    for (std::size_t own = 0; own < options.threads.size(); ++own) {
      const double ratio = standings[own].speed / standings[i].speed;
      fmt::print(" {:>13.2f}x", ratio);
      ratios.add(fmt::format("{}", options.threads[own]), ratio);
    }
    fmt::print("\n");
    row.add("heddle_speed_by_threads", ratios)
        .add("bytes_read", entry.last.bytes.read)
        .add("bytes_written", entry.last.bytes.written)
        .add("peak_bytes", entry.peakBytes)
        .add("file_bytes", options.fileBytes)
        .add("memory_bytes", controller ? options.memoryBytes : 0)
        .add("cache_bytes", options.cacheBytes)
        .add("checksum", fmt::format("{:016x}", entry.last.checksum));
    rows.push_back(row);
  }
  std::fflush(stdout);
}

} // namespace

void runFarBench(const FarOptions &options) {
  ResultFile json(options.jsonPath);
  catchInterrupts();
  Bench bench(options);
  const std::vector<FarLoopKind> loops =
      chosenOf(farLoopKinds(), options.loops);
  printLevel();
  bench.printHeader();
  std::vector<JsonObject> rows;
  Progress progress(loops.size());
  // Loops that read the same file follow each other.
  for (const FarFile file :
       {FarFile::Numbers, FarFile::Table, FarFile::Lists, FarFile::Filled})
    for (const FarLoopKind &loop : loops) {
      if (loop.file != file)
        continue;
      checkInterrupts();
      progress.begin(loop.name);
      bench.measure(loop, progress, rows);
    }
  json.write(arrayWithLevel(std::move(rows)));
  json.commit();
}

} // namespace heddle::bench
