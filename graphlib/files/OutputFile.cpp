//===- OutputFile.cpp - A file that appears whole or not at all ----------===//

#include "OutputFile.h"

#include "heddle/graph/Error.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace heddle::graph {
namespace {

constexpr std::size_t PieceBytes = std::size_t(1) << 20;
constexpr std::uint64_t PiecesAtOnce = 32;

/// Calls `create` with names in the directory of `target` until there is no
/// file of that name. Returns its result, -1 with errno for failure.
template <typename Create>
int createBeside(const std::string &target, std::string &name, Create create) {
  static std::atomic<unsigned> counter = 0;
  while (true) {
    name = target + ".tmp-" + std::to_string(::getpid()) + "-" +
           std::to_string(counter++);
    const int result = create(name.c_str());
    if (result >= 0 || errno != EEXIST)
      return result;
  }
}

std::string directoryOf(const std::string &file) {
  const auto parent = std::filesystem::path(file).parent_path();
  return parent.empty() ? "." : parent.string();
}

/// Follows symbolic links to a path that need not exist; returns an empty path
/// if the links form a cycle.
std::string endOfLinks(std::filesystem::path path) {
  constexpr int mostLinks = 40;
  for (int links = 0; links < mostLinks; ++links) {
    std::error_code isNoLink;
    const auto next = std::filesystem::read_symlink(path, isNoLink);
    if (isNoLink)
      return path.string();
    path = path.parent_path() / next;
  }
  return {};
}

/// Whether a path leads to the file with this status.
bool leadsTo(const std::string &path, const struct stat &status) {
  struct stat found;
  return ::stat(path.c_str(), &found) == 0 && found.st_dev == status.st_dev &&
         found.st_ino == status.st_ino;
}

/// Returns the path in /proc of an open file.
std::string pathOf(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

/// Opens a file without a name, which is deleted when the process ends, for any
/// reason; -1 if the file system does not support that.
int createUnnamed(const std::string &target) {
  const int descriptor = ::open(directoryOf(target).c_str(),
                                O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor >= 0 && ::access(pathOf(descriptor).c_str(), F_OK) != 0) {
    ::close(descriptor);
    return -1;
  }
  return descriptor;
}

std::vector<char> gzipMember(std::span<const char> bytes) {
  z_stream stream = {};
  constexpr int gzip = 16, memoryLevel = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip,
                   memoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::vector<char> result;
  try {
    result.resize(deflateBound(&stream, bytes.size()));
  } catch (...) {
    deflateEnd(&stream);
    throw;
  }
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  // The bound is enough for all of it.
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::vector<char> zstdFrame(std::span<const char> bytes) {
  std::vector<char> result(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(),
                    ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size))
    throw std::bad_alloc();
  result.resize(size);
  return result;
}

} // namespace

void syncDirectoryOf(const std::string &file) {
  const std::string directory = directoryOf(file);
  const int descriptor =
      ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // A user without permission to list a directory may still write in it.
  if (descriptor < 0 && errno == EACCES)
    return;
  const int problem = descriptor < 0 || ::fsync(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0)
    ::close(descriptor);
  // Some file systems cannot synchronize directories.
  if (problem != 0 && problem != EINVAL && problem != ENOSYS &&
      problem != EOPNOTSUPP)
    throw WriteError(directory + ": " + std::strerror(problem));
}

OutputFile::OutputFile(const std::string &path, const OutputOptions &options)
    : path(path), mayReplace(options.mayReplace) {
  if (options.compress && path.ends_with(".gz"))
    compression = Compression::Gzip;
  else if (options.compress && path.ends_with(".zst"))
    compression = Compression::Zstd;

  if (isWrittenAtOnce(path))
    descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  else
    create(options);
  if (descriptor < 0)
    fail(errno);
}

OutputFile::OutputFile(int openDescriptor, const std::string &name)
    : path(name), descriptor(openDescriptor) {
  if (descriptor < 0)
    fail(errno);
}

/// Opens a file that takes its name later; leaves -1 and errno for failure.
void OutputFile::create(const OutputOptions &options) {
  struct stat status;
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    fail(EISDIR);
  if (exists && !options.mayReplace)
    fail(EEXIST);
  target = endOfLinks(path);
  if (target.empty())
    fail(ELOOP);
  // The link to an open file that has lost its name, as in /proc/self/fd, has
  // the text "<name> (deleted)", which is no path to it.
  if (exists && target != path && !leadsTo(target, status))
    fail(ENOENT);
  isInPlace = false;
  descriptor = createUnnamed(target);
  if (descriptor < 0)
    descriptor = createBeside(target, temporary, [](const char *name) {
      return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    });
  if (descriptor < 0)
    temporary.clear();
  else if (exists)
    ::fchmod(descriptor, status.st_mode & 07777);
}

bool OutputFile::isWrittenAtOnce(const std::string &path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) &&
         !S_ISDIR(status.st_mode);
}

