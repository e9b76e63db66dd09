//===- FarData.cpp - The files of `heddle bench far` ----------------------===//

#include "FarData.h"

#include "../../command/Error.h"
#include "../TemporaryFiles.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace heddle::bench {

namespace {

constexpr std::uint64_t PieceBytes = std::uint64_t(1) << 20;

struct Free {
  void operator()(char *bytes) const { std::free(bytes); }
};
using Piece = std::unique_ptr<char, Free>;

Piece makePiece() {
  return Piece(
      static_cast<char *>(std::aligned_alloc(FarPageBytes, PieceBytes)));
}

/// A file whose pages are `fill(number of the page, its bytes)`.
template <typename Fill>
void writeFarFile(const std::string &path, std::uint64_t bytes, Fill fill) {
  const int file = openDirect(path, O_WRONLY | O_CREAT | O_TRUNC);
  const Piece piece = makePiece();
  for (std::uint64_t begin = 0; begin < bytes; begin += PieceBytes) {
    const std::uint64_t count = std::min(PieceBytes, bytes - begin);
    for (std::uint64_t at = 0; at < count; at += FarPageBytes)
      fill((begin + at) / FarPageBytes, piece.get() + at);
    for (std::uint64_t done = 0; done < count;) {
      const ssize_t written = pwrite(file, piece.get() + done, count - done,
                                     static_cast<off_t>(begin + done));
      if (written < 0)
        failToDo("write " + path);
      done += static_cast<std::uint64_t>(written);
    }
  }
  if (fsync(file) != 0 || close(file) != 0)
    failToDo("write " + path);
}

/// Fills a page with the results of `element(index)`, from the element that is
/// `page` pages behind the first.
template <typename Element>
void fillPage(std::uint64_t page, char *to, Element element) {
  using Value = decltype(element(page));
  constexpr std::uint64_t Count = FarPageBytes / sizeof(Value);
  static_assert(FarPageBytes % sizeof(Value) == 0, "none straddles pages");
  for (std::uint64_t i = 0; i < Count; ++i) {
    const Value value = element(page * Count + i);
    std::memcpy(to + i * sizeof value, &value, sizeof value);
  }
}

} // namespace

void writeNumbers(const std::string &path, std::uint64_t bytes) {
  writeFarFile(path, bytes, [](std::uint64_t page, char *to) {
    fillPage(page, to, [](std::uint64_t i) { return scramble(i); });
  });
}

void writeHashTable(const std::string &path, std::uint64_t bytes) {
  const HashLayout layout(bytes);
  const std::uint64_t headPages = layout.nodesOffset / FarPageBytes;
  writeFarFile(path, bytes, [&](std::uint64_t page, char *to) {
    if (page < headPages)
      fillPage(page, to, [&](std::uint64_t i) { return layout.head(i); });
    else
      fillPage(page - headPages, to,
               [&](std::uint64_t i) { return layout.node(i); });
  });
}

void writeLists(const std::string &path, std::uint64_t bytes) {
  const ListLayout layout(bytes);
  writeFarFile(path, bytes, [&](std::uint64_t page, char *to) {
    fillPage(page, to, [&](std::uint64_t i) { return layout.node(i); });
  });
}

std::uint64_t sumOfFile(const std::string &path) {
  const int file = openDirect(path, O_RDONLY);
  const Piece piece = makePiece();
  std::uint64_t sum = 0, offset = 0;
  for (ssize_t got; (got = pread(file, piece.get(), PieceBytes,
                                 static_cast<off_t>(offset))) != 0;) {
    if (got < 0)
      failToDo("read " + path);
    offset += static_cast<std::uint64_t>(got);
    const char *from = piece.get();
    for (std::uint64_t word; got >= static_cast<ssize_t>(sizeof word);
         got -= sizeof word, from += sizeof word) {
      std::memcpy(&word, from, sizeof word);
      sum += word;
    }
  }
  close(file);
  return sum;
}

std::vector<std::uint64_t> gatherQueries(std::uint64_t bytes,
                                         std::uint64_t accesses) {
  std::vector<std::uint64_t> queries(accesses);
  for (std::uint64_t i = 0; i < accesses; ++i)
    queries[i] = randomBelow(1, i, bytes / sizeof(std::uint64_t));
  return queries;
}

std::vector<std::uint64_t> probeQueries(std::uint64_t bytes,
                                        std::uint64_t accesses) {
  const HashLayout layout(bytes);
  // A head and, of one to four nodes, one and three quarters.
  std::vector<std::uint64_t> queries(
      std::max<std::uint64_t>(accesses * 4 / 11, 1));
  for (std::uint64_t i = 0; i < queries.size(); ++i) {
    const std::uint64_t bucket = randomBelow(2, i, layout.buckets);
    const std::uint64_t length = HashLayout::lengthOf(bucket);
    // One of eight keys does not exist.
    queries[i] =
        layout.keyOf(bucket, i % 8 == 7 ? length : randomBelow(3, i, length));
  }
  return queries;
}

std::vector<std::uint64_t> listQueries(std::uint64_t bytes,
                                       std::uint64_t accesses) {
  const ListLayout layout(bytes);
  std::vector<std::uint64_t> queries(
      std::max<std::uint64_t>(accesses / ListLayout::Length, 1));
  for (std::uint64_t i = 0; i < queries.size(); ++i)
    queries[i] = layout.first(randomBelow(4, i, layout.lists));
  return queries;
}

} // namespace heddle::bench
