//===- pma/Codec.h - The encoding of keys in a leaf ------------*- C++ -*-===//
//
// The keys of a leaf ascend. The first, the head, is stored elsewhere; the
// others are coded one behind the other: unchanged (PlainCodec), or as
// differences to the key before in byte codes (DeltaCodec; B. Wheatman, R.
// Burns, A. Buluc, H. Xu: CPMA, PPoPP 2024, section 5). Pma and Cpma differ in
// the codec only.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_GRAPH_DETAIL_PMA_CODEC_H
#define HEDDLE_GRAPH_DETAIL_PMA_CODEC_H

#include "heddle/graph/detail/Assert.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace heddle::graph {

/// Keys of sets and maps: unsigned numbers of 32 or 64 bits. Every number is
/// allowed.
template <typename T>
concept OrderedKey =
    std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

namespace detail {

/// The position of the first key that is not below the one searched for, or the
/// end.
template <OrderedKey Key> struct CodePlace {
  std::size_t code, codeEnd; ///< where its code begins and ends, in bytes
  Key before, at;            ///< the one before it, and itself
};

static_assert(std::endian::native == std::endian::little,
              "codes begin with their lowest bits");

/// Keys as they are.
template <OrderedKey KeyType> struct PlainCodec {
  using Key = KeyType;

  static constexpr bool FixedWidth = true;
  static constexpr std::size_t MostCodeBytes = sizeof(Key);

  /// The number of bytes behind a code that writing it may overwrite.
  static constexpr std::size_t Slack = 0;

  /// The bytes in front of `codeBytes` bytes of codes that belong to them.
  static constexpr std::size_t frontBytes(std::size_t) { return 0; }

  /// The bytes that a key takes behind another.
  static std::size_t codeBytes(Key, Key) { return sizeof(Key); }

  /// Reads one code after the other.
  class Reader {
  public:
    Reader() = default;
    /// `position` is the start of a code, or the end of all.
    explicit Reader(const std::byte *codes, std::size_t position = 0)
        : codes(codes), at(codes + position) {}

    /// Replaces `key` by the key behind it.
    void next(Key &key) {
      std::memcpy(&key, at, sizeof(key));
      at += sizeof(key);
    }
    /// The number of bytes that have been read.
    std::size_t position() const {
      return static_cast<std::size_t>(at - codes);
    }

  private:
    const std::byte *codes = nullptr, *at = nullptr;
  };

  /// Writes one code after the other.
  class Writer {
  public:
    explicit Writer(std::byte *codes) : codes(codes), at(codes) {}

    /// Writes a key that follows another.
    void put(Key, Key key) {
      std::memcpy(at, &key, sizeof(key));
      at += sizeof(key);
    }
    std::size_t position() const {
      return static_cast<std::size_t>(at - codes);
    }

  private:
    std::byte *codes, *at;
  };

  /// Up to two codes, to replace others in a leaf.
  class Patch {
  public:
    void put(Key, Key key) {
      std::memcpy(bytes + size, &key, sizeof(key));
      size += sizeof(key);
    }
    std::size_t position() const { return size; }

  private:
    friend PlainCodec;
    std::byte bytes[2 * MostCodeBytes];
    std::size_t size = 0;
  };

  /// Replaces the codes from `begin` to `end` by a patch. All codes take
  /// `codeBytes` bytes.
  static void splice(std::byte *codes, std::size_t codeBytes, std::size_t begin,
                     std::size_t end, const Patch &patch) {
    HEDDLE_ASSERT(begin <= end && end <= codeBytes);
    std::memmove(codes + begin + patch.size, codes + end, codeBytes - end);
    std::memcpy(codes + begin, patch.bytes, patch.size);
  }

  /// Copies codes and the bytes in front that belong to them.
  static void copy(std::byte *to, const std::byte *from,
                   std::size_t codeBytes) {
    std::memcpy(to, from, codeBytes);
  }

  /// Finds the position of `key`, which must be above `head`, among the keys
  /// behind `head`, whose codes take `codeBytes` bytes.
  static CodePlace<Key> search(const std::byte *codes, std::size_t codeBytes,
                               Key head, Key key) {
    std::size_t below = 0;
    for (std::size_t at = 0; at < codeBytes; at += sizeof(Key))
      below += keyAt(codes + at) < key;
    const std::size_t code = below * sizeof(Key);
    const Key before = below > 0 ? keyAt(codes + code - sizeof(Key)) : head;
    if (code == codeBytes)
      return {code, code, before, 0};
    return {code, code + sizeof(Key), before, keyAt(codes + code)};
  }

  /// Whether `key` is `head` or one of the keys behind it, whose codes take
  /// `codeBytes` bytes.
  static bool contains(const std::byte *codes, std::size_t codeBytes, Key head,
                       Key key) {
    bool found = head == key;
    for (std::size_t at = 0; at < codeBytes; at += sizeof(Key))
      found |= keyAt(codes + at) == key;
    return found;
  }

  /// The number of codes that end in the first `bytes` bytes.
  static std::size_t codesIn(const std::byte *, std::size_t bytes) {
    return bytes / sizeof(Key);
  }

private:
  static Key keyAt(const std::byte *from) {
    Key key;
    std::memcpy(&key, from, sizeof(key));
    return key;
  }
};

/// Codes a key as its difference to the key before, less one, in as few bytes
/// as it needs, the lowest first, eight bits per byte. In the paper each byte
/// has a bit that tells whether another byte follows. A decoder then has to
/// finish a code before it knows where the next one begins. Here these bits are
/// stored together, in words of end bits: bit k of word i is set if byte 64 i +
/// k is the last one of its code. Word i is i + 1 words in front of the codes.
template <OrderedKey KeyType> struct DeltaCodec {
  using Key = KeyType;

  static constexpr bool FixedWidth = false;
  static constexpr std::size_t MostCodeBytes = sizeof(Key);
  static constexpr std::size_t Slack = sizeof(std::uint64_t) - 1;

  static constexpr std::size_t frontBytes(std::size_t codeBytes) {
    return (codeBytes + WordBits - 1) / WordBits * sizeof(std::uint64_t);
  }

  static std::size_t codeBytes(Key before, Key key) {
    HEDDLE_ASSERT(before < key);
    return bytesOf(key - before - 1);
  }

  class Reader {
  public:
    Reader() = default;
    explicit Reader(const std::byte *codes, std::size_t position = 0)
        : passed(position / WordBits * WordBits) {
      bytes = codes + passed;
      word = codes - (position / WordBits + 1) * sizeof(ends);
      ends = load(word) & ~lowBits(position - passed);
      last = static_cast<int>(position - passed) - 1;
    }

    void next(Key &key) {
      if (ends == 0)
        enterWord();
      const int end = std::countr_zero(ends);
      ends &= ends - 1;
      const std::uint64_t code = load(bytes + end - 7);
      key += static_cast<Key>((code >> (64 - 8 * (end - last))) + 1);
      last = end;
    }
    std::size_t position() const {
      return passed + static_cast<std::size_t>(last + 1);
    }

  private:
    void enterWord() {
      word -= sizeof(ends);
      ends = load(word);
      bytes += WordBits;
      passed += WordBits;
      last -= static_cast<int>(WordBits);
    }

    const std::byte *bytes = nullptr; ///< the bytes of the end bits at `word`
    const std::byte *word = nullptr;
    std::uint64_t ends = 0; ///< of the codes that have not been read
    int last = -1;          ///< the last byte that has been read
    std::size_t passed = 0;
  };

  class Writer {
  public:
    explicit Writer(std::byte *codes) : codes(codes) {}

    void put(Key before, Key key) {
      HEDDLE_ASSERT(before < key);
      const std::uint64_t number = key - before - 1;
      store(codes + size, number);
      size += bytesOf(number);
      const std::size_t end = size - 1;
      if (end / WordBits != index) {
        index = end / WordBits;
        ends = 0;
      }
      ends |= std::uint64_t(1) << end % WordBits;
      store(codes - (index + 1) * sizeof(ends), ends);
    }
    std::size_t position() const { return size; }

  private:
    std::byte *codes;
    std::size_t size = 0, index = 0;
    std::uint64_t ends = 0; ///< the word with that index
  };

  class Patch {
  public:
    void put(Key before, Key key) {
      HEDDLE_ASSERT(before < key && size <= MostCodeBytes);
      const std::uint64_t number = key - before - 1;
      store(bytes + size, number);
      size += bytesOf(number);
      ends |= std::uint64_t(1) << (size - 1);
    }
    std::size_t position() const { return size; }

  private:
    friend DeltaCodec;
    std::byte bytes[2 * MostCodeBytes + Slack];
    std::size_t size = 0;
    std::uint64_t ends = 0;
  };

  static void splice(std::byte *codes, std::size_t codeBytes, std::size_t begin,
                     std::size_t end, const Patch &patch) {
    HEDDLE_ASSERT(begin <= end && end <= codeBytes);
    std::memmove(codes + begin + patch.size, codes + end, codeBytes - end);
    std::memcpy(codes + begin, patch.bytes, patch.size);
    spliceEnds(codes, codeBytes, begin, end, patch);
  }

  static void copy(std::byte *to, const std::byte *from,
                   std::size_t codeBytes) {
    const std::size_t front = frontBytes(codeBytes);
    std::memcpy(to - front, from - front, front + codeBytes);
  }

  /// All searches end in this loop, so it only decodes: it does not count keys,
  /// and finds the end from the end bits alone.
  [[gnu::always_inline]] static CodePlace<Key> search(const std::byte *codes,
                                                      std::size_t codeBytes,
                                                      Key head,
                                                      Key key) noexcept {
    Key at = head;
    auto last = static_cast<std::size_t>(-1); // of the code before, in its word
    const std::byte *word = codes;
    for (std::size_t passed = 0; passed < codeBytes; passed += WordBits) {
      word -= sizeof(std::uint64_t);
      std::uint64_t ends = load(word) & lowBits(codeBytes - passed);
      const std::byte *const bytes = codes + passed - 7;
      while (ends != 0) {
        const auto end = static_cast<std::size_t>(std::countr_zero(ends));
        ends &= ends - 1;
        const Key before = at;
        at += static_cast<Key>(
            (load(bytes + end) >> (8 * (last - end) % WordBits)) + 1);
        if (at >= key)
          return {passed + last + 1, passed + end + 1, before, at};
        last = end;
      }
      last -= WordBits;
    }
    return {codeBytes, codeBytes, at, 0};
  }

  [[gnu::pure, gnu::noinline]] static bool contains(const std::byte *codes,
                                                    std::size_t codeBytes,
                                                    Key head,
                                                    Key key) noexcept {
    return key == head ||
           (key > head && search(codes, codeBytes, head, key).at == key);
  }

  static std::size_t codesIn(const std::byte *codes, std::size_t bytes) {
    std::size_t count = 0;
    const std::byte *word = codes;
    for (std::size_t passed = 0; passed < bytes; passed += WordBits) {
      word -= sizeof(std::uint64_t);
      count += static_cast<std::size_t>(
          std::popcount(load(word) & lowBits(bytes - passed)));
    }
    return count;
  }

private:
  static constexpr std::size_t WordBits = 64;

  static std::uint64_t load(const std::byte *from) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof(word));
    return word;
  }
  static void store(std::byte *to, std::uint64_t word) {
    std::memcpy(to, &word, sizeof(word));
  }

  static std::size_t bytesOf(std::uint64_t number) {
    return (static_cast<std::size_t>(std::bit_width(number | 1)) + 7) / 8;
  }

  /// Word `index` of the end bits, or 0 behind the last of `words` words.
  static std::uint64_t endsAt(const std::byte *codes, std::size_t words,
                              std::size_t index) {
    return index < words ? load(codes - (index + 1) * sizeof(std::uint64_t))
                         : 0;
  }

  /// A mask of the lowest `count` bits; all bits if `count` is 64 or more.
  static std::uint64_t lowBits(std::size_t count) {
    return count < WordBits ? (std::uint64_t(1) << count) - 1
                            : ~std::uint64_t(0);
  }

  /// splice() for the end bits. The bits behind the patch move by less than a
  /// word, as only a few codes are replaced. The order in which words are
  /// written makes sure that each word is read before it is overwritten.
  static void spliceEnds(std::byte *codes, std::size_t codeBytes,
                         std::size_t begin, std::size_t end,
                         const Patch &patch) {
    const std::size_t newEnd = begin + patch.size;
    HEDDLE_ASSERT(std::max(newEnd, end) - std::min(newEnd, end) < WordBits);
    const std::size_t words = (codeBytes + WordBits - 1) / WordBits;
    const std::size_t newWords =
        (codeBytes + newEnd - end + WordBits - 1) / WordBits;
    const std::size_t first = begin / WordBits, bit = begin % WordBits;
    const std::uint64_t kept = endsAt(codes, words, first) & lowBits(bit);
    // The bits of a word that move.
    const auto moving = [&](std::size_t index) {
      const std::uint64_t ends = endsAt(codes, words, index);
      const std::size_t word = index * WordBits;
      return word < end ? ends & ~lowBits(end - word) : ends;
    };
    if (newEnd >= end) {
      const std::size_t up = newEnd - end;
      for (std::size_t i = newWords; i-- > first;)
        storeEnds(codes, i,
                  moving(i) << up |
                      (i > first ? highBits(moving(i - 1), up) : 0));
    } else {
      const std::size_t down = end - newEnd;
      for (std::size_t i = first; i < newWords; ++i)
        storeEnds(codes, i,
                  moving(i) >> down | moving(i + 1) << (WordBits - down));
    }
    if (first < newWords)
      addEnds(codes, first, kept | patch.ends << bit);
    if (first + 1 < newWords)
      addEnds(codes, first + 1, highBits(patch.ends, bit));
  }

  /// The bits that leave a word when it is shifted up.
  static std::uint64_t highBits(std::uint64_t word, std::size_t up) {
    return word >> 1 >> (WordBits - 1 - up);
  }
  static void storeEnds(std::byte *codes, std::size_t index,
                        std::uint64_t ends) {
    store(codes - (index + 1) * sizeof(ends), ends);
  }
  static void addEnds(std::byte *codes, std::size_t index, std::uint64_t ends) {
    storeEnds(codes, index, load(codes - (index + 1) * sizeof(ends)) | ends);
  }
};

} // namespace detail
} // namespace heddle::graph

#endif
