//===- Suite.cpp - A list of kernels and their measurement ---------------===//

#include "Suite.h"

#include "../output/Say.h"

#include "../command/Error.h"
#include "../command/Interrupt.h"
#include "Chosen.h"
#include "Level.h"
#include "Progress.h"
#include "Report.h"
#include "measure/Isolate.h"

#include "../output/Json.h"
#include "../output/ResultFile.h"

#include "heddle/heddle.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <utility>

namespace heddle::bench {

namespace {

constexpr uint64_t Kilobyte = 1 << 10;
constexpr uint64_t Megabyte = 1 << 20;
constexpr uint64_t Gigabyte = 1 << 30;

/// The measurements of one process.
struct Cell {
  Kernel kernel;
  uint64_t bytes;
  Pages pages;
};

std::string describe(const Cell &cell) {
  return fmt::format("{}, {}, {} pages", cell.kernel.name,
                     formatBytes(cell.bytes), nameOf(cell.pages));
}

/// Returns the address space for the data of one cell: some kernels keep a part
/// of the data for each thread, and all have keys in addition.
uint64_t capacityFor(uint64_t bytes, int threads) {
  return bytes * (2 + static_cast<uint64_t>(threads)) + 256 * Megabyte;
}

/// Returns the largest size: data and everything else have to fit into memory
/// with room to spare.
uint64_t largestSize() { return availableMemory() / 2; }

std::vector<uint64_t> usualSizes(bool quick) {
  if (quick)
    return {256 * Kilobyte, 2 * Megabyte};
  const uint64_t beyondCache = std::bit_ceil(4 * lastLevelCache());
  std::vector<uint64_t> sizes = {256 * Kilobyte, 4 * Megabyte, 30 * Megabyte,
                                 256 * Megabyte,
                                 std::max(Gigabyte, beyondCache)};
  while (sizes.size() > 1 && sizes.back() > largestSize())
    sizes.pop_back();
  return sizes;
}

std::vector<Cell> cellsOf(const std::vector<Kernel> &kernels,
                          const SuiteOptions &options) {
  std::vector<uint64_t> sizes = options.sizes;
  if (sizes.empty())
    sizes = usualSizes(options.quick);
  for (uint64_t size : sizes)
    if (size > largestSize())
      throw Error(fmt::format("data of {} does not fit: this machine has {}M "
                              "of memory available, and half of that is the "
                              "most a benchmark may take",
                              formatBytes(size), availableMemory() / Megabyte));
  std::vector<Cell> cells;
  for (const Kernel &kernel : chosenOf(kernels, options.kernels))
    for (uint64_t size : sizes)
      for (Pages pages : options.pages)
        cells.push_back({kernel, size, pages});
  return cells;
}

IsolatedResult measureCell(const Cell &cell, const SuiteOptions &options,
                           const Progress &progress) {
  const auto announce = [&](const std::string &activity) {
    progress.show(activity);
  };
  MeasureSettings settings = {.repetitions = 9,
                              .slowRepetitions = 7,
                              .minimumSeconds = 0.03,
                              .tuningSeconds = 0.25};
  if (options.quick)
    settings = {.repetitions = 3,
                .slowRepetitions = 3,
                .minimumSeconds = 0.001,
                .tuningSeconds = 0};
  if (options.repetitions > 0)
    settings.repetitions = settings.slowRepetitions = options.repetitions;
  const int mostThreads = std::ranges::max(options.threads);

  announce("building the data");
  Arena arena(capacityFor(cell.bytes, mostThreads), cell.pages);
  const Workload workload = cell.kernel.build(
      arena, {cell.bytes, mostThreads, options.quick ? 64 : 1});
  workload.reset(); // so that all pages have been touched
  IsolatedResult result;
  result.hugeShare = arena.hugeShare();
  for (int threads : options.threads)
    for (const Measurement &measurement :
         measure(workload, threads, settings, announce))
      result.measurements.push_back(measurement);
  return result;
}

JsonObject objectOf(const Row &row) {
  return JsonObject()
      .add("kernel", row.kernel)
      .add("version", nameOf(row.version))
      .add("bytes", row.bytes)
      .add("pages", nameOf(row.pages))
      .add("threads", row.threads)
      .add("ns_per_op", row.nanosecondsPerOperation)
      .add("speed", row.speed)
      .add("checksum", fmt::format("{:016x}", row.checksum));
}

} // namespace

void runSuite(const std::vector<Kernel> &kernels, const SuiteOptions &options) {
  const std::vector<Cell> cells = cellsOf(kernels, options);
  ResultFile json(options.jsonPath);
  catchInterrupts();
  // Probes the host, so that tasks(auto) has the value of a probed host. If
  // that fails, the runtime's default values hold.
  if (!options.quick) {
    heddle_host host;
    heddle_probe(&host, 0);
  }

  std::vector<JsonObject> rows;
  printLevel();
  Report report;
  report.printHeader();
  Progress progress(cells.size());
  bool warned = false;
  for (const Cell &cell : cells) {
    progress.begin(describe(cell));
    IsolatedResult result;
    try {
      result =
          runIsolated([&] { return measureCell(cell, options, progress); });
    } catch (const Error &error) {
      throw Error(fmt::format("{}: {}", describe(cell), error.what()));
    }
    progress.clear();
    if (cell.pages == Pages::Huge && result.hugeShare < 0.5 && !warned) {
      say("heddle: warning: only {:.0f}% of the data of {} lies on huge "
          "pages; see /sys/kernel/mm/transparent_hugepage/enabled\n",
          100 * result.hugeShare, describe(cell));
      warned = true;
    }
    for (int threads : options.threads) {
      std::vector<Row> line;
      for (const Measurement &measurement : result.measurements)
        if (measurement.threads == threads)
          line.push_back(
              {measurement, cell.kernel.name, cell.bytes, cell.pages});
      report.add(line);
      std::ranges::transform(line, std::back_inserter(rows), objectOf);
    }
  }
  report.printSummary();
  json.write(arrayWithLevel(std::move(rows)));
  json.commit();
}

} // namespace heddle::bench
