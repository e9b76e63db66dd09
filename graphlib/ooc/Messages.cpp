//===- Messages.cpp - Messages that the memory has no room for -----------===//

#include "heddle/graph/ooc/Messages.h"

#include "../io/FileError.h"
#include "Spool.h"

#include <algorithm>
#include <sys/mman.h>
#include <xxhash.h>

namespace heddle::graph::ooc {

void MessageStore::begin(std::uint64_t bytes, std::uint64_t newLimit) {
  // Pages come as they are used.
  if (arena.size() < bytes)
    arena = BlockBuffer(bytes);
  limit = std::min<std::uint64_t>(newLimit, bytes);
  used = fileEnd = 0;
}

void MessageStore::end() {
  if (arena.data())
    madvise(arena.data(), arena.size(), MADV_DONTNEED);
  limit = 0;
}

std::byte *MessageStore::takeMemory(std::uint64_t bytes) {
  constexpr std::uint64_t CacheLine = 64;
  const std::uint64_t place =
      used.fetch_add((bytes + CacheLine - 1) / CacheLine * CacheLine);
  return place + bytes <= limit ? arena.data() + place : nullptr;
}

void MessageStore::write(const BlockBuffer &buffer, std::uint64_t bytes,
                         std::uint64_t &offset, std::uint64_t &checksum,
                         IoQueue &queue) {
  {
    const std::lock_guard lock(creation);
    if (!checkedFile)
      checkedFile.emplace(makeTemporaryFile(directory));
  }
  offset = fileEnd.fetch_add(buffer.size());
  checksum = XXH3_64bits(buffer.data(), bytes);
  IoQueue::Request request;
  queue.write(checkedFile->file(), offset, buffer.data(), buffer.size(),
              request);
  queue.wait(request);
}

void MessageStore::check(const std::byte *memory, std::uint64_t bytes,
                         std::uint64_t offset, std::uint64_t checksum) const {
  if (XXH3_64bits(memory, bytes) != checksum)
    failAtByte(checkedFile->file().path(), offset,
               "expected " + std::to_string(bytes) +
                   " bytes of messages with another checksum: what was written "
                   "has not come back");
}

} // namespace heddle::graph::ooc
