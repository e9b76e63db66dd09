//===- ByteSource.cpp - Files, compressed or not --------------------------===//

#include "ByteSource.h"

#include "PlainFile.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>
#include <string_view>
#include <utility>
#include <vector>
#include <zlib.h>
#include <zstd.h>

namespace heddle::graph {
namespace {

/// Bytes in memory.
class BytesInMemory final : public ByteSource {
public:
  explicit BytesInMemory(std::string given) : bytes(std::move(given)) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t got = std::min(buffer.size(), bytes.size() - done);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(done), got,
                buffer.begin());
    done += got;
    return got;
  }
  std::uint64_t doneBytes() const override { return done; }
  std::uint64_t totalBytes() const override { return bytes.size(); }

private:
  const std::string bytes;
  std::size_t done = 0;
};

/// A file whose bytes go through a buffer to a decompressor.
class CompressedFile : public ByteSource {
public:
  explicit CompressedFile(std::unique_ptr<ByteSource> compressed)
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
  const std::unique_ptr<ByteSource> file;
  std::vector<char> input = std::vector<char>(1 << 18);
};

class GzipFile final : public CompressedFile {
public:
  explicit GzipFile(std::unique_ptr<ByteSource> compressed)
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
      if (betweenMembers && skipPadding())
        continue;
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
  /// Tapes and block devices fill up what they store with zeros. Returns
  /// whether there were any.
  bool skipPadding() {
    const Bytef *begin = stream.next_in, *end = begin + stream.avail_in;
    const Bytef *next =
        std::find_if(begin, end, [](Bytef byte) { return byte != 0; });
    stream.next_in += next - begin;
    stream.avail_in -= static_cast<uInt>(next - begin);
    return next != begin;
  }

  z_stream stream = {};
  bool betweenMembers = false; ///< behind the end of one
};

struct ZstdDeleter {
  void operator()(ZSTD_DStream *stream) const { ZSTD_freeDStream(stream); }
};

class ZstdFile final : public CompressedFile {
public:
  explicit ZstdFile(std::unique_ptr<ByteSource> compressed)
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

enum class Compression { None, Gzip, Zstd };

constexpr std::size_t CompressionMarkBytes = 4;

Compression compressionOfStart(std::string_view start) {
  if (start.starts_with("\x1f\x8b"))
    return Compression::Gzip;
  // A frame, or one of the sixteen kinds of frames that are to be skipped.
  if (start.starts_with("\x28\xb5\x2f\xfd") ||
      (start.size() >= CompressionMarkBytes && (start[0] & 0xf0) == 0x50 &&
       start.substr(1).starts_with("\x2a\x4d\x18")))
    return Compression::Zstd;
  return Compression::None;
}

Compression compressionOfName(std::string_view path) {
  if (path.ends_with(".gz"))
    return Compression::Gzip;
  return path.ends_with(".zst") ? Compression::Zstd : Compression::None;
}

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                         Compression compression) {
  switch (compression) {
  case Compression::None:
    return source;
  case Compression::Gzip:
    return std::make_unique<GzipFile>(std::move(source));
  case Compression::Zstd:
    return std::make_unique<ZstdFile>(std::move(source));
  }
  __builtin_unreachable();
}

} // namespace

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
  auto file = PlainFile::open(path);
  Compression found = Compression::None;
  if (compression != CompressionFrom::Name)
    found = compressionOfStart(file->start(CompressionMarkBytes));
  if (found == Compression::None && compression != CompressionFrom::Content)
    found = compressionOfName(path);
  return decompressed(std::move(file), found);
}

FileStart startOfFile(const std::string &path, std::size_t bytes) {
  std::string raw = PlainFile::startOf(path, bytes);
  const Compression found = compressionOfStart(raw);
  FileStart start = {.text = std::string(bytes, '\0'),
                     .isWholeFile = raw.size() < bytes};
  const auto source =
      decompressed(std::make_unique<BytesInMemory>(std::move(raw)), found);
  start.text.resize(source->read(start.text));
  start.isWholeFile = start.isWholeFile && start.text.size() < bytes;
  return start;
}

} // namespace heddle::graph
