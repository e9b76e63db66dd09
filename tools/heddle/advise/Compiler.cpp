//===- Compiler.cpp - Asking the compiler for advice ---------------------===//

#include "Compiler.h"

#include "command/Error.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace heddle::advise {

namespace {

/// The compilers beside this program.
std::string compiler(bool isForCxx) {
  std::error_code error;
  const std::filesystem::path own =
      std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    throw bench::Error("cannot read /proc/self/exe: " + error.message());
  const std::filesystem::path path =
      own.parent_path() / (isForCxx ? "heddle-clang++" : "heddle-clang");
  if (access(path.c_str(), X_OK) != 0)
    bench::failToDo("run " + path.string());
  return path.string();
}

/// A compiler at work, which writes its list to a file in memory.
class Compilation {
  int list = -1;
  pid_t process = -1;
  std::string file;

public:
  Compilation(const CompileCommand &command, const std::string &profile)
      : file(command.file) {
    list = memfd_create("heddle-advise", MFD_CLOEXEC);
    if (list < 0)
      bench::failToDo("make a file in memory");
    start(command, argumentsOf(command, profile));
  }
  ~Compilation() {
    if (process > 0)
      waitpid(process, nullptr, 0);
    close(list);
  }
  Compilation(const Compilation &) = delete;
  Compilation &operator=(const Compilation &) = delete;

  const std::string &name() const { return file; }

  /// Waits for the end; false if the file could not be compiled.
  bool finish() {
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    process = -1;
    return status == 0;
  }

  std::string text() const {
    std::string text;
    std::array<char, 1 << 16> part;
    ssize_t length = 0;
    while ((length = pread(list, part.data(), part.size(),
                           static_cast<off_t>(text.size()))) > 0)
      text.append(part.data(), static_cast<std::size_t>(length));
    return text;
  }

private:
  std::vector<std::string> argumentsOf(const CompileCommand &command,
                                       const std::string &profile) const {
    std::vector<std::string> given = withoutOutputs(command.arguments);
    std::erase(given, "-O0");
    const std::string name =
        std::filesystem::path(given.front()).filename().string();
    const std::string output =
        fmt::format("-heddle-advise-file=/proc/{}/fd/{}", getpid(), list);
    // In front of the others, which may end in "-- FILE".
    std::vector<std::string> arguments = {
        compiler(name.find("++") != std::string::npos),
        "-O2",
        "-g",
        "-w",
        "-Qunused-arguments",
        "-c",
        "-o",
        "/dev/null",
        "-Xclang",
        "-mllvm",
        "-Xclang",
        "-heddle-advise",
        "-Xclang",
        "-mllvm",
        "-Xclang",
        output};
    if (!profile.empty())
      arguments.push_back("-fprofile-sample-use=" + profile);
    arguments.insert(arguments.end(), given.begin() + 1, given.end());
    return arguments;
  }

  void start(const CompileCommand &command,
             std::vector<std::string> arguments) {
    std::vector<char *> pointers;
    for (std::string &argument : arguments)
      pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, command.directory.c_str());
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    errno = posix_spawn(&process, pointers.front(), &actions, nullptr,
                        pointers.data(), environ);
    const int failure = errno;
    posix_spawn_file_actions_destroy(&actions);
    if (failure == 0)
      return;
    process = -1;
    close(list);
    errno = failure;
    bench::failToDo(
        fmt::format("start {} in {}", pointers.front(), command.directory));
  }
};

} // namespace

CompileCommand commandFor(const std::string &file,
                          const std::vector<std::string> &flags) {
  CompileCommand command{
      .directory = ".", .file = file, .arguments = {"clang"}};
  command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
  command.arguments.push_back(file);
  return command;
}

std::vector<Loop> askCompiler(const std::vector<CompileCommand> &commands,
                              const std::string &profile) {
  const std::size_t atOnce =
      std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
  std::vector<std::unique_ptr<Compilation>> running;
  std::vector<Loop> loops;
  std::vector<std::string> failed;
  for (std::size_t i = 0; i < commands.size() || !running.empty();) {
    if (i < commands.size() && running.size() < atOnce) {
      running.push_back(std::make_unique<Compilation>(commands[i], profile));
      ++i;
      continue;
    }
    Compilation &first = *running.front();
    if (!first.finish())
      failed.push_back(first.name());
    else
      for (Loop &loop : parseLoops(first.text())) {
        // Commands may name a file in several ways.
        std::error_code error;
        const auto path = std::filesystem::canonical(loop.file, error);
        if (!error)
          loop.file = path.string();
        loops.push_back(std::move(loop));
      }
    running.erase(running.begin());
  }
  if (!failed.empty())
    throw bench::Error(
        failed.size() == 1
            ? fmt::format("'{}' cannot be compiled", failed.front())
            : fmt::format("'{}' and {} more files cannot be compiled",
                          failed.front(), failed.size() - 1));
  return loops;
}

} // namespace heddle::advise
