//===- JournalFuzz.cpp - Bytes as a journal -------------------------------===//
//
// The bytes are records, damaged or not, with the right checksum where they say
// so: each begins with a byte that tells.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "FuzzInput.h"
#include "graphlib/ooc/disk/Checksum.h"
#include "heddle/graph/Error.h"
#include "heddle/graph/detail/ooc/recovery/Journal.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

constexpr std::uint64_t Stamp = 7;
constexpr std::size_t HeaderBytes = 48, ChecksumAt = 40, BlockBytes = 4096;

/// Appends a record, which fills blocks, with some fields of its header from
/// the input.
void addRecord(FuzzInput &input, std::vector<std::byte> &file) {
  const std::size_t begin = file.size(), what = input.byte();
  const std::uint64_t resultBytes = input.number(2),
                      changesBytes = input.number(2);
  const auto put = [&](std::uint64_t value) {
    const auto *bytes = reinterpret_cast<const std::byte *>(&value);
    file.insert(file.end(), bytes, bytes + sizeof(value));
  };
  constexpr char magic[] = "\x89hoocj\r\n";
  std::uint64_t start;
  std::memcpy(&start, magic, sizeof(start));
  put(what & 1 ? input.number(8) : start);
  put(what & 2 ? input.number(8) : Stamp);
  put(what & 4 ? input.number(8) : begin);
  put(what & 8 ? input.number(8) : resultBytes);
  put(what & 16 ? input.number(8) : changesBytes);
  put(0);
  const std::size_t end =
      begin + HeaderBytes + (resultBytes + changesBytes) % (3 * BlockBytes);
  while (file.size() < end)
    file.push_back(std::byte(input.byte()));
  const std::uint64_t checksum =
      what & 32
          ? input.number(8)
          : ooc::checksumOf(file.data() + begin + HeaderBytes,
                            end - begin - HeaderBytes,
                            ooc::checksumOf(file.data() + begin, HeaderBytes));
  std::memcpy(file.data() + begin + ChecksumAt, &checksum, sizeof(checksum));
  if ((what & 64) == 0)
    file.resize((end + BlockBytes - 1) / BlockBytes * BlockBytes);
}

} // namespace

void heddle::test::fuzzJournal(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  std::vector<std::byte> file;
  std::size_t written = 0;
  for (; !input.empty() && written < 8; ++written)
    addRecord(input, file);
  try {
    EXPECT_LE(ooc::Journal::parse(file, Stamp, "journal").size(), written);
  } catch (const Error &) {
    return;
  }
}

heddle::test::FuzzSeeds heddle::test::seedsOfJournal() {
  const std::string record = std::string("\0\4\0\2\0", 5) + "resulting";
  return {record, record + record, std::string("\0\0\0\xff\x0f", 5)};
}
