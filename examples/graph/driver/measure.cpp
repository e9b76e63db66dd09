//===- measure.cpp - Runs both builds and times their loops ---------------===//

#include "measure.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <tuple>

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

namespace {

/// File, line and function; all empty for a whole algorithm.
using Location = std::tuple<std::string, unsigned, std::string>;

/// The time of the loops since the last run began. Algorithms start their loops
/// from one thread.
std::map<Location, double> loopSeconds;

/// The name in "void expand(const Csr &)".
std::string bareName(std::string_view signature) {
  signature = signature.substr(0, signature.find('('));
  return std::string(signature.substr(signature.rfind(' ') + 1));
}

/// Samples of one location, for each build.
using Samples = std::array<std::vector<double>, BuildCount>;

double median(std::vector<double> samples) {
  if (samples.empty())
    return 0;
  auto middle = samples.begin() + samples.size() / 2;
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

Timing medians(const Location &where, const Samples &samples) {
  const auto &[file, line, function] = where;
  const std::vector<double> &plain = samples[Plain];
  const std::vector<double> &annotated = samples[Annotated];
  // A machine's speed drifts from trial to trial; within one it is about the
  // same for both.
  std::vector<double> ratios;
  for (size_t i = 0; i < std::min(plain.size(), annotated.size()); ++i)
    ratios.push_back(plain[i] / annotated[i]);
  return {file,
          line,
          function,
          {median(plain), median(annotated)},
          median(std::move(ratios))};
}

} // namespace

LoopTimer::LoopTimer(std::source_location where) : where(where), begin(now()) {}

LoopTimer::~LoopTimer() {
  double seconds = now() - begin;
  const char *slash = std::strrchr(where.file_name(), '/');
  const char *file = slash ? slash + 1 : where.file_name();
  loopSeconds[{file, where.line(), bareName(where.function_name())}] += seconds;
}

Measurement measure(Task &task, int trials) {
  constexpr double UsualSeconds = 0.5;
  constexpr int FewestTrials = 3, MostTrials = 500;
  const Algorithms *builds[BuildCount] = {&plain::algorithms,
                                          &annotated::algorithms};
  Measurement result;
  result.algorithm = task.name();
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
      int build = (trial + 1 + turn) % BuildCount;
      task.prepare();
      loopSeconds.clear();
      double begin = now();
      task.run(*builds[build]);
      double seconds = now() - begin;
      if (Verdict verdict = task.check()) {
        result.wrong =
            WrongResult{static_cast<Build>(build), std::move(*verdict)};
        return result;
      }
      if (trial < 0)
        continue;
      spent += seconds;
      samples[{}][build].push_back(seconds);
      for (const auto &[where, loop] : loopSeconds)
        samples[where][build].push_back(loop);
    }
  }

  for (const auto &[where, sample] : samples) {
    if (where == Location())
      result.total = medians(where, sample);
    else
      result.loops.push_back(medians(where, sample));
  }
  return result;
}
