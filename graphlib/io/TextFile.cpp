//===- TextFile.cpp - Whole lines of a file ------------------------------===//

#include "TextFile.h"

#include "FileError.h"

#include <algorithm>
#include <span>

namespace heddle::graph {
namespace {

// A block stays in the cache between being read and being parsed.
constexpr std::size_t ChunksInBlock = 16;
constexpr std::size_t MostLineBytes = std::size_t(1) << 24;
// What words that hold the first or last bytes of a chunk may have beside it.
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

TextFile::TextFile(const std::string &path, const ReadOptions &options)
    : path(path), options(options),
      chunkBytes(std::max<std::size_t>(options.chunkBytes, 1)),
      source(openByteSource(path)),
      buffer(ChunksInBlock * chunkBytes + 2 * Margin),
      capacity(ChunksInBlock * chunkBytes) {}

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

void TextFile::reportProgress() const {
  if (options.progress)
    options.progress(source->doneBytes(), source->totalBytes());
}

std::size_t TextFile::expectedTotal(std::size_t count) const {
  const auto done = static_cast<double>(source->doneBytes());
  const auto total = static_cast<double>(source->totalBytes());
  if (done <= 0 || total <= done)
    return count;
  constexpr double slack = 1.02;
  return static_cast<std::size_t>(static_cast<double>(count) * total / done *
                                  slack);
}

char *TextFile::text() { return buffer.data() + Margin; }

/// The next lines; empty after the last.
std::string_view TextFile::nextBlock() {
  // What the last block left of a line begins the next.
  std::copy(text() + used, text() + filled, text());
  filled -= used;
  used = 0;
  while (true) {
    const std::size_t room = capacity - filled;
    const std::size_t got = source->read(std::span(text() + filled, room));
    filled += got;
    if (isAtStart)
      skipByteOrderMark();
    const std::string_view fresh(text() + used, filled - used);
    // The last line may lack its end, but not where the rest was lost.
    const bool isEnd = got < room;
    const std::size_t size = isEnd && source->damage().empty()
                                 ? fresh.size()
                                 : fresh.rfind('\n') + 1;
    if (size == 0 && isEnd && !source->damage().empty())
      fail(lines + 1, source->damage());
    used += size;
    if (size > 0 || isEnd)
      return fresh.substr(0, size);
    if (fresh.size() > MostLineBytes)
      fail(lines + 1, "expected a line of at most " +
                          std::to_string(MostLineBytes) +
                          " bytes, found a longer one");
    grow();
  }
}

void TextFile::skipByteOrderMark() {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  if (std::string_view(text(), filled).starts_with(mark))
    used = mark.size();
  isAtStart = false;
}

void TextFile::grow() {
  Array<char> larger(2 * capacity + 2 * Margin);
  std::copy(text(), text() + filled, larger.begin() + Margin);
  buffer = std::move(larger);
  capacity *= 2;
}

} // namespace heddle::graph
