//===- Interrupt.cpp - Leaving cleanly on Ctrl-C -------------------------===//

#include "Interrupt.h"

#include <csignal>

namespace heddle::bench {

namespace {

volatile std::sig_atomic_t notedSignal = 0;

void setHandler(void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

} // namespace

void catchInterrupts() {
  setHandler([](int signal) {
    // A second signal ends the program at once.
    if (notedSignal) {
      releaseInterrupts();
      std::raise(signal);
    }
    notedSignal = signal;
  });
}

void releaseInterrupts() { setHandler(SIG_DFL); }

int notedInterrupt() { return notedSignal; }

void checkInterrupts() {
  if (notedSignal)
    throw Interrupted{notedSignal};
}

} // namespace heddle::bench
