//===- Failure.h - What exceptions mean to who runs a command --*- C++ -*-===//

#ifndef HEDDLE_TOOLS_FAILURE_H
#define HEDDLE_TOOLS_FAILURE_H

#include <string>

namespace heddle {

struct Failure {
  int status = 1;      ///< to exit with
  std::string message; ///< none: it has been reported
  int signal = 0;      ///< to die by instead
};

/// Of the exception that is being handled.
Failure currentFailure();

/// Says to standard error what has gone wrong.
void report(const std::string &message);

/// Stands for an exception that has been reported, by this process or by
/// another of the same job.
struct Reported {
  int status;
};

} // namespace heddle

#endif
