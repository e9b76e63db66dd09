//===- Journal.cpp - Calls that have changed little ----------------------===//

#include "heddle/graph/detail/ooc/recovery/Journal.h"

#include "../../files/FileError.h"
#include "../../files/MappableFile.h"
#include "../../files/OutputFile.h"
#include "../disk/Checksum.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <sys/statvfs.h>

namespace heddle::graph::ooc {

namespace {

constexpr std::array<char, 8> JournalMagic = {'\x89', 'h', 'o',  'o',
                                              'c',    'j', '\r', '\n'};

/// Begins a record, at the beginning of a block. The result and the changes
/// follow.
struct Header {
  std::array<char, 8> magic;
  std::uint64_t stamp;
  std::uint64_t place; ///< in the file
  std::uint64_t resultBytes, changesBytes;
  std::uint64_t checksum; ///< of the record, with 0 in place of itself
};
static_assert(sizeof(Header) == 48, "a format on disk");

std::uint64_t bytesOf(const Journal::Record &record) {
  return sizeof(Header) + record.result.size() + record.changes.size();
}

std::uint64_t checksumOfRecord(Header header, const std::byte *rest) {
  header.checksum = 0;
  return checksumOf(rest, header.resultBytes + header.changesBytes,
                    checksumOf(&header, sizeof(header)));
}

std::optional<Journal::Record> recordAt(std::span<const std::byte> bytes,
                                        std::uint64_t place,
                                        std::uint64_t stamp) {
  HEDDLE_ASSERT(place % BlockBytes == 0 && place <= bytes.size());
  Header header;
  const std::uint64_t rest = bytes.size() - place;
  if (rest < sizeof(header))
    return std::nullopt;
  std::memcpy(&header, bytes.data() + place, sizeof(header));
  if (header.magic != JournalMagic || header.stamp != stamp ||
      header.place != place || header.resultBytes > rest - sizeof(header) ||
      header.changesBytes > rest - sizeof(header) - header.resultBytes)
    return std::nullopt;
  const std::byte *first = bytes.data() + place + sizeof(header);
  if (header.checksum != checksumOfRecord(header, first))
    return std::nullopt;
  const auto *text = reinterpret_cast<const char *>(first);
  return Journal::Record{{text, header.resultBytes},
                         {text + header.resultBytes, header.changesBytes}};
}

/// The bytes that the device of a file has left.
std::uint64_t bytesLeftBeside(const std::string &path) {
  const auto directory = std::filesystem::path(path).parent_path();
  struct statvfs status;
  if (statvfs(directory.c_str(), &status) != 0)
    throw WriteError(directory.string() + ": " + std::strerror(errno));
  return std::uint64_t(status.f_bavail) * status.f_frsize;
}

/// The size of a journal where so many bytes are left; 0 for none.
std::uint64_t sizeWithin(std::uint64_t left) {
  std::uint64_t size = Journal::Bytes;
  while (size > left / 2)
    size /= 4;
  return size / BlockBytes * BlockBytes;
}

} // namespace

bool Journal::hasRoom(const Record &record) const {
  HEDDLE_ASSERT(end <= capacity && end % BlockBytes == 0);
  return roundUpToBlock(bytesOf(record)) <= capacity - end;
}

void Journal::append(const Record &record) {
  HEDDLE_ASSERT(hasRoom(record));
  if (!file)
    makeFile();
  const std::uint64_t bytes = bytesOf(record);
  const std::uint64_t blockBytes = roundUpToBlock(bytes);
  if (buffer.size() < blockBytes)
    buffer = BlockBuffer(blockBytes);
  std::byte *const rest = buffer.data() + sizeof(Header);
  std::memcpy(rest, record.result.data(), record.result.size());
  std::memcpy(rest + record.result.size(), record.changes.data(),
              record.changes.size());
  std::memset(buffer.data() + bytes, 0, blockBytes - bytes);
  Header header = {JournalMagic,          stamp, end, record.result.size(),
                   record.changes.size(), 0};
  header.checksum = checksumOfRecord(header, rest);
  std::memcpy(buffer.data(), &header, sizeof(header));
  write(end, buffer, blockBytes);
  end += blockBytes;
}

/// Writes a buffer, and returns when the device has it.
void Journal::write(std::uint64_t offset, const BlockBuffer &from,
                    std::uint64_t bytes) {
  queue->write(*file, offset, from.data(), bytes);
  file->sync();
}

bool Journal::open() {
  try {
    if (!file)
      makeFile();
    return true;
  } catch (const WriteError &) {
    file.reset();
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return false;
  }
}

/// Opens a file with all its blocks. An existing one need not be cleared,
/// because no record in it carries this stamp.
void Journal::makeFile() {
  queue.emplace();
  std::error_code problem;
  std::uint64_t existing = std::filesystem::file_size(path, problem);
  if (problem || existing > Bytes || existing % BlockBytes != 0)
    existing = 0;
  const std::uint64_t wanted = sizeWithin(bytesLeftBeside(path) + existing);
  if (existing > 0 && existing >= wanted) {
    file.emplace(path, BlockFile::Mode::Update);
    capacity = existing;
  } else if (wanted > 0) {
    create(wanted);
  } else {
    throw WriteError(path + ": " + std::strerror(ENOSPC));
  }
}

void Journal::create(std::uint64_t bytes) {
  file.emplace(path, BlockFile::Mode::Create);
  // That there is no room is better known before anything is written. Some file
  // systems do not know.
  if (fallocate(file->descriptor(), 0, 0, static_cast<off_t>(bytes)) != 0 &&
      errno != EOPNOTSUPP && errno != ENOSYS)
    throw WriteError(path + ": " + std::strerror(errno));
  write(0, BlockBuffer(bytes), bytes);
  syncDirectoryOf(path);
  capacity = bytes;
}

std::vector<Journal::Record> Journal::read(const std::string &path,
                                           std::uint64_t stamp) {
  if (!std::filesystem::exists(path))
    return {};
  const MappableFile file(path);
  std::vector<std::byte> bytes(std::min(file.size(), Bytes));
  file.read(0, bytes);
  return parse(bytes, stamp, path);
}

std::vector<Journal::Record> Journal::parse(std::span<const std::byte> bytes,
                                            std::uint64_t stamp,
                                            const std::string &path) {
  std::vector<Record> records;
  std::uint64_t place = 0;
  while (place < bytes.size()) {
    std::optional<Record> record = recordAt(bytes, place, stamp);
    if (!record)
      break;
    place += roundUpToBlock(bytesOf(*record));
    records.push_back(std::move(*record));
  }
  for (std::uint64_t later = place + BlockBytes; later < bytes.size();
       later += BlockBytes)
    if (recordAt(bytes, later, stamp))
      failAtByte(
          path, place,
          "expected the record of a call before those that follow, found "
          "none: the file is damaged; start the run again");
  return records;
}

} // namespace heddle::graph::ooc
