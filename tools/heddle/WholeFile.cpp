//===- WholeFile.cpp - A file that is there whole or not at all ----------===//

#include "WholeFile.h"

#include "bench/Error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle {

WholeFile::WholeFile(std::string path) : path(std::move(path)) {
  namespace fs = std::filesystem;
  if (this->path == "-") {
    std::fflush(stdout);
    file = fdopen(dup(STDOUT_FILENO), "w");
    if (!file || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      throw bench::Error(fmt::format("cannot write to standard output: {}",
                                     std::strerror(errno)));
    return;
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(this->path, ignored);
  if (fs::is_directory(status))
    throw bench::Error(
        fmt::format("cannot write '{}': it is a directory", this->path));
  // Pipes and devices cannot be replaced, and need not be.
  if (!fs::exists(status) || fs::is_regular_file(status))
    temporaryPath = fmt::format("{}.{}.tmp", this->path, getpid());
  const std::string &target =
      temporaryPath.empty() ? this->path : temporaryPath;
  file = std::fopen(target.c_str(), "we");
  if (!file)
    throw bench::Error(
        fmt::format("cannot write '{}': {}", this->path, std::strerror(errno)));
}

WholeFile::~WholeFile() {
  if (file)
    std::fclose(file);
  if (!temporaryPath.empty())
    unlink(temporaryPath.c_str());
}

void WholeFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() &&
      failure == 0)
    failure = errno;
}

void WholeFile::commit() {
  const auto check = [this](int result) {
    if (result != 0 && failure == 0)
      failure = errno;
  };
  check(std::fclose(file));
  file = nullptr;
  if (failure == 0 && !temporaryPath.empty())
    check(std::rename(temporaryPath.c_str(), path.c_str()));
  if (failure != 0)
    throw bench::Error(
        fmt::format("cannot write '{}': {}", path, std::strerror(failure)));
  temporaryPath.clear();
}

} // namespace heddle
