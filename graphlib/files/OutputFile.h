//===- OutputFile.h - A file that appears whole or not at all --*- C++ -*-===//
//
// The file of runtime/host/output.h, with compression and exceptions. Names
// that end in .gz and .zst are compressed piece by piece, on all threads; both
// formats allow a sequence of pieces that were compressed separately.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FILES_OUTPUTFILE_H
#define HEDDLE_GRAPHLIB_FILES_OUTPUTFILE_H

#include "../../runtime/host/output.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph {

/// Returns when the disk has recorded the new or removed name of a file. On
/// some file systems that is impossible, and then it is skipped. Throws
/// WriteError.
void syncDirectoryOf(const std::string &file);

struct OutputOptions {
  /// False: that there is such a file, at first or in the end, is an error.
  bool mayReplace = true;
  /// Compress files whose names end in .gz or .zst.
  bool compress = true;
};

class OutputFile {
public:
  /// Throws WriteError if there can be no such file. Devices and pipes are
  /// written to at once. A symbolic link stays, and the file that it leads to
  /// is written.
  explicit OutputFile(const std::string &path,
                      const OutputOptions &options = {});

  /// Takes over a file that is open and writes to it at once, not compressed.
  /// `name` is for errors.
  OutputFile(int openDescriptor, const std::string &name);

  /// Removes the written file, unless commit() has been called.
  ~OutputFile();
  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;

  /// Whether there is a device or a pipe of that name, which is written to at
  /// once.
  static bool isWrittenAtOnce(const std::string &path);

  /// Appends bytes. Throws WriteError, for example if the disk is full.
  void write(std::span<const char> bytes);

  /// Appends `count` pieces, each of about a MiB at most, in order. Threads
  /// call `make(i, bytes)` to put piece i into `bytes`, which is empty.
  void writePieces(
      std::uint64_t count,
      const std::function<void(std::uint64_t, std::vector<char> &)> &make);

  /// The number of bytes of the file.
  std::uint64_t size() const { return written; }

  /// Closes the file, and gives it its name once all of it is on the disk. The
  /// object cannot be used afterwards. Throws WriteError.
  void commit();

private:
  enum class Compression { None, Gzip, Zstd };

  void writeRaw(std::span<const char> bytes);
  void compress(std::vector<char> &bytes) const;
  [[noreturn]] void fail(int problem) const;

  const std::string path;
  heddle_output file;
  Compression compression = Compression::None;
  std::uint64_t written = 0;
};

} // namespace heddle::graph

#endif
