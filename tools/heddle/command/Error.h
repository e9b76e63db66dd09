//===- Error.h - The errors that the tool reports ---------------*- C++ -*-===//
//
// The one exception type of the `heddle` tool. Main catches it, prints
// "heddle: error: <message>" and exits with 1.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_COMMAND_ERROR_H
#define HEDDLE_TOOLS_COMMAND_ERROR_H

#include <stdexcept>

namespace heddle::bench {

struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace heddle::bench

#endif
