//===- Program.cpp - The programs of `heddle ooc run` ---------------------===//

#include "Program.h"

#include "../command/Options.h"
#include "../run/Algorithms.h"
#include "graphlib/files/Quote.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <sstream>

namespace heddle {

namespace {

void addSource(CLI::App &command, Program &program) {
  command
      .add_option("--source", program.source,
                  "The vertex to start from [the one with most out-edges]")
      ->check(isNotNegative())
      ->type_name("V");
}

/// Whether the command line accepts such a program.
bool isKnown(const Program &program) {
  const graph::PageRankOptions &options = program.pageRank;
  return std::ranges::any_of(programKinds(),
                             [&](const ProgramKind &kind) {
                               return kind.name == program.algorithm;
                             }) &&
         options.damping >= 0 && options.damping <= 1 &&
         options.tolerance >= 0 && options.iterations >= 1 &&
         options.iterations <= MostIterations;
}

} // namespace

std::string Program::text() const {
  return fmt::format("{} {} {} {} {}", algorithm,
                     source ? fmt::format("{}", *source) : "-",
                     pageRank.damping, pageRank.tolerance, pageRank.iterations);
}

Program Program::parse(const std::string &text) {
  Program program;
  std::string chosen;
  std::istringstream words(text);
  words >> program.algorithm >> chosen >> program.pageRank.damping >>
      program.pageRank.tolerance >> program.pageRank.iterations;
  std::uint64_t source = 0;
  const char *end = chosen.data() + chosen.size();
  const auto [stop, error] = std::from_chars(chosen.data(), end, source);
  const bool hasSource = chosen != "-";
  if (!words || !isKnown(program) ||
      (hasSource && (error != std::errc() || stop != end)))
    throw graph::Error(fmt::format("expected a run of 'heddle ooc run' to "
                                   "resume, found {}; resume it with the "
                                   "program that began it",
                                   graph::quoted(text)));
  if (hasSource)
    program.source = source;
  return program;
}

std::vector<ProgramKind> programKinds() {
  return {{"bfs", breadthFirstAlgorithm().description, addSource},
          {"components",
           "Components of a graph whose edges lead both ways: for each vertex "
           "the lowest one that it is connected with",
           [](CLI::App &, Program &) {}},
          {"pagerank", pageRankAlgorithm().description,
           [](CLI::App &command, Program &program) {
             addPageRankOptions(command, program.pageRank);
           }},
          {"sssp", shortestPathsAlgorithm().description, addSource}};
}

} // namespace heddle
