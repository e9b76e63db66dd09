//===- pma/Codec.h - How a leaf writes its keys ----------------*- C++ -*-===//
//
// The keys of a leaf ascend. All but the first, which lies elsewhere, are coded
// one behind the other: as they are, or as what lies between a key and the one
// before it, in byte codes (B. Wheatman, R. Burns, A. Buluc, H. Xu: CPMA, PPoPP
// 2024, section 5). A codec says how, and nothing else differs between the two
// kinds of arrays.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_PMA_CODEC_H
#define HEDDLE_GRAPH_PMA_CODEC_H

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

namespace heddle::graph {

/// What sets and maps are ordered by: numbers without sign of 32 or 64 bits, of
/// which any is allowed.
template <typename T>
concept OrderedKey =
    std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

namespace detail {

static_assert(std::endian::native == std::endian::little,
              "codes begin with their lowest bits");

/// Keys as they are.
template <OrderedKey KeyType> struct PlainCodec {
  using Key = KeyType;

  static constexpr bool FixedWidth = true;
  static constexpr std::size_t MostCodeBytes = sizeof(Key);

  /// How many bytes behind a code may be read and overwritten with it.
  static constexpr std::size_t Slack = 0;

  /// How many bytes encode() puts there.
  static std::size_t codeBytes(Key, Key) { return sizeof(Key); }

  /// Writes the code of `key`, which follows `before`; returns its end.
  static std::byte *encode(std::byte *to, Key, Key key) {
    std::memcpy(to, &key, sizeof(key));
    return to + sizeof(key);
  }

  /// Takes `key` to the one behind it, whose code is at `from`; returns the
  /// code's end.
  static const std::byte *decode(const std::byte *from, Key &key) {
    std::memcpy(&key, from, sizeof(key));
    return from + sizeof(key);
  }
};

/// One less than the difference to the key before, seven bits in a byte, the
/// lowest first; the highest bit of a byte says that another one follows.
template <OrderedKey KeyType> struct DeltaCodec {
  using Key = KeyType;

  static constexpr bool FixedWidth = false;
  static constexpr std::size_t MostCodeBytes =
      (std::numeric_limits<Key>::digits + 6) / 7;
  static constexpr std::size_t Slack = sizeof(std::uint64_t) - 1;

  static std::size_t codeBytes(Key before, Key key) {
    return bytesOf(key - before - 1);
  }

  static std::byte *encode(std::byte *to, Key before, Key key) {
    const std::uint64_t number = key - before - 1;
    const std::size_t bytes = bytesOf(number);
    const std::uint64_t continued =
        bytes < 9 ? low(8 * (bytes - 1)) : ~std::uint64_t(0);
    const std::uint64_t word = spread(number) | (continued & ContinueBits);
    std::memcpy(to, &word, sizeof(word));
    if (bytes > 8) [[unlikely]] {
      const std::uint64_t rest = number >> 56;
      to[8] = std::byte((rest & 0x7f) | (bytes > 9 ? 0x80 : 0));
      if (bytes > 9)
        to[9] = std::byte(rest >> 7);
    }
    return to + bytes;
  }

  static const std::byte *decode(const std::byte *from, Key &key) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof(word));
    const std::uint64_t ends = ~word & ContinueBits;
    if (ends == 0) [[unlikely]]
      return decodeLong(from, word, key);
    const std::uint64_t code = word & (ends ^ (ends - 1));
    key += static_cast<Key>(squeeze(code) + 1);
    return from + (static_cast<std::size_t>(std::countr_zero(ends)) + 1) / 8;
  }

  /// Whether there is `key` among `head` and the keys behind it, whose codes
  /// take `codeBytes` bytes.
  [[gnu::pure, gnu::noinline]] static bool contains(const std::byte *codes,
                                                    std::size_t codeBytes,
                                                    Key head,
                                                    Key key) noexcept {
    const std::byte *const end = codes + codeBytes;
    while (head < key && codes < end)
      codes = decode(codes, head);
    return head == key;
  }

private:
  static constexpr std::uint64_t ContinueBits = 0x8080808080808080;

  static constexpr std::uint64_t low(std::size_t bits) {
    return (std::uint64_t(1) << bits) - 1;
  }

  static std::size_t bytesOf(std::uint64_t number) {
    return (static_cast<std::size_t>(std::bit_width(number | 1)) + 6) / 7;
  }

  /// Moves the lowest 56 bits apart, into the lower seven bits of eight bytes.
  static std::uint64_t spread(std::uint64_t bits) {
    bits = (bits & low(28)) | ((bits & (low(28) << 28)) << 4);
    bits = (bits & 0x00003fff00003fff) | ((bits & 0x0fffc0000fffc000) << 2);
    return (bits & 0x007f007f007f007f) | ((bits & 0x3f803f803f803f80) << 1);
  }

  /// The other way.
  static std::uint64_t squeeze(std::uint64_t bytes) {
    bytes = (bytes & 0x007f007f007f007f) | ((bytes & 0x7f007f007f007f00) >> 1);
    bytes = (bytes & 0x00003fff00003fff) | ((bytes & 0x3fff00003fff0000) >> 2);
    return (bytes & low(28)) | ((bytes & (low(28) << 32)) >> 4);
  }

  /// A code of nine or ten bytes.
  static const std::byte *decodeLong(const std::byte *from, std::uint64_t word,
                                     Key &key) {
    std::uint64_t number = squeeze(word);
    const auto ninth = std::to_integer<std::uint64_t>(from[8]);
    number |= (ninth & 0x7f) << 56;
    from += 9;
    if (ninth & 0x80)
      number |= std::to_integer<std::uint64_t>(*from++) << 63;
    key += static_cast<Key>(number + 1);
    return from;
  }
};

} // namespace detail
} // namespace heddle::graph

#endif
