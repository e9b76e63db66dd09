//===- Say.h - Messages to the user ----------------------------*- C++ -*-===//
//
// Standard error may be full, closed, or a pipe that no one reads, and memory
// may be short: then there is no message, but the program goes on.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_OUTPUT_SAY_H
#define HEDDLE_TOOLS_OUTPUT_SAY_H

#include "../../../runtime/host/messages.h"

#include <exception>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace heddle {

/// Formats a text as fmt::print() does, and writes it to standard error.
template <typename... Arguments>
void say(fmt::format_string<Arguments...> format,
         Arguments &&...arguments) noexcept {
  try {
    fmt::memory_buffer text;
    fmt::format_to(std::back_inserter(text), format,
                   std::forward<Arguments>(arguments)...);
    heddle_say(text.data(), text.size());
  } catch (const std::exception &) {
  }
}

} // namespace heddle

#endif
