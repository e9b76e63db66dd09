//===- text.cpp - Text out of files and programs --------------------------===//

#include "text.h"
#include "input.h"
#include "progress.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

namespace {

struct GzipCloser {
  void operator()(gzFile_s *file) const { gzclose_r(file); }
};
using GzipFile = std::unique_ptr<gzFile_s, GzipCloser>;

[[noreturn]] void failToRead(const std::string &file, const char *reason) {
  throw InputError(fmt::format("cannot read {}: {}", file, reason));
}

/// Why reading stopped short, or null.
const char *damage(gzFile_s *file) {
  int error = Z_OK;
  const char *text = gzerror(file, &error);
  switch (error) {
  case Z_OK:
  case Z_STREAM_END:
    return nullptr;
  case Z_ERRNO:
    return std::strerror(errno);
  case Z_BUF_ERROR:
    return "the compressed data end too soon";
  default:
    return text;
  }
}

} // namespace

void forEachLine(const std::string &file,
                 const std::function<void(std::string_view, int64_t)> &visit) {
  constexpr int BufferBytes = 1 << 20;
  constexpr size_t MostLineBytes = 64 << 20;

  GzipFile input(gzopen(file.c_str(), "rb"));
  if (!input)
    failToRead(file, std::strerror(errno));
  gzbuffer(input.get(), BufferBytes);

  std::error_code noSize;
  auto size = std::filesystem::file_size(file, noSize);
  Progress progress("Reading " + file, noSize ? 0 : static_cast<int64_t>(size));
  int64_t consumed = 0;

  std::vector<char> buffer(BufferBytes);
  std::string begun; // a line that a block of data cuts
  int64_t number = 0;
  int got;
  while ((got = gzread(input.get(), buffer.data(), BufferBytes)) > 0) {
    std::string_view block(buffer.data(), got);
    size_t end;
    while ((end = block.find('\n')) != std::string_view::npos) {
      begun += block.substr(0, end);
      block.remove_prefix(end + 1);
      if (begun.ends_with('\r'))
        begun.pop_back();
      visit(begun, ++number);
      begun.clear();
    }
    begun += block;
    if (begun.size() > MostLineBytes)
      throw InputError(
          fmt::format("{}:{}: the line has no end", file, number + 1));
    int64_t position = gzoffset(input.get());
    progress.advance(position - consumed);
    consumed = position;
  }
  if (const char *reason = damage(input.get()))
    failToRead(file, reason);
  if (!begun.empty())
    visit(begun, ++number);
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

std::string quoted(std::string_view text) {
  constexpr size_t MostShown = 40;
  std::string result = "'";
  for (unsigned char byte : text.substr(0, MostShown)) {
    if (byte < 0x20 || byte >= 0x7f)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += static_cast<char>(byte);
  }
  return result + (text.size() > MostShown ? "...'" : "'");
}
