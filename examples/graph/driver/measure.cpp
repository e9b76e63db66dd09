//===- measure.cpp - Runs both builds and times their loops ---------------===//

#include "measure.h"

#include "command/SecondsOf.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

namespace {

enum Build { Plain, Annotated, BuildCount };

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// File, line and function; for a whole algorithm no file, which comes first.
using Location = std::tuple<std::string, unsigned, std::string>;

/// The time of each loop since the last run began. Algorithms start their loops
/// from one thread.
std::vector<std::pair<std::source_location, double>> timedLoops;

Location locationOf(const std::source_location &where) {
  // The name in "void expand(const Csr &)".
  std::string_view function = where.function_name();
  function = function.substr(0, function.find('('));
  return {std::filesystem::path(where.file_name()).filename(), where.line(),
          std::string(function.substr(function.rfind(' ') + 1))};
}

using Samples = std::array<std::vector<double>, BuildCount>;

/// Returns the median of the trials' ratios. A machine's speed drifts from
/// trial to trial; within one it is about the same for both builds.
double ratioOf(const Samples &samples) {
  std::vector<double> ratios;
  std::ranges::transform(samples[Plain], samples[Annotated],
                         std::back_inserter(ratios), std::divides());
  return heddle::median(std::move(ratios));
}

} // namespace

LoopTimer::LoopTimer(std::source_location where) : where(where), begin(now()) {}

LoopTimer::~LoopTimer() { timedLoops.emplace_back(where, now() - begin); }

std::vector<Row> measure(const std::string &graph, const std::string &algorithm,
                         Task &task, int trials) {
  constexpr double UsualSeconds = 0.5;
  constexpr int FewestTrials = 3, MostTrials = 500;
  const Algorithms *builds[BuildCount] = {&plain::algorithms,
                                          &annotated::algorithms};
  std::map<Location, Samples> samples;
  double spent = 0;
  auto isEnough = [&](int trial) {
    if (trials > 0)
      return trial == trials;
    return trial == MostTrials ||
           (trial >= FewestTrials && spent >= UsualSeconds);
  };
  // Trial -1 warms up memory, caches and the tuner.
  for (int trial = -1; !isEnough(trial); ++trial) {
    for (int turn = 0; turn < BuildCount; ++turn) {
      const int build = (trial + 1 + turn) % BuildCount;
      task.prepare();
      timedLoops.clear();
      const double seconds =
          heddle::secondsOf([&] { task.run(*builds[build]); });
      if (Verdict verdict = task.check())
        throw WrongResult(fmt::format(
            "wrong result on {}: {} {} the directive: {}", graph, algorithm,
            build == Annotated ? "with" : "without", *verdict));
      if (trial < 0)
        continue;
      spent += seconds;
      std::map<Location, double> sums = {{Location({}, 0, "total"), seconds}};
      for (const auto &[where, loop] : timedLoops)
        sums[locationOf(where)] += loop;
      for (const auto &[where, sum] : sums)
        samples[where][build].push_back(sum);
    }
  }

  std::vector<Row> rows;
  for (const auto &[where, sample] : samples) {
    const auto &[file, line, function] = where;
    rows.push_back({graph, algorithm, function, file, line,
                    heddle::median(sample[Plain]),
                    heddle::median(sample[Annotated]), ratioOf(sample)});
  }
  return rows;
}
