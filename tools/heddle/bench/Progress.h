//===- Progress.h - Progress on a terminal ----------------------*- C++ -*-===//
//
// One line on standard error that is updated repeatedly; nothing if standard
// error is not a terminal.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_PROGRESS_H
#define HEDDLE_TOOLS_BENCH_PROGRESS_H

#include <string>

namespace heddle::bench {

class Progress {
public:
  explicit Progress(size_t steps);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// Begins the next step.
  void begin(std::string what);
  /// Shows the activity of the current step.
  void show(const std::string &activity) const;
  /// Makes the line empty for other output.
  void clear() const;

private:
  bool onTerminal;
  size_t steps;
  size_t step = 0;
  std::string what;
};

} // namespace heddle::bench

#endif
