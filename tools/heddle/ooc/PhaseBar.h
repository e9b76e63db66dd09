//===- PhaseBar.h - How far work in several phases has got -----*- C++ -*-===//

#ifndef HEDDLE_TOOLS_OOC_PHASEBAR_H
#define HEDDLE_TOOLS_OOC_PHASEBAR_H

#include "../command/Interrupt.h"
#include "../output/ProgressBar.h"

#include <cstdint>
#include <string>

namespace heddle {

/// For the progress of out-of-core work. Lets an interrupt end it.
class PhaseBar {
public:
  explicit PhaseBar(ProgressUnit unit) : bar("", unit) {
    bench::catchInterrupts(SecondsToNotice);
  }
  ~PhaseBar() { bench::releaseInterrupts(); }

  void operator()(const char *newPhase, std::uint64_t done,
                  std::uint64_t total) {
    bench::checkInterrupts();
    if (phase != newPhase || done < before) {
      phase = newPhase;
      bar.rename(phase);
    }
    before = done;
    bar(done, total);
  }

private:
  static constexpr unsigned SecondsToNotice = 10;

  ProgressBar bar;
  std::string phase;
  std::uint64_t before = 0;
};

} // namespace heddle

#endif
