//===- Completion.cpp - Tables for completing command lines ---------------===//

#include "Completion.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle {

std::string completionsOf(CLI::App &command, const std::string &path) {
  std::string words, values;
  for (const CLI::App *subcommand : command.get_subcommands({}))
    words += subcommand->get_name() + " ";
  for (const CLI::Option *option : command.get_options()) {
    if (option->get_positional())
      continue;
    words += option->get_name() + " ";
    std::string choices = option->get_type_name();
    if (choices.find('|') == std::string::npos)
      continue;
    std::ranges::replace(choices, '|', ' ');
    values += fmt::format("_heddle_values['{} {}']='{}'\n", path,
                          option->get_name(), choices);
  }
  std::string lines =
      fmt::format("_heddle_words['{}']='{}'\n{}", path, words, values);
  for (CLI::App *subcommand : command.get_subcommands({}))
    lines += completionsOf(*subcommand, path + " " + subcommand->get_name());
  return lines;
}

} // namespace heddle
