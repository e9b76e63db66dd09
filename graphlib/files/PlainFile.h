//===- PlainFile.h - The bytes of a file as they are -----------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FILES_PLAINFILE_H
#define HEDDLE_GRAPHLIB_FILES_PLAINFILE_H

#include "ByteSource.h"

#include <memory>
#include <string>

namespace heddle::graph {

/// Whether to wait for a writer to a named pipe.
enum class OpenMode { Wait, AtOnce };

/// Opens the file at `path`, or standard input if that is "-", and returns its
/// descriptor. Throws Error.
int openInput(const std::string &path, OpenMode mode = OpenMode::Wait);

/// Whether that file can be read at several places and more than once. A file
/// that does not exist counts as one.
bool isRegularInput(const std::string &path);

/// Whether an open file can be read so, and nothing of it has been. The rest of
/// one that has, by the program that started this one, is read like a pipe.
bool isRegularFromStart(int descriptor);

/// Reads from byte `offset` of a file on until `to` is full, the file ends or
/// reading fails. Returns how many bytes it got, and sets `failure` to the
/// errno if that is why.
std::size_t readAt(int descriptor, std::uint64_t offset, std::span<char> to,
                   int &failure);

class PlainFile final : public ByteSource {
public:
  /// Throws Error if the file cannot be opened. If startOf() has read the start
  /// of a pipe, this goes on with the pipe and gives the start again.
  static std::unique_ptr<PlainFile> open(const std::string &path);

  /// The first `bytes` bytes, or all if there are fewer. The next file that is
  /// opened at the same path has them again, also if it is a pipe. Throws
  /// Error.
  static std::string startOf(const std::string &path, std::size_t bytes);

  explicit PlainFile(const std::string &path);
  ~PlainFile() override;
  PlainFile(const PlainFile &) = delete;
  PlainFile &operator=(const PlainFile &) = delete;

  std::size_t read(std::span<char> buffer) override;

  /// The first `bytes` bytes, or all if there are fewer. read() gives them
  /// again, and must not have been called before.
  std::string start(std::size_t bytes);

  std::uint64_t skip(std::uint64_t bytes) override;
  std::uint64_t doneBytes() const override { return done; }
  std::uint64_t totalBytes() const override { return total; }
  std::optional<std::uint64_t> remainingBytes() const override;

private:
  std::size_t readPieces(std::span<char> buffer);
  std::size_t readStream(std::span<char> buffer);

  const int descriptor;
  bool isRegular = false;
  std::uint64_t done = 0, total = 0;
  std::string begun; ///< taken from a pipe and not yet returned by read()
};

} // namespace heddle::graph

#endif
