//===- Mutation.h - Files that are damaged at random -----------*- C++ -*-===//

#ifndef HEDDLE_TEST_GRAPHLIB_SUPPORT_MUTATION_H
#define HEDDLE_TEST_GRAPHLIB_SUPPORT_MUTATION_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

namespace heddle::test {

/// Changes a text at one to four positions, which depend on the seed only.
class Mutation {
public:
  explicit Mutation(unsigned seed) : random(seed) {}

  std::string operator()(std::string text) {
    for (std::size_t left = 1 + random() % 4; left > 0; --left)
      mutate(text);
    return text;
  }

private:
  std::size_t below(std::size_t bound) { return random() % bound; }

  void mutate(std::string &text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(20), text.size() - at);
    switch (below(7)) {
    case 0: // A bit is flipped.
      if (at < text.size())
        text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 1: // A byte is another.
      if (at < text.size())
        text[at] = static_cast<char>(below(256));
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(below(text.size() + 1), text.substr(at, length));
      break;
    case 4:
      text.resize(at);
      break;
    case 5: {
      using namespace std::string_view_literals;
      constexpr std::string_view words[] = {"-1",
                                            "4294967295",
                                            "18446744073709551616",
                                            "1152921504606846976",
                                            "0",
                                            " ",
                                            "\n",
                                            "\r\n",
                                            "%",
                                            "#",
                                            "1e400",
                                            "\0"sv,
                                            "nan"};
      text.insert(at, words[below(std::size(words))]);
      break;
    }
    case 6: { // A number of a binary file is extreme.
      constexpr std::uint64_t numbers[] = {0,
                                           1,
                                           0x7fffffff,
                                           0xffffffff,
                                           UINT64_MAX,
                                           UINT64_MAX / 2,
                                           std::uint64_t(1) << 60};
      const std::uint64_t number = numbers[below(std::size(numbers))];
      if (at + sizeof(number) <= text.size())
        std::memcpy(&text[at], &number, sizeof(number));
      break;
    }
    }
  }

  std::mt19937 random;
};

} // namespace heddle::test

#endif
