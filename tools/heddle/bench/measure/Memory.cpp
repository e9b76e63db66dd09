//===- Memory.cpp - Benchmark data on a chosen page size -----------------===//

#include "Memory.h"

#include "../../command/Error.h"

#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace heddle::bench {

namespace {

constexpr size_t HugePageBytes = size_t(2) << 20;
constexpr size_t LineBytes = 64;

size_t alignUp(size_t value, size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

} // namespace

Arena::Arena(size_t capacity, Pages pages)
    : capacity(alignUp(capacity, HugePageBytes)) {
  mappingBytes = this->capacity + HugePageBytes;
  void *mapped = mmap(nullptr, mappingBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    failToDo(fmt::format("reserve {} bytes of memory", mappingBytes));
  mapping = static_cast<char *>(mapped);
  base = reinterpret_cast<char *>(
      alignUp(reinterpret_cast<uintptr_t>(mapped), HugePageBytes));
  // Fails only if the kernel has no transparent huge pages at all; hugeShare()
  // returns the share that was obtained.
  madvise(base, this->capacity,
          pages == Pages::Huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
}

Arena::~Arena() { munmap(mapping, mappingBytes); }

void *Arena::allocateBytes(size_t bytes) {
  // Arrays that are walked side by side must not all begin at the same offset
  // in a page, or they would compete for the same cache sets: each array is
  // followed by an odd number of unused lines.
  constexpr size_t gap = 37 * LineBytes;
  size_t begin = used;
  size_t end = alignUp(begin + bytes, 2 * LineBytes) + 2 * gap;
  if (end > capacity)
    throw Error(fmt::format(
        "benchmark data needs more than the {} bytes reserved", capacity));
  used = end;
  return base + begin;
}

double Arena::hugeShare() const {
  std::ifstream smaps("/proc/self/smaps");
  uint64_t hugeKilobytes = 0;
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    uint64_t from, to;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2)
      inside = from < reinterpret_cast<uintptr_t>(base) + used &&
               to > reinterpret_cast<uintptr_t>(base);
    else if (inside && line.starts_with("AnonHugePages:"))
      hugeKilobytes +=
          std::strtoull(line.c_str() + strlen("AnonHugePages:"), nullptr, 10);
  }
  double share = double(hugeKilobytes) * 1024 / double(used ? used : 1);
  return share < 1 ? share : 1;
}

uint64_t availableMemory() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string line; std::getline(meminfo, line);)
    if (line.starts_with("MemAvailable:"))
      return std::strtoull(line.c_str() + strlen("MemAvailable:"), nullptr,
                           10) *
             1024;
  return uint64_t(sysconf(_SC_AVPHYS_PAGES)) * uint64_t(sysconf(_SC_PAGESIZE));
}

uint64_t lastLevelCache() {
  for (int name :
       {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (long bytes = sysconf(name); bytes > 0)
      return uint64_t(bytes);
  return 0;
}

} // namespace heddle::bench
