//===- ByteSource.cpp - Plain, gzip and zstd files -----------------------===//

#include "ByteSource.h"

#include "heddle/graph/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <new>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace heddle::graph {
namespace {

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

class PlainFile final : public ByteSource {
public:
  explicit PlainFile(const std::string &path)
      : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor < 0)
      throw Error(path + ": cannot open: " + std::strerror(errno));
    struct stat status;
    isRegular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    if (isRegular)
      total = static_cast<std::uint64_t>(status.st_size);
  }
  ~PlainFile() override { ::close(descriptor); }
  PlainFile(const PlainFile &) = delete;
  PlainFile &operator=(const PlainFile &) = delete;

  std::size_t read(std::span<char> buffer) override {
    const std::size_t again = std::min(begun.size(), buffer.size());
    std::copy_n(begun.begin(), again, buffer.begin());
    begun.erase(0, again);
    buffer = buffer.subspan(again);
    const std::size_t got =
        again + (isRegular ? readPieces(buffer) : readStream(buffer));
    done += got;
    return got;
  }

  /// The first `bytes` bytes, or all if there are fewer. read() gives them
  /// again, and must not have been called before.
  std::string start(std::size_t bytes) {
    std::string text(bytes, '\0');
    text.resize(read(text));
    done = 0;
    if (!isRegular)
      begun = text;
    return text;
  }

  std::uint64_t skip(std::uint64_t bytes) override {
    if (!isRegular)
      return ByteSource::skip(bytes);
    const std::uint64_t skipped =
        std::min(bytes, total - std::min(done, total));
    done += skipped;
    return skipped;
  }

  std::uint64_t doneBytes() const override { return done; }
  std::uint64_t totalBytes() const override { return total; }
  std::optional<std::uint64_t> remainingBytes() const override {
    if (!isRegular)
      return {};
    return total - std::min(done, total);
  }

