//===- DispatchedWriters.h - Messages for each of several batches *- C++
//-*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_MESSAGES_DISPATCHEDWRITERS_H
#define HEDDLE_GRAPHLIB_OOC_MESSAGES_DISPATCHEDWRITERS_H

#include "heddle/graph/detail/ooc/messages/Messages.h"

#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace heddle::graph::ooc {

/// Append runs of messages to several areas, while what has filled a buffer is
/// on its way to the disk.
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

  /// What these take beside room for a run.
  static constexpr std::uint64_t bytes(std::size_t count) {
    return (count + Spares) * BufferBytes;
  }

  void begin(std::size_t writer, const MessageStore::Area &area) {
    writers[writer].area = area;
  }

  /// Where the next run is made: zeros or what was there.
  std::byte *room() const { return run.data(); }

  /// Appends what is in the room. Returns its checksum, if it is to go to the
  /// disk. Throws WriteError.
  std::uint32_t append(std::size_t index, std::uint64_t bytes) {
    Writer &writer = writers[index];
    if (writer.area.memory) {
      std::memcpy(writer.area.memory, run.data(), bytes);
      writer.area.memory += MessageStore::aligned(bytes);
      return 0;
    }
    // What is behind the run is written, too, and nobody looks at it.
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

  /// Returns when all is on the disk. Throws WriteError.
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
    MessageStore::Area area; ///< what is left of it
    std::byte *buffer = nullptr;
    std::uint64_t filled = 0;
  };

  /// A buffer that was written, or is about to be.
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
