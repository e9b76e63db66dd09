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

/// Selects the evidence of compression: the end of a file's name, its first
/// bytes, or the name only if these are of no compressed file. First bytes do
/// not count where the contents can begin with the same ones, as binary numbers
/// may.
enum class CompressionFrom { Name, Content, ContentOrName };

/// Opens a file; "-" is standard input. Throws Error.
std::unique_ptr<ByteSource> openByteSource(const std::string &path,
                                           CompressionFrom compression);

/// The beginning of what a file contains.
struct FileStart {
  std::string text;
  bool isWholeFile; ///< there is no more
};

/// Reads the first `bytes` bytes of what a file contains, decompressed: fewer
/// if there are no more, or no more in as many bytes of the compressed file. A
/// pipe can be opened afterwards as if nothing had been read. Throws Error if
/// the file cannot be opened.
FileStart startOfFile(const std::string &path, std::size_t bytes);

} // namespace heddle::graph

#endif
