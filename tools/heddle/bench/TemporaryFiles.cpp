//===- TemporaryFiles.cpp - Temporary data on a disk ---------------------===//

#include "TemporaryFiles.h"

#include "../command/Error.h"

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace heddle::bench {

TemporaryFiles::TemporaryFiles(const std::string &where)
    : directory(where + "/heddle-bench-XXXXXX") {
  if (!mkdtemp(directory.data()))
    failToDo("make a directory in " + where);
}

TemporaryFiles::~TemporaryFiles() {
  std::error_code ignored;
  std::filesystem::remove_all(directory, ignored);
}

void TemporaryFiles::remove(const std::string &name) const {
  std::error_code ignored;
  std::filesystem::remove_all(path(name), ignored);
}

void TemporaryFiles::checkRoom(std::uint64_t bytes) const {
  std::error_code error;
  const std::filesystem::space_info room =
      std::filesystem::space(directory, error);
  if (!error && room.available < bytes)
    throw Error(fmt::format("{}: {} MiB are needed, and {} MiB are free",
                            directory, bytes >> 20, room.available >> 20));
}

namespace {

/// Pages of the file that are in the page cache.
std::uint64_t pagesInCache(int file, std::uint64_t bytes) {
  void *mapping = mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0);
  if (mapping == MAP_FAILED)
    return 0;
  const auto pageBytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident((bytes + pageBytes - 1) / pageBytes);
  std::uint64_t count = 0;
  if (mincore(mapping, bytes, resident.data()) == 0)
    for (const unsigned char page : resident)
      count += page & 1;
  munmap(mapping, bytes);
  return count;
}

/// Drops all pages that are not in use from the page cache, if the user may:
/// posix_fadvise() can leave some of a file's.
void dropAll() { std::ofstream("/proc/sys/vm/drop_caches") << 1; }

} // namespace

void dropFromPageCache(const std::string &path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0)
    failToDo("open " + path);
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  fsync(file);
  // A few pages may be on their way to or from somewhere.
  const std::uint64_t tolerated = (bytes >> 12) / 64 + 4;
  std::uint64_t left = 0;
  if (bytes > 0) {
    posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
    left = pagesInCache(file, bytes);
    if (left > tolerated) {
      dropAll();
      left = pagesInCache(file, bytes);
    }
  }
  close(file);
  if (left > tolerated)
    throw Error(fmt::format("{} pages of {} cannot be dropped from the page "
                            "cache; choose a directory on a disk, not in "
                            "memory (tmpfs)",
                            left, path));
}

int openDirect(const std::string &path, int flags) {
  int file = open(path.c_str(), flags | O_DIRECT | O_CLOEXEC, 0644);
  if (file < 0 && errno == EINVAL)
    file = open(path.c_str(), flags | O_CLOEXEC, 0644);
  if (file < 0)
    failToDo("open " + path);
  return file;
}

} // namespace heddle::bench
