//===- BlockAppender.h - Files that are written from the start -*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_BLOCKAPPENDER_H
#define HEDDLE_GRAPHLIB_OOC_BLOCKAPPENDER_H

#include "heddle/graph/ooc/BlockFile.h"
#include "heddle/graph/ooc/Layout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

namespace heddle::graph::ooc {

/// Appends to a new file while earlier bytes are on their way to the device,
/// and keeps the checksum of each block. There may be many, which share the
/// queue.
class BlockAppender {
public:
  BlockAppender(const std::string &path, IoQueue &queue)
      : file_(path, BlockFile::Mode::Create), queue(queue) {}

  ~BlockAppender() {
    // After a failure nobody cares for the file, but for its buffers.
    try {
      awaitAll();
    } catch (const std::exception &) {
    }
  }

  const BlockFile &file() const { return file_; }
  std::uint64_t position() const { return written + filled; }
  const std::vector<std::uint32_t> &sums() const { return blockSums; }

  template <typename T> void append(std::span<const T> values) {
    appendBytes(std::as_bytes(values));
  }

  /// Appends zeros up to a multiple of `alignment`, at most a block.
  void align(std::size_t alignment) {
    static constexpr std::array<std::byte, BlockBytes> Zeros = {};
    const std::size_t over = position() % alignment;
    if (over != 0)
      appendBytes(std::span(Zeros).first(alignment - over));
  }

  /// Fills the last block with zeros; returns when all can be read. Takes no
  /// memory until more is appended.
  void flush() {
    align(BlockBytes);
    writeBuffer();
    awaitAll();
    for (BlockBuffer &buffer : buffers)
      buffer = BlockBuffer();
  }

private:
  static constexpr std::size_t BufferBytes = std::size_t(1) << 20;

  void appendBytes(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const std::size_t size = std::min(bytes.size(), BufferBytes - filled);
      if (!buffers[current].data())
        buffers[current] = BlockBuffer(BufferBytes);
      std::memcpy(buffers[current].data() + filled, bytes.data(), size);
      filled += size;
      bytes = bytes.subspan(size);
      if (filled == BufferBytes)
        writeBuffer();
    }
  }

  void writeBuffer() {
    const std::byte *data = buffers[current].data();
    for (std::size_t at = 0; at < filled; at += BlockBytes)
      blockSums.push_back(blockChecksum(data + at));
    if (filled > 0)
      queue.write(file_, written, data, filled, requests[current]);
    written += filled;
    filled = 0;
    current = 1 - current;
    queue.wait(requests[current]);
  }

  void awaitAll() {
    for (IoQueue::Request &request : requests)
      queue.wait(request);
  }

  BlockFile file_;
  IoQueue &queue;
  std::array<BlockBuffer, 2> buffers;
  std::array<IoQueue::Request, 2> requests;
  std::size_t current = 0, filled = 0;
  std::uint64_t written = 0;
  std::vector<std::uint32_t> blockSums;
};

} // namespace heddle::graph::ooc

#endif
