//===- CodecFuzz.cpp - Bytes as keys, searches and patches ----------------===//

#include "../graphlib/support/CodecModel.h"
#include "Fuzz.h"
#include "FuzzInput.h"

#include <limits>

namespace {

using namespace heddle::graph::detail;
using namespace heddle::test;

template <typename Codec> void fuzz(FuzzInput &input) {
  using Key = typename Codec::Key;
  constexpr Key highest = std::numeric_limits<Key>::max();
  std::vector<Key> keys = {
      static_cast<Key>(input.number(input.below(sizeof(Key) + 1)))};
  const std::size_t count = input.byte();
  while (keys.size() < count && !input.empty()) {
    const std::size_t length = 1 + input.below(sizeof(Key));
    const auto gap = static_cast<Key>(input.number(length));
    if (gap >= highest - keys.back())
      break;
    keys.push_back(keys.back() + gap + 1);
  }
  CodedKeys<Codec> coded(keys, 2 * Codec::MostCodeBytes);
  coded.expectReadable();
  coded.expectCopied();
  for (int i = 0; i < 8; ++i) {
    coded.expectFound(static_cast<Key>(input.number(sizeof(Key))));
    const Key key = coded.keys[input.byte() % coded.keys.size()];
    coded.expectFound(static_cast<Key>(key + input.below(3) - 1));
  }
  if (keys.size() < 2)
    return;
  const std::size_t first = 1 + input.byte() % (keys.size() - 1);
  const std::size_t last = std::min(first + input.below(4), keys.size());
  const Key before = keys[first - 1];
  const Key after = last < keys.size() ? keys[last] : highest;
  const Key other =
      before + static_cast<Key>(input.number(sizeof(Key))) % (after - before);
  coded.splice(first, last, other > before ? &other : nullptr);
  coded.expectReadable();
}

} // namespace

void heddle::test::fuzzCodec(std::span<const std::uint8_t> bytes) {
  FuzzInput input(bytes);
  switch (input.below(4)) {
  case 0:
    return fuzz<DeltaCodec<std::uint64_t>>(input);
  case 1:
    return fuzz<DeltaCodec<std::uint32_t>>(input);
  case 2:
    return fuzz<PlainCodec<std::uint64_t>>(input);
  case 3:
    return fuzz<PlainCodec<std::uint32_t>>(input);
  }
}
