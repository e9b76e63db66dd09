//===- CompileCommands.h - compile_commands.json ---------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_ADVISE_COMPILECOMMANDS_H
#define HEDDLE_TOOLS_ADVISE_COMPILECOMMANDS_H

#include <string>
#include <string_view>
#include <vector>

namespace heddle::advise {

/// How a file is compiled.
struct CompileCommand {
  std::string directory;
  std::string file; ///< relative to the directory, unless it is absolute
  /// The compiler's name, and what follows.
  std::vector<std::string> arguments;

  std::string path() const;
};

/// Reads a list of compile commands; `name` is for errors. Throws graph::Error.
std::vector<CompileCommand> parseCompileCommands(std::string_view text,
                                                 const std::string &name);

/// Splits a command as a shell does.
std::vector<std::string> splitCommand(std::string_view command);

/// Takes out of a command what it would write, such as object files and
/// dependences.
std::vector<std::string> withoutOutputs(std::vector<std::string> arguments);

} // namespace heddle::advise

#endif
