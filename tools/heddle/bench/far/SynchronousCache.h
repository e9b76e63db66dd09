//===- SynchronousCache.h - A page cache that is called --------*- C++ -*-===//
//
// The scheme of TriCache (G. Feng et al., OSDI 2022), written anew as a rival:
// the compiler turns each access of an unmodified program into a call of a page
// cache in user space, which returns the byte's address in memory. A thread
// whose page is not in memory waits for it, and only other threads continue
// meanwhile. As in TriCache, each thread has a small cache of its own in front
// of the shared one, which does not evict the pages in it; so a call that hits
// takes a comparison and no lock.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_FAR_SYNCHRONOUSCACHE_H
#define HEDDLE_TOOLS_BENCH_FAR_SYNCHRONOUSCACHE_H

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace heddle::bench {

class SynchronousCache {
public:
  static constexpr std::uint64_t PageBytes = 4096;

  /// Opens a file for `threads` threads. Throws Error, as do the calls below.
  /// Only one object may exist at a time.
  SynchronousCache(const std::string &path, bool writes,
                   std::uint64_t cacheBytes, int threads);
  ~SynchronousCache();
  SynchronousCache(const SynchronousCache &) = delete;
  SynchronousCache &operator=(const SynchronousCache &) = delete;

  /// Returns the address in memory of the byte at `offset`, valid until the
  /// next call of this thread.
  template <bool Writes> static char *at(std::uint64_t offset) {
    const std::uint64_t page = offset / PageBytes;
    Near &near = nearPages[page % MostNear & nearMask];
    if (near.page != page)
      current->replace(near, page);
    if constexpr (Writes)
      near.frame->isDirty.store(true, std::memory_order_relaxed);
    return near.frame->bytes + offset % PageBytes;
  }

  /// Writes all stores to the device, and waits for it. No thread may be
  /// storing.
  void writeBack();

private:
  enum class State { Present, Moving };

  struct Frame {
    char *bytes;
    std::uint64_t page = NoPage;
    int pins = 0;                 // under the lock of its shard
    State state = State::Present; // the same
    bool isReferenced = false;    // the same
    std::atomic<bool> isDirty = false;
  };

  struct Shard {
    std::mutex mutex;
    std::condition_variable moved;
    std::unordered_map<std::uint64_t, Frame *> frames;
    std::vector<Frame *> all;
    std::size_t hand = 0;
  };

  /// A page in the small cache of a thread.
  struct Near {
    std::uint64_t page = NoPage;
    Frame *frame = nullptr;
  };

  static constexpr std::uint64_t NoPage = UINT64_MAX;
  static constexpr std::uint64_t MostNear = 16;

  void replace(Near &near, std::uint64_t page);
  Frame *pin(std::uint64_t page);
  Frame *evict(Shard &shard, std::unique_lock<std::mutex> &lock);
  Shard &shardOf(std::uint64_t page);
  void transfer(Frame &frame, std::uint64_t page, bool writes) const;

  static SynchronousCache *current;
  static std::uint64_t nearMask;
  static thread_local Near nearPages[MostNear];

  std::string path;
  int file;
  char *memory;
  std::vector<Frame> frames;
  std::vector<Shard> shards;
};

/// A pointer into the file whose accesses are calls of SynchronousCache.
template <typename T> class CachedPointer {
public:
  explicit CachedPointer(std::uint64_t offset) : offset(offset) {}

  T &operator[](std::uint64_t index) const {
    return *reinterpret_cast<T *>(
        SynchronousCache::at<!std::is_const_v<T>>(offset + index * sizeof(T)));
  }

private:
  std::uint64_t offset;
};

} // namespace heddle::bench

#endif
