//===- ByteSource.h - The bytes of a file, decompressed --------*- C++ -*-===//
//
// Files are read as a stream, not mapped: it costs little compared with
// parsing, works for pipes, and a file that another program truncates is an
// error instead of a signal. Large reads of a plain file run on the threads of
// OpenMP.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FILES_BYTESOURCE_H
#define HEDDLE_GRAPHLIB_FILES_BYTESOURCE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace heddle::graph {

class ByteSource {
public:
  virtual ~ByteSource() = default;

  /// Fills `buffer` as far as it can and returns the number of bytes. Fewer
  /// than requested mean the end of the data, or damage().
  virtual std::size_t read(std::span<char> buffer) = 0;

  /// Skips `bytes` bytes, or as many as it can, and returns their number.
  virtual std::uint64_t skip(std::uint64_t bytes);

  /// The reason why read() stopped early, as "expected ..., found ..."; empty
  /// if it did not.
  const std::string &damage() const { return damageText; }

  /// The number of bytes of the file itself that have been read, and its size
  /// when opened (0 for pipes).
  virtual std::uint64_t doneBytes() const = 0;
  virtual std::uint64_t totalBytes() const = 0;

  /// The number of bytes that read() will still return, if that is known.
  virtual std::optional<std::uint64_t> remainingBytes() const { return {}; }

protected:
  std::string damageText;
};

/// Reads from byte `offset` of a file on until `to` is full, the file ends or
/// reading fails. Returns how many bytes it got, and sets `failure` to the
/// errno if that is why.
std::size_t readAt(int descriptor, std::uint64_t offset, std::span<char> to,
                   int &failure);

/// Selects the evidence of compression: the end of a file's name or its first
/// bytes. Bytes are evidence only for text: binary numbers may begin with any.
enum class CompressionFrom { Name, Content };

/// Opens a file. Throws Error.
std::unique_ptr<ByteSource>
openByteSource(const std::string &path,
               CompressionFrom compression = CompressionFrom::Name);

} // namespace heddle::graph

#endif