private:
  /// Bytes that one thread reads at a time.
  static constexpr std::size_t PieceBytes = std::size_t(1) << 18;

  /// Copying from the kernel takes as long as parsing does, so all threads
  /// read.
  std::size_t readPieces(std::span<char> buffer) {
    const std::size_t pieces = (buffer.size() + PieceBytes - 1) / PieceBytes;
    // The end of the data within this read, and the error that stopped it.
    std::size_t end = buffer.size();
    int problem = 0;
#pragma omp parallel for schedule(dynamic, 1) if (pieces > 1)
    for (std::size_t i = 0; i < pieces; ++i) {
      const std::size_t begin = i * PieceBytes;
      const std::size_t size = std::min(PieceBytes, buffer.size() - begin);
      int failure = 0;
      const std::size_t got = readAt(descriptor, done + begin,
                                     buffer.subspan(begin, size), failure);
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

  std::size_t readStream(std::span<char> buffer) {
    int failure = 0;
    const std::size_t got =
        fill(buffer, failure, [&](char *to, std::size_t size, std::size_t) {
          return ::read(descriptor, to, size);
        });
    if (failure != 0)
      damageText = std::string("cannot read: ") + std::strerror(failure);
    return got;
  }

  const int descriptor;
  bool isRegular = false;
  std::uint64_t done = 0, total = 0;
  std::string begun; ///< taken from a pipe and not yet returned by read()
};

/// A file whose bytes go through a buffer to a decompressor.
class CompressedFile : public ByteSource {
public:
  explicit CompressedFile(std::unique_ptr<PlainFile> compressed)
      : file(std::move(compressed)) {}

  std::uint64_t doneBytes() const override { return file->doneBytes(); }
  std::uint64_t totalBytes() const override { return file->totalBytes(); }

protected:
  /// The next piece of the file; empty at its end and after damage.
  std::span<char> refill() {
    const std::size_t got = file->read(input);
    damageText = file->damage();
    return {input.data(), got};
  }

  /// Both formats begin with a header and end with a mark, so that a file cut
  /// short anywhere, an empty one too, is noticed.
  void failAtEnd(const char *format) {
    if (damageText.empty())
      damageText = std::string("expected more ") + format +
                   " data, found the end of the file";
  }
  void failInside(const char *format, const char *reason) {
    damageText = std::string("expected ") + format + " data, found damage (" +
                 reason + ")";
  }

private:
  const std::unique_ptr<PlainFile> file;
  std::vector<char> input = std::vector<char>(1 << 18);
};

class GzipFile final : public CompressedFile {
public:
  explicit GzipFile(std::unique_ptr<PlainFile> compressed)
      : CompressedFile(std::move(compressed)) {
    constexpr int gzipOnly = 16;
    if (inflateInit2(&stream, MAX_WBITS + gzipOnly) != Z_OK)
      throw std::bad_alloc();
  }
  ~GzipFile() override { inflateEnd(&stream); }

  std::size_t read(std::span<char> buffer) override {
    constexpr std::size_t mostAtOnce = std::numeric_limits<uInt>::max() / 2;
    std::size_t filled = 0;
    while (filled < buffer.size() && damageText.empty()) {
      if (stream.avail_in == 0) {
        const std::span<char> more = refill();
        stream.next_in = reinterpret_cast<Bytef *>(more.data());
        stream.avail_in = static_cast<uInt>(more.size());
        if (more.empty()) {
          if (!betweenMembers)
            failAtEnd("gzip");
          break;
        }
      }
      const std::size_t room = std::min(buffer.size() - filled, mostAtOnce);
      stream.next_out = reinterpret_cast<Bytef *>(buffer.data() + filled);
      stream.avail_out = static_cast<uInt>(room);
      const int result = inflate(&stream, Z_NO_FLUSH);
      filled += room - stream.avail_out;
      // A file may consist of several compressed ones.
      betweenMembers = result == Z_STREAM_END;
      if (betweenMembers)
        inflateReset(&stream);
      else if (result != Z_OK && result != Z_BUF_ERROR)
        failInside("gzip", stream.msg ? stream.msg : zError(result));
    }
    return filled;
  }

private:
  z_stream stream = {};
  bool betweenMembers = false;
};

struct ZstdDeleter {
  void operator()(ZSTD_DStream *stream) const { ZSTD_freeDStream(stream); }
};

class ZstdFile final : public CompressedFile {
public:
  explicit ZstdFile(std::unique_ptr<PlainFile> compressed)
      : CompressedFile(std::move(compressed)), stream(ZSTD_createDStream()) {
    if (!stream)
      throw std::bad_alloc();
  }

  std::size_t read(std::span<char> buffer) override {
    ZSTD_outBuffer output = {buffer.data(), buffer.size(), 0};
    while (output.pos < output.size && damageText.empty()) {
      if (input.pos == input.size) {
        const std::span<char> more = refill();
        input = {more.data(), more.size(), 0};
        if (more.empty() && expectedBytes == 0)
          break;
      }
      // Without input it may still hold output back from the last call.
      const std::size_t before = output.pos;
      const bool isAtEnd = input.size == 0;
      expectedBytes = ZSTD_decompressStream(stream.get(), &output, &input);
      if (ZSTD_isError(expectedBytes))
        failInside("zstd", ZSTD_getErrorName(expectedBytes));
      else if (isAtEnd && output.pos == before && expectedBytes != 0)
        failAtEnd("zstd");
    }
    return output.pos;
  }

private:
  std::unique_ptr<ZSTD_DStream, ZstdDeleter> stream;
  ZSTD_inBuffer input = {nullptr, 0, 0};
  /// Bytes of input that the decompressor asks for next; 0 between frames.
  std::size_t expectedBytes = 1;
};

} // namespace

std::size_t readAt(int descriptor, std::uint64_t offset, std::span<char> to,
                   int &failure) {
  return fill(to, failure,
              [&](char *rest, std::size_t size, std::size_t filled) {
                return ::pread(descriptor, rest, size,
                               static_cast<off_t>(offset + filled));
              });
}

std::uint64_t ByteSource::skip(std::uint64_t bytes) {
  std::vector<char> unused(std::min<std::uint64_t>(bytes, 1 << 18));
  std::uint64_t skipped = 0;
  while (skipped < bytes) {
    const std::size_t size =
        std::min<std::uint64_t>(bytes - skipped, unused.size());
    const std::size_t got = read(std::span(unused).first(size));
    skipped += got;
    if (got < size)
      break;
  }
  return skipped;
}

std::unique_ptr<ByteSource> openByteSource(const std::string &path,
                                           CompressionFrom compression) {
  auto file = std::make_unique<PlainFile>(path);
  constexpr std::string_view gzipStart = "\x1f\x8b",
                             zstdStart = "\x28\xb5\x2f\xfd";
  const bool byContent = compression == CompressionFrom::Content;
  const std::string start = byContent ? file->start(zstdStart.size()) : "";
  if (byContent ? start.starts_with(gzipStart) : path.ends_with(".gz"))
    return std::make_unique<GzipFile>(std::move(file));
  if (byContent ? start.starts_with(zstdStart) : path.ends_with(".zst"))
    return std::make_unique<ZstdFile>(std::move(file));
  return file;
}

} // namespace heddle::graph
