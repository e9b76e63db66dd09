//===- PmaCodecTest.cpp - Codes of all lengths ----------------------------===//

#include "../support/CodecModel.h"
#include "../support/PmaModel.h"

namespace {

using namespace heddle::graph;
using namespace heddle::graph::detail;
using namespace heddle::test;

template <typename Codec> class PmaCodecTest : public ::testing::Test {
protected:
  using Key = typename Codec::Key;
  static constexpr Key Highest = std::numeric_limits<Key>::max();

  /// Returns up to `count` keys whose codes have `length` bytes, or any if that
  /// is 0.
  std::vector<Key> keysOf(std::size_t length, std::size_t count) {
    std::vector<Key> keys = {source.below(2) ? Key(0) : source.anyLength()};
    while (keys.size() < count) {
      const int bits = length == 0
                           ? 1 + static_cast<int>(source.below(8 * sizeof(Key)))
                           : static_cast<int>(8 * length);
      Key gap = source.uniform(bits);
      if (length > 1)
        gap |= Key(1) << (bits - 1);
      if (gap >= Highest - keys.back())
        break;
      keys.push_back(keys.back() + gap + 1);
    }
    return keys;
  }

  KeySource<Key> source{1};
};
using Codecs =
    ::testing::Types<DeltaCodec<std::uint64_t>, DeltaCodec<std::uint32_t>,
                     PlainCodec<std::uint64_t>, PlainCodec<std::uint32_t>>;
TYPED_TEST_SUITE(PmaCodecTest, Codecs);

TYPED_TEST(PmaCodecTest, WhatIsWrittenIsReadAndFound) {
  for (std::size_t length = 0; length <= sizeof(typename TypeParam::Key);
       ++length)
    for (std::size_t count = 1; count < 150; count += 7) {
      const CodedKeys<TypeParam> coded(this->keysOf(length, count), 0);
      ASSERT_NO_FATAL_FAILURE(coded.expectReadable());
      ASSERT_NO_FATAL_FAILURE(coded.expectCopied());
      ASSERT_NO_FATAL_FAILURE(coded.expectFound(0));
      ASSERT_NO_FATAL_FAILURE(coded.expectFound(this->Highest));
      for (const auto key : coded.keys) {
        ASSERT_NO_FATAL_FAILURE(coded.expectFound(key));
        ASSERT_NO_FATAL_FAILURE(coded.expectFound(key - 1));
        ASSERT_NO_FATAL_FAILURE(coded.expectFound(key + 1));
      }
    }
}

TYPED_TEST(PmaCodecTest, TheShortestAndTheLongestCodesAreTold) {
  using Key = typename TypeParam::Key;
  std::vector<Key> keys = {0, 1, this->Highest - 1, this->Highest};
  ASSERT_NO_FATAL_FAILURE(CodedKeys<TypeParam>(keys, 0).expectReadable());
  keys = {0, this->Highest};
  ASSERT_NO_FATAL_FAILURE(CodedKeys<TypeParam>(keys, 0).expectReadable());
  for (int bits = 8; bits < KeySource<Key>::Bits; bits += 8)
    for (const Key gap : {-1, 0, 1}) {
      const CodedKeys<TypeParam> coded({5, 5 + (Key(1) << bits) + gap}, 0);
      ASSERT_NO_FATAL_FAILURE(coded.expectReadable());
      if (!TypeParam::FixedWidth) {
        EXPECT_EQ(coded.codeBytes(), bits / 8 + (gap == 1));
      }
    }
}

TYPED_TEST(PmaCodecTest, PatchesLeaveWhatIsAroundThem) {
  using Key = typename TypeParam::Key;
  for (int round = 0; round < 2000; ++round) {
    const std::size_t length = this->source.below(sizeof(Key) + 1);
    CodedKeys<TypeParam> coded(
        this->keysOf(length, 2 + this->source.below(120)),
        2 * TypeParam::MostCodeBytes);
    const std::size_t count = coded.keys.size();
    if (count < 2)
      continue;
    const std::size_t first = 1 + this->source.below(count - 1);
    const std::size_t last = std::min(first + this->source.below(2), count);
    const Key before = coded.keys[first - 1];
    const Key after = last < count ? coded.keys[last] : this->Highest;
    const Key other = before + (after - before) / 2;
    ASSERT_NO_FATAL_FAILURE(
        coded.splice(first, last, other > before ? &other : nullptr));
    ASSERT_NO_FATAL_FAILURE(coded.expectReadable());
  }
}

} // namespace
