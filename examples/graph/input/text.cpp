//===- text.cpp - Text out of files and programs --------------------------===//

#include "text.h"

#include "graphlib/files/TextFile.h"
#include "output/ProgressBar.h"

#include <sys/wait.h>
#include <unistd.h>

void forEachLine(const std::string &file,
                 const std::function<void(std::string_view, int64_t)> &visit) {
  constexpr uint64_t LinesBetweenReports = 1 << 14;
  heddle::ProgressBar bar("Reading " + file);
  const heddle::graph::ReadOptions options = {.progress = std::ref(bar)};
  heddle::graph::TextFile text(file, options,
                               heddle::graph::CompressionFrom::Content);
  while (const auto line = text.nextLine()) {
    visit(*line, static_cast<int64_t>(text.linesRead()));
    if (text.linesRead() % LinesBetweenReports == 0)
      text.reportProgress();
  }
}

std::string outputOf(std::vector<std::string> command) {
  int ends[2];
  if (pipe(ends) != 0)
    return {};
  pid_t child = fork();
  if (child == 0) {
    std::vector<char *> arguments;
    for (std::string &word : command)
      arguments.push_back(word.data());
    arguments.push_back(nullptr);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::string text;
  std::vector<char> buffer(1 << 16);
  ssize_t got;
  while (child > 0 && (got = read(ends[0], buffer.data(), buffer.size())) > 0)
    text.append(buffer.data(), got);
  close(ends[0]);
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0)
    return {};
  return text;
}
