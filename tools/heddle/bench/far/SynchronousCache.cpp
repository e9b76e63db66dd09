//===- SynchronousCache.cpp - A page cache that is called ----------------===//

#include "SynchronousCache.h"

#include "../../output/Say.h"

#include "../../command/Error.h"
#include "../Random.h"
#include "../TemporaryFiles.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle::bench {

SynchronousCache *SynchronousCache::current = nullptr;
std::uint64_t SynchronousCache::nearMask = 0;
thread_local SynchronousCache::Near
    SynchronousCache::nearPages[SynchronousCache::MostNear];

namespace {

constexpr std::size_t MostShards = 256;

} // namespace

SynchronousCache::SynchronousCache(const std::string &path, bool writes,
                                   std::uint64_t cacheBytes, int threads)
    : path(path), file(openDirect(path, writes ? O_RDWR : O_RDONLY)),
      frames(cacheBytes / PageBytes) {
  const auto numberOfThreads = static_cast<std::uint64_t>(threads);
  const std::uint64_t share = frames.size() / 4 / numberOfThreads;
  if (share == 0)
    throw Error(fmt::format("a cache of {} pages is too small for {} threads",
                            frames.size(), threads));
  const std::uint64_t near = std::bit_floor(std::min(share, MostNear));
  nearMask = near - 1;
  // The frames that threads keep for themselves are at most half of one shard,
  // so that each has frames left.
  shards = std::vector<Shard>(std::clamp<std::size_t>(
      frames.size() / (2 * near * numberOfThreads), 1, MostShards));
  memory = static_cast<char *>(
      std::aligned_alloc(PageBytes, frames.size() * PageBytes));
  // Touches all frames, so that the kernel need not find memory during the
  // timed part.
  std::memset(memory, 1, frames.size() * PageBytes);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    frames[i].bytes = memory + i * PageBytes;
    shards[i % shards.size()].all.push_back(&frames[i]);
  }
  for (Shard &shard : shards)
    shard.frames.reserve(2 * shard.all.size());
  current = this;
}

SynchronousCache::~SynchronousCache() {
  current = nullptr;
  std::free(memory);
  close(file);
}

SynchronousCache::Shard &SynchronousCache::shardOf(std::uint64_t page) {
  return shards[scramble(page) % shards.size()];
}

void SynchronousCache::replace(Near &near, std::uint64_t page) {
  if (near.frame) {
    Shard &shard = shardOf(near.page);
    const std::lock_guard lock(shard.mutex);
    if (--near.frame->pins == 0)
      shard.moved.notify_all();
  }
  near = {};
  Frame *const frame = pin(page);
  near = {page, frame};
}

SynchronousCache::Frame *SynchronousCache::pin(std::uint64_t page) {
  Shard &shard = shardOf(page);
  std::unique_lock lock(shard.mutex);
  for (;;) {
    const auto found = shard.frames.find(page);
    if (found != shard.frames.end()) {
      Frame *const frame = found->second;
      if (frame->state == State::Moving) {
        shard.moved.wait(lock);
        continue;
      }
      ++frame->pins;
      frame->isReferenced = true;
      return frame;
    }
    Frame *const frame = evict(shard, lock);
    // The lock may have been given up: another thread may have got the page.
    if (!frame || shard.frames.contains(page))
      continue;
    if (frame->page != NoPage)
      shard.frames.erase(frame->page);
    frame->page = page;
    frame->pins = 1;
    frame->isReferenced = true;
    frame->state = State::Moving;
    shard.frames.emplace(page, frame);
    lock.unlock();
    transfer(*frame, page, false);
    lock.lock();
    frame->state = State::Present;
    shard.moved.notify_all();
    return frame;
  }
}

/// Returns a clean frame of the shard that no thread uses; null if the lock had
/// to be released meanwhile, to write one or to wait.
SynchronousCache::Frame *
SynchronousCache::evict(Shard &shard, std::unique_lock<std::mutex> &lock) {
  for (std::size_t tries = 0; tries < 2 * shard.all.size(); ++tries) {
    Frame *const frame = shard.all[shard.hand];
    shard.hand = (shard.hand + 1) % shard.all.size();
    if (frame->pins > 0 || frame->state == State::Moving)
      continue;
    if (frame->isReferenced) {
      frame->isReferenced = false;
      continue;
    }
    if (!frame->isDirty.load(std::memory_order_relaxed))
      return frame;
    frame->state = State::Moving;
    frame->isDirty.store(false, std::memory_order_relaxed);
    lock.unlock();
    transfer(*frame, frame->page, true);
    lock.lock();
    frame->state = State::Present;
    shard.moved.notify_all();
    return nullptr;
  }
  shard.moved.wait(lock);
  return nullptr;
}

void SynchronousCache::transfer(Frame &frame, std::uint64_t page,
                                bool writes) const {
  const auto offset = static_cast<off_t>(page * PageBytes);
  const ssize_t count = writes ? pwrite(file, frame.bytes, PageBytes, offset)
                               : pread(file, frame.bytes, PageBytes, offset);
  if (count != static_cast<ssize_t>(PageBytes)) {
    // An exception has nowhere to go from a thread of OpenMP.
    say("heddle: error: cannot {} {}: {}\n", writes ? "write" : "read", path,
        count < 0 ? std::strerror(errno) : "it is cut short");
    _exit(1);
  }
}

void SynchronousCache::writeBack() {
  for (Frame &frame : frames)
    if (frame.isDirty.exchange(false))
      transfer(frame, frame.page, true);
  if (fsync(file) != 0)
    failToDo("write " + path);
}

} // namespace heddle::bench
