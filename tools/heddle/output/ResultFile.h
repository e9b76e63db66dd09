//===- ResultFile.h - The file with results --------------------*- C++ -*-===//
//
// The file is opened before anything is measured, so that a path that cannot be
// written is an early error, and appears whole or not at all.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_OUTPUT_RESULTFILE_H
#define HEDDLE_TOOLS_OUTPUT_RESULTFILE_H

#include <exception>
#include <memory>
#include <string>
#include <string_view>

namespace heddle::graph {
class OutputFile;
}

namespace heddle {

/// The constructor and commit() throw graph::WriteError if the file cannot be
/// written.
class ResultFile {
public:
  /// "-" is the standard output (as is /dev/stdout), which is then for this
  /// alone: what the program prints from here on goes to standard error.
  /// Without a path there is no file, and what is written is dropped.
  explicit ResultFile(const std::string &path);
  /// Leaves no file unless it has been committed.
  ~ResultFile();
  ResultFile(const ResultFile &) = delete;
  ResultFile &operator=(const ResultFile &) = delete;

  /// Appends text. If that fails, commit() throws the reason: programs write
  /// from functions that the engine calls, which must not throw.
  void write(std::string_view text) noexcept;

  /// Gives the file its name, unless a write has failed.
  void commit();

private:
  void flush() noexcept;
  void writeOut(std::string_view text) noexcept;

  const std::unique_ptr<graph::OutputFile> file;
  std::string buffer;
  std::exception_ptr failure; ///< of the first write that failed
};

} // namespace heddle

#endif
