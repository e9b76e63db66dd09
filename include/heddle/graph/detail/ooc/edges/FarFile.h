//===- FarFile.h - Checked files as far memory -----------------*- C++ -*-===//
//
// What is read here and there in a prepared graph is far memory (heddle/far.h):
// its loops are interleaved by the compiler, and pages stay in the cache that
// has come with them. Its pages are the blocks that have checksums, and are
// compared with these before anybody sees them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_EDGES_FARFILE_H
#define HEDDLE_GRAPH_DETAIL_OOC_EDGES_FARFILE_H

#include "heddle/graph/detail/ooc/disk/CheckedFile.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace heddle::graph::ooc {

class FarFile {
public:
  /// Of a file that stays where it is. It is opened when it is first used.
  explicit FarFile(const CheckedFile &file) : file(file) {}
  ~FarFile();
  FarFile(const FarFile &) = delete;
  FarFile &operator=(const FarFile &) = delete;

  /// How much of a budget is for the cache of far memory.
  static std::uint64_t cacheShare(std::uint64_t budgetBytes);

  /// Has the cache, which all of a program share, take no more than that.
  /// Returns what it takes: if it was made before, that may be more.
  static std::uint64_t limitCache(std::uint64_t budgetBytes);

  /// What far memory takes in all, with such a cache and so many threads.
  static std::uint64_t memoryBytes(std::uint64_t cacheBytes,
                                   std::size_t threads);

  /// The far address of its first byte. Throws Error.
  std::uint64_t address();

  /// Throws Error if any of what has been read since it was opened was damaged,
  /// or could not be read: zeros were seen in its place.
  void check() const;

  /// What has come from the disk.
  std::uint64_t bytesRead() const { return pagesRead * BlockBytes; }

private:
  static bool examine(void *self, std::uint64_t offset, const void *page,
                      int error) noexcept;
  bool examine(std::uint64_t offset, const void *page, int error) noexcept;

  const CheckedFile &file;
  std::once_flag opening;
  std::uint64_t start = 0;
  std::atomic<std::uint64_t> pagesRead = 0;
  std::atomic<bool> hasFailed = false;
  std::mutex failing;
  std::uint64_t failedAt = 0; ///< the first place
  int failedError = 0;        ///< errno, or 0 if it was damaged
};

} // namespace heddle::graph::ooc

#endif
