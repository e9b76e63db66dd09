//===- Messages.h - Messages, in memory and on disk ------------*- C++ -*-===//

#ifndef HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_MESSAGES_H
#define HEDDLE_GRAPH_DETAIL_OOC_MESSAGES_MESSAGES_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/disk/CheckedFile.h"
#include "heddle/graph/ooc/Layout.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph::ooc {

/// The messages from a block of source vertices: their values and, unless all
/// vertices have sent one, the senders in ascending order, as uint16_t counted
/// from the first vertex of the block.
struct MessageBlock {
  std::uint32_t count = 0;
  bool isFromAll = false;
  const std::byte *memory = nullptr; ///< if they are in memory
  // If the messages are on disk:
  std::uint64_t offset = 0;
  std::uint32_t checksum = 0;

  bool isOnDisk() const { return !memory && count != 0; }
  /// The offset where the senders begin, which is even.
  std::uint64_t sourcesOffset(std::size_t messageBytes) const {
    return (count * messageBytes + 1) / 2 * 2;
  }
  std::uint64_t bytes(std::size_t messageBytes) const {
    return isFromAll
               ? count * messageBytes
               : sourcesOffset(messageBytes) + count * sizeof(std::uint16_t);
  }
  /// The senders behind the values, unless all vertices have sent one.
  const std::uint16_t *sources(const std::byte *values,
                               std::size_t messageBytes) const {
    return reinterpret_cast<const std::uint16_t *>(values +
                                                   sourcesOffset(messageBytes));
  }
  /// Copies so many messages and their senders to the bytes() at `to`.
  void copy(std::byte *to, std::size_t messageBytes, const void *values,
            const std::uint16_t *sources) const {
    std::memcpy(to, values, count * messageBytes);
    if (!isFromAll)
      std::memcpy(to + sourcesOffset(messageBytes), sources,
                  count * sizeof(std::uint16_t));
  }
};

/// The bytes of a block of messages, at most.
constexpr std::size_t mostBytesOfMessages(std::size_t messageBytes) {
  return SourceBlockVertices * (messageBytes + sizeof(std::uint16_t));
}

/// The number of messages of each block of vertices, per partition.
using MessageCounts = std::vector<std::vector<std::uint32_t>>;

/// The messages of a step, by partition and block of its vertices.
struct StepMessages {
  StepMessages(const GraphLayout &layout, std::size_t messageBytes);

  /// The bytes of memory of one of these.
  static std::uint64_t indexBytes(const GraphLayout &layout);

  /// The number of messages of each block; 0 for other partitions than these.
  MessageCounts counts(std::size_t firstPartition,
                       std::size_t endPartition) const;

  const std::size_t messageBytes;
  std::vector<std::vector<MessageBlock>> blocks;
  std::vector<std::vector<std::uint8_t>> hasAny;
};

/// The messages that a batch reads: those of the step, or the copies that were
/// dispatched to it.
struct BatchMessages {
  explicit BatchMessages(const StepMessages &step)
      : messageBytes(step.messageBytes),
        blocks(step.blocks.begin(), step.blocks.end()),
        hasAny(step.hasAny.begin(), step.hasAny.end()) {}

  const std::size_t messageBytes;
  std::vector<std::span<const MessageBlock>> blocks; ///< per partition
  std::vector<std::span<const std::uint8_t>> hasAny;
};

/// Stores the messages of a call: in memory as long as there is room, and then
/// on disk.
class MessageStore {
public:
  explicit MessageStore(const std::string &directory) : directory(directory) {}

  /// The bytes of messages from all vertices, at most.
  static std::uint64_t mostBytes(const GraphLayout &layout,
                                 std::size_t messageBytes);

  /// Begins a call with messages of up to `bytes`, of which `limit` may be in
  /// memory. Throws std::bad_alloc.
  void begin(std::uint64_t bytes, std::uint64_t limit);

  /// Forgets all messages.
  void end();

  /// Memory for messages of up to this size is kept for the next call.
  static constexpr std::uint64_t BytesLeft = std::uint64_t(1) << 16;

  /// Stores the messages of a block, and sets their location. On any thread.
  /// Throws WriteError.
  void put(MessageBlock &block, std::size_t messageBytes, const void *values,
           const std::uint16_t *sources, IoQueue &queue);

