//===- CodecModel.h - Codes and the keys they encode ------------*- C++ -*-===//
//
// Codes are kept in memory of just the size that leaves and batches give them,
// so that AddressSanitizer sees every access beyond it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_CODECMODEL_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_CODECMODEL_H

#include "heddle/graph/detail/pma/LeafUpdate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace heddle::test {

/// Keys, ascending, of which the first is the head, and their codes.
template <typename Codec> class CodedKeys {
public:
  using Key = typename Codec::Key;

  /// There is at least one key. `spare` more bytes of codes will fit.
  CodedKeys(const std::vector<Key> &keys, std::size_t spare) : keys(keys) {
    std::size_t bytes = spare;
    for (std::size_t i = 1; i < keys.size(); ++i)
      bytes += Codec::codeBytes(keys[i - 1], keys[i]);
    front = Codec::frontBytes(bytes + Codec::Slack);
    size = front + bytes + Codec::Slack;
    memory = std::make_unique<std::byte[]>(size);
    std::fill_n(memory.get(), size, std::byte(0xa5));
    typename Codec::Writer writer(codes());
    ends = {0};
    for (std::size_t i = 1; i < keys.size(); ++i) {
      writer.put(keys[i - 1], keys[i]);
      ends.push_back(writer.position());
      EXPECT_EQ(ends[i] - ends[i - 1], Codec::codeBytes(keys[i - 1], keys[i]));
    }
  }

  std::byte *codes() const { return memory.get() + front; }
  std::size_t codeBytes() const { return ends.back(); }

  /// Reads from every code on.
  void expectReadable() const {
    for (std::size_t from = 1; from < keys.size(); ++from) {
      typename Codec::Reader reader(codes(), ends[from - 1]);
      Key key = keys[from - 1];
      for (std::size_t i = from; i < keys.size(); ++i) {
        reader.next(key);
        ASSERT_EQ(key, keys[i]) << "from " << from;
        ASSERT_EQ(reader.position(), ends[i]);
        if (from > 1 && i > from + 2)
          break;
      }
    }
  }

  /// Searches for a key.
  void expectFound(Key key) const {
    using Traits =
        graph::detail::LeafTraits<Codec, graph::detail::NoValue, 512>;
    const graph::detail::LeafView<Traits> leaf = {
        keys[0], codes(), codes() + codeBytes(), codeBytes(), keys.size()};
    const auto expected = std::lower_bound(keys.begin(), keys.end(), key);
    const auto index = static_cast<std::size_t>(expected - keys.begin());
    const bool isThere = expected != keys.end() && *expected == key;
    const auto place = graph::detail::locate(leaf, key);
    ASSERT_EQ(place.index, index) << key;
    ASSERT_EQ(place.found, isThere) << key;
    ASSERT_EQ(Codec::contains(leaf.codes, leaf.codeBytes, leaf.head, key),
              isThere)
        << key;
    if (index == 0)
      return;
    ASSERT_EQ(place.before, keys[index - 1]);
    ASSERT_EQ(place.code, ends[index - 1]);
    ASSERT_EQ(place.codeEnd, ends[std::min(index, keys.size() - 1)]);
    if (index < keys.size())
      ASSERT_EQ(place.at, *expected);
  }

  /// Replaces keys `first` to `last` - 1, behind the head, by at most one other
  /// key, and compares with codes written anew. There must be room.
  void splice(std::size_t first, std::size_t last, const Key *other) {
    std::vector<Key> changed(keys.begin(), keys.begin() + first);
    typename Codec::Patch patch;
    if (other) {
      patch.put(keys[first - 1], *other);
      changed.push_back(*other);
    }
    std::size_t end = ends[last - 1];
    if (last < keys.size()) {
      end = ends[last];
      patch.put(changed.back(), keys[last]);
      changed.insert(changed.end(), keys.begin() + last, keys.end());
    }
    Codec::splice(codes(), codeBytes(), ends[first - 1], end, patch);
    const CodedKeys anew(changed, 0);
    expectSame(anew);
    keys = anew.keys;
    ends = anew.ends;
  }

  /// Copies codes to memory where only they have room.
  void expectCopied() const {
    CodedKeys copy(keys, 0);
    std::fill_n(copy.memory.get(), copy.size, std::byte(0x5a));
    Codec::copy(copy.codes(), codes(), codeBytes());
    copy.expectReadable();
  }

  std::vector<Key> keys;
  std::vector<std::size_t> ends; ///< of codes

private:
  /// Expects the same codes, and the same end bits for all of them.
  void expectSame(const CodedKeys &other) const {
    const std::size_t bytes = other.codeBytes();
    ASSERT_EQ(std::memcmp(codes(), other.codes(), bytes), 0);
    if constexpr (!Codec::FixedWidth)
      for (std::size_t at = 0; at <= bytes; ++at)
        ASSERT_EQ(Codec::codesIn(codes(), at),
                  Codec::codesIn(other.codes(), at));
  }

  std::unique_ptr<std::byte[]> memory;
  std::size_t front, size;
};

} // namespace heddle::test

#endif
