//===- Isolate.cpp - One measurement, one process ------------------------===//
//
// The child answers through a pipe: either its result or the text of an error.
//
//===----------------------------------------------------------------------===//

#include "Isolate.h"

#include "../../command/Error.h"
#include "../../command/Interrupt.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::bench {

namespace {

constexpr int SuccessStatus = 0;
constexpr int ErrorStatus = 1;

void send(int pipe, const void *data, size_t bytes) {
  const char *from = static_cast<const char *>(data);
  while (bytes > 0) {
    const ssize_t written = write(pipe, from, bytes);
    if (written < 0)
      _exit(ErrorStatus); // no process is left to be notified
    from += written;
    bytes -= static_cast<size_t>(written);
  }
}

[[noreturn]] void runChild(int pipe, const std::function<std::string()> &work) {
  releaseInterrupts();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  try {
    const std::string result = work();
    send(pipe, result.data(), result.size());
  } catch (const std::exception &error) {
    send(pipe, error.what(), std::strlen(error.what()));
    std::exit(ErrorStatus);
  }
  // Not _exit: HEDDLE_STATS reports and HEDDLE_TUNE saves on the way out.
  std::exit(SuccessStatus);
}

/// Everything the child sends until it closes its end.
std::string receive(int pipe, pid_t child) {
  std::string answer;
  char buffer[4096];
  for (;;) {
    if (int signal = notedInterrupt())
      kill(child, signal);
    const ssize_t got = read(pipe, buffer, sizeof buffer);
    if (got == 0)
      return answer;
    if (got > 0)
      answer.append(buffer, static_cast<size_t>(got));
    else if (errno != EINTR)
      failToDo("read the measurement");
  }
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

} // namespace

std::string runInChild(const std::function<std::string()> &work) {
  int ends[2];
  if (pipe(ends) != 0)
    failToDo("make a pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0)
    failToDo("start a process");
  if (child == 0) {
    close(ends[0]);
    runChild(ends[1], work);
  }
  close(ends[1]);
  const std::string answer = receive(ends[0], child);
  close(ends[0]);
  const int status = waitFor(child);
  checkInterrupts();
  if (WIFSIGNALED(status))
    throw Error(fmt::format("crashed: {}", strsignal(WTERMSIG(status))));
  if (WEXITSTATUS(status) != SuccessStatus)
    throw Error(answer.empty() ? "failed without a message" : answer);
  return answer;
}

IsolatedResult runIsolated(const std::function<IsolatedResult()> &work) {
  const std::string answer = runInChild([&] {
    const IsolatedResult result = work();
    std::string bytes(reinterpret_cast<const char *>(&result.hugeShare),
                      sizeof result.hugeShare);
    bytes.append(reinterpret_cast<const char *>(result.measurements.data()),
                 result.measurements.size() * sizeof(Measurement));
    return bytes;
  });
  IsolatedResult result;
  std::memcpy(&result.hugeShare, answer.data(), sizeof result.hugeShare);
  result.measurements.resize((answer.size() - sizeof result.hugeShare) /
                             sizeof(Measurement));
  if (!result.measurements.empty())
    std::memcpy(result.measurements.data(),
                answer.data() + sizeof result.hugeShare,
                result.measurements.size() * sizeof(Measurement));
  return result;
}

} // namespace heddle::bench
