//===- MutationTest.cpp - Readers against damaged files of all formats ----===//
//
// Good files are changed at random. What comes of it is an error or a graph
// that algorithms can trust, and under a sanitizer nothing else.
//
//===----------------------------------------------------------------------===//

#include "GraphFiles.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/RandomWeights.h"
#include "heddle/graph/WriteGraph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>
#include <string>

namespace {

using namespace heddle::graph;
using namespace heddle::test;
using namespace std::string_view_literals;

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

template <typename Rows>
void expectGood(const Rows &rows, std::size_t vertices) {
  if (rows.offsets.empty()) {
    EXPECT_EQ(vertices, 0u);
    return;
  }
  ASSERT_EQ(rows.offsets.size(), vertices + 1);
  EXPECT_EQ(rows.offsets[0], 0u);
  EXPECT_EQ(rows.offsets[vertices], rows.targets.size());
  for (std::size_t v = 0; v < vertices; ++v) {
    ASSERT_LE(rows.offsets[v], rows.offsets[v + 1]);
    EXPECT_TRUE(std::is_sorted(rows.targets.begin() + rows.offsets[v],
                               rows.targets.begin() + rows.offsets[v + 1]));
  }
  for (const auto target : rows.targets)
    EXPECT_LT(target, vertices);
}

template <typename VertexId, typename Weight>
bool isAccepted(const std::string &path) {
  try {
    const auto graph =
        readGraph<VertexId, Weight>(path, {.text = {.chunkBytes = 64}});
    expectGood(graph.outRows(), graph.vertexCount());
    expectGood(graph.inRows(), graph.vertexCount());
    if constexpr (!std::same_as<Weight, Unweighted>) {
      EXPECT_EQ(graph.outRows().weights.size(), graph.edgeCount());
    }
    return true;
  } catch (const Error &error) {
    EXPECT_TRUE(std::string_view(error.what()).starts_with(path))
        << error.what();
    return false;
  }
}

class Mutated : public testing::TestWithParam<const char *> {};

TEST_P(Mutated, FilesGiveAnErrorOrAGoodGraph) {
  constexpr unsigned rounds = 1500;
  TemporaryDirectory directory;
  const std::string path = directory.file(GetParam());
  auto graph = buildCsr(generateKronecker({.scale = 4, .edgesPerVertex = 2}),
                        {.directed = std::string(GetParam()).size() % 2 == 0});
  const std::string good = [&] {
    writeGraph(path, withRandomWeights(std::move(graph)));
    return readText(path);
  }();
  EXPECT_TRUE((isAccepted<std::uint32_t, Unweighted>(path)));

  unsigned accepted = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    writeText(path, Mutation(round)(good));
    accepted += isAccepted<std::uint32_t, Unweighted>(path);
    if (!path.ends_with(".sg"))
      isAccepted<std::uint32_t, std::int32_t>(path);
    if (!path.ends_with(".hgraph"))
      isAccepted<std::uint64_t, Unweighted>(path);
  }
  // Some changes mean nothing, for example a bit between two arrays.
  EXPECT_LT(accepted, rounds * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Formats, Mutated,
                         testing::Values("a.wel", "a.txt", "a.mtx", "a.adj",
                                         "a.sg", "a.wsg", "a.hgraph",
                                         "a.wel.gz", "a.mtx.zst", "a.sg.gz",
                                         "a.wsg.zst"),
                         [](const auto &instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

} // namespace
