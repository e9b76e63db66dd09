//===- Row.h - One line of benchmark results -------------------*- C++ -*-===//
//
// Every suite of `heddle bench` produces rows of this kind, and only these:
// the table on the terminal and the JSON file are both written from them.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_BENCH_MEASURE_ROW_H
#define HEDDLE_TOOLS_BENCH_MEASURE_ROW_H

#include <array>
#include <cstdint>
#include <string>

namespace heddle::bench {

/// The ways one kernel is written, in the order of the table's columns.
enum class Version : uint32_t { Serial, Heddle, Coroutines, Fifo, PhaseQueue };

constexpr std::array AllVersions = {Version::Serial, Version::Heddle,
                                    Version::Coroutines, Version::Fifo,
                                    Version::PhaseQueue};

constexpr const char *nameOf(Version version) {
  constexpr std::array names = {"serial", "heddle", "coroutines", "fifo",
                                "phasequeue"};
  return names[static_cast<size_t>(version)];
}

constexpr bool isHandWritten(Version version) {
  return version >= Version::Coroutines;
}

enum class Pages : uint32_t { Small, Huge };

constexpr const char *nameOf(Pages pages) {
  return pages == Pages::Huge ? "huge" : "4k";
}

struct Measurement {
  Version version;
  int threads;
  double nanosecondsPerOperation;
  double speed; ///< times that of the serial version
  uint64_t checksum;
};

struct Row : Measurement {
  std::string kernel;
  uint64_t bytes;
  Pages pages;
};

} // namespace heddle::bench

#endif
