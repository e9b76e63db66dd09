//===- BlockFile.cpp - Files that are read and written in blocks ---------===//

#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include "../../../runtime/host/files.h"
#include "heddle/graph/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <random>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::graph::ooc {

namespace {

/// Opens a file past the page cache, where the file system allows that: those
/// in memory do not. Returns a descriptor, or -1 with errno.
int openDirect(const std::string &path, int flags) {
  // Pipes, which are no block files, must not be waited for.
  const int all = flags | O_NONBLOCK;
  const int descriptor = heddle_open(path.c_str(), all | O_DIRECT, 0644);
  return descriptor < 0 && errno == EINVAL
             ? heddle_open(path.c_str(), all, 0644)
             : descriptor;
}

/// Makes a file that nothing else has led to: what has the name is removed, and
/// is not followed if it is a link.
int createNew(const std::string &path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT)
    return -1;
  return openDirect(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
}

int createTemporary(const std::string &directory) {
  const int unnamed = openDirect(directory, O_RDWR | O_TMPFILE | O_EXCL);
  if (unnamed >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
    return unnamed;
  // File systems without unnamed files. No one knows this name in advance.
  std::random_device random;
  const std::string path = directory + "/temporary-" +
                           std::to_string(random()) + "-" +
                           std::to_string(random());
  const int named = openDirect(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW);
  if (named >= 0)
    unlink(path.c_str());
  return named;
}

} // namespace

BlockFile::BlockFile(std::string path, Mode mode) : path_(std::move(path)) {
  descriptor_ = openFor(mode);
  if (descriptor_ >= 0) {
    if (mode == Mode::Temporary)
      path_ += " (a temporary file)";
    return;
  }
  const std::string problem = path_ + ": " + std::strerror(errno);
  if (mode == Mode::Read)
    throw Error(problem);
  throw WriteError(problem);
}

/// Returns -1 with errno for failure.
int BlockFile::openFor(Mode mode) const {
  switch (mode) {
  case Mode::Read:
    return openDirect(path_, O_RDONLY);
  case Mode::Update:
    return openDirect(path_, O_RDWR);
  case Mode::Create:
    return createNew(path_);
  case Mode::Temporary:
    return createTemporary(path_);
  }
  __builtin_unreachable();
}

BlockFile::~BlockFile() {
  if (descriptor_ >= 0)
    close(descriptor_);
}

std::uint64_t BlockFile::size() const {
  struct stat status;
  if (fstat(descriptor_, &status) != 0)
    throw Error(path_ + ": " + std::strerror(errno));
  return static_cast<std::uint64_t>(status.st_size);
}

void BlockFile::sync() const {
  if (fdatasync(descriptor_) != 0)
    throw WriteError(path_ + ": " + std::strerror(errno));
}

BlockBuffer::BlockBuffer(std::size_t wanted) {
  const std::size_t bytes = roundUpToBlock(wanted);
  if (bytes == 0)
    return;
  void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    throw std::bad_alloc();
  memory = {static_cast<std::byte *>(mapped), Unmap{bytes}};
}

void BlockBuffer::Unmap::operator()(std::byte *memory) const {
  munmap(memory, bytes);
}

} // namespace heddle::graph::ooc
