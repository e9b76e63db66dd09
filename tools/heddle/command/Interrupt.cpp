//===- Interrupt.cpp - Leaving cleanly on Ctrl-C -------------------------===//

#include "Interrupt.h"

#include <csignal>
#include <unistd.h>

namespace heddle::bench {

namespace {

volatile std::sig_atomic_t notedSignal = 0;
volatile std::sig_atomic_t secondsToNotice = 0;

void setHandler(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

void setHandlers(void (*handler)(int)) {
  setHandler(SIGINT, handler);
  setHandler(SIGTERM, handler);
}

void end(int signal) {
  setHandlers(SIG_DFL);
  std::raise(signal);
}

void note(int signal) {
  // A second signal ends the program at once.
  if (notedSignal)
    end(signal);
  notedSignal = signal;
  if (secondsToNotice == 0)
    return;
  setHandler(SIGALRM, [](int) { end(notedSignal); });
  alarm(static_cast<unsigned>(secondsToNotice));
}

} // namespace

void catchInterrupts(unsigned seconds) {
  secondsToNotice = static_cast<std::sig_atomic_t>(seconds);
  setHandlers(note);
}

void releaseInterrupts() {
  if (secondsToNotice != 0)
    alarm(0);
  setHandlers(SIG_DFL);
}

int notedInterrupt() { return notedSignal; }

void checkInterrupts() {
  if (notedSignal)
    throw Interrupted{notedSignal};
}

} // namespace heddle::bench
