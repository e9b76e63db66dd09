//===- ResultFile.cpp - Where results are written ------------------------===//

#include "ResultFile.h"

#include "graphlib/files/OutputFile.h"

#include <cstdio>
#include <unistd.h>

namespace heddle {

namespace {

using graph::OutputFile;

std::unique_ptr<OutputFile> openFile(const std::string &path) {
  if (path != "-" && path != "/dev/stdout")
    return std::make_unique<OutputFile>(
        path, graph::OutputOptions{.compress = false});
  std::fflush(stdout);
  auto file =
      std::make_unique<OutputFile>(dup(STDOUT_FILENO), "standard output");
  dup2(STDERR_FILENO, STDOUT_FILENO);
  return file;
}

} // namespace

ResultFile::ResultFile(const std::string &path) : file(openFile(path)) {}

ResultFile::~ResultFile() = default;

void ResultFile::write(std::string_view text) {
  constexpr std::size_t enough = std::size_t(1) << 16;
  buffer += text;
  if (buffer.size() >= enough)
    flush();
}

void ResultFile::commit() {
  flush();
  file->commit();
}

void ResultFile::flush() {
  file->write(buffer);
  buffer.clear();
}

} // namespace heddle
