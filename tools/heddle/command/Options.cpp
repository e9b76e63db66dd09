//===- Options.cpp - Options of several subcommands -----------------------===//

#include "Options.h"

#include "../output/ProgressBar.h"

#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <omp.h>

namespace heddle {

namespace {

using graph::GraphFormat;

constexpr int MostThreads = 1024;
constexpr int MostRepetitions = 1000;

} // namespace

CLI::Validator isWithin(double least, double most) {
  return CLI::Validator(
      [=](std::string &text) {
        double number = 0;
        // Text that is not a number is out of bounds.
        if (CLI::detail::lexical_cast(text, number) && number >= least &&
            number <= most)
          return std::string();
        return fmt::format("'{}' is not a number from {} to {}", text, least,
                           most);
      },
      "");
}

CLI::Validator isNotNegative() {
  return CLI::Validator(
      [](std::string &text) {
        const std::size_t first = text.find_first_not_of(" \t");
        if (first != std::string::npos && text[first] == '-')
          return fmt::format("'{}' is not a number from 0 up", text);
        // CLI11 takes the greatest number there is for a greater one.
        errno = 0;
        std::strtoull(text.c_str(), nullptr, 0);
        return errno == ERANGE
                   ? fmt::format("'{}' is not a number below 2^64", text)
                   : std::string();
      },
      "");
}

CLI::Option *addChoice(CLI::App &command, const std::string &name,
                       std::string &value,
                       const std::vector<std::string> &choices,
                       const std::string &description) {
  return command.add_option(name, value, description)
      ->check(CLI::IsMember(choices).description(""))
      ->type_name(fmt::format("{}", fmt::join(choices, "|")));
}

CLI::Option *addNames(CLI::App &command, const std::string &name,
                      std::vector<std::string> &values,
                      const std::vector<std::string> &choices,
                      const std::string &description) {
  return command.add_option(name, values, description)
      ->delimiter(',')
      ->check(CLI::IsMember(choices).description(""))
      ->type_name("NAME");
}

CLI::Option *addPositional(CLI::App &command, const std::string &name,
                           std::string &value, const std::string &description) {
  return command.add_option(name, value, description)
      ->required()
      ->type_name("");
}

void addThreadsOption(CLI::App &command) {
  command
      .add_option_function<int>("--threads", omp_set_num_threads,
                                "Number of threads [one for each processor]")
      ->check(CLI::Range(1, MostThreads).description(""))
      ->type_name("N");
}

void addJsonOption(CLI::App &command, std::string &path) {
  addFile(command, "--json", path,
          "Write the results to this file, as one object; - is standard "
          "output, which then has nothing else");
}

void addThreadNumbersOption(CLI::App &command, std::vector<int> &threads,
                            const std::string &usual) {
  addBounded(command, "--threads", threads, 1, MostThreads,
             fmt::format("Numbers of threads [{}]", usual))
      ->delimiter(',');
}

void addRepetitionsOption(CLI::App &command, int &repetitions,
                          const std::string &usual) {
  addBounded(command, "--repetitions", repetitions, 1, MostRepetitions,
             fmt::format("Number of measurements; the median is reported [{}]",
                         usual));
}

void addQuickOption(CLI::App &command, bool &quick, const std::string &small) {
  command.add_flag("--quick", quick,
                   small +
                       ": a check that everything works, not a measurement");
}

void addRowsOption(CLI::App &command, std::string &path) {
  addFile(command, "--json", path,
          "Also write the rows to this file, one object a row; - is standard "
          "output, and the table goes to standard error");
}

void addBuildOptions(CLI::App &command, graph::BuildOptions &build,
                     const std::string &ofList, const std::string &kept) {
  command.add_flag_callback(
      "--undirected", [&build] { build.directed = false; },
      fmt::format("Edges{} lead both ways", ofList));
  command.add_flag("--drop-self-loops", build.dropSelfLoops,
                   fmt::format("Leave out self-loops, edges{} from a vertex to "
                               "itself",
                               ofList));
  command.add_flag_callback(
      "--keep-parallel-edges",
      [&build] { build.parallelEdges = graph::ParallelEdges::KeepAll; },
      fmt::format("Keep parallel edges{}, which have the same ends, not only "
                  "{} of them",
                  ofList, kept));
}

void addInputOptions(CLI::App &command, InputOptions &options) {
  addPositional(command, "GRAPH", options.path,
                fmt::format("The file: {}; .gz and .zst are decompressed",
                            graph::formatsInWords()));
  addChoice(command, "--format", options.format, graph::formatNames(),
            "Format of the file [found from its name or content]");
  addCount(command, "--vertices", options.vertices,
           "Number of vertices in a list of edges [as the file says, or one "
           "more than the highest vertex]");
  addBuildOptions(command, options.build, " of a list", "the lightest");
}

void addWeightsOption(CLI::App &command, InputOptions &options,
                      const std::vector<std::string> &choices) {
  addChoice(command, "--weights", options.weights, choices,
            fmt::format("Weights of edges: those of the file, as numbers of "
                        "this type, or random integers from 1 to 255 [{}]",
                        options.weights));
  addCount(command, "--seed", options.weightSeed,
           "Seed of the random weights [1]");
}

std::string baseName(const std::string &path) {
  return path.substr(path.rfind('/') + 1);
}

namespace {

[[noreturn]] void failForFinished(const InputOptions &options,
                                  const char *name) {
  throw graph::Error(fmt::format("{}: {} applies only to formats that list "
                                 "edges, and this one stores sorted rows",
                                 options.path, name));
}

/// A graph that is finished does not change while it is read.
void checkListOptions(const InputOptions &options, GraphFormat format) {
  if (!isFinishedGraph(format))
    return;
  const std::pair<bool, const char *> given[] = {
      {options.vertices.has_value(), "--vertices"},
      {!options.build.directed, "--undirected"},
      {options.build.dropSelfLoops, "--drop-self-loops"},
      {options.build.parallelEdges == graph::ParallelEdges::KeepAll,
       "--keep-parallel-edges"}};
  for (const auto &[isGiven, name] : given)
    if (isGiven)
      failForFinished(options, name);
}

} // namespace

GraphFormat formatOfInput(const InputOptions &options) {
  const auto named = graph::formatNamed(options.format);
  return named ? *named : graph::formatOfFile(options.path);
}

void checkVerticesOption(const InputOptions &options, GraphFormat format) {
  if (options.vertices && isFinishedGraph(format))
    failForFinished(options, "--vertices");
}

template <graph::EdgeWeight Weight>
graph::Csr<std::uint32_t, Weight> readInput(const InputOptions &options) {
  graph::ReadGraphOptions read;
  read.format = formatOfInput(options);
  checkListOptions(options, *read.format);
  read.text.vertexCount = options.vertices;
  read.build = options.build;
  if (options.weights == "random")
    read.randomWeightSeed = options.weightSeed;
  // Algorithms access graphs at random, for which they are better copied to
  // huge pages than mapped.
  read.map = false;
  ProgressBar bar("Reading " + baseName(options.path));
  read.text.progress = std::ref(bar);
  return graph::readGraph<std::uint32_t, Weight>(options.path, read);
}

template graph::Csr<> readInput(const InputOptions &);
template graph::Csr<std::uint32_t, std::int32_t>
readInput(const InputOptions &);
template graph::Csr<std::uint32_t, float> readInput(const InputOptions &);

} // namespace heddle
