//===- Interrupt.h - Leaving cleanly on Ctrl-C -----------------*- C++ -*-===//
//
// SIGINT and SIGTERM become the exception Interrupted at the next point where
// the tool looks, so that temporary files are removed on the way out.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_COMMAND_INTERRUPT_H
#define HEDDLE_TOOLS_COMMAND_INTERRUPT_H

namespace heddle::bench {

struct Interrupted {
  int signal;
};

/// From now on signals are recorded, and interrupt system calls. If `seconds`
/// is not 0 then a signal ends the program if it is not noticed within that
/// time: what it waits for, such as a pipe, may never come.
void catchInterrupts(unsigned seconds = 0);

/// Signals have their usual effect again.
void releaseInterrupts();

/// Throws Interrupted if a signal has been noted.
void checkInterrupts();

/// Returns the recorded signal, 0 if none.
int notedInterrupt();

} // namespace heddle::bench

#endif
