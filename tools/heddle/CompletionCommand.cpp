//===- CompletionCommand.cpp - `heddle completion <shell>` ---------------===//
//
// The script has the tables of command/Completion.h. Whatever they do not have
// is completed as a file name.
//
//===----------------------------------------------------------------------===//

#include "command/BenchProgram.h"
#include "command/Commands.h"
#include "command/Completion.h"

#include <fmt/format.h>

namespace heddle {

namespace {

void printBashCompletion(CLI::App &app) {
  const std::string bench = benchCompletions();
  fmt::print("# Completion of heddle for bash; put this into ~/.bashrc:\n"
             "#   source <(heddle completion bash)\n"
             "\n"
             "declare -A _heddle_words _heddle_values\n"
             "{}{}",
             completionsOf(app, app.get_name()), bench);
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
