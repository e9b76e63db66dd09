//===- FarRun.cpp - One contestant and one loop --------------------------===//

#include "FarRun.h"

#include "FarData.h"
#include "FarLoops.h"
#include "HandWritten.h"
#include "SynchronousCache.h"

#include "../../command/Error.h"
#include "../../command/SecondsOf.h"

#include "heddle/far.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <functional>
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace heddle::bench {

namespace {

constexpr std::uint64_t WordBytes = sizeof(std::uint64_t);

/// Sequential transfers in the style of fio: large requests, and 16 of them in
/// flight.
constexpr std::uint64_t ScanBytes = 256 << 10;
constexpr unsigned ScanDepth = 16;

[[noreturn]] void fail(const char *what, const std::string &path) {
  throw Error(
      fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

std::vector<std::uint64_t> queriesOf(const FarRun &run) {
  switch (run.loop) {
  case FarLoop::Gather:
    return gatherQueries(run.fileBytes, run.accesses);
  case FarLoop::Probe:
    return probeQueries(run.fileBytes, run.accesses);
  case FarLoop::Lists:
    return listQueries(run.fileBytes, run.accesses);
  case FarLoop::Scan:
  case FarLoop::Fill:
    break;
  }
  return {};
}

std::uint64_t operationsOf(const FarRun &run,
                           const std::vector<std::uint64_t> &queries) {
  switch (run.loop) {
  case FarLoop::Gather:
  case FarLoop::Probe:
    break;
  case FarLoop::Lists:
    return queries.size() * ListLayout::Length;
  case FarLoop::Scan:
  case FarLoop::Fill:
    return run.fileBytes / FarPageBytes;
  }
  return queries.size();
}

/// The result of a run, and its time.
struct Timed {
  double seconds;
  std::uint64_t result;
};
Timed timeOf(const std::function<std::uint64_t()> &work) {
  std::uint64_t result = 0;
  const double seconds = secondsOf([&] { result = work(); });
  return {seconds, result};
}

std::uint64_t runLoop(const FarRun &run, const FarLoops &loops,
                      std::uint64_t address,
                      const std::vector<std::uint64_t> &queries) {
  const auto count = static_cast<std::int64_t>(queries.size());
  const auto words = static_cast<std::int64_t>(run.fileBytes / WordBytes);
  switch (run.loop) {
  case FarLoop::Gather:
    return loops.gather(address, queries.data(), count);
  case FarLoop::Probe: {
    const HashLayout layout(run.fileBytes);
    return loops.probe(address, address + layout.nodesOffset, layout.buckets,
                       queries.data(), count);
  }
  case FarLoop::Lists:
    return loops.lists(address, queries.data(), count);
  case FarLoop::Scan:
    return loops.scan(address, words);
  case FarLoop::Fill:
    loops.fill(address, words);
  }
  return 0;
}

Timed runFarMemory(const FarRun &run, const FarLoops &loops,
                   const std::vector<std::uint64_t> &queries) {
  setenv("HEDDLE_FAR_CACHE", std::to_string(run.cacheBytes).c_str(), 1);
  const bool fills = run.loop == FarLoop::Fill;
  heddle_far void *const region = heddle_far_open(
      run.path.c_str(), fills ? HEDDLE_FAR_CREATE : HEDDLE_FAR_READ,
      fills ? run.fileBytes : 0);
  if (!region)
    fail("open", run.path);
  const auto address = reinterpret_cast<std::uint64_t>(region);
  // Each thread gets its ring, and the kernel knows the cache.
  const std::vector<std::uint64_t> first(static_cast<std::size_t>(run.threads));
  loops.gather(address, first.data(), run.threads);
  const Timed timed = timeOf([&] {
    const std::uint64_t result = runLoop(run, loops, address, queries);
    if (fills && heddle_far_sync(region) != 0)
      fail("write", run.path);
    return result;
  });
  if (heddle_far_close(region) != 0)
    fail("close", run.path);
  return timed;
}

Timed runMapped(const FarRun &run, const std::vector<std::uint64_t> &queries) {
  const bool fills = run.loop == FarLoop::Fill;
  const int file =
      open(run.path.c_str(), (fills ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  void *const mapping = file < 0
                            ? MAP_FAILED
                            : mmap(nullptr, run.fileBytes,
                                   fills ? PROT_READ | PROT_WRITE : PROT_READ,
                                   MAP_SHARED, file, 0);
  if (mapping == MAP_FAILED)
    fail("map", run.path);
  const bool isInOrder = fills || run.loop == FarLoop::Scan;
  // The kernel's own read-ahead would cripple random accesses.
  madvise(mapping, run.fileBytes, isInOrder ? MADV_SEQUENTIAL : MADV_RANDOM);
  const Timed timed = timeOf([&] {
    const std::uint64_t result = runLoop(
        run, mappedFarLoops, reinterpret_cast<std::uint64_t>(mapping), queries);
    if (fills && msync(mapping, run.fileBytes, MS_SYNC) != 0)
      fail("write", run.path);
    return result;
  });
  munmap(mapping, run.fileBytes);
  close(file);
  return timed;
}

Timed runHand(const FarRun &run, const std::vector<std::uint64_t> &queries) {
  const bool isInOrder = run.loop == FarLoop::Scan || run.loop == FarLoop::Fill;
  HandWritten hand(run.path, run.loop == FarLoop::Fill,
                   isInOrder ? ScanDepth : run.depth,
                   isInOrder ? ScanBytes : FarPageBytes);
  return timeOf([&]() -> std::uint64_t {
    switch (run.loop) {
    case FarLoop::Gather:
      return hand.gather(queries);
    case FarLoop::Probe: {
      const HashLayout layout(run.fileBytes);
      return hand.probe(layout.nodesOffset, layout.buckets, queries);
    }
    case FarLoop::Lists:
      return hand.lists(queries);
    case FarLoop::Scan:
      return hand.scan(run.fileBytes);
    case FarLoop::Fill:
      hand.fill(run.fileBytes);
    }
    return 0;
  });
}

Timed runCached(const FarRun &run, const std::vector<std::uint64_t> &queries) {
  const bool fills = run.loop == FarLoop::Fill;
  SynchronousCache cache(run.path, fills, run.cacheBytes, run.threads);
  // Threads are started before time counts.
#pragma omp parallel
  {
  }
  return timeOf([&] {
    const std::uint64_t result = runLoop(run, cachedFarLoops, 0, queries);
    if (fills)
      cache.writeBack();
    return result;
  });
}

Timed runContestant(const FarRun &run,
                    const std::vector<std::uint64_t> &queries) {
  switch (run.contestant) {
  case FarContestant::Heddle:
    return runFarMemory(run, heddleFarLoops, queries);
  case FarContestant::Waiting:
    return runFarMemory(run, waitingFarLoops, queries);
  case FarContestant::Mapped:
    return runMapped(run, queries);
  case FarContestant::Hand:
    return runHand(run, queries);
  case FarContestant::Cached:
    break;
  }
  return runCached(run, queries);
}

/// Creates a file of `bytes` bytes, which are zero.
void createFile(const std::string &path, std::uint64_t bytes) {
  unlink(path.c_str());
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) != 0)
    fail("create", path);
  close(file);
}

} // namespace

FarOutcome runFar(const FarRun &run) {
  omp_set_num_threads(run.threads);
  const std::vector<std::uint64_t> queries = queriesOf(run);
  if (run.loop == FarLoop::Fill)
    createFile(run.path, run.fileBytes);
  const DiskBytes before = diskBytesOfProcess().value_or(DiskBytes());
  const Timed timed = runContestant(run, queries);
  const DiskBytes after = diskBytesOfProcess().value_or(DiskBytes());
  const std::uint64_t checksum =
      run.loop == FarLoop::Fill ? sumOfFile(run.path) : timed.result;
  return {timed.seconds,
          operationsOf(run, queries),
          checksum,
          {after.read - before.read, after.written - before.written}};
}

} // namespace heddle::bench
