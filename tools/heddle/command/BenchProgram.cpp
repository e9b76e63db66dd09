//===- BenchProgram.cpp - The programs behind `heddle bench` --------------===//

#include "BenchProgram.h"

#include "Error.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle {

namespace {

/// Returns the end of the program's name: tools/heddle/bench/CMakeLists.txt has
/// the same levels.
const char *levelSuffix() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("x86-64-v4"))
    return "-x86-64-v4";
  if (__builtin_cpu_supports("x86-64-v3"))
    return "-x86-64-v3";
  return "-x86-64";
#else
  return "";
#endif
}

/// Returns the path of the program, whether there is one or not.
std::string benchProgram() {
  std::error_code error;
  const std::filesystem::path own =
      std::filesystem::read_symlink("/proc/self/exe", error);
  if (error)
    throw bench::Error("cannot read /proc/self/exe: " + error.message());
  const std::filesystem::path prefix = own.parent_path().parent_path();
  return prefix / "libexec/heddle" / fmt::format("bench{}", levelSuffix());
}

/// Starts a program with standard output to the pipe's end `output`.
pid_t spawn(const std::string &path, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  std::string name = "heddle", command = BenchCompletion;
  char *const arguments[] = {name.data(), command.data(), nullptr};
  pid_t process = -1;
  errno = posix_spawn(&process, path.c_str(), &actions, nullptr, arguments,
                      environ);
  const int failure = errno;
  posix_spawn_file_actions_destroy(&actions);
  errno = failure;
  return failure == 0 ? process : -1;
}

} // namespace

void becomeBenchProgram(char **argv) {
  const std::string path = benchProgram();
  execv(path.c_str(), argv);
  if (errno == ENOENT)
    throw bench::Error("there is no " + path +
                       ": this heddle was built or installed without its "
                       "benchmarks");
  bench::failToDo("start " + path);
}

std::string benchCompletions() {
  const std::string path = benchProgram();
  if (access(path.c_str(), X_OK) != 0)
    return {};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    bench::failToDo("make a pipe");
  const pid_t process = spawn(path, ends[1]);
  if (process < 0)
    bench::failToDo("start " + path);
  close(ends[1]);
  std::string lines;
  std::array<char, 4096> part;
  ssize_t length = 0;
  while ((length = read(ends[0], part.data(), part.size())) > 0)
    lines.append(part.data(), static_cast<std::size_t>(length));
  close(ends[0]);
  int status = 0;
  waitpid(process, &status, 0);
  if (status != 0)
    throw bench::Error(path + " has failed");
  return lines;
}

} // namespace heddle
