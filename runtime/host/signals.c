/*===- signals.c - Signals that writing may raise -------------------------===*/

#include "host/signals.h"

#include <errno.h>
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

static sigset_t only(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

bool heddle_file_size_is_limited(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
         limit.rlim_cur != RLIM_INFINITY;
}

struct heddle_held_signal heddle_hold_signal(int signal) {
  struct heddle_held_signal held = {.signal = signal};
  const sigset_t held_back = only(signal);
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  held.was_pending = sigismember(&pending, signal) == 1;
  pthread_sigmask(SIG_BLOCK, &held_back, &held.mask);
  return held;
}

void heddle_release_signal(const struct heddle_held_signal *held) {
  const int error = errno;
  const sigset_t held_back = only(held->signal);
  const struct timespec at_once = {0, 0};
  if (!held->was_pending)
    while (sigtimedwait(&held_back, NULL, &at_once) < 0 && errno == EINTR)
      ;
  pthread_sigmask(SIG_SETMASK, &held->mask, NULL);
  errno = error;
}
