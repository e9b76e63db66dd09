//===- FarRun.cpp - One contestant and one loop --------------------------===//

#include "FarRun.h"

#include "FarData.h"
#include "HandWritten.h"
#include "SynchronousCache.h"

#include "../../command/Error.h"
#include "../../command/SecondsOf.h"

#include "heddle/far.h"

#include <cstdlib>
#include <fcntl.h>
#include <omp.h>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace heddle::bench {

namespace {

std::int64_t wordsIn(std::uint64_t bytes) {
  return static_cast<std::int64_t>(bytes / sizeof(std::uint64_t));
}

/// Sequential transfers in the style of fio: large requests, and 16 of them in
/// flight.
constexpr std::uint64_t ScanBytes = 256 << 10;
constexpr unsigned ScanDepth = 16;

using Queries = std::vector<std::uint64_t>;

/// The result of a run, and its time.
struct Timed {
  double seconds;
  std::uint64_t result;
};

/// Times the loop. If it fills the file, `store` then waits for the device to
/// have all.
Timed timeOf(const FarRun &run, const FarLoops &loops, std::uint64_t address,
             const Queries &queries, const auto &store) {
  Timed timed = {};
  timed.seconds = secondsOf([&] {
    timed.result = run.loop.run(loops, address, run.fileBytes, queries);
    if (run.loop.fills())
      store();
  });
  return timed;
}

Timed runFarMemory(const FarRun &run, const FarLoops &loops,
                   const Queries &queries) {
  setenv("HEDDLE_FAR_CACHE", std::to_string(run.cacheBytes).c_str(), 1);
  const bool fills = run.loop.fills();
  heddle_far void *const region = heddle_far_open(
      run.path.c_str(), fills ? HEDDLE_FAR_CREATE : HEDDLE_FAR_READ,
      fills ? run.fileBytes : 0);
  if (!region)
    failToDo("open " + run.path);
  const auto address = reinterpret_cast<std::uint64_t>(region);
  // Each thread gets its ring, and the kernel knows the cache.
  const Queries first(static_cast<std::size_t>(run.threads));
  loops.gather(address, first.data(), run.threads);
  const Timed timed = timeOf(run, loops, address, queries, [&] {
    if (heddle_far_sync(region) != 0)
      failToDo("write " + run.path);
  });
  if (heddle_far_close(region) != 0)
    failToDo("close " + run.path);
  return timed;
}

Timed runMapped(const FarRun &run, const Queries &queries) {
  const bool fills = run.loop.fills();
  const int file =
      open(run.path.c_str(), (fills ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  void *const mapping = file < 0
                            ? MAP_FAILED
                            : mmap(nullptr, run.fileBytes,
                                   fills ? PROT_READ | PROT_WRITE : PROT_READ,
                                   MAP_SHARED, file, 0);
  if (mapping == MAP_FAILED)
    failToDo("map " + run.path);
  // The kernel's own read-ahead would cripple random accesses.
  madvise(mapping, run.fileBytes,
          run.loop.isInOrder() ? MADV_SEQUENTIAL : MADV_RANDOM);
  const Timed timed =
      timeOf(run, mappedFarLoops, reinterpret_cast<std::uint64_t>(mapping),
             queries, [&] {
               if (msync(mapping, run.fileBytes, MS_SYNC) != 0)
                 failToDo("write " + run.path);
             });
  munmap(mapping, run.fileBytes);
  close(file);
  return timed;
}

Timed runHand(const FarRun &run, const Queries &queries) {
  const bool isInOrder = run.loop.isInOrder();
  Timed timed = {};
  withRing(run.path, run.loop.fills(), isInOrder ? ScanDepth : run.depth,
           isInOrder ? ScanBytes : FarPageBytes,
           [&] { timed = timeOf(run, handFarLoops, 0, queries, [] {}); });
  return timed;
}

Timed runCached(const FarRun &run, const Queries &queries) {
  SynchronousCache cache(run.path, run.loop.fills(), run.cacheBytes,
                         run.threads);
  // Threads are started before time counts.
#pragma omp parallel
  {
  }
  return timeOf(run, cachedFarLoops, 0, queries, [&] { cache.writeBack(); });
}

Timed runContestant(const FarRun &run, const Queries &queries) {
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
    failToDo("create " + path);
  close(file);
}

} // namespace

const std::vector<FarLoopKind> &farLoopKinds() {
  using Span = std::span<const std::uint64_t>;
  static const std::vector<FarLoopKind> kinds = {
      {"gather", "element", "elements of a table at random", FarFile::Numbers,
       writeNumbers, gatherQueries, 1,
       [](const FarLoops &loops, std::uint64_t address, std::uint64_t,
          Span queries) {
         return loops.gather(address, queries.data(), std::ssize(queries));
       }},
      {"probe", "lookup", "a hash table of chains of 1 to 4 nodes",
       FarFile::Table, writeHashTable, probeQueries, 1,
       [](const FarLoops &loops, std::uint64_t address, std::uint64_t bytes,
          Span queries) {
         const HashLayout layout(bytes);
         return loops.probe(address, address + layout.nodesOffset,
                            layout.buckets, queries.data(),
                            std::ssize(queries));
       }},
      {"lists", "node", "linked lists whose nodes lie anywhere", FarFile::Lists,
       writeLists, listQueries, ListLayout::Length,
       [](const FarLoops &loops, std::uint64_t address, std::uint64_t,
          Span queries) {
         return loops.lists(address, queries.data(), std::ssize(queries));
       }},
      {"scan", "page", "reads all elements in order", FarFile::Numbers,
       writeNumbers, nullptr, 0,
       [](const FarLoops &loops, std::uint64_t address, std::uint64_t bytes,
          Span) { return loops.scan(address, wordsIn(bytes)); }},
      {"fill", "page", "stores all elements in order, in a new file",
       FarFile::Filled, nullptr, nullptr, 0,
       [](const FarLoops &loops, std::uint64_t address, std::uint64_t bytes,
          Span) -> std::uint64_t {
         loops.fill(address, wordsIn(bytes));
         return 0;
       }}};
  return kinds;
}

FarOutcome runFar(const FarRun &run, const MemoryGroup *group) {
  omp_set_num_threads(run.threads);
  const Queries queries =
      run.loop.isInOrder() ? Queries()
                           : run.loop.queriesFor(run.fileBytes, run.accesses);
  if (run.loop.fills())
    createFile(run.path, run.fileBytes);
  const DiskBytes before = diskBytesOfProcess().value_or(DiskBytes());
  const Timed timed = runContestant(run, queries);
  const DiskBytes after = diskBytesOfProcess().value_or(DiskBytes());
  const std::uint64_t checksum =
      run.loop.fills() ? sumOfFile(run.path) : timed.result;
  return {timed.seconds,
          run.loop.isInOrder() ? run.fileBytes / FarPageBytes
                               : queries.size() * run.loop.operationsOfQuery,
          checksum,
          {after.read - before.read, after.written - before.written},
          group ? group->peakBytes() : 0};
}

} // namespace heddle::bench
