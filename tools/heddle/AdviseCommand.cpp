//===- AdviseCommand.cpp - `heddle advise` -------------------------------===//
//
// Asks the compiler which loops of source files wait for memory, prints them as
// a table, and writes directives in front of them.
//
//===----------------------------------------------------------------------===//

#include "advise/Compiler.h"
#include "advise/Edits.h"
#include "command/Commands.h"
#include "command/Error.h"
#include "command/Options.h"
#include "output/Say.h"

#include "../../runtime/host/files.h"
#include "graphlib/files/OutputFile.h"
#include "heddle/graph/Error.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <memory>

namespace heddle {

namespace {

using advise::CompileCommand;
using advise::EditedText;
using advise::Loop;

struct Request {
  std::vector<std::string> files, flags;
  std::string database, profile;
  std::vector<unsigned> loops;
  bool apply = false, yes = false;
};

std::string readText(const std::string &path) {
  std::size_t size = 0;
  const std::unique_ptr<char, void (*)(void *)> text(
      heddle_read_file(path.c_str(), &size), std::free);
  if (!text)
    throw graph::Error(
        fmt::format("{}: cannot read: {}", path, std::strerror(errno)));
  return {text.get(), size};
}

std::string wholePath(const std::string &path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

/// The commands of compile_commands.json for the files, or all of them.
std::vector<CompileCommand> commandsInDatabase(const Request &request) {
  const std::string path = request.database + "/compile_commands.json";
  std::vector<CompileCommand> known =
      advise::parseCompileCommands(readText(path), path);
  if (request.files.empty())
    return known;
  std::vector<CompileCommand> commands;
  for (const std::string &file : request.files) {
    readText(file);
    const auto command =
        std::ranges::find(known, wholePath(file), &CompileCommand::path);
    if (command == known.end())
      throw graph::Error(
          fmt::format("{}: has no compile command in {}", file, path));
    commands.push_back(*command);
  }
  return commands;
}

std::vector<CompileCommand> commandsOf(const Request &request) {
  std::vector<CompileCommand> commands;
  if (!request.database.empty())
    commands = commandsInDatabase(request);
  else
    for (const std::string &file : request.files) {
      readText(file);
      commands.push_back(advise::commandFor(file, {}));
    }
  for (CompileCommand &command : commands)
    command.arguments.insert(command.arguments.begin() + 1,
                             request.flags.begin(), request.flags.end());
  return commands;
}

/// The changes of all files, by their paths.
std::map<std::string, EditedText> editsOf(const Request &request,
                                          const std::vector<Loop> &loops) {
  std::map<std::string, EditedText> edits;
  for (unsigned i = 0; i < loops.size(); ++i) {
    const Loop &loop = loops[i];
    const bool isChosen =
        request.loops.empty()
            ? loop.refused.empty()
            : std::ranges::find(request.loops, i + 1) != request.loops.end();
    if (!isChosen)
      continue;
    auto at = edits.find(loop.file);
    if (at == edits.end())
      at = edits.emplace(loop.file, EditedText(readText(loop.file))).first;
    const std::string problem = at->second.annotate(loop);
    if (!problem.empty())
      say("heddle: {}:{}: not annotated: {}\n", advise::shownPath(loop.file),
          loop.line, problem);
  }
  std::erase_if(edits,
                [](const auto &edit) { return !edit.second.isChanged(); });
  return edits;
}

bool agrees(std::size_t files) {
  say("Write to {} file{}? [y/N] ", files, files == 1 ? "" : "s");
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

/// Writes all files or none: each is on the disk before the first takes its
/// name.
void write(const std::map<std::string, EditedText> &edits) {
  std::vector<std::unique_ptr<graph::OutputFile>> files;
  for (const auto &[path, edit] : edits) {
    if (access(path.c_str(), W_OK) != 0)
      throw graph::WriteError(
          fmt::format("{}: cannot write: {}", path, std::strerror(errno)));
    files.push_back(std::make_unique<graph::OutputFile>(
        path, graph::OutputOptions{.compress = false}));
    files.back()->write(edit.text());
  }
  for (const auto &file : files)
    file->commit();
}

void applyTo(const Request &request, const std::vector<Loop> &loops) {
  const std::map<std::string, EditedText> edits = editsOf(request, loops);
  if (edits.empty()) {
    fmt::print("\nNo loop is annotated.\n");
    return;
  }
  fmt::print("\n");
  for (const auto &[path, edit] : edits)
    fmt::print("{}", edit.diff(advise::shownPath(path)));
  std::fflush(stdout);
  if (!request.yes && !agrees(edits.size())) {
    say("heddle: nothing is written\n");
    return;
  }
  write(edits);
}

void run(const Request &request) {
  if (request.files.empty() && request.database.empty())
    throw CLI::RequiredError("FILE or -p");
  if (!request.profile.empty())
    readText(request.profile);
  const std::vector<Loop> loops = advise::rank(advise::askCompiler(
      commandsOf(request),
      request.profile.empty() ? "" : wholePath(request.profile)));
  for (const unsigned number : request.loops)
    if (number == 0 || number > loops.size())
      throw graph::Error(
          fmt::format("--loops {}: there are {} loops", number, loops.size()));
  if (loops.empty()) {
    fmt::print("No loop waits for memory that a directive could hide.\n");
    return;
  }
  advise::printTable(loops);
  if (request.apply)
    applyTo(request, loops);
}

} // namespace

void addAdviseCommand(CLI::App &app, char **argv) {
  auto request = std::make_shared<Request>();
  CLI::App *command = app.add_subcommand(
      "advise", "Name the loops of C and C++ files that wait for memory");
  command->footer("Compiler flags follow behind --: heddle advise a.c -- -O3 "
                  "-Iinclude");
  command->add_option("FILE", request->files, "Source files")->type_name("");
  command
      ->add_option("-p,--database", request->database,
                   "Compile as compile_commands.json in this folder says; "
                   "without FILE, all files there")
      ->type_name("DIR");
  addFile(*command, "--profile", request->profile,
          "Weight loops by a sampled profile, as -fprofile-sample-use reads "
          "it");
  command->add_flag("--apply", request->apply,
                    "Show a diff that adds the directives, and write it");
  command->add_flag("--yes", request->yes, "Write without asking")
      ->needs("--apply");
  command
      ->add_option("--loops", request->loops,
                   "Annotate these loops of the table only, separated by "
                   "commas [all that would be interleaved]")
      ->delimiter(',')
      ->type_name("N")
      ->needs("--apply");
  command->callback([request, argv] {
    char **flag = argv;
    while (*flag && std::string_view(*flag) != "--")
      ++flag;
    while (*flag && *++flag)
      request->flags.emplace_back(*flag);
    run(*request);
  });
}

} // namespace heddle
