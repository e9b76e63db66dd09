//===- InterruptTest.cpp - Signals that are not noticed -------------------===//

#include "command/Interrupt.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle {
namespace {

/// Returns the signal that a process dies of which is sent SIGTERM while it
/// waits, 0 if it ends otherwise.
int endOf(void (*wait)()) {
  const pid_t child = fork();
  if (child == 0) {
    bench::catchInterrupts(1);
    raise(SIGTERM);
    wait();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(Interrupt, EndsAProgramThatDoesNotNoticeIt) {
  EXPECT_EQ(endOf([] {
              while (true)
                pause();
            }),
            SIGTERM);
}

TEST(Interrupt, IsLeftToAProgramThatNoticesIt) {
  EXPECT_EQ(endOf([] {
              try {
                bench::checkInterrupts();
              } catch (const bench::Interrupted &interrupted) {
                bench::releaseInterrupts();
                _exit(interrupted.signal);
              }
            }),
            0);
}

} // namespace
} // namespace heddle
