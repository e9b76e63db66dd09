//===- Failure.h - Exit status and message of an exception ------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_COMMAND_FAILURE_H
#define HEDDLE_TOOLS_COMMAND_FAILURE_H

#include <string>

namespace heddle {

struct Failure {
  int status = 1; ///< to exit with
  std::string message;
  int signal = 0; ///< to die by instead
};

/// Returns the description of the exception that is being handled.
Failure currentFailure();

/// Prints an error message to standard error.
void report(const std::string &message);

} // namespace heddle

#endif
