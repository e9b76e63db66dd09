//===- CompletionCommand.cpp - `heddle completion <shell>` ---------------===//
//
// The script is generated from the parser of the command line. It completes the
// subcommands and options of every subcommand, and the values of every option
// with a few of them (see addChoice). Everything else is completed as a file
// name.
//
//===----------------------------------------------------------------------===//

#include "command/Commands.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle {

namespace {

/// Tables for bash, from the subcommand `command`, which is called `path`,
/// down.
void describe(CLI::App &command, const std::string &path, std::string &words,
              std::string &values) {
  std::string line;
  for (const CLI::App *subcommand : command.get_subcommands({}))
    line += subcommand->get_name() + " ";
  for (const CLI::Option *option : command.get_options()) {
    if (option->get_positional())
      continue;
    line += option->get_name() + " ";
    std::string choices = option->get_type_name();
    if (choices.find('|') == std::string::npos)
      continue;
    std::ranges::replace(choices, '|', ' ');
    values +=
        fmt::format("  ['{} {}']='{}'\n", path, option->get_name(), choices);
  }
  words += fmt::format("  ['{}']='{}'\n", path, line);
  for (CLI::App *subcommand : command.get_subcommands({}))
    describe(*subcommand, path + " " + subcommand->get_name(), words, values);
}

void printBashCompletion(CLI::App &app) {
  std::string words, values;
  describe(app, app.get_name(), words, values);
  fmt::print("# Completion of heddle for bash; put this into ~/.bashrc:\n"
             "#   source <(heddle completion bash)\n"
             "\n"
             "declare -A _heddle_words=(\n{})\n"
             "declare -A _heddle_values=(\n{})\n",
             words, values);
  fmt::print(R"(
_heddle() {{
  local command=heddle word index
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  for ((index = 1; index < COMP_CWORD; ++index)); do
    word=${{COMP_WORDS[index]}}
    if [[ $word != -* && -n $word && -n ${{_heddle_words[$command $word]+x}} ]]; then
      command+=" $word"
    fi
  done
  if [[ $before == -* && -n ${{_heddle_values[$command $before]+x}} ]]; then
    COMPREPLY=($(compgen -W "${{_heddle_values[$command $before]}}" -- "$current"))
  elif [[ $before == --json || $before == --output ]]; then
    COMPREPLY=()
  else
    COMPREPLY=($(compgen -W "${{_heddle_words[$command]}}" -- "$current"))
  fi
}}
complete -o default -F _heddle heddle
)");
}

} // namespace

void addCompletionCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "completion", "Print a script that completes command lines");
  command->require_subcommand(1);
  command
      ->add_subcommand("bash", "For ~/.bashrc: source <(heddle completion "
                               "bash)")
      ->callback([&app] { printBashCompletion(app); });
}

} // namespace heddle
