//===- MappableFile.h - Files that are mapped or copied --------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_FILES_MAPPABLEFILE_H
#define HEDDLE_GRAPHLIB_FILES_MAPPABLEFILE_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace heddle::graph {

/// A file with random access to its bytes. Functions throw Error if they cannot
/// be read.
class MappableFile {
public:
  explicit MappableFile(const std::string &path);
  ~MappableFile();
  MappableFile(const MappableFile &) = delete;
  MappableFile &operator=(const MappableFile &) = delete;

  /// The size in bytes when the file was opened.
  std::uint64_t size() const { return bytes; }

  /// Maps the file for as long as this object lives. From then on only the
  /// mapping can be used; stores to it do not reach the file. If the file
  /// shrinks, accesses to the lost part raise SIGBUS.
  std::byte *map();

  /// Copies the bytes from `offset` on, on the threads of OpenMP.
  void read(std::uint64_t offset, std::span<std::byte> to) const;

private:
  const std::string path;
  int descriptor;
  std::uint64_t bytes = 0;
  void *mapping = nullptr;
};

} // namespace heddle::graph

#endif
