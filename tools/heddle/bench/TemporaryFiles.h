//===- TemporaryFiles.h - Temporary data on a disk --------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BENCH_TEMPORARYFILES_H
#define HEDDLE_TOOLS_BENCH_TEMPORARYFILES_H

#include <cstdint>
#include <string>

namespace heddle::bench {

/// A directory of its own in another one, which is removed with all that is in
/// it in the end.
class TemporaryFiles {
public:
  /// Throws Error.
  explicit TemporaryFiles(const std::string &where);
  ~TemporaryFiles();
  TemporaryFiles(const TemporaryFiles &) = delete;
  TemporaryFiles &operator=(const TemporaryFiles &) = delete;

  /// Returns the path of a file or directory in it.
  std::string path(const std::string &name) const {
    return directory + "/" + name;
  }
  void remove(const std::string &name) const;

  /// Throws Error if the disk has less than `bytes` of free space.
  void checkRoom(std::uint64_t bytes) const;

private:
  std::string directory;
};

/// Drops the file from the page cache. The memory of cached pages is charged to
/// the process that read them first, not to the one that uses them. Throws
/// Error if pages stay there.
void dropFromPageCache(const std::string &path);

/// Opens a file past the page cache if the file system has that (O_DIRECT), or
/// otherwise through it. Throws Error.
int openDirect(const std::string &path, int flags);

} // namespace heddle::bench

#endif
