//===- WholeFile.cpp - A file that is there whole or not at all ----------===//

#include "WholeFile.h"

#include "../command/Error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle {

namespace {

/// Where an open file can be found by its descriptor.
std::string pathOf(int descriptor) {
  return fmt::format("/proc/self/fd/{}", descriptor);
}

/// Opens a file without a name, which is gone with the process whatever ends
/// it; null where the file system has none.
std::FILE *openUnnamed(const std::string &directory) {
  const int descriptor =
      open(directory.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor >= 0 && access(pathOf(descriptor).c_str(), F_OK) == 0)
    return fdopen(descriptor, "w");
  if (descriptor >= 0)
    close(descriptor);
  return nullptr;
}

} // namespace

WholeFile::WholeFile(std::string path) : path(std::move(path)) {
  namespace fs = std::filesystem;
  if (this->path == "-" || this->path == "/dev/stdout") {
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
  inPlace = fs::exists(status) && !fs::is_regular_file(status);
  // A link stays one.
  if (fs::is_regular_file(status))
    this->path = fs::canonical(this->path).string();
  if (inPlace) {
    file = std::fopen(this->path.c_str(), "we");
  } else {
    const fs::path directory = fs::path(this->path).parent_path();
    file = openUnnamed(directory.empty() ? "." : directory.string());
    if (!file) {
      temporaryPath = temporaryName();
      file = std::fopen(temporaryPath.c_str(), "we");
    }
  }
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
  check(std::fflush(file));
  // Only a file that has a name can take that of another.
  if (failure == 0 && !inPlace && temporaryPath.empty()) {
    temporaryPath = temporaryName();
    check(linkat(AT_FDCWD, pathOf(fileno(file)).c_str(), AT_FDCWD,
                 temporaryPath.c_str(), AT_SYMLINK_FOLLOW));
  }
  check(std::fclose(file));
  file = nullptr;
  if (failure == 0 && !inPlace)
    check(std::rename(temporaryPath.c_str(), path.c_str()));
  if (failure != 0)
    throw bench::Error(
        fmt::format("cannot write '{}': {}", path, std::strerror(failure)));
  temporaryPath.clear();
}

std::string WholeFile::temporaryName() const {
  return fmt::format("{}.{}.tmp", path, getpid());
}

} // namespace heddle
