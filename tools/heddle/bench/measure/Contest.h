//===- Contest.h - The faster one of several rivals ------------*- C++ -*-===//
//
// Rivals are timed in turns, so that a disturbance of the machine or a change
// of its clock meets all of them: each repetition times every rival once, in an
// order in which each follows each other one in turn, since the state that a
// rival leaves behind favours or harms the next. The median of the repetitions
// counts; for the speed, the median ratio to the time of each repetition's
// first rival.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_MEASURE_CONTEST_H
#define HEDDLE_TOOLS_BENCH_MEASURE_CONTEST_H

#include <functional>
#include <string>
#include <vector>

namespace heddle::bench {

/// Does the work once and returns the seconds that it took.
using Rival = std::function<double()>;

struct Standing {
  double seconds;
  /// Times that of the first rival.
  double speed;
};

/// Returns one standing for each rival. Calls `announce` with a description of
/// each step. Throws the exceptions of the rivals.
std::vector<Standing>
compete(const std::vector<Rival> &rivals, int repetitions,
        const std::function<void(const std::string &)> &announce);

} // namespace heddle::bench

#endif
