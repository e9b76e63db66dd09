//===- FarFile.h - Checked files as far memory -----------------*- C++ -*-===//
//
// Random reads of a prepared graph go through far memory (heddle/far.h): the
// compiler interleaves their loops, and pages stay in the cache of far memory.
// The pages are the blocks of the file, and are compared with their checksums
// when they arrive.
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
  /// Keeps a reference to the file. It is opened as far memory on first use.
  explicit FarFile(const CheckedFile &file) : file(file) {}
  ~FarFile();
  FarFile(const FarFile &) = delete;
  FarFile &operator=(const FarFile &) = delete;

  /// The share of a budget for the cache of far memory.
  static std::uint64_t cacheShare(std::uint64_t budgetBytes);

  /// Limits the cache, which the whole process shares, to that share. Returns
  /// its size: if it was made earlier, it may be larger.
  static std::uint64_t limitCache(std::uint64_t budgetBytes);

  /// The bytes that far memory takes with a cache of `cacheBytes` and `threads`
  /// threads.
  static std::uint64_t memoryBytes(std::uint64_t cacheBytes,
                                   std::size_t threads);

  /// The far address of the file's first byte. Throws Error.
  std::uint64_t address();

  /// Throws Error if any page that was read since the file was opened was
  /// damaged or unreadable. Loops have read zeros instead.
  void check() const;

  /// The bytes read from the disk.
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
  std::uint64_t failedAt = 0; ///< the offset of the first failure
  int failedError = 0;        ///< errno, or 0 if it was damaged
};

} // namespace heddle::graph::ooc

#endif
