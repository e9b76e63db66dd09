//===- MutationTest.cpp - Readers against damaged files of all formats ----===//
//
// Good files are changed at random. The result is an error or a graph that
// algorithms can trust, also under a sanitizer.
//
//===----------------------------------------------------------------------===//

#include "../support/Mutation.h"
#include "../../support/FewOrAll.h"
#include "../support/GraphFiles.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/RandomWeights.h"
#include "heddle/graph/WriteGraph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

template <typename Rows>
void expectGood(const Rows &rows, std::size_t vertices) {
  if (rows.offsets.empty()) {
    EXPECT_EQ(vertices, 0u);
    return;
  }
  ASSERT_EQ(rows.offsets.size(), vertices + 1);
  EXPECT_EQ(rows.offsets[0], 0u);
  EXPECT_EQ(rows.offsets[vertices], rows.targets.size());
  // A changed bit can make many vertices, hence no expectation for each, and no
  // call for those without edges.
  const auto *offsets = rows.offsets.data();
  const auto *targets = rows.targets.data();
  for (std::size_t v = 0; v < vertices; ++v)
    if (offsets[v] != offsets[v + 1] &&
        (offsets[v] > offsets[v + 1] ||
         !std::is_sorted(targets + offsets[v], targets + offsets[v + 1])))
      FAIL() << "vertex " << v;
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
  const unsigned rounds = isLongRun() ? 1500 : 400;
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
  // Some changes have no effect, for example a bit between two arrays.
  EXPECT_LT(accepted, rounds * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Formats, Mutated,
                         testing::Values("a.wel", "a.txt", "a.pairs", "a.mtx",
                                         "a.adj", "a.graph", "aa.gr", "a.col",
                                         "a.sg", "a.wsg", "a.hgraph",
                                         "a.wel.gz", "a.mtx.zst", "a.sg.gz",
                                         "a.wsg.zst"),
                         [](const auto &instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

} // namespace
