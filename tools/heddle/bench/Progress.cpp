//===- Progress.cpp - Progress on a terminal ------------------------------===//

#include "Progress.h"

#include "../output/Say.h"

#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace heddle::bench {

Progress::Progress(size_t steps)
    : onTerminal(isatty(STDERR_FILENO)), steps(steps) {}

Progress::~Progress() { clear(); }

void Progress::begin(std::string what) {
  ++step;
  this->what = std::move(what);
}

void Progress::show(const std::string &activity) const {
  if (onTerminal)
    say("\r\033[K[{}/{}] {}: {}", step, steps, what, activity);
}

void Progress::clear() const {
  if (onTerminal)
    say("\r\033[K");
}

} // namespace heddle::bench
