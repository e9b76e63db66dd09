//===- FarCommand.cpp - `heddle bench far` --------------------------------===//

#include "bench/program/Commands.h"

#include "bench/far/FarBench.h"
#include "command/Options.h"

#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace heddle::bench {

namespace {

constexpr std::uint64_t Mebibyte = std::uint64_t(1) << 20;
constexpr std::uint64_t LeastBytes = Mebibyte, MostBytes = Mebibyte << 24;
/// The memory of a process in addition to its cache.
constexpr std::uint64_t ProcessBytes = 32 * Mebibyte;

void addSizeOption(CLI::App &command, const std::string &name,
                   std::uint64_t &bytes, const std::string &description,
                   const std::string &usual) {
  addSize(
      command, name, bytes,
      fmt::format("{}, in bytes, or with K, M or G [{}]", description, usual))
      ->check(CLI::Range(LeastBytes, MostBytes).description(""));
}

void addOptions(CLI::App &command, FarOptions &options) {
  addPositional(command, "DIRECTORY", options.directory,
                "Directory on the disk to be measured; the files in it are "
                "removed in the end")
      ->check(CLI::ExistingDirectory.description(""));
  addKinds(command, "Loops", "loops", options.loops, farLoopKinds());
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
  addQuickOption(command, options.quick, "A small file and one repetition");
  addRowsOption(command, options.jsonPath);
}

void makeAllQuick(const CLI::App &command, FarOptions &options) {
  makeQuick(command, "--size", options.fileBytes, 16 * Mebibyte);
  makeQuick(command, "--memory", options.memoryBytes, 64 * Mebibyte);
  makeQuick(command, "--cache", options.cacheBytes, 4 * Mebibyte);
  makeQuick(command, "--accesses", options.accesses, 2000);
  makeQuick(command, "--repetitions", options.repetitions, 1);
}

} // namespace

void addFarCommand(CLI::App &bench) {
  auto request = std::make_shared<FarOptions>();
  CLI::App *command = bench.add_subcommand(
      "far",
      "Loops over a file larger than memory, compared with other ways to "
      "write them");
  addOptions(*command, *request);
  command->callback([request, command] {
    FarOptions &options = *request;
    if (options.quick)
      makeAllQuick(*command, options);
    if (options.cacheBytes + ProcessBytes > options.memoryBytes)
      throw CLI::ValidationError(
          "--memory", fmt::format("{} MiB are too few for a cache of {} MiB "
                                  "and a process",
                                  options.memoryBytes / Mebibyte,
                                  options.cacheBytes / Mebibyte));
    // Whole pages.
    options.fileBytes -= options.fileBytes % 4096;
    runFarBench(options);
  });
}

} // namespace heddle::bench
