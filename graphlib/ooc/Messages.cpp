//===- Messages.cpp - Messages that the memory has no room for -----------===//

#include "heddle/graph/ooc/Messages.h"

#include "../io/FileError.h"
#include "Spool.h"

#include <cstring>
#include <sys/mman.h>
#include <xxhash.h>

namespace heddle::graph::ooc {

StepMessages::StepMessages(const GraphLayout &layout, std::size_t messageBytes)
    : messageBytes(messageBytes) {
  for (std::size_t part = 0; part < layout.partitions(); ++part) {
    blocks.emplace_back(layout.sourceBlocks(part));
    hasAny.emplace_back(layout.sourceBlocks(part));
  }
}

std::vector<std::vector<std::uint32_t>> StepMessages::counts() const {
  std::vector<std::vector<std::uint32_t>> result;
  for (const std::vector<MessageBlock> &ofPartition : blocks) {
    result.emplace_back();
    for (const MessageBlock &block : ofPartition)
      result.back().push_back(block.count);
  }
  return result;
}

std::uint64_t MessageStore::mostBytes(const GraphLayout &layout,
                                      std::size_t messageBytes) {
  std::uint64_t bytes =
      layout.vertices * (messageBytes + sizeof(std::uint16_t));
  for (std::size_t part = 0; part < layout.partitions(); ++part)
    bytes += layout.sourceBlocks(part) * 2 * CacheLine;
  return bytes;
}

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

void MessageStore::put(MessageBlock &block, std::size_t messageBytes,
                       const void *values, const std::uint16_t *sources,
                       IoQueue &queue) {
  const std::uint64_t bytes = block.bytes(messageBytes);
  const auto copy = [&](std::byte *to) {
    std::memcpy(to, values, block.count * messageBytes);
    if (!block.isFromAll)
      std::memcpy(to + block.sourcesOffset(messageBytes), sources,
                  block.count * sizeof(std::uint16_t));
  };
  if (std::byte *memory = takeMemory(bytes)) {
    copy(memory);
    block.memory = memory;
  } else {
    const BlockBuffer buffer(bytes);
    copy(buffer.data());
    write(buffer, bytes, block, queue);
  }
}

std::byte *MessageStore::takeMemory(std::uint64_t bytes) {
  const std::uint64_t place =
      used.fetch_add((bytes + CacheLine - 1) / CacheLine * CacheLine);
  return place + bytes <= limit ? arena.data() + place : nullptr;
}

void MessageStore::write(const BlockBuffer &buffer, std::uint64_t bytes,
                         MessageBlock &block, IoQueue &queue) {
  {
    const std::lock_guard lock(creation);
    if (!checkedFile)
      checkedFile.emplace(makeTemporaryFile(directory));
  }
  block.offset = fileEnd.fetch_add(buffer.size());
  block.checksum = XXH3_64bits(buffer.data(), bytes);
  IoQueue::Request request;
  queue.write(checkedFile->file(), block.offset, buffer.data(), buffer.size(),
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

void MessageReader::begin(std::vector<const MessageBlock *> newBlocks) {
  reader.drop();
  blocks = std::move(newBlocks);
  requested = 0;
  isHolding = false;
  readAhead();
}

const std::byte *MessageReader::next(const MessageBlock &block) {
  if (isHolding)
    reader.release();
  isHolding = true;
  const std::byte *memory = reader.finish()[0];
  store.check(memory, block.bytes(messageBytes), block.offset, block.checksum);
  readAhead();
  return memory;
}

void MessageReader::readAhead() {
  for (; requested < blocks.size() && !reader.isFull(); ++requested)
    reader.begin(store.file(),
                 {FileRange{blocks[requested]->offset,
                            blocks[requested]->bytes(messageBytes)}});
}

} // namespace heddle::graph::ooc
