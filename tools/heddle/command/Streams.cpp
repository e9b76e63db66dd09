//===- Streams.cpp - The standard streams of a command --------------------===//

#include "Streams.h"

#include <csignal>
#include <fcntl.h>
#include <initializer_list>
#include <unistd.h>

namespace heddle {

void prepareStreams() {
  // A new descriptor is the lowest that is free.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(stream, F_GETFD) < 0 &&
        open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
  std::signal(SIGXFSZ, SIG_IGN);
}

} // namespace heddle
