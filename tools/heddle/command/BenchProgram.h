//===- BenchProgram.h - The programs behind `heddle bench` ------*- C++ -*-===//
//
// Benchmarks are compiled for several levels of instructions, each of them as a
// program, lest their code get into `heddle`, which runs on any processor. The
// programs are called libexec/heddle/bench-x86-64-v3, for example, beside the
// folder of `heddle`; where there are no levels, libexec/heddle/bench.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TOOLS_COMMAND_BENCHPROGRAM_H
#define HEDDLE_TOOLS_COMMAND_BENCHPROGRAM_H

#include <string>

namespace heddle {

/// What `heddle --help` says of `heddle bench`.
constexpr char BenchDescription[] = "Measure loops with and without Heddle";

/// The subcommand by which the programs print their lines of Completion.h.
constexpr char BenchCompletion[] = "bench-completion";

/// Goes on as the program for the highest level that this processor has, with
/// the same arguments. Throws bench::Error if that cannot be started.
[[noreturn]] void becomeBenchProgram(char **argv);

/// Returns the program's lines for completion, nothing if there is no program.
/// Throws bench::Error if it fails.
std::string benchCompletions();

} // namespace heddle

#endif
