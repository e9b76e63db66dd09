//===- SequenceIndex.cpp - Backward search in an FM-index -----------------===//
//
// How often patterns occur in a text of four letters. A block of a cache line
// has the ranks of the letters before it and two bits for each of 128 letters.
//
//===----------------------------------------------------------------------===//

#include "../ByHand.h"
#include "../Program.h"

#include <bit>
#include <vector>

namespace heddle::bench {

namespace {

constexpr std::int64_t BlockLetters = 128;

struct alignas(64) Block {
  std::uint32_t rank[4];
  std::uint64_t low[2], high[2]; ///< bits of the letters
};

struct Index {
  std::vector<Block> blocks;
  std::uint32_t start[5]; ///< of the suffixes that begin with each letter

  /// The number of letters `letter` before `place`.
  std::uint32_t rankOf(unsigned letter, std::uint32_t place) const {
    const Block &block = blocks[place / BlockLetters];
    std::uint32_t rank = block.rank[letter];
    const unsigned bits = place % BlockLetters;
    for (unsigned word = 0; word < 2 && 64 * word < bits; ++word) {
      std::uint64_t equal = (letter & 1 ? block.low[word] : ~block.low[word]) &
                            (letter & 2 ? block.high[word] : ~block.high[word]);
      if (bits < 64 * word + 64)
        equal &= (std::uint64_t(1) << bits % 64) - 1;
      rank += std::popcount(equal);
    }
    return rank;
  }
};

/// Patterns of 16 letters, two bits each.
using Pattern = std::uint32_t;

class SequenceIndex {
public:
  // Random letters are as good as the Burrows-Wheeler transform of a text: what
  // is measured does not depend on there being one.
  explicit SequenceIndex(Scale scale) {
    const std::int64_t count = scale.of(1 << 20);
    index.blocks.resize(count + 1);
    std::uint32_t rank[4] = {};
    for (std::int64_t i = 0; i <= count; ++i) {
      Block &block = index.blocks[i];
      std::copy(rank, rank + 4, block.rank);
      for (int word = 0; word < 2; ++word) {
        block.low[word] = scramble(4 * i + word);
        block.high[word] = scramble(4 * i + 2 + word);
      }
      const auto place = static_cast<std::uint32_t>(i * BlockLetters);
      for (unsigned letter = 0; i < count && letter < 4; ++letter)
        rank[letter] = index.rankOf(letter, place + BlockLetters - 1) +
                       (letterAt(block, BlockLetters - 1) == letter);
    }
    for (int letter = 0; letter < 4; ++letter)
      index.start[letter + 1] = index.start[letter] + rank[letter];
    patterns.resize(scale.of(100000));
    for (std::size_t i = 0; i < patterns.size(); ++i)
      patterns[i] = scramble(i ^ 99);
  }

  std::uint64_t run() {
    std::uint64_t sum = 0;
#pragma heddle async
    for (const Pattern pattern : patterns) {
      std::uint32_t begin = 0, end = index.start[4];
      for (int i = 0; i < 16 && begin < end; ++i) {
        const unsigned letter = pattern >> 2 * i & 3;
        begin = index.start[letter] + index.rankOf(letter, begin);
        end = index.start[letter] + index.rankOf(letter, end);
      }
      sum += end - begin;
    }
    return sum;
  }

  std::uint64_t runByHand() {
    struct Search {
      std::uint32_t begin, end;
      Pattern pattern;
      int step;
    };
    std::uint64_t sum = 0;
    std::size_t next = 0;
    interleave<Search>(
        [&](Search &state) {
          if (next == patterns.size())
            return false;
          state = {0, index.start[4], patterns[next++], 0};
          return true;
        },
        [&](Search &state) {
          const unsigned letter = state.pattern & 3;
          state.pattern >>= 2;
          state.begin = index.start[letter] + index.rankOf(letter, state.begin);
          state.end = index.start[letter] + index.rankOf(letter, state.end);
          if (++state.step == 16 || state.begin >= state.end) {
            sum += state.end - state.begin;
            return false;
          }
          prefetch(&index.blocks[state.begin / BlockLetters]);
          prefetch(&index.blocks[state.end / BlockLetters]);
          return true;
        });
    return sum;
  }

private:
  static unsigned letterAt(const Block &block, unsigned place) {
    return (block.low[place / 64] >> place % 64 & 1) |
           (block.high[place / 64] >> place % 64 & 1) << 1;
  }

  Index index = {};
  std::vector<Pattern> patterns;
};

} // namespace

} // namespace heddle::bench

HEDDLE_BENCH_PROGRAM(SequenceIndex, "fm-index",
                     "backward search in an FM-index")
