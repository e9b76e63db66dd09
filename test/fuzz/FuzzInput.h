//===- FuzzInput.h - Bytes that decide what happens -------------*- C++ -*-===//

#ifndef HEDDLE_TEST_FUZZ_FUZZINPUT_H
#define HEDDLE_TEST_FUZZ_FUZZINPUT_H

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace heddle::test {

/// Takes numbers from bytes; behind their end, all are 0.
class FuzzInput {
public:
  explicit FuzzInput(std::span<const std::uint8_t> bytes) : bytes(bytes) {}

  bool empty() const { return bytes.empty(); }

  std::uint8_t byte() {
    if (bytes.empty())
      return 0;
    const std::uint8_t first = bytes[0];
    bytes = bytes.subspan(1);
    return first;
  }

  /// Returns one of `bound` numbers, which are at most 256.
  std::size_t below(std::size_t bound) { return byte() % bound; }

  /// A number of `size` bytes.
  std::uint64_t number(std::size_t size) {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < size; ++i)
      result |= std::uint64_t(byte()) << 8 * i;
    return result;
  }

private:
  std::span<const std::uint8_t> bytes;
};

/// Keys of all lengths, close to each other or not, and near both ends of the
/// range.
template <typename Key> class FuzzKeys {
public:
  explicit FuzzKeys(FuzzInput &input) : input(input) {}

  Key next() {
    const std::size_t form = input.below(8);
    if (form < 2)
      last = static_cast<Key>(last + input.byte() + 1);
    else if (form == 2)
      last = static_cast<Key>(last - input.byte());
    else if (form == 3)
      last = static_cast<Key>(~Key(0) - input.byte());
    else
      last =
          static_cast<Key>(input.number(std::min(form - 3, sizeof(Key))) *
                           (input.byte() % 4 ? 1 : Key(0x9e3779b97f4a7c15u)));
    return last;
  }

  /// Some keys, or many that are a constant step apart, in either order.
  std::vector<Key> batch() {
    std::vector<Key> keys;
    if (input.below(4) > 0) {
      keys.resize(input.below(40));
      for (Key &key : keys)
        key = next();
      return keys;
    }
    keys.resize(input.byte() * (input.below(16) == 0 ? 16 : 1));
    Key key = next();
    const auto step = static_cast<Key>(next() >> input.below(sizeof(Key) * 8));
    for (Key &each : keys)
      each = std::exchange(key, static_cast<Key>(key + step));
    if (input.below(2) == 0)
      std::reverse(keys.begin(), keys.end());
    return keys;
  }

private:
  FuzzInput &input;
  Key last = 0;
};

} // namespace heddle::test

#endif
