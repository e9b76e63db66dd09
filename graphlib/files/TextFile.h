//===- TextFile.h - Whole lines of a file ----------------------*- C++ -*-===//
//
// Text formats begin with a few lines that are read one by one, and continue
// with many that threads parse at once. A byte order mark at the start of the
// file is skipped.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_FILES_TEXTFILE_H
#define HEDDLE_GRAPHLIB_FILES_TEXTFILE_H

#include "ByteSource.h"
#include "heddle/graph/ReadEdgeList.h"
#include "heddle/graph/detail/Array.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::graph {

/// Whole lines in memory of their own, which is used again for the next ones.
/// 64 bytes before and after the lines are readable.
class TextBuffer {
public:
  std::string_view lines;

  /// The reason why the file cannot be read further, found behind its last
  /// readable line, as "expected ..., found ...".
  std::string problem;

  /// The position in the file after the last of them was read.
  std::uint64_t doneBytes = 0;

private:
  friend class TextFile;

  void reserve(std::size_t bytes, std::size_t keptBytes);
  char *text();

  Array<char> memory;
  std::size_t capacity = 0; ///< without the margins of the text
};

class TextFile {
public:
  /// Opens a file. Throws Error.
  TextFile(const std::string &path, const ReadOptions &options,
           CompressionFrom compression = CompressionFrom::ContentOrName);

  /// Returns the next line without its end (LF or CRLF), or nullopt after the
  /// last. Valid until the next call. Throws Error if the file is damaged.
  std::optional<std::string_view> nextLine();

  /// Returns the next whole lines, cut into chunks of whole lines; none after
  /// the last line. Valid until the next call, with 64 readable bytes before
  /// and after each. Throws Error if the file is damaged.
  const std::vector<std::string_view> &nextChunks();

  /// Reads the next whole lines, about as many as a thread should parse at a
  /// time, for threads that read one after the other. Returns false after the
  /// last; an error in the file becomes the problem of the last buffer.
  bool nextLines(TextBuffer &buffer);

  /// Adds to the lines that count as read; nextLine() does so itself.
  void countLines(std::uint64_t count) { lines += count; }
  std::uint64_t linesRead() const { return lines; }

  /// Throws an Error that names line `line`, counted from 1.
  [[noreturn]] void fail(std::uint64_t line, const std::string &problem) const;

  /// Calls `options.progress`, if it is set, with the position in the file, or
  /// with `doneBytes`.
  void reportProgress() const;
  void reportProgress(std::uint64_t doneBytes) const;

  /// Returns the expected number of elements, if `count` of them are in the
  /// part that has been read, or in the first `doneBytes`.
  std::size_t expectedTotal(std::size_t count) const;
  std::size_t expectedTotal(std::size_t count, std::uint64_t doneBytes) const;

private:
  void readLines(TextBuffer &buffer, std::size_t bytes);
  std::string_view nextBlock();
  void skipByteOrderMark(std::string_view &text);

  const std::string path;
  const ReadOptions &options;
  const std::size_t chunkBytes;
  std::unique_ptr<ByteSource> source;
  TextBuffer block;
  std::vector<char> rest;   ///< read behind the last line end
  std::string_view pending; ///< lines read and not yet returned
  std::vector<std::string_view> chunks;
  std::uint64_t lines = 0;
  bool isAtStart = true;
};

} // namespace heddle::graph

#endif
