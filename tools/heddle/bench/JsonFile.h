//===- JsonFile.h - Rows as a JSON file ------------------------*- C++ -*-===//
//
// The file appears whole or not at all: rows go to a temporary file beside it,
// which is opened before anything is measured, so that a path that cannot be
// written is an early error, and renamed at the end.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_JSONFILE_H
#define HEDDLE_TOOLS_BENCH_JSONFILE_H

#include "Row.h"

#include <cstdio>
#include <string>
#include <vector>

namespace heddle::bench {

class JsonFile {
public:
  /// Throws Error when `path` cannot be written.
  explicit JsonFile(std::string path);
  /// Removes the temporary file unless the rows have been written.
  ~JsonFile();
  JsonFile(const JsonFile &) = delete;
  JsonFile &operator=(const JsonFile &) = delete;

  /// Writes an array with one object, on a line of its own, a row. Throws
  /// Error when that fails.
  void write(const std::vector<Row> &rows);

private:
  std::string path;
  std::string temporaryPath; ///< empty when written, or written in place
  std::FILE *file;
};

} // namespace heddle::bench

#endif
