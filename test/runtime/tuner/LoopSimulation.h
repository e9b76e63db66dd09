//===- LoopSimulation.h - A loop in simulated time --------------*- C++ -*-===//
//
// Runs the site tuner over a loop whose costs come from a model, on a clock
// that only the model advances. The results of a test therefore depend on its
// seed alone.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_RUNTIME_LOOPSIMULATION_H
#define HEDDLE_TEST_RUNTIME_LOOPSIMULATION_H

#include "tuner/tuner.h"

#include <array>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

namespace heddle::test {

/// The cost of one chunk in nanoseconds, given its arm, the number of its first
/// iteration and the count of its iterations.
using ChunkCost = std::function<double(const heddle_plan &Plan, uint64_t First,
                                       uint64_t Count)>;
/// The work of `Count` iterations from the first one on.
using ChunkWork = std::function<uint64_t(uint64_t First, uint64_t Count)>;

class LoopSimulation {
public:
  static constexpr double Microsecond = 1e3, Millisecond = 1e6, Second = 1e9;

  LoopSimulation(
      std::vector<heddle_arm> Arms, ChunkCost Cost, bool Frozen = false,
      ChunkWork Work = [](uint64_t, uint64_t N) { return N; })
      : Cost(std::move(Cost)), Work(std::move(Work)) {
    Now = 1000000;
    ClockReads = 0;
    Thread = 1;
    Random.seed(1);
    heddle_tuner_start(&Tuner, &Surroundings, Arms.data(),
                       static_cast<uint32_t>(Arms.size()), Frozen);
  }

  /// Runs one entry of the loop. Iterations are numbered through all entries.
  void enter(uint64_t Iterations, bool Counted = true) {
    uint64_t End = NextIteration + Iterations;
    while (NextIteration < End)
      runChunk(End - NextIteration, Counted ? End - NextIteration : UINT64_MAX);
  }

  /// Runs the loop for `Nanoseconds` more.
  void runFor(double Nanoseconds) {
    double End = Elapsed + Nanoseconds;
    while (Elapsed < End)
      runChunk(UINT64_MAX, UINT64_MAX);
  }

  /// Runs one chunk, cut short if the loop has fewer iterations left.
  void runChunk(uint64_t Left, uint64_t Announced) {
    heddle_plan Plan;
    heddle_tuner_begin(&Tuner, Announced, &Plan);
    uint64_t Count = std::min(Left, Plan.iterations);
    double Time = Cost(Plan, NextIteration, Count);
    uint64_t Done = Work(NextIteration, Count);
    NextIteration += Count;
    Elapsed += Time;
    TimeOf.at(Plan.version) += Time;
    Now += static_cast<uint64_t>(Time);
    heddle_tuner_end(&Tuner, &Plan, Count, Done);
  }

  uint32_t decidedVersion() const {
    uint32_t Decision = heddle_tuner_decision(&Tuner);
    return Decision ? heddle_decoded_version(Decision) : ~0u;
  }
  uint32_t decidedTasks() const {
    return heddle_decoded_tasks(heddle_tuner_decision(&Tuner));
  }

  heddle_tuner Tuner;
  double Elapsed = 0;
  std::array<double, 3> TimeOf = {0, 0, 0};
  uint64_t NextIteration = 0;

  static inline uint64_t Now;
  static inline uint64_t ClockReads;
  static inline uintptr_t Thread;

private:
  static uint64_t now() {
    ++ClockReads;
    return Now;
  }
  static uint64_t ticksPerMicrosecond() { return 1000; }
  static uintptr_t thread() { return Thread; }
  static uint32_t random() { return static_cast<uint32_t>(Random()); }
  static inline std::mt19937 Random;
  static constexpr heddle_surroundings Surroundings = {now, ticksPerMicrosecond,
                                                       thread, random};
  ChunkCost Cost;
  ChunkWork Work;
};

/// A homogeneous loop: a fixed time an iteration for each version, a pipeline
/// that takes FillTime to fill and drain, and noise of the given relative size
/// in every chunk.
struct SteadyCost {
  std::array<double, 3> IterationTime;
  double FillTime = 300;
  double Noise = 0.03;
  std::mt19937_64 Random{1};

  double operator()(const heddle_plan &Plan, uint64_t, uint64_t Count) {
    double Time = IterationTime.at(Plan.version) * static_cast<double>(Count);
    if (Plan.version != HEDDLE_SERIAL)
      Time += FillTime;
    std::normal_distribution<double> Disturbance(1, Noise);
    return Time * std::max(0.2, Disturbance(Random));
  }
};

} // namespace heddle::test

#endif
