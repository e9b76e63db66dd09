//===- progress.h - A progress bar ------------------------------*- C++ -*-===//
//
// Drawn on standard error, and only if that is a terminal. Any thread may
// advance it.
//
//===----------------------------------------------------------------------===//

#ifndef GRAPH_INPUT_PROGRESS_H
#define GRAPH_INPUT_PROGRESS_H

#include <atomic>
#include <cstdint>
#include <string>

class Progress {
public:
  Progress(std::string what, int64_t total);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Counts `steps` more of the total.
  void advance(int64_t steps);

private:
  void draw(int64_t done);

  std::string what;
  int64_t total;
  bool onTerminal;
  std::atomic<int64_t> done = 0;
  std::atomic<int> tenths = -1;
};

/// Makes an interrupt wipe the bar before the program dies of it.
void wipeProgressOnInterrupt();

#endif
