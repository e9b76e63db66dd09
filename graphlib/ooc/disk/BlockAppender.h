//===- BlockAppender.h - Writes files from start to end --------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_DISK_BLOCKAPPENDER_H
#define HEDDLE_GRAPHLIB_OOC_DISK_BLOCKAPPENDER_H

#include "BlockSums.h"
#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"
#include "heddle/graph/ooc/Layout.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

namespace heddle::graph::ooc {

/// Appends to a new file while earlier bytes are being written, and writes the
/// checksum of each block to another file. Many of these may share a queue.
class BlockAppender {
public:
  BlockAppender(const std::string &path, const std::string &sumsPath,
                IoQueue &queue)
      : file_(path, BlockFile::Mode::Create), queue(queue),
        sums(sumsPath, queue) {}

  ~BlockAppender() {
    // Transfers must end before the buffers do, even after a failure.
    try {
      awaitAll();
    } catch (const std::exception &) {
    }
  }

  const BlockFile &file() const { return file_; }
  std::uint64_t position() const { return written + filled; }

  template <typename T> void append(std::span<const T> values) {
    appendBytes(std::as_bytes(values));
  }

  /// Appends zeros up to a multiple of `alignment`, at most a block.
  void align(std::size_t alignment) {
    static constexpr std::array<std::byte, BlockBytes> Zeros = {};
    HEDDLE_ASSERT(alignment > 0 && alignment <= BlockBytes);
    const std::size_t over = position() % alignment;
    if (over != 0)
      appendBytes(std::span(Zeros).first(alignment - over));
  }

  /// Fills the last block with zeros, and returns when the file can be read.
  /// Frees the buffers until more is appended.
  void flush() {
    align(BlockBytes);
    writeBuffer();
    awaitAll();
    for (BlockBuffer &buffer : buffers)
      buffer = BlockBuffer();
  }

  /// Flushes, and returns the checksum of the checksums when both files are on
  /// the device. Nothing is appended after this.
  std::uint64_t finish() {
    flush();
    file_.sync();
    return sums.finish();
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
    HEDDLE_ASSERT(filled % BlockBytes == 0 && written % BlockBytes == 0);
    const std::byte *data = buffers[current].data();
    if (filled > 0)
      queue.write(file_, written, data, filled, requests[current]);
    for (std::size_t at = 0; at < filled; at += BlockBytes)
      sums.add(blockChecksum(data + at));
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
  BlockSums sums;
  std::array<BlockBuffer, 2> buffers;
  std::array<IoQueue::Request, 2> requests;
  std::size_t current = 0, filled = 0;
  std::uint64_t written = 0;
};

} // namespace heddle::graph::ooc

#endif
