/*===- signals.h - Signals that writing may raise -------------------*- C -*-===
 *
 * A write past the limit of file sizes (ulimit -f) raises SIGXFSZ, and a write
 * to a pipe that no one reads SIGPIPE. Either kills a program that is not
 * prepared. While the signal is held, the write fails with EFBIG or EPIPE
 * instead, and the user is told.
 *
 *===----------------------------------------------------------------------===*/

#ifndef HEDDLE_RUNTIME_HOST_SIGNALS_H
#define HEDDLE_RUNTIME_HOST_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct heddle_held_signal {
  int signal;
  bool was_pending;
  sigset_t mask; /* of the thread, before */
};

/* Whether a file can be too large to be written. */
bool heddle_file_size_is_limited(void);

/* Holds a signal back that this thread raises, until it is released. */
struct heddle_held_signal heddle_hold_signal(int signal);

/* Drops what was held back, unless it was pending before. Leaves errno. */
void heddle_release_signal(const struct heddle_held_signal *held);

#ifdef __cplusplus
}
#endif

#endif
