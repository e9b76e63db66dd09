//===- Failure.h - Exit status and message of an exception ------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_COMMAND_FAILURE_H
#define HEDDLE_TOOLS_COMMAND_FAILURE_H

#include <string_view>

namespace heddle {

struct Failure {
  int status = 1;           ///< to exit with
  std::string_view message; ///< valid while the exception is being handled
  int signal = 0;           ///< to die by instead
  bool isOfMemory = false;  ///< there is none left
};

/// Returns the description of the exception that is being handled. Memory may
/// be what has failed: this takes none, nor does report().
Failure currentFailure() noexcept;

/// Prints an error message to standard error, as far as that can be written
/// to.
void report(std::string_view message) noexcept;

} // namespace heddle

#endif
