//===- WholeFile.h - A file that is there whole or not at all --*- C++ -*-===//
//
// Results go to a file without a name, where the file system has such, or to a
// temporary one beside the one that they are for. It is opened before anything
// is measured, so that a path that cannot be written is an early error, and
// gets its name at the end.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_OUTPUT_WHOLEFILE_H
#define HEDDLE_TOOLS_OUTPUT_WHOLEFILE_H

#include <cstdio>
#include <string>
#include <string_view>

namespace heddle {

class WholeFile {
public:
  /// "-" is the standard output (as is /dev/stdout), which is then for this
  /// alone: what the program prints from here on goes to standard error. Throws
  /// bench::Error when `path` cannot be written.
  explicit WholeFile(std::string path);
  /// Removes the temporary file unless it has been committed.
  ~WholeFile();
  WholeFile(const WholeFile &) = delete;
  WholeFile &operator=(const WholeFile &) = delete;

  /// Appends text. Failures are reported by commit().
  void write(std::string_view text);

  /// Gives the file its name. Throws bench::Error when any of it could not be
  /// written.
  void commit();

private:
  std::string temporaryName() const;

  std::string path;
  std::string temporaryPath; ///< the name until commit(), if there is one
  bool inPlace = true;       ///< a pipe or a device
  std::FILE *file;
  int failure = 0; ///< errno of the first
};

} // namespace heddle

#endif
