//===- MappableFile.cpp - Files that are mapped or copied ----------------===//

#include "MappableFile.h"

#include "FileError.h"
#include "PlainFile.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace heddle::graph {

MappableFile::MappableFile(const std::string &path)
    : path(path), descriptor(openInput(path, OpenMode::AtOnce)) {
  struct stat status;
  std::string problem;
  if (::fstat(descriptor, &status) != 0)
    problem = std::string("cannot open: ") + std::strerror(errno);
  else if (!isRegularFromStart(descriptor))
    problem = "expected a regular file from its first byte on, which can be "
              "mapped";
  if (!problem.empty()) {
    ::close(descriptor);
    throw Error(path + ": " + problem);
  }
  bytes = static_cast<std::uint64_t>(status.st_size);
}

MappableFile::~MappableFile() {
  if (mapping)
    ::munmap(mapping, bytes);
  else
    ::close(descriptor);
}

std::byte *MappableFile::map() {
  if (!mapping && bytes > 0) {
    void *start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_NORESERVE, descriptor, 0);
    if (start == MAP_FAILED)
      throw Error(path + ": cannot map: " + std::strerror(errno));
    mapping = start;
    ::close(std::exchange(descriptor, -1));
  }
  return static_cast<std::byte *>(mapping);
}

void MappableFile::read(std::uint64_t offset, std::span<std::byte> to) const {
  constexpr std::size_t pieceBytes = std::size_t(1) << 22;
  std::uint64_t end = UINT64_MAX;
  int failure = 0;
#pragma omp parallel for schedule(dynamic) reduction(min : end)                \
    reduction(max : failure)
  for (std::size_t at = 0; at < to.size(); at += pieceBytes) {
    const std::size_t size = std::min(pieceBytes, to.size() - at);
    const std::size_t got =
        readAt(descriptor, offset + at,
               {reinterpret_cast<char *>(to.data() + at), size}, failure);
    if (got < size)
      end = std::min<std::uint64_t>(end, offset + at + got);
  }
  if (failure != 0)
    throw Error(path + ": cannot read: " + std::strerror(failure));
  if (end != UINT64_MAX)
    failAtByte(path, end,
               "expected " + std::to_string(offset + to.size() - end) +
                   " more bytes, found the end of the file");
}

} // namespace heddle::graph
