//===- ByteSource.h - The bytes of a file, decompressed --------*- C++ -*-===//
//
// Files are read as a stream, not mapped: it costs little beside parsing, works
// for pipes, and a file that another program truncates is an error instead of
// a signal. Large reads of a plain file run on the threads of OpenMP.
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

  /// Fills `buffer` as far as it can and returns how many bytes it got. Less
  /// than asked for means that the data end there, or damage().
  virtual std::size_t read(std::span<char> buffer) = 0;

  /// Goes `bytes` bytes on, or as far as it can, and returns how far it went.
  virtual std::uint64_t skip(std::uint64_t bytes);

  /// The reason why read() stopped early, as "expected ..., found ..."; empty
  /// if it did not.
  const std::string &damage() const { return damageText; }

  /// How far the file itself has been read, and how long it was when opened
  /// (0 for pipes).
  virtual std::uint64_t doneBytes() const = 0;
  virtual std::uint64_t totalBytes() const = 0;

  /// How much more read() will give, if that is known.
  virtual std::optional<std::uint64_t> remainingBytes() const { return {}; }

protected:
  std::string damageText;
};

/// Whether the end of a file's name or its first bytes say how it is
/// compressed. Only for text do the bytes say so: binary numbers may begin with
/// any.
enum class CompressionFrom { Name, Content };

/// Opens a file. Throws Error.
std::unique_ptr<ByteSource>
openByteSource(const std::string &path,
               CompressionFrom compression = CompressionFrom::Name);

} // namespace heddle::graph

#endif
