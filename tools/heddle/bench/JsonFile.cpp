//===- JsonFile.cpp - Results as a JSON file -----------------------------===//

#include "JsonFile.h"

#include "Error.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace heddle::bench {

JsonFile::JsonFile(std::string path) : path(std::move(path)) {
  namespace fs = std::filesystem;
  if (this->path == "-") {
    std::fflush(stdout);
    file = fdopen(dup(STDOUT_FILENO), "w");
    if (!file || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
      throw Error(fmt::format("cannot write to the standard output: {}",
                              std::strerror(errno)));
    return;
  }
  std::error_code ignored;
  const fs::file_status status = fs::status(this->path, ignored);
  if (fs::is_directory(status))
    throw Error(
        fmt::format("cannot write '{}': it is a directory", this->path));
  // Pipes and devices cannot be replaced, and need not be.
  if (!fs::exists(status) || fs::is_regular_file(status))
    temporaryPath = fmt::format("{}.{}.tmp", this->path, getpid());
  const std::string &target =
      temporaryPath.empty() ? this->path : temporaryPath;
  file = std::fopen(target.c_str(), "we");
  if (!file)
    throw Error(
        fmt::format("cannot write '{}': {}", this->path, std::strerror(errno)));
}

JsonFile::~JsonFile() {
  if (file)
    std::fclose(file);
  if (!temporaryPath.empty())
    unlink(temporaryPath.c_str());
}

void JsonFile::writeArray(const std::vector<JsonObject> &objects) {
  std::string text = "[";
  const char *separator = "\n";
  for (const JsonObject &object : objects) {
    text += separator + object.text();
    separator = ",\n";
  }
  write(text + "\n]\n");
}

void JsonFile::writeObject(const JsonObject &object) {
  write(object.text() + "\n");
}

void JsonFile::write(const std::string &text) {
  bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  written &= std::fclose(file) == 0;
  file = nullptr;
  if (written && !temporaryPath.empty()) {
    written = std::rename(temporaryPath.c_str(), path.c_str()) == 0;
    if (written)
      temporaryPath.clear();
  }
  if (!written)
    throw Error(
        fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
}

} // namespace heddle::bench
