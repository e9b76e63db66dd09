//===- Error.h - The errors that the tool reports ---------------*- C++ -*-===//
//
// The one exception type of the `heddle` tool. Main catches it, prints
// "heddle: error: <message>" and exits with 1.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_COMMAND_ERROR_H
#define HEDDLE_TOOLS_COMMAND_ERROR_H

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace heddle::bench {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws Error: the system cannot do `what`, for the reason that errno has.
[[noreturn]] inline void failToDo(const std::string &what) {
  throw Error("cannot " + what + ": " + std::strerror(errno));
}

} // namespace heddle::bench

#endif
