//===- ResultFile.h - Where results are written ----------------*- C++ -*-===//
//
// The file is opened before anything is measured, so that a path that cannot be
// written is an early error, and is there whole or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_OUTPUT_RESULTFILE_H
#define HEDDLE_TOOLS_OUTPUT_RESULTFILE_H

#include <memory>
#include <string>
#include <string_view>

namespace heddle::graph {
class OutputFile;
}

namespace heddle {

/// Functions throw graph::WriteError if the file cannot be written.
class ResultFile {
public:
  /// "-" is the standard output (as is /dev/stdout), which is then for this
  /// alone: what the program prints from here on goes to standard error.
  explicit ResultFile(const std::string &path);
  /// Leaves no file unless it has been committed.
  ~ResultFile();
  ResultFile(const ResultFile &) = delete;
  ResultFile &operator=(const ResultFile &) = delete;

  /// Appends text.
  void write(std::string_view text);

  /// Gives the file its name.
  void commit();

private:
  void flush();

  const std::unique_ptr<graph::OutputFile> file;
  std::string buffer;
};

} // namespace heddle

#endif
