//===- Values.h - Small files with a checksum ------------------*- C++ -*-===//

#ifndef HEDDLE_GRAPHLIB_OOC_DISK_VALUES_H
#define HEDDLE_GRAPHLIB_OOC_DISK_VALUES_H

#include "../../files/FileError.h"
#include "../../files/MappableFile.h"
#include "../../files/OutputFile.h"
#include "Checksum.h"
#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace heddle::graph::ooc {

/// Writes values, and a checksum of all of them at the end, to a file that
/// appears whole or not at all. Functions throw WriteError.
class ValueFile {
public:
  explicit ValueFile(const std::string &path) : file(path) {}

  template <typename T> void put(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    put(std::span(&value, 1));
  }

  template <typename T> void put(std::span<const T> values) {
    checksum.add(std::as_bytes(values));
    const std::span bytes(reinterpret_cast<const char *>(values.data()),
                          values.size_bytes());
    if (pending.size() + bytes.size() > MostPending)
      writePending();
    // Long lists are not copied.
    if (bytes.size() > MostPending)
      file.write(bytes);
    else
      pending.insert(pending.end(), bytes.begin(), bytes.end());
  }

  /// Puts the number of values, and then the values.
  template <typename Values> void putList(const Values &values) {
    put(std::uint64_t(values.size()));
    put(std::span<const typename Values::value_type>(values));
  }

  /// Completes the file, which appears under its name.
  void commit() {
    put(checksum.value());
    writePending();
    file.commit();
  }

private:
  static constexpr std::size_t MostPending = std::size_t(1) << 16;

  void writePending() {
    file.write(pending);
    pending.clear();
  }

  OutputFile file;
  RunningChecksum checksum;
  std::vector<char> pending;
};

/// Reads the files of ValueFile. Functions throw Error if the file is too short
/// or damaged.
class ValueReader {
public:
  explicit ValueReader(const std::string &path) : path(path) {
    const MappableFile file(path);
    bytes.resize(file.size());
    file.read(0, bytes);
  }

  /// The number of bytes that were taken, and of those in front of the checksum
  /// that were not.
  std::uint64_t position() const { return at; }
  std::uint64_t remaining() const {
    const std::uint64_t end = at + sizeof(std::uint64_t);
    return bytes.size() - std::min<std::uint64_t>(end, bytes.size());
  }

  /// Compares the file with its checksum, and returns it.
  std::uint64_t check() const {
    std::uint64_t checksum;
    if (bytes.size() < sizeof(checksum))
      failAtByte(path, bytes.size(),
                 "expected a checksum, found the end of the file");
    const std::size_t checked = bytes.size() - sizeof(checksum);
    std::memcpy(&checksum, bytes.data() + checked, sizeof(checksum));
    if (checksum != checksumOf(bytes.data(), checked))
      failAtByte(path, checked,
                 "expected the checksum of the file, found "
                 "another: the file is damaged");
    return checksum;
  }

  template <typename T> T take() {
    T value;
    take(std::span(&value, 1));
    return value;
  }

  template <typename T> void take(std::span<T> to) {
    if (to.empty())
      return;
    if (to.size_bytes() > bytes.size() - at)
      failAtByte(path, bytes.size(),
                 "expected " + std::to_string(to.size_bytes()) +
                     " more bytes, found the end of the file");
    HEDDLE_ASSERT(at <= bytes.size());
    std::memcpy(to.data(), bytes.data() + at, to.size_bytes());
    at += to.size_bytes();
  }

  /// Takes a number of values that follow, each of at least `bytesOfEach`
  /// bytes.
  std::uint64_t takeCount(std::size_t bytesOfEach) {
    const auto count = take<std::uint64_t>();
    if (count > remaining() / bytesOfEach)
      failAtByte(
          path, at - sizeof(count),
          "expected at most " + std::to_string(remaining() / bytesOfEach) +
              " values in a file of this size, found " + std::to_string(count));
    return count;
  }

  template <typename Values> Values takeList() {
    Values values;
    values.resize(takeCount(sizeof(typename Values::value_type)));
    take(std::span(values));
    return values;
  }

private:
  const std::string path;
  std::vector<std::byte> bytes;
  std::size_t at = 0;
};

} // namespace heddle::graph::ooc

#endif
