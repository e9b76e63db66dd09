//===- Sources.cpp - The vertices where algorithms start -----------------===//

#include "Task.h"

#include "../command/Options.h"

namespace heddle {

void addSourceOption(CLI::App &command, Parameters &parameters, bool several) {
  CLI::Option *option = command.add_option(
      "--source", parameters.sources,
      several ? "The vertices to start from, separated by commas [the one with "
                "most out-edges]"
              : "The vertex to start from [the one with most out-edges]");
  option->check(isNotNegative())->type_name("V");
  if (several)
    option->delimiter(',');
  else
    option->expected(1);
}

} // namespace heddle
