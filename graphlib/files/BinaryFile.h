//===- BinaryFile.h - Numbers of a binary file, in order -------*- C++ -*-===//
//
// Headers are not trusted: if the size of the data is known, it is compared
// before memory is allocated, and if it is not, memory grows with the data that
// was read.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FILES_BINARYFILE_H
#define HEDDLE_GRAPHLIB_FILES_BINARYFILE_H

#include "ByteSource.h"
#include "FileError.h"
#include "GrowingArray.h"
#include "heddle/graph/ReadEdgeList.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>

namespace heddle::graph {

class BinaryFile {
public:
  /// Opens a file. Throws Error.
  BinaryFile(const std::string &path, const ReadOptions &options,
             CompressionFrom compression)
      : path(path), options(options),
        source(openByteSource(path, compression)) {}

  /// The number of bytes that were read so far.
  std::uint64_t position() const { return consumed; }

  /// Throws an Error that names the byte.
  [[noreturn]] void fail(std::uint64_t byte, const std::string &problem) const {
    failAtByte(path, byte, problem);
  }

  /// Reads one value; `what` is for errors.
  template <typename T> T readValue(const char *what) {
    T value;
    readBytes(std::as_writable_bytes(std::span(&value, 1)), what);
    return value;
  }

  /// Reads values for all of `to`; `what` is for errors.
  template <typename T> void readValues(std::span<T> to, const char *what) {
    readBytes(std::as_writable_bytes(to), what);
  }

  /// Reads as many values as the file has, at most as `to` can hold, and
  /// returns their number.
  template <typename T>
  std::size_t readUpTo(std::span<T> to, const char *what) {
    const std::size_t got =
        source->read({reinterpret_cast<char *>(to.data()), to.size_bytes()});
    consumed += got;
    if (got < to.size_bytes())
      checkDamage();
    failUnlessWhole(consumed, got % sizeof(T), sizeof(T), what);
    return got / sizeof(T);
  }

  /// Throws Error if it is known that the file does not end with a whole value.
  template <typename T> void expectWhole(const char *what) const {
    if (const auto remaining = source->remainingBytes())
      failUnlessWhole(consumed + *remaining, *remaining % sizeof(T), sizeof(T),
                      what);
  }

  /// Skips `count` values, which costs nothing in a file that is not
  /// compressed.
  template <typename T> void skip(std::uint64_t count, const char *what) {
    checkRoom(count, sizeof(T), what);
    const std::uint64_t bytes = count * sizeof(T);
    const std::uint64_t got = source->skip(bytes);
    consumed += got;
    if (got < bytes)
      failAtEnd(what);
  }

  /// Reads `count` values; `what` is for errors.
  template <typename T>
  Array<T> readArray(std::uint64_t count, const char *what) {
    checkRoom(count, sizeof(T), what);
    GrowingArray<T> values;
    const bool isSizeSure = source->remainingBytes().has_value();
    forEachPiece<T>(count, [&](std::size_t size) {
      T *piece = values.extend(size, isSizeSure ? count : 0);
      readBytes(std::as_writable_bytes(std::span(piece, size)), what);
    });
    return values.take();
  }

  /// Reads `count` values piece by piece, and calls `take` with each.
  template <typename T, typename Take>
  void readPieces(std::uint64_t count, const char *what, Take take) {
    checkRoom(count, sizeof(T), what);
    Array<T> buffer(std::min(count, PieceBytes / sizeof(T)));
    forEachPiece<T>(count, [&](std::size_t size) {
      const std::span<T> piece(buffer.data(), size);
      readBytes(std::as_writable_bytes(piece), what);
      take(std::span<const T>(piece));
    });
  }

  /// Throws Error if there is more.
  void expectEnd() {
    char byte;
    if (source->read({&byte, 1}) > 0)
      fail(consumed, "expected the end of the file, found more");
    checkDamage();
  }

  /// Whether the values of the file are known to be there.
  bool isSizeKnown() const { return source->remainingBytes().has_value(); }

  /// The number of bytes of the file, compressed or not.
  std::uint64_t totalBytes() const { return source->totalBytes(); }

  /// Calls `options.progress`, if it is set, with the position in the file.
  void reportProgress() const {
    if (options.progress)
      options.progress(source->doneBytes(), source->totalBytes());
  }

private:
  static constexpr std::uint64_t PieceBytes = std::uint64_t(1) << 25;

  template <typename T, typename Read>
  void forEachPiece(std::uint64_t count, Read read) {
    while (count > 0) {
      const std::uint64_t size = std::min(count, PieceBytes / sizeof(T));
      read(static_cast<std::size_t>(size));
      count -= size;
      reportProgress();
    }
  }

  void checkRoom(std::uint64_t count, std::size_t size, const char *what) {
    const auto remaining = source->remainingBytes();
    if (count > std::numeric_limits<std::uint64_t>::max() / size ||
        (remaining && count * size > *remaining))
      fail(consumed, "expected " + std::to_string(count) + " " + what + " of " +
                         std::to_string(size) + " bytes, found " +
                         (remaining ? std::to_string(*remaining) + " bytes"
                                    : std::string("no room for them")));
  }

  void readBytes(std::span<std::byte> bytes, const char *what) {
    const std::size_t got =
        source->read({reinterpret_cast<char *>(bytes.data()), bytes.size()});
    consumed += got;
    if (got < bytes.size())
      failAtEnd(what);
  }

  [[noreturn]] void failAtEnd(const char *what) const {
    checkDamage();
    fail(consumed,
         std::string("expected more ") + what + ", found the end of the file");
  }

  /// `rest` bytes before `end` are left of a value.
  void failUnlessWhole(std::uint64_t end, std::uint64_t rest, std::size_t size,
                       const char *what) const {
    if (rest > 0)
      fail(end - rest, std::string("expected ") + what + " of " +
                           std::to_string(size) +
                           " bytes, found the end of "
                           "the file after " +
                           std::to_string(rest) + " bytes of one");
  }

  void checkDamage() const {
    if (!source->damage().empty())
      fail(consumed, source->damage());
  }

  const std::string path;
  const ReadOptions &options;
  const std::unique_ptr<ByteSource> source;
  std::uint64_t consumed = 0;
};

} // namespace heddle::graph

#endif