OutputFile::~OutputFile() {
  if (descriptor >= 0)
    ::close(descriptor);
  if (!temporary.empty())
    ::unlink(temporary.c_str());
}

void OutputFile::write(std::span<const char> bytes) {
  if (compression == Compression::None)
    return writeRaw(bytes);
  const std::uint64_t pieces = (bytes.size() + PieceBytes - 1) / PieceBytes;
  writePieces(pieces, [&](std::uint64_t i, std::vector<char> &piece) {
    const auto part = bytes.subspan(
        i * PieceBytes, std::min(PieceBytes, bytes.size() - i * PieceBytes));
    piece.assign(part.begin(), part.end());
  });
}

void OutputFile::writePieces(
    std::uint64_t count,
    const std::function<void(std::uint64_t, std::vector<char> &)> &make) {
  std::vector<std::vector<char>> pieces(std::min(count, PiecesAtOnce));
  for (std::uint64_t first = 0; first < count; first += pieces.size()) {
    const std::uint64_t size =
        std::min<std::uint64_t>(pieces.size(), count - first);
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1)
    for (std::uint64_t i = 0; i < size; ++i) {
      // No exception may leave a parallel loop.
      try {
        pieces[i].clear();
        make(first + i, pieces[i]);
        compress(pieces[i]);
      } catch (...) {
#pragma omp critical(heddle_graph_write)
        failure = std::current_exception();
      }
    }
    if (failure)
      std::rethrow_exception(failure);
    for (std::uint64_t i = 0; i < size; ++i)
      writeRaw(pieces[i]);
  }
}

void OutputFile::compress(std::vector<char> &bytes) const {
  if (compression == Compression::Gzip)
    bytes = gzipMember(bytes);
  else if (compression == Compression::Zstd)
    bytes = zstdFrame(bytes);
}

void OutputFile::writeRaw(std::span<const char> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = ::write(descriptor, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    written += static_cast<std::uint64_t>(got);
  }
}

void OutputFile::commit() {
  if (written == 0 && compression != Compression::None)
    writePieces(1, [](std::uint64_t, std::vector<char> &) {});
  HEDDLE_ASSERT(descriptor >= 0 && "a file is committed once");
  if (isInPlace)
    return close();
  if (::fsync(descriptor) != 0)
    fail(errno);
  // Only a file that has a name can replace another.
  if (temporary.empty() &&
      createBeside(target, temporary, [&](const char *name) {
        return ::linkat(AT_FDCWD, pathOf(descriptor).c_str(), AT_FDCWD, name,
                        AT_SYMLINK_FOLLOW);
      }) < 0) {
    temporary.clear();
    fail(errno);
  }
  close();
  takeName();
  syncDirectoryOf(target);
}

void OutputFile::close() {
  const int toClose = descriptor;
  descriptor = -1;
  // Some file systems notice only now that there is no room.
  if (::close(toClose) != 0)
    fail(errno);
}

void OutputFile::takeName() {
  if (mayReplace) {
    if (::rename(temporary.c_str(), target.c_str()) != 0)
      fail(errno);
  } else {
    // Unlike a rename, a new link never replaces a file.
    if (::link(temporary.c_str(), target.c_str()) != 0)
      fail(errno);
    ::unlink(temporary.c_str());
  }
  temporary.clear();
}

void OutputFile::fail(int problem) const {
  throw WriteError(path + ": cannot write: " + std::strerror(problem));
}

} // namespace heddle::graph
