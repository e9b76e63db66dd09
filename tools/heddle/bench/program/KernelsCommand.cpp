//===- KernelsCommand.cpp - `heddle bench kernels` ------------------------===//

#include "bench/program/Commands.h"

#include "bench/Suite.h"
#include "command/Options.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace heddle::bench {

namespace {

constexpr uint64_t SmallestSize = 16 << 10;

/// "30M" in bytes.
uint64_t parseSize(const std::string &text) {
  uint64_t number = 0;
  const char *end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, number);
  const std::string suffix(rest, end);
  const std::string letters = "KMG";
  unsigned shift = 0;
  bool valid = failure == std::errc();
  if (valid && !suffix.empty()) {
    const size_t letter = letters.find(suffix);
    valid = suffix.size() == 1 && letter != std::string::npos;
    shift = 10 * (static_cast<unsigned>(letter) + 1);
  }
  if (!valid || number > (UINT64_MAX >> shift))
    throw CLI::ValidationError(
        "--sizes", fmt::format("'{}' is not a size; write for example 512K, "
                               "30M or 1G",
                               text));
  if (number << shift < SmallestSize)
    throw CLI::ValidationError(
        "--sizes", fmt::format("'{}' is too small; the least is 16K", text));
  return number << shift;
}

/// The options of the command line, sizes and pages as text.
struct Request {
  std::vector<std::string> sizes;
  std::vector<std::string> pages;
  SuiteOptions options;
};

} // namespace

void addKernelsCommand(CLI::App &bench) {
  auto request = std::make_shared<Request>();
  SuiteOptions &options = request->options;
  CLI::App *command = bench.add_subcommand(
      "kernels",
      "eleven loops: plain, with the directive, and interleaved by hand");
  addKinds(*command, "Kernels", "kernels", options.kernels, allKernels());
  command
      ->add_option("--sizes", request->sizes,
                   "Bytes of data, such as 256K,30M,1G [from 256K to several "
                   "times the last-level cache]")
      ->delimiter(',')
      ->type_name("SIZE");
  addNames(*command, "--pages", request->pages, {"4k", "huge"},
           "Page sizes of the data: 4k, huge [4k,huge]")
      ->type_name("PAGES");
  addThreadNumbersOption(*command, options.threads, "1");
  addRepetitionsOption(*command, options.repetitions,
                       "9; 7 for kernels that take long");
  addQuickOption(*command, options.quick, "Small data and short runs");
  addRowsOption(*command, options.jsonPath);
  command->callback([request] {
    SuiteOptions &options = request->options;
    for (const std::string &size : request->sizes)
      options.sizes.push_back(parseSize(size));
    if (!request->pages.empty())
      options.pages.clear();
    for (const std::string &pages : request->pages)
      options.pages.push_back(pages == "huge" ? Pages::Huge : Pages::Small);
    runSuite(allKernels(), options);
  });
}

} // namespace heddle::bench
