//===- Compiler.h - Asking the compiler for advice -------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_ADVISE_COMPILER_H
#define HEDDLE_TOOLS_ADVISE_COMPILER_H

#include "CompileCommands.h"
#include "LoopList.h"

#include <string>
#include <vector>

namespace heddle::advise {

/// Returns how to compile `file` with these flags.
CompileCommand commandFor(const std::string &file,
                          const std::vector<std::string> &flags);

/// Compiles a file by each of the commands, some at once, and returns the loops
/// that the compiler names. What the compiler has to say goes to standard
/// error. Throws bench::Error if a file cannot be compiled, when all others
/// have been.
std::vector<Loop> askCompiler(const std::vector<CompileCommand> &commands,
                              const std::string &profile);

} // namespace heddle::advise

#endif
