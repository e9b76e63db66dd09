//===- TemporaryFiles.h - Data that lies on a disk for a while --*- C++ -*-===//

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

  /// Of a file or directory in it.
  std::string path(const std::string &name) const {
    return directory + "/" + name;
  }
  void remove(const std::string &name) const;

  /// Throws Error if there is no room for so many bytes.
  void checkRoom(std::uint64_t bytes) const;

private:
  std::string directory;
};

/// Takes the file out of the page cache, which would be charged to who has
/// brought it there and not to who uses it. Throws Error if it stays there.
void dropFromPageCache(const std::string &path);

/// Opens a file past the page cache if the file system has that (O_DIRECT), or
/// otherwise through it. Throws Error.
int openDirect(const std::string &path, int flags);

} // namespace heddle::bench

#endif
