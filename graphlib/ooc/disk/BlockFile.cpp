//===- BlockFile.cpp - Files that are read and written in blocks ---------===//

#include "heddle/graph/detail/ooc/disk/BlockFile.h"

#include "heddle/graph/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::graph::ooc {

BlockFile::BlockFile(std::string path, Mode mode) : path_(std::move(path)) {
  const int flags =
      O_CLOEXEC | (mode == Mode::Read     ? O_RDONLY
                   : mode == Mode::Update ? O_RDWR
                                          : O_RDWR | O_CREAT | O_TRUNC);
  descriptor_ = open(path_.c_str(), flags | O_DIRECT, 0644);
  // File systems in memory do not support O_DIRECT.
  if (descriptor_ < 0 && errno == EINVAL)
    descriptor_ = open(path_.c_str(), flags, 0644);
  if (descriptor_ >= 0)
    return;
  const std::string problem = path_ + ": " + std::strerror(errno);
  if (mode == Mode::Read)
    throw Error(problem);
  throw WriteError(problem);
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
