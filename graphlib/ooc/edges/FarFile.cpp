//===- FarFile.cpp - Checked files as far memory -------------------------===//

#include "heddle/graph/detail/ooc/edges/FarFile.h"

#include "heddle/far.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/memory/ProgramMemory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace heddle::graph::ooc {

namespace {

constexpr std::uint64_t LeastCacheBytes = std::uint64_t(1) << 20;
constexpr std::uint64_t MostCacheBytes = std::uint64_t(256) << 20;
// The cache's share of the budget, without ProgramBytes.
constexpr std::uint64_t CacheShare = 16;
// The descriptor of a page takes less than this part of it.
constexpr std::uint64_t FrameShare = 32;
// A thread's requests, and its io_uring.
constexpr std::uint64_t ThreadBytes = std::uint64_t(160) << 10;

heddle_far void *farPointer(std::uint64_t address) {
  return reinterpret_cast<heddle_far void *>(address);
}

} // namespace

std::uint64_t FarFile::cacheShare(std::uint64_t budgetBytes) {
  const std::uint64_t forGraph =
      budgetBytes - std::min(budgetBytes, ProgramBytes);
  return std::clamp(forGraph / CacheShare, LeastCacheBytes, MostCacheBytes);
}

std::uint64_t FarFile::limitCache(std::uint64_t budgetBytes) {
  return heddle_far_limit_cache(cacheShare(budgetBytes));
}

std::uint64_t FarFile::memoryBytes(std::uint64_t cacheBytes,
                                   std::size_t threads) {
  return cacheBytes + cacheBytes / FrameShare + threads * ThreadBytes;
}

FarFile::~FarFile() {
  if (start != 0)
    heddle_far_close(farPointer(start));
}

std::uint64_t FarFile::address() {
  std::call_once(opening, [&] {
    const std::string &path = file.file().path();
    start = reinterpret_cast<std::uint64_t>(
        heddle_far_open_checked(path.c_str(), examine, this));
    if (start == 0)
      throw Error(path + ": " + std::strerror(errno));
    const std::uint64_t size = heddle_far_size(farPointer(start));
    if (size < file.checkedBytes())
      throw Error(path + ": byte " + std::to_string(size) +
                  ": the file has become shorter");
  });
  return start;
}

bool FarFile::examine(void *self, std::uint64_t offset, const void *page,
                      int error) noexcept {
  return static_cast<FarFile *>(self)->examine(offset, page, error);
}

bool FarFile::examine(std::uint64_t offset, const void *page,
                      int error) noexcept {
  HEDDLE_ASSERT(offset % BlockBytes == 0);
  if (error == 0) {
    ++pagesRead;
    if (file.isWhole(offset, static_cast<const std::byte *>(page)))
      return true;
  }
  const std::lock_guard lock(failing);
  if (!hasFailed) {
    failedAt = offset;
    failedError = error;
    hasFailed = true;
  }
  return false;
}

void FarFile::check() const {
  if (!hasFailed)
    return;
  if (failedError == 0)
    file.failAsDamaged(failedAt);
  throw Error(file.file().path() + ": byte " + std::to_string(failedAt) + ": " +
              (failedError == ENODATA ? "the file has become shorter"
                                      : std::strerror(failedError)));
}

} // namespace heddle::graph::ooc
