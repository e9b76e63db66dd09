//===- OutputFile.cpp - A file that appears whole or not at all ----------===//

#include "OutputFile.h"

#include "heddle/graph/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <zlib.h>
#include <zstd.h>

namespace heddle::graph {
namespace {

constexpr std::size_t PieceBytes = std::size_t(1) << 20;
constexpr std::uint64_t PiecesAtOnce = 32;

std::vector<char> gzipMember(std::span<const char> bytes) {
  z_stream stream = {};
  constexpr int gzip = 16, memoryLevel = 8;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip,
                   memoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
  std::vector<char> result;
  try {
    result.resize(deflateBound(&stream, bytes.size()));
  } catch (...) {
    deflateEnd(&stream);
    throw;
  }
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef *>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  // The bound is enough for all of it.
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::vector<char> zstdFrame(std::span<const char> bytes) {
  std::vector<char> result(ZSTD_compressBound(bytes.size()));
  const std::size_t size =
      ZSTD_compress(result.data(), result.size(), bytes.data(), bytes.size(),
                    ZSTD_CLEVEL_DEFAULT);
  if (ZSTD_isError(size))
    throw std::bad_alloc();
  result.resize(size);
  return result;
}

} // namespace

void syncDirectoryOf(const std::string &file) {
  const auto parent = std::filesystem::path(file).parent_path();
  const std::string directory = parent.empty() ? "." : parent.string();
  if (const int problem = heddle_sync_directory(directory.c_str()))
    throw WriteError(directory + ": " + std::strerror(problem));
}

OutputFile::OutputFile(const std::string &path, const OutputOptions &options)
    : path(path) {
  if (options.compress && path.ends_with(".gz"))
    compression = Compression::Gzip;
  else if (options.compress && path.ends_with(".zst"))
    compression = Compression::Zstd;
  if (const int problem = heddle_output_open(
          &file, path.c_str(), options.mayReplace ? 0 : HEDDLE_OUTPUT_NEW))
    fail(problem);
}

OutputFile::OutputFile(int openDescriptor, const std::string &name)
    : path(name), file{0, openDescriptor, -1, "", ""} {
  if (openDescriptor < 0)
    fail(errno);
}

bool OutputFile::isWrittenAtOnce(const std::string &path) {
  std::error_code problem;
  const auto type = std::filesystem::status(path, problem).type();
  return type != std::filesystem::file_type::regular &&
         type != std::filesystem::file_type::directory &&
         type != std::filesystem::file_type::not_found &&
         type != std::filesystem::file_type::none;
}

OutputFile::~OutputFile() { heddle_output_abandon(&file); }

void OutputFile::write(std::span<const char> bytes) {
  if (compression == Compression::None)
    return writeRaw(bytes);
  const std::uint64_t pieces = (bytes.size() + PieceBytes - 1) / PieceBytes;
  writePieces(pieces, [&](std::uint64_t i, std::vector<char> &piece) {
    const auto part = bytes.subspan(
        i * PieceBytes, std::min(PieceBytes, bytes.size() - i * PieceBytes));
    piece.assign(part.begin(), part.end());
  });
}

void OutputFile::writePieces(
    std::uint64_t count,
    const std::function<void(std::uint64_t, std::vector<char> &)> &make) {
  std::vector<std::vector<char>> pieces(std::min(count, PiecesAtOnce));
  for (std::uint64_t first = 0; first < count; first += pieces.size()) {
    const std::uint64_t size =
        std::min<std::uint64_t>(pieces.size(), count - first);
    std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1)
    for (std::uint64_t i = 0; i < size; ++i) {
      // No exception may leave a parallel loop.
      try {
        pieces[i].clear();
        make(first + i, pieces[i]);
        compress(pieces[i]);
      } catch (...) {
#pragma omp critical(heddle_graph_write)
        failure = std::current_exception();
      }
    }
    if (failure)
      std::rethrow_exception(failure);
    for (std::uint64_t i = 0; i < size; ++i)
      writeRaw(pieces[i]);
  }
}

void OutputFile::compress(std::vector<char> &bytes) const {
  if (compression == Compression::Gzip)
    bytes = gzipMember(bytes);
  else if (compression == Compression::Zstd)
    bytes = zstdFrame(bytes);
}

void OutputFile::writeRaw(std::span<const char> bytes) {
  if (const int problem =
          heddle_output_write(&file, bytes.data(), bytes.size()))
    fail(problem);
  written += bytes.size();
}

void OutputFile::commit() {
  if (written == 0 && compression != Compression::None)
    writePieces(1, [](std::uint64_t, std::vector<char> &) {});
  if (const int problem = heddle_output_commit(&file))
    fail(problem);
}

void OutputFile::fail(int problem) const {
  throw WriteError(path + ": cannot write: " + std::strerror(problem));
}

} // namespace heddle::graph
