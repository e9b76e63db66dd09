//===- BenchFarCommand.cpp - `heddle bench far` --------------------------===//

#include "command/Commands.h"

#include "bench/far/FarBench.h"
#include "command/Options.h"

#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace heddle {

namespace {

constexpr std::uint64_t Mebibyte = std::uint64_t(1) << 20;
constexpr std::uint64_t LeastBytes = Mebibyte, MostBytes = Mebibyte << 24;
/// The memory of a process in addition to its cache.
constexpr std::uint64_t ProcessBytes = 32 * Mebibyte;

void addSizeOption(CLI::App &command, const std::string &name,
                   std::uint64_t &bytes, const std::string &description,
                   const std::string &usual) {
  command
      .add_option(name, bytes,
                  fmt::format("{}, in bytes, or with K, M or G [{}]",
                              description, usual))
      ->transform(CLI::AsSizeValue(false).description(""))
      ->transform(isNotNegative())
      ->check(CLI::Range(LeastBytes, MostBytes).description(""))
      ->type_name("SIZE");
}

/// Sets a small file and one repetition, unless the options say otherwise.
void makeQuick(bench::FarOptions &options, const CLI::App &command) {
  if (command.count("--size") == 0)
    options.fileBytes = 16 * Mebibyte;
  if (command.count("--memory") == 0)
    options.memoryBytes = 64 * Mebibyte;
  if (command.count("--cache") == 0)
    options.cacheBytes = 4 * Mebibyte;
  if (command.count("--accesses") == 0)
    options.accesses = 2000;
  if (command.count("--repetitions") == 0)
    options.repetitions = 1;
}

/// The options that are values of \p options, for loops of the names \p loops.
void addOptions(CLI::App &command, bench::FarOptions &options,
                const std::vector<std::string> &loops) {
  command
      .add_option("DIRECTORY", options.directory,
                  "Directory on the disk to be measured; the files in it are "
                  "removed in the end")
      ->required()
      ->check(CLI::ExistingDirectory.description(""))
      ->type_name("");
  addNames(command, "--loops", options.loops, loops,
           "Only these loops, separated by commas");
  addSizeOption(command, "--size", options.fileBytes, "Bytes of the file",
                "4G");
  addSizeOption(command, "--memory", options.memoryBytes,
                "Memory limit of a contestant, with its page cache", "512M");
  addSizeOption(command, "--cache", options.cacheBytes,
                "Cache of far memory and of tricache-scheme", "128M");
  addBounded(command, "--accesses", options.accesses, std::uint64_t(1),
             std::uint64_t(1) << 32,
             "Approximate number of pages that random accesses read "
             "[262144]");
  addBounded(command, "--depth", options.depth, 1u, 4096u,
             "Requests in flight in loops written by hand [256, as in far "
             "memory]");
  addThreadNumbersOption(command, options.threads, "1,2");
  addBounded(command, "--cache-threads", options.cacheThreads, 1, 1024,
             fmt::format("Numbers of threads for tricache-scheme [{}]",
                         fmt::join(options.cacheThreads, ",")))
      ->delimiter(',');
  addRepetitionsOption(command, options.repetitions, "5");
}

} // namespace

void addBenchFarCommand(CLI::App &bench) {
  struct Request {
    bench::FarOptions options;
    bool quick = false;
  };
  auto request = std::make_shared<Request>();
  CLI::App *command = bench.add_subcommand(
      "far",
      "Loops over a file larger than memory, compared with other ways to "
      "write them");
  std::vector<std::string> loops;
  std::string footer = "Loops:\n";
  for (const bench::FarLoopKind &kind : bench::farLoopKinds()) {
    loops.push_back(kind.name);
    footer += fmt::format("  {:<15} {}; an operation is one {}\n", kind.name,
                          kind.description, kind.operation);
  }
  command->footer(footer);
  addOptions(*command, request->options, loops);
  addQuickOption(*command, request->quick, "A small file and one repetition");
  addRowsOption(*command, request->options.jsonPath);
  command->callback([request, command] {
    bench::FarOptions &options = request->options;
    if (request->quick)
      makeQuick(options, *command);
    if (options.cacheBytes + ProcessBytes > options.memoryBytes)
      throw CLI::ValidationError(
          "--memory", fmt::format("{} MiB are too few for a cache of {} MiB "
                                  "and a process",
                                  options.memoryBytes / Mebibyte,
                                  options.cacheBytes / Mebibyte));
    // Whole pages.
    options.fileBytes -= options.fileBytes % 4096;
    bench::runFarBench(options);
  });
}

} // namespace heddle
