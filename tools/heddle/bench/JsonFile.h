//===- JsonFile.h - Results as a JSON file ---------------------*- C++ -*-===//
//
// The file appears whole or not at all: results go to a temporary file beside
// it, which is opened before anything is measured, so that a path that cannot
// be written is an early error, and renamed at the end.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_JSONFILE_H
#define HEDDLE_TOOLS_BENCH_JSONFILE_H

#include "../Json.h"

#include <cstdio>
#include <string>
#include <vector>

namespace heddle::bench {

class JsonFile {
public:
  /// "-" is the standard output, which is then for results alone: what the
  /// program prints from here on goes to standard error. Throws Error when
  /// `path` cannot be written.
  explicit JsonFile(std::string path);
  /// Removes the temporary file unless results have been written.
  ~JsonFile();
  JsonFile(const JsonFile &) = delete;
  JsonFile &operator=(const JsonFile &) = delete;

  /// Writes an array with every object on a line of its own. Throws Error when
  /// that fails.
  void writeArray(const std::vector<JsonObject> &objects);

  /// Writes one object. Throws Error when that fails.
  void writeObject(const JsonObject &object);

private:
  void write(const std::string &text);

  std::string path;
  std::string temporaryPath; ///< empty when written, or written in place
  std::FILE *file;
};

} // namespace heddle::bench

#endif
