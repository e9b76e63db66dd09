//===- Streams.cpp - The standard streams of a command --------------------===//

#include "Streams.h"

#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <poll.h>
#include <unistd.h>

namespace heddle {

namespace {

/// Libraries write to standard error as well, and would die if it is a pipe
/// that no one reads.
void leaveUnreadPipe() {
  pollfd stream = {STDERR_FILENO, 0, 0};
  if (poll(&stream, 1, 0) < 1 || !(stream.revents & POLLERR))
    return;
  const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0)
    return;
  dup2(nothing, STDERR_FILENO);
  close(nothing);
}

} // namespace

void prepareStreams() {
  // A new descriptor is the lowest that is free.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 &&
        open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
  leaveUnreadPipe();
  std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace heddle
