//===- ResultFile.cpp - Where results are written ------------------------===//

#include "ResultFile.h"

#include "graphlib/files/OutputFile.h"
#include "heddle/graph/Error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace heddle {

namespace {

using graph::OutputFile;

constexpr std::size_t BufferBytes = std::size_t(1) << 16;

[[noreturn]] void fail() {
  throw graph::WriteError(std::string("standard output: cannot write: ") +
                          std::strerror(errno));
}

std::unique_ptr<OutputFile> openFile(const std::string &path) {
  if (path.empty())
    return nullptr;
  if (path != "-" && path != "/dev/stdout")
    return std::make_unique<OutputFile>(
        path, graph::OutputOptions{.compress = false});
  // Where it was closed, only reading is possible.
  const int mode = fcntl(STDOUT_FILENO, F_GETFL);
  if (mode >= 0 && (mode & O_ACCMODE) == O_RDONLY) {
    errno = EBADF;
    fail();
  }
  std::fflush(stdout);
  auto file =
      std::make_unique<OutputFile>(dup(STDOUT_FILENO), "standard output");
  if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    fail();
  return file;
}

} // namespace

ResultFile::ResultFile(const std::string &path) : file(openFile(path)) {
  // write() asks for no more memory.
  buffer.reserve(BufferBytes);
}

ResultFile::~ResultFile() = default;

void ResultFile::write(std::string_view text) noexcept {
  if (text.size() > BufferBytes - buffer.size())
    flush();
  if (text.size() > BufferBytes)
    writeOut(text);
  else
    buffer += text;
}

void ResultFile::commit() {
  flush();
  if (failure)
    std::rethrow_exception(failure);
  if (file)
    file->commit();
}

void ResultFile::flush() noexcept {
  writeOut(buffer);
  buffer.clear();
}

void ResultFile::writeOut(std::string_view text) noexcept {
  if (failure || !file)
    return;
  try {
    file->write(text);
  } catch (...) {
    failure = std::current_exception();
  }
}

} // namespace heddle
