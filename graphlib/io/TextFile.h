//===- TextFile.h - Whole lines of a file ----------------------*- C++ -*-===//
//
// Formats of text begin with a few lines that are read one by one, and go on
// with many that threads parse at once. A byte order mark at the start of the
// file is skipped.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPHLIB_IO_TEXTFILE_H
#define HEDDLE_GRAPHLIB_IO_TEXTFILE_H

#include "ByteSource.h"
#include "heddle/graph/Array.h"
#include "heddle/graph/ReadEdgeList.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::graph {

class TextFile {
public:
  /// Opens a file. Throws Error.
  TextFile(const std::string &path, const ReadOptions &options);

  /// The next line without its end (LF or CRLF), or nothing after the last.
  /// Valid until the next call. Throws Error if the file is damaged.
  std::optional<std::string_view> nextLine();

  /// The next whole lines, cut into chunks of whole lines; none after the last
  /// line. Valid until the next call, with 64 readable bytes before and after
  /// each. Throws
  /// Error if the file is damaged.
  const std::vector<std::string_view> &nextChunks();

  /// Adds to the lines that count as read; nextLine() does so itself.
  void countLines(std::uint64_t count) { lines += count; }
  std::uint64_t linesRead() const { return lines; }

  /// Throws an Error that names line `line`, counted from 1.
  [[noreturn]] void fail(std::uint64_t line, const std::string &problem) const;

  /// Tells who asked for it how far the file has been read.
  void reportProgress() const;

  /// How many elements there will be, if the file goes on as it has begun, with
  /// `count` of them in what has been read.
  std::size_t expectedTotal(std::size_t count) const;

private:
  char *text();
  std::string_view nextBlock();
  void grow();
  void skipByteOrderMark();

  const std::string path;
  const ReadOptions &options;
  const std::size_t chunkBytes;
  std::unique_ptr<ByteSource> source;
  Array<char> buffer;
  std::size_t capacity; ///< of the buffer, without the margins of its text
  std::size_t filled = 0, used = 0;
  std::string_view pending; ///< lines read and not yet given out
  std::vector<std::string_view> chunks;
  std::uint64_t lines = 0;
  bool isAtStart = true;
};

} // namespace heddle::graph

#endif
