//===- Failure.cpp - Exit status and message of an exception --------------===//

#include "Failure.h"

#include "Interrupt.h"

#include "../../../runtime/host/signals.h"
#include "heddle/graph/Error.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sys/uio.h>
#include <unistd.h>

namespace heddle {

namespace {

/// Ends a program whose memory is exhausted where no exception can be caught,
/// such as in the constructor of a static object. All other exceptions that are
/// not caught are faults.
[[noreturn]] void terminate() noexcept {
  if (std::current_exception()) {
    const Failure failure = currentFailure();
    report(failure.message);
    if (failure.isOfMemory)
      _exit(failure.status);
  }
  std::abort();
}

__attribute__((constructor(101))) void beforeStaticObjects() {
  std::set_terminate(terminate);
}

} // namespace

Failure currentFailure() noexcept {
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
    return {.status = ErrorStatus,
            .message = "there is not enough memory",
            .isOfMemory = true};
  } catch (const std::exception &error) {
    return {.status = ErrorStatus, .message = error.what()};
  } catch (...) {
    return {.status = ErrorStatus, .message = "an unknown exception"};
  }
}

void report(std::string_view message) noexcept {
  std::fflush(stdout);
  // In one piece: several ranks may write to one stream.
  constexpr std::string_view begin = "heddle: error: ", end = "\n";
  iovec pieces[3];
  std::size_t count = 0;
  for (const std::string_view piece : {begin, message, end})
    pieces[count++] = {const_cast<char *>(piece.data()), piece.size()};
  const heddle_held_signal pipe = heddle_hold_signal(SIGPIPE);
  const ssize_t written = writev(STDERR_FILENO, pieces, 3);
  static_cast<void>(written);
  heddle_release_signal(&pipe);
}

} // namespace heddle
