//===- Spool.h - Temporary sequences on disk -------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_DISK_SPOOL_H
#define HEDDLE_GRAPHLIB_OOC_DISK_SPOOL_H

#include "heddle/graph/detail/Assert.h"
#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace heddle::graph::ooc {

/// A sequence of values on disk, with its last piece in memory.
template <typename T> class Spool {
public:
  /// A piece has `pieceValues`, which fill whole blocks.
  Spool(const std::string &directory, std::size_t pieceValues)
      : directory(directory), pieceValues(pieceValues),
        buffer(pieceValues * sizeof(T)) {
    HEDDLE_ASSERT(pieceValues * sizeof(T) % BlockBytes == 0);
  }

  std::uint64_t size() const { return count; }

  void append(T value) {
    if (filled == pieceValues)
      writePiece();
    values()[filled++] = value;
    ++count;
  }

  void clear() { count = filled = 0; }

  /// Calls `visit` with all values in order, piece by piece.
  template <typename Visit> void forEachPiece(Visit visit) {
    const std::uint64_t onDisk = count - filled;
    HEDDLE_ASSERT(onDisk % pieceValues == 0);
    if (onDisk > 0) {
      BlockBuffer piece(pieceValues * sizeof(T));
      for (std::uint64_t at = 0; at < onDisk; at += pieceValues) {
        queue.read(*file, at * sizeof(T), piece.data(), piece.size());
        visit(std::span<const T>(reinterpret_cast<T *>(piece.data()),
                                 pieceValues));
      }
    }
    visit(std::span<const T>(values(), filled));
  }

private:
  T *values() { return reinterpret_cast<T *>(buffer.data()); }

  void writePiece() {
    if (!file)
      file.emplace(directory, BlockFile::Mode::Temporary);
    queue.write(*file, (count - filled) * sizeof(T), buffer.data(),
                buffer.size());
    filled = 0;
  }

  const std::string directory;
  const std::size_t pieceValues;
  BlockBuffer buffer;
  std::size_t filled = 0;
  std::uint64_t count = 0;
  std::optional<BlockFile> file;
  IoQueue queue;
};

} // namespace heddle::graph::ooc

#endif
