//===- Options.h - Options of several subcommands ---------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_COMMAND_OPTIONS_H
#define HEDDLE_TOOLS_COMMAND_OPTIONS_H

#include "heddle/graph/ReadGraph.h"

#include <CLI/CLI.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle {

/// Accepts numbers between these, and them. Unlike CLI::Range, not nan.
CLI::Validator isWithin(double least, double most);

/// Accepts numbers without a minus below 2^64; for unsigned options, others
/// would be converted to very large ones.
CLI::Validator isNotNegative();

/// Adds an option with one of a few values. The help text and the input of
/// completion show them as "one|other".
CLI::Option *addChoice(CLI::App &command, const std::string &name,
                       std::string &value,
                       const std::vector<std::string> &choices,
                       const std::string &description);

/// Adds an option with several of a few values, separated by commas.
CLI::Option *addNames(CLI::App &command, const std::string &name,
                      std::vector<std::string> &values,
                      const std::vector<std::string> &choices,
                      const std::string &description);

/// Adds an argument that has to be given, and stands without a name.
CLI::Option *addPositional(CLI::App &command, const std::string &name,
                           std::string &value, const std::string &description);

/// Adds an option with the name of a file, or names.
template <typename Value>
CLI::Option *addFile(CLI::App &command, const std::string &name, Value &value,
                     const std::string &description) {
  return command.add_option(name, value, description)->type_name("FILE");
}

/// Adds an option with a number of bytes, or numbers, which may end in K, M...
template <typename Value>
CLI::Option *addSize(CLI::App &command, const std::string &name, Value &bytes,
                     const std::string &description) {
  return command.add_option(name, bytes, description)
      ->transform(CLI::AsSizeValue(false).description(""))
      ->transform(isNotNegative())
      ->type_name("SIZE");
}

/// Adds an option with a number that may have a fraction, as isWithin() says.
template <typename Value>
CLI::Option *addReal(CLI::App &command, const std::string &name, Value &value,
                     double least, double most,
                     const std::string &description) {
  return command.add_option(name, value, description)
      ->check(isWithin(least, most))
      ->type_name("X");
}

/// Adds an option with a number, or numbers, between these and them.
template <typename Value, typename Bound>
CLI::Option *addBounded(CLI::App &command, const std::string &name,
                        Value &value, Bound least, Bound most,
                        const std::string &description) {
  return command.add_option(name, value, description)
      ->check(CLI::Range(least, most).description(""))
      ->type_name("N");
}

/// Adds an option with a number without a sign.
template <typename Number>
CLI::Option *addCount(CLI::App &command, const std::string &name,
                      Number &number, const std::string &description) {
  return command.add_option(name, number, description)
      ->check(isNotNegative())
      ->type_name("N");
}

/// Adds --threads, which takes effect at once.
void addThreadsOption(CLI::App &command);

/// Adds --json.
void addJsonOption(CLI::App &command, std::string &path);

/// Adds an option with the names of some kinds, of benchmarks for example, and
/// a list of all of them below the help text. Without a name the option has
/// that of the kinds.
template <typename Kind>
void addKinds(CLI::App &command, const std::string &title,
              const std::string &plural, std::vector<std::string> &chosen,
              const std::vector<Kind> &kinds, std::string option = {}) {
  if (option.empty())
    option = "--" + plural;
  std::vector<std::string> names;
  std::string footer = title + ":\n";
  for (const Kind &kind : kinds) {
    names.push_back(kind.name);
    footer += fmt::format("  {:<15} {}", kind.name, kind.description);
    if constexpr (requires { kind.operation; })
      footer += fmt::format("; an operation is one {}", kind.operation);
    footer += '\n';
  }
  command.footer(footer);
  addNames(command, option, chosen, names,
           fmt::format("Only these {}, separated by commas", plural));
}

/// Add --threads, --repetitions, --quick and --json of benchmarks; `usual`
/// describes the defaults, and `small` the inputs that --quick makes small.
void addThreadNumbersOption(CLI::App &command, std::vector<int> &threads,
                            const std::string &usual);
void addRepetitionsOption(CLI::App &command, int &repetitions,
                          const std::string &usual);
void addQuickOption(CLI::App &command, bool &quick, const std::string &small);

/// Gives an option its value for --quick, unless the command line has set it.
template <typename Value>
void makeQuick(const CLI::App &command, const std::string &option, Value &value,
               const std::type_identity_t<Value> &small) {
  const CLI::Option *known = command.get_option_no_throw(option);
  if (!known || known->empty())
    value = small;
}

void addRowsOption(CLI::App &command, std::string &path);

/// A graph file and the options for reading it.
struct InputOptions {
  std::string path;
  std::string format;           ///< empty: from name or content
  std::string weights = "none"; ///< none, int, float, random
  std::uint64_t weightSeed = 1;
  std::optional<std::uint64_t> vertices;
  graph::BuildOptions build; ///< of a list of edges
};

/// Returns the format that the options name, or else the one of the file's name
/// or content. Throws Error if it cannot be read.
graph::GraphFormat formatOfInput(const InputOptions &options);

/// Throws Error if --vertices is given for a format that contains the number.
void checkVerticesOption(const InputOptions &options,
                         graph::GraphFormat format);

/// Adds --undirected, --drop-self-loops and --keep-parallel-edges. `ofList` is
/// what the help text says of edges, and `kept` which of several stays.
void addBuildOptions(CLI::App &command, graph::BuildOptions &build,
                     const std::string &ofList, const std::string &kept);

/// Adds the positional GRAPH and options for how it is read.
void addInputOptions(CLI::App &command, InputOptions &options);

/// Adds --weights, which may be any of `choices`.
void addWeightsOption(CLI::App &command, InputOptions &options,
                      const std::vector<std::string> &choices);

/// The file's name without its folders.
std::string baseName(const std::string &path);

/// Reads the graph, and shows the progress on a terminal. Throws the exceptions
/// of readGraph(), and Error for options that do not apply to the file's
/// format.
template <graph::EdgeWeight Weight>
graph::Csr<std::uint32_t, Weight> readInput(const InputOptions &options);

/// Calls `visit` with a weight of the type that the options ask for.
template <typename Visit>
void visitWeight(const InputOptions &options, Visit visit) {
  if (options.weights == "int" || options.weights == "random")
    visit(std::int32_t());
  else if (options.weights == "float")
    visit(float());
  else
    visit(graph::Unweighted());
}

} // namespace heddle

#endif
