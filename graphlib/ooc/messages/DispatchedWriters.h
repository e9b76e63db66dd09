//===- DispatchedWriters.h - Copies of messages for batches ----*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_MESSAGES_DISPATCHEDWRITERS_H
#define HEDDLE_GRAPHLIB_OOC_MESSAGES_DISPATCHEDWRITERS_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/messages/Messages.h"

#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace heddle::graph::ooc {

/// Appends runs of messages to several areas, while full buffers are written to
/// the disk.
class DispatchedWriters {
public:
  DispatchedWriters(MessageStore &store, IoQueue &queue, std::size_t count,
                    std::size_t messageBytes)
      : store(store), queue(queue), buffers(bytes(count)),
        run(mostBytesOfMessages(messageBytes)), writers(count) {
    std::byte *at = buffers.data();
    for (Writer &writer : writers)
      writer.buffer = std::exchange(at, at + BufferBytes);
    for (Spare &spare : spares)
      spare.buffer = std::exchange(at, at + BufferBytes);
  }

  ~DispatchedWriters() {
    for (Spare &spare : spares)
      queue.settle(spare.request);
  }

  /// The bytes that the buffers of `count` writers take.
  static constexpr std::uint64_t bytes(std::size_t count) {
    return (count + Spares) * BufferBytes;
  }

  void begin(std::size_t writer, const MessageStore::Area &area) {
    writers[writer].area = area;
  }

  /// The buffer in which the caller makes the next run. Its contents are
  /// arbitrary.
  std::byte *room() const { return run.data(); }

  /// Appends the first `bytes` of room(). Returns their checksum if they go to
  /// the disk. Throws WriteError.
  std::uint32_t append(std::size_t index, std::uint64_t bytes) {
    Writer &writer = writers[index];
    HEDDLE_ASSERT(bytes <= run.size());
    if (writer.area.memory) {
      std::memcpy(writer.area.memory, run.data(), bytes);
      writer.area.memory += MessageStore::aligned(bytes);
      return 0;
    }
    // The bytes behind the run that align it are written too, and never read.
    for (std::uint64_t at = 0, end = MessageStore::aligned(bytes); at < end;) {
      const std::uint64_t size =
          std::min(end - at, BufferBytes - writer.filled);
      std::memcpy(writer.buffer + writer.filled, run.data() + at, size);
      at += size;
      writer.filled += size;
      if (writer.filled == BufferBytes)
        write(writer);
    }
    return MessageStore::checksumOf(run.data(), bytes);
  }

  /// Returns when everything is written. Throws WriteError.
  void finish() {
    for (Writer &writer : writers)
      write(writer);
    for (Spare &spare : spares)
      queue.wait(spare.request);
  }

private:
  static constexpr std::uint64_t BufferBytes = std::uint64_t(1) << 15;
  static constexpr std::size_t Spares = 4;

  struct Writer {
    MessageStore::Area area; ///< the rest of it
    std::byte *buffer = nullptr;
    std::uint64_t filled = 0;
  };

  /// A buffer that was written, or is being written.
  struct Spare {
    std::byte *buffer = nullptr;
    IoQueue::Request request;
  };

  void write(Writer &writer) {
    if (writer.filled == 0)
      return;
    Spare &spare = spares[next++ % Spares];
    queue.wait(spare.request);
    std::swap(spare.buffer, writer.buffer);
    const std::uint64_t size = roundUpToBlock(writer.filled);
    HEDDLE_ASSERT(size <= BufferBytes && !writer.area.memory);
    queue.write(store.file().file(), writer.area.offset, spare.buffer, size,
                spare.request);
    writer.area.offset += size;
    writer.filled = 0;
  }

  MessageStore &store;
  IoQueue &queue;
  const BlockBuffer buffers, run;
  std::vector<Writer> writers;
  std::array<Spare, Spares> spares;
  std::size_t next = 0;
};

} // namespace heddle::graph::ooc

#endif
