//===- Failure.cpp - Exit status and message of an exception --------------===//

#include "Failure.h"

#include "Interrupt.h"

#include "heddle/graph/Error.h"

#include <cstdio>
#include <exception>
#include <fmt/format.h>
#include <new>

namespace heddle {

Failure currentFailure() {
  constexpr int ErrorStatus = 1, BadInputStatus = 2;
  try {
    throw;
  } catch (const bench::Interrupted &interrupted) {
    return {.status = ErrorStatus,
            .message = "interrupted",
            .signal = interrupted.signal};
  } catch (const graph::WriteError &error) {
    return {.status = ErrorStatus, .message = error.what()};
  } catch (const graph::Error &error) {
    return {.status = BadInputStatus, .message = error.what()};
  } catch (const std::bad_alloc &) {
    return {.status = ErrorStatus, .message = "there is not enough memory"};
  } catch (const std::exception &error) {
    return {.status = ErrorStatus, .message = error.what()};
  }
}

void report(const std::string &message) {
  std::fflush(stdout);
  fmt::print(stderr, "heddle: error: {}\n", message);
}

} // namespace heddle
