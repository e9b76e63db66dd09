//===- BlockSums.h - The checksums of a file's blocks ----------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_DISK_BLOCKSUMS_H
#define HEDDLE_GRAPHLIB_OOC_DISK_BLOCKSUMS_H

#include "Checksum.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace heddle::graph::ooc {

/// Writes checksums to a file, with the last block in memory. There may be many
/// such files, each of which is open only while a block is written.
class BlockSums {
public:
  BlockSums(std::string newPath, IoQueue &queue)
      : path(std::move(newPath)), queue(queue) {
    const BlockFile empty(path, BlockFile::Mode::Create);
  }

  void add(std::uint32_t sum) {
    if (!block.data())
      block = BlockBuffer(BlockBytes);
    sums()[filled++] = sum;
    if (filled == InBlock)
      writeBlock();
  }

  /// Fills the last block with zeros, and returns the checksum of all added
  /// values when the file is on the device.
  std::uint64_t finish() {
    if (filled > 0)
      writeBlock();
    BlockFile(path, BlockFile::Mode::Update).sync();
    return checksum.value();
  }

private:
  static constexpr std::size_t InBlock = BlockBytes / sizeof(std::uint32_t);

  std::uint32_t *sums() {
    return reinterpret_cast<std::uint32_t *>(block.data());
  }

  void writeBlock() {
    checksum.add(std::as_bytes(std::span(sums(), filled)));
    std::fill(sums() + filled, sums() + InBlock, 0);
    const BlockFile file(path, BlockFile::Mode::Update);
    queue.write(file, written, block.data(), BlockBytes);
    written += BlockBytes;
    filled = 0;
  }

  const std::string path;
  IoQueue &queue;
  BlockBuffer block;
  std::size_t filled = 0;
  std::uint64_t written = 0;
  RunningChecksum checksum;
};

} // namespace heddle::graph::ooc

#endif
