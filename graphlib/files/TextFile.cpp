//===- TextFile.cpp - Whole lines of a file ------------------------------===//

#include "TextFile.h"

#include "FileError.h"

#include <algorithm>
#include <span>
#include <utility>

namespace heddle::graph {
namespace {

// A block stays in the cache between being read and being parsed.
constexpr std::size_t ChunksInBlock = 16;
constexpr std::size_t MostLineBytes = std::size_t(1) << 24;
// Bytes on either side of a chunk that are in a word with its first or last.
constexpr std::size_t Margin = 64;

/// Cuts a block at the line ends that follow each `chunkBytes`.
void cutIntoChunks(std::string_view block, std::size_t chunkBytes,
                   std::vector<std::string_view> &chunks) {
  chunks.clear();
  while (!block.empty()) {
    const std::size_t lineEnd = chunkBytes < block.size()
                                    ? block.find('\n', chunkBytes - 1)
                                    : std::string_view::npos;
    const std::size_t size =
        lineEnd == std::string_view::npos ? block.size() : lineEnd + 1;
    chunks.push_back(block.substr(0, size));
    block.remove_prefix(size);
  }
}

} // namespace

TextFile::TextFile(const std::string &path, const ReadOptions &options,
                   CompressionFrom compression)
    : path(path), options(options),
      chunkBytes(std::max<std::size_t>(options.chunkBytes, 1)),
      source(openByteSource(path, compression)) {}

void TextFile::fail(std::uint64_t line, const std::string &problem) const {
  failAtLine(path, line, problem);
}

std::optional<std::string_view> TextFile::nextLine() {
  if (pending.empty())
    pending = nextBlock();
  if (pending.empty())
    return std::nullopt;
  const std::size_t lineEnd = std::min(pending.find('\n'), pending.size());
  std::string_view line = pending.substr(0, lineEnd);
  pending.remove_prefix(std::min(lineEnd + 1, pending.size()));
  if (line.ends_with('\r'))
    line.remove_suffix(1);
  ++lines;
  return line;
}

const std::vector<std::string_view> &TextFile::nextChunks() {
  const std::string_view block = pending.empty() ? nextBlock() : pending;
  pending = {};
  cutIntoChunks(block, chunkBytes, chunks);
  return chunks;
}

void TextFile::reportProgress() const { reportProgress(source->doneBytes()); }

void TextFile::reportProgress(std::uint64_t doneBytes) const {
  if (options.progress)
    options.progress(doneBytes, source->totalBytes());
}

std::size_t TextFile::expectedTotal(std::size_t count) const {
  return expectedTotal(count, source->doneBytes());
}

std::size_t TextFile::expectedTotal(std::size_t count,
                                    std::uint64_t doneBytes) const {
  const auto done = static_cast<double>(doneBytes);
  const auto total = static_cast<double>(source->totalBytes());
  if (done <= 0 || total <= done)
    return count;
  constexpr double slack = 1.02;
  return static_cast<std::size_t>(static_cast<double>(count) * total / done *
                                  slack);
}

bool TextFile::nextLines(TextBuffer &buffer) {
  if (!pending.empty()) {
    buffer.lines = std::exchange(pending, {});
    buffer.doneBytes = source->doneBytes();
    return true;
  }
  readLines(buffer, chunkBytes);
  buffer.doneBytes = source->doneBytes();
  return !buffer.lines.empty() || !buffer.problem.empty();
}

/// The next lines; empty after the last.
std::string_view TextFile::nextBlock() {
  readLines(block, ChunksInBlock * chunkBytes);
  if (!block.problem.empty())
    fail(lines + 1, block.problem);
  return block.lines;
}

/// Reads about `bytes` bytes; no lines, and perhaps a problem, after the last.
void TextFile::readLines(TextBuffer &buffer, std::size_t bytes) {
  buffer.lines = {};
  buffer.problem.clear();
  // An incomplete line left from before begins the next lines.
  std::size_t filled = rest.size();
  bytes = std::max(bytes, filled + 1);
  buffer.reserve(bytes, 0);
  std::copy(rest.begin(), rest.end(), buffer.text());
  while (true) {
    const std::size_t room = bytes - filled;
    const std::size_t got =
        source->read(std::span(buffer.text() + filled, room));
    filled += got;
    std::string_view text(buffer.text(), filled);
    if (isAtStart)
      skipByteOrderMark(text);
    // The last line may lack its end, but not where the rest was lost.
    const bool isEnd = got < room;
    const std::size_t size =
        isEnd && source->damage().empty() ? text.size() : text.rfind('\n') + 1;
    if (size > 0 || isEnd) {
      buffer.lines = text.substr(0, size);
      rest.assign(text.begin() + size, text.end());
      isAtStart = false;
      if (size == 0)
        buffer.problem = source->damage();
      return;
    }
    if (text.size() > MostLineBytes) {
      buffer.problem = "expected a line of at most " +
                       std::to_string(MostLineBytes) +
                       " bytes, found a longer one";
      return;
    }
    bytes *= 2;
    buffer.reserve(bytes, filled);
  }
}

void TextFile::skipByteOrderMark(std::string_view &text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (text.starts_with(mark))
    text.remove_prefix(mark.size());
}

char *TextBuffer::text() { return memory.data() + Margin; }

/// Makes room for `bytes` of text, and keeps the first `keptBytes`.
void TextBuffer::reserve(std::size_t bytes, std::size_t keptBytes) {
  if (bytes <= capacity)
    return;
  Array<char> larger(bytes + 2 * Margin);
  std::copy_n(memory.begin() + (keptBytes ? Margin : 0), keptBytes,
              larger.begin() + Margin);
  memory = std::move(larger);
  capacity = bytes;
}

} // namespace heddle::graph