  /// The alignment of messages in memory, and of runs of messages on disk.
  static constexpr std::uint64_t CacheLine = 64;
  static constexpr std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + CacheLine - 1) / CacheLine * CacheLine;
  }

  /// Space for the messages of several blocks, one after the other.
  struct Area {
    std::byte *memory = nullptr; ///< if it is in memory
    std::uint64_t offset = 0;    ///< if it is on disk: a multiple of a block
  };

  /// Reserves space for `bytes`. On any thread. Throws WriteError.
  Area takeArea(std::uint64_t bytes);

  CheckedFile &file() { return *checkedFile; }

  static std::uint32_t checksumOf(const std::byte *memory, std::uint64_t bytes);

  /// Throws Error if `memory` differs from the data written at `offset`.
  void check(const std::byte *memory, std::uint64_t bytes, std::uint64_t offset,
             std::uint32_t checksum) const;

private:
  void createFile();
  std::byte *takeMemory(std::uint64_t bytes);
  void write(const BlockBuffer &buffer, std::uint64_t bytes,
             MessageBlock &block, IoQueue &queue);

  const std::string directory;
  BlockBuffer arena;
  std::uint64_t limit = 0;
  std::atomic<std::uint64_t> used = 0, fileEnd = 0;
  std::mutex creation;
  std::optional<CheckedFile> checkedFile;
};

/// Reads blocks of messages in a given order, some of them ahead. Blocks that
/// are adjacent in the file are read together.
class MessageReader {
public:
  MessageReader(MessageStore &store, std::size_t messageBytes, IoQueue &queue,
                KeptBytes &keptBytes)
      : store(store), messageBytes(messageBytes),
        reader(queue, keptBytes, BlocksAhead,
               mostBytesOfMessages(messageBytes)) {}

  /// The number of blocks of the maximal size that are read ahead, and have
  /// memory.
  static constexpr std::size_t BlocksAhead = 3;

  /// Begins to read these blocks, which are on disk.
  void begin(std::vector<const MessageBlock *> newBlocks);

  /// The messages of the next block, which must be this one. Valid until the
  /// next call. Throws Error.
  const std::byte *next(const MessageBlock &block);

private:
  /// Blocks that are read together.
  struct Group {
    std::uint64_t offset = 0;
    std::size_t blocks = 0;
  };

  void readAhead();
  Group nextGroup() const;

  MessageStore &store;
  const std::size_t messageBytes;
  RangeReader reader;
  std::vector<const MessageBlock *> blocks;
  std::size_t requested = 0;
  std::deque<Group> groups; ///< begun; the first has `memory`
  const std::byte *memory = nullptr;
  std::size_t left = 0; ///< blocks of the first group that are not used yet
};

/// The set of vertices of a block that have sent messages.
class SentBits {
public:
  void set(std::span<const std::uint16_t> sources) {
    // The bits of few vertices are cleared one by one, those of many all at
    // once.
    if (areFew)
      for (const std::uint16_t source : few)
        words[source / 64] = 0;
    else
      std::ranges::fill(words, 0);
    areFew = sources.size() <= words.size();
    few.clear();
    if (areFew)
      few.assign(sources.begin(), sources.end());
    for (const std::uint16_t source : sources) {
      HEDDLE_ASSERT(source < SourceBlockVertices);
      words[source / 64] |= std::uint64_t(1) << (source % 64);
    }
  }

  /// A bit for each vertex of the block, and a zero for the vertex behind it.
  const std::uint64_t *data() const { return words.data(); }

private:
  std::vector<std::uint64_t> words =
      std::vector<std::uint64_t>(SourceBlockVertices / 64 + 1);
  bool areFew = true;
  std::vector<std::uint16_t> few;
};

/// The messages of one block, by vertex.
template <typename Message> class MessagesByVertex {
public:
  /// `values` and `present` are the room for the messages and their senders.
  MessagesByVertex(Message *values, SentBits &present)
      : byVertex(values), present(present) {}

  /// `memory` has the block's messages, and remains unchanged.
  void set(const MessageBlock &block, const std::byte *memory) {
    HEDDLE_ASSERT(memory && block.count <= SourceBlockVertices);
    const auto *values = reinterpret_cast<const Message *>(memory);
    const std::uint16_t *sources = block.sources(memory, sizeof(Message));
    if (block.isFromAll) {
      first = values;
      return;
    }
    present.set({sources, block.count});
    for (std::size_t i = 0; i < block.count; ++i)
      byVertex[sources[i]] = values[i];
    first = byVertex;
  }

  const Message *data() const { return first; }
  const std::uint64_t *presentBits() const { return present.data(); }

private:
  Message *const byVertex;
  SentBits &present;
  const Message *first = nullptr;
};

} // namespace heddle::graph::ooc

#endif
