//===- PlainFile.cpp - The bytes of a file as they are -------------------===//
//
// A pipe gives its bytes only once, and its writer ends if nobody has it open.
// To look at the start of one, it is opened and kept until somebody reads it.
//
//===----------------------------------------------------------------------===//

#include "PlainFile.h"

#include "../../runtime/host/files.h"
#include "heddle/graph/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace heddle::graph {
namespace {

constexpr const char *StandardInput = "-";

/// Bytes that one thread reads at a time.
constexpr std::size_t PieceBytes = std::size_t(1) << 18;

/// Calls `readSome` until the buffer is full or there is no more.
template <typename ReadSome>
std::size_t fill(std::span<char> buffer, int &failure, ReadSome readSome) {
  std::size_t filled = 0;
  while (filled < buffer.size()) {
    const ssize_t got =
        readSome(buffer.data() + filled, buffer.size() - filled, filled);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      failure = errno;
    if (got <= 0)
      break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

/// Pipes whose start has been looked at, by path.
class BegunPipes {
public:
  std::unique_ptr<PlainFile> take(const std::string &path) {
    const std::lock_guard lock(mutex);
    const auto found = pipes.find(path);
    if (found == pipes.end())
      return nullptr;
    auto file = std::move(found->second);
    pipes.erase(found);
    return file;
  }

  void put(const std::string &path, std::unique_ptr<PlainFile> file) {
    const std::lock_guard lock(mutex);
    pipes.insert_or_assign(path, std::move(file));
  }

private:
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<PlainFile>> pipes;
};

BegunPipes &begunPipes() {
  static BegunPipes pipes;
  return pipes;
}

} // namespace

int openInput(const std::string &path, OpenMode mode) {
  const int descriptor =
      path == StandardInput
          ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
          : heddle_open(path.c_str(),
                        O_RDONLY | (mode == OpenMode::AtOnce ? O_NONBLOCK : 0),
                        0);
  if (descriptor < 0)
    throw Error(path + ": cannot open: " + std::strerror(errno));
  return descriptor;
}

bool isRegularInput(const std::string &path) {
  if (path == StandardInput)
    return isRegularFromStart(STDIN_FILENO);
  struct stat status;
  return ::stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

bool isRegularFromStart(int descriptor) {
  struct stat status;
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
         ::lseek(descriptor, 0, SEEK_CUR) == 0;
}

std::size_t readAt(int descriptor, std::uint64_t offset, std::span<char> to,
                   int &failure) {
  return fill(to, failure,
              [&](char *rest, std::size_t size, std::size_t filled) {
                return ::pread(descriptor, rest, size,
                               static_cast<off_t>(offset + filled));
              });
}

std::unique_ptr<PlainFile> PlainFile::open(const std::string &path) {
  if (auto begunPipe = begunPipes().take(path))
    return begunPipe;
  return std::make_unique<PlainFile>(path);
}

std::string PlainFile::startOf(const std::string &path, std::size_t bytes) {
  auto file = open(path);
  std::string text = file->start(bytes);
  if (!file->isRegular)
    begunPipes().put(path, std::move(file));
  return text;
}

PlainFile::PlainFile(const std::string &path) : descriptor(openInput(path)) {
  struct stat status;
  isRegular =
      isRegularFromStart(descriptor) && ::fstat(descriptor, &status) == 0;
  if (isRegular)
    total = static_cast<std::uint64_t>(status.st_size);
}

PlainFile::~PlainFile() { ::close(descriptor); }

std::size_t PlainFile::read(std::span<char> buffer) {
  const std::size_t again = std::min(begun.size(), buffer.size());
  std::copy_n(begun.begin(), again, buffer.begin());
  begun.erase(0, again);
  buffer = buffer.subspan(again);
  const std::size_t got =
      again + (isRegular ? readPieces(buffer) : readStream(buffer));
  done += got;
  return got;
}

std::string PlainFile::start(std::size_t bytes) {
  std::string text(std::max(bytes, begun.size()), '\0');
  text.resize(read(text));
  done = 0;
  if (!isRegular)
    begun = text;
  damageText.clear();
  return text;
}

std::uint64_t PlainFile::skip(std::uint64_t bytes) {
  if (!isRegular)
    return ByteSource::skip(bytes);
  const std::uint64_t skipped = std::min(bytes, total - std::min(done, total));
  done += skipped;
  return skipped;
}

std::optional<std::uint64_t> PlainFile::remainingBytes() const {
  if (!isRegular)
    return {};
  return total - std::min(done, total);
}

/// Copying from the kernel takes as long as parsing does, so all threads read.
std::size_t PlainFile::readPieces(std::span<char> buffer) {
  const std::size_t pieces = (buffer.size() + PieceBytes - 1) / PieceBytes;
  // The end of the data within this read, and the error that stopped it.
  std::size_t end = buffer.size();
  int problem = 0;
#pragma omp parallel for schedule(dynamic, 1) if (pieces > 1)
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::size_t begin = i * PieceBytes;
    const std::size_t size = std::min(PieceBytes, buffer.size() - begin);
    int failure = 0;
    const std::size_t got =
        readAt(descriptor, done + begin, buffer.subspan(begin, size), failure);
    if (got == size)
      continue;
#pragma omp critical(heddle_graph_read)
    if (begin + got < end) {
      end = begin + got;
      problem = failure;
    }
  }
  if (problem != 0)
    damageText = std::string("cannot read: ") + std::strerror(problem);
  return end;
}

std::size_t PlainFile::readStream(std::span<char> buffer) {
  int failure = 0;
  const std::size_t got =
      fill(buffer, failure, [&](char *to, std::size_t size, std::size_t) {
        return ::read(descriptor, to, size);
      });
  if (failure != 0)
    damageText = std::string("cannot read: ") + std::strerror(failure);
  return got;
}

} // namespace heddle::graph
