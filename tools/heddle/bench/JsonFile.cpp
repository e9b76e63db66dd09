//===- JsonFile.cpp - Rows as a JSON file --------------------------------===//

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

void JsonFile::write(const std::vector<Row> &rows) {
  std::string text = "[";
  const char *separator = "\n";
  for (const Row &row : rows) {
    text += fmt::format(
        R"({}{{"kernel": "{}", "version": "{}", "bytes": {}, "pages": "{}", )"
        R"("threads": {}, "ns_per_op": {:.4f}, "speed": {:.4f}, )"
        R"("checksum": "{:016x}"}})",
        separator, row.kernel, nameOf(row.version), row.bytes,
        nameOf(row.pages), row.threads, row.nanosecondsPerOperation, row.speed,
        row.checksum);
    separator = ",\n";
  }
  text += "\n]\n";
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
