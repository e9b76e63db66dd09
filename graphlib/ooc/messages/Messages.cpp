//===- Messages.cpp - Messages, in memory and on disk --------------------===//

#include "heddle/graph/detail/ooc/messages/Messages.h"

#include "../../files/FileError.h"
#include "../disk/Checksum.h"
#include "../disk/Spool.h"
#include "heddle/graph/detail/Assert.h"

#include <sys/mman.h>

namespace heddle::graph::ooc {

StepMessages::StepMessages(const GraphLayout &layout, std::size_t messageBytes)
    : messageBytes(messageBytes) {
  for (std::size_t part = 0; part < layout.partitions(); ++part) {
    blocks.emplace_back(layout.sourceBlocks(part));
    hasAny.emplace_back(layout.sourceBlocks(part));
  }
}

std::uint64_t StepMessages::indexBytes(const GraphLayout &layout) {
  std::uint64_t bytes = 0;
  for (std::size_t part = 0; part < layout.partitions(); ++part)
    bytes += layout.sourceBlocks(part) *
             (sizeof(MessageBlock) + sizeof(std::uint8_t));
  return bytes;
}

MessageCounts StepMessages::counts(std::size_t firstPartition,
                                   std::size_t endPartition) const {
  MessageCounts result;
  for (std::size_t part = 0; part < blocks.size(); ++part) {
    std::vector<std::uint32_t> &ofPartition =
        result.emplace_back(blocks[part].size());
    if (part >= firstPartition && part < endPartition)
      std::ranges::transform(blocks[part], ofPartition.begin(),
                             &MessageBlock::count);
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
  // The kernel allocates pages when they are used first.
  if (arena.size() < bytes)
    arena = BlockBuffer(bytes);
  limit = std::min<std::uint64_t>(newLimit, bytes);
  used = fileEnd = 0;
}

void MessageStore::end() {
  if (arena.data() && used > BytesLeft)
    madvise(arena.data(), arena.size(), MADV_DONTNEED);
  limit = 0;
}

void MessageStore::put(MessageBlock &block, std::size_t messageBytes,
                       const void *values, const std::uint16_t *sources,
                       IoQueue &queue) {
  HEDDLE_ASSERT(block.count > 0 && block.count <= SourceBlockVertices);
  const std::uint64_t bytes = block.bytes(messageBytes);
  if (std::byte *memory = takeMemory(bytes)) {
    block.copy(memory, messageBytes, values, sources);
    block.memory = memory;
  } else {
    const BlockBuffer buffer(bytes);
    block.copy(buffer.data(), messageBytes, values, sources);
    write(buffer, bytes, block, queue);
  }
}

std::byte *MessageStore::takeMemory(std::uint64_t bytes) {
  HEDDLE_ASSERT(limit <= arena.size());
  const std::uint64_t place = used.fetch_add(aligned(bytes));
  return place + bytes <= limit ? arena.data() + place : nullptr;
}

MessageStore::Area MessageStore::takeArea(std::uint64_t bytes) {
  if (std::byte *memory = takeMemory(bytes))
    return {.memory = memory};
  createFile();
  return {.offset = fileEnd.fetch_add(roundUpToBlock(bytes))};
}

void MessageStore::createFile() {
  const std::lock_guard lock(creation);
  if (!checkedFile)
    checkedFile.emplace(BlockFile(directory, BlockFile::Mode::Temporary));
}

void MessageStore::write(const BlockBuffer &buffer, std::uint64_t bytes,
                         MessageBlock &block, IoQueue &queue) {
  createFile();
  block.offset = fileEnd.fetch_add(buffer.size());
  block.checksum = checksumOf(buffer.data(), bytes);
  queue.write(checkedFile->file(), block.offset, buffer.data(), buffer.size());
}

std::uint32_t MessageStore::checksumOf(const std::byte *memory,
                                       std::uint64_t bytes) {
  return static_cast<std::uint32_t>(ooc::checksumOf(memory, bytes));
}

void MessageStore::check(const std::byte *memory, std::uint64_t bytes,
                         std::uint64_t offset, std::uint32_t checksum) const {
  if (checksumOf(memory, bytes) != checksum)
    failAtByte(checkedFile->file().path(), offset,
               "expected " + std::to_string(bytes) +
                   " bytes of messages with another checksum: the disk has not "
                   "returned what was written");
}

void MessageReader::begin(std::vector<const MessageBlock *> newBlocks) {
  reader.drop();
  groups.clear();
  blocks = std::move(newBlocks);
  requested = left = 0;
  memory = nullptr;
  readAhead();
}

const std::byte *MessageReader::next(const MessageBlock &block) {
  HEDDLE_ASSERT(block.isOnDisk());
  if (left == 0) {
    HEDDLE_ASSERT(groups.size() > (memory ? 1 : 0) && "a block too many");
    if (memory) {
      reader.release();
      groups.pop_front();
    }
    memory = reader.finish()[0];
    left = groups.front().blocks;
    readAhead();
  }
  --left;
  HEDDLE_ASSERT(block.offset >= groups.front().offset);
  const std::byte *found = memory + (block.offset - groups.front().offset);
  store.check(found, block.bytes(messageBytes), block.offset, block.checksum);
  return found;
}

void MessageReader::readAhead() {
  while (requested < blocks.size() && !reader.isFull()) {
    const Group group = nextGroup();
    requested += group.blocks;
    const MessageBlock &last = *blocks[requested - 1];
    reader.begin(
        store.file(),
        {FileRange{group.offset,
                   last.offset + last.bytes(messageBytes) - group.offset}});
    groups.push_back(group);
  }
}

/// The next blocks that are adjacent, up to the gaps that align them in the
/// file, and fit into the memory of a block of the maximal size.
MessageReader::Group MessageReader::nextGroup() const {
  Group group = {blocks[requested]->offset, 1};
  std::uint64_t end = group.offset + blocks[requested]->bytes(messageBytes);
  for (std::size_t i = requested + 1; i < blocks.size(); ++i) {
    const std::uint64_t begin = blocks[i]->offset;
    const std::uint64_t newEnd = begin + blocks[i]->bytes(messageBytes);
    if (begin < end || begin - end >= BlockBytes ||
        newEnd - group.offset > mostBytesOfMessages(messageBytes))
      break;
    end = newEnd;
    ++group.blocks;
  }
  return group;
}

} // namespace heddle::graph::ooc
