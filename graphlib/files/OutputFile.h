//===- OutputFile.h - A file that appears whole or not at all --*- C++ -*-===//
//
// Everything goes to a file without a name, where the file system has such, or
// to one beside the one that is to be written; it takes the name once all is on
// the disk. Before that, what was there stays there.
// Names that end in .gz and .zst are compressed piece by piece, on all threads;
// both formats allow what was compressed separately to follow each other.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FILES_OUTPUTFILE_H
#define HEDDLE_GRAPHLIB_FILES_OUTPUTFILE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace heddle::graph {

/// Returns when the disk has the name of a new file, or knows that the name of
/// one is gone. Some file systems cannot do that, and then it has to do
/// without. Throws WriteError.
void syncDirectoryOf(const std::string &file);

struct OutputOptions {
  /// False: that there is such a file, at first or in the end, is an error.
  bool mayReplace = true;
  /// Compress what a name that ends in .gz or .zst asks for.
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

  /// Removes what was written, unless commit() has been called.
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

  /// How many bytes the file has.
  std::uint64_t size() const { return written; }

  /// Closes the file, and gives it its name once the disk has all of it.
  /// Nothing can be done with it afterwards. Throws WriteError.
  void commit();

private:
  enum class Compression { None, Gzip, Zstd };

  void create(const OutputOptions &options);
  void close();
  void takeName();
  void writeRaw(std::span<const char> bytes);
  void compress(std::vector<char> &bytes) const;
  [[noreturn]] void fail(int problem) const;

  const std::string path;
  std::string target;    ///< what a symbolic link leads to, or the path
  std::string temporary; ///< the name until commit(), if there is one
  bool mayReplace = true;
  bool isInPlace = true; ///< what is written needs no name
  int descriptor = -1;
  Compression compression = Compression::None;
  std::uint64_t written = 0;
};

} // namespace heddle::graph

#endif
