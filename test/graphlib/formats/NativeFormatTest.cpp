//===- NativeFormatTest.cpp - Damaged and foreign .hgraph files -----------===//

#include "../support/GraphFiles.h"
#include "heddle/graph/Generate.h"
#include "heddle/graph/RandomWeights.h"
#include "heddle/graph/WriteGraph.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

using namespace heddle::graph;
using namespace heddle::test;

/// The bytes of a file with a small graph.
template <typename Store> std::string bytesOf(const Store &graph) {
  TemporaryDirectory directory;
  const std::string path = directory.file("a.hgraph");
  writeGraph(path, graph);
  return readText(path);
}

std::string smallFile() { return bytesOf(buildCsr(generateGrid(3, 3))); }

std::string problem(const std::string &bytes) {
  return graphProblemOf("a.hgraph", bytes);
}

TEST(NativeFormat, ContentTellsItFromAnEdgeList) {
  EXPECT_EQ(graphOf("graph", smallFile()),
            FlatGraph(buildCsr(generateGrid(3, 3))));
}

TEST(NativeFormat, WeightsThatNobodyWantsAreLeftOut) {
  const auto grid = [] { return buildCsr(generateGrid(3, 3)); };
  const std::string weighted = bytesOf(withRandomWeights(grid()));
  EXPECT_EQ(graphOf("a.hgraph", weighted), FlatGraph(grid()));
}

TEST(NativeFormat, TypesMustBeTheSame) {
  EXPECT_EQ(graphProblemOf<std::uint64_t>("a.hgraph", smallFile()),
            ": byte 16: expected vertices of bytes 8, found 4");
  EXPECT_EQ((graphProblemOf<std::uint32_t, float>("a.hgraph", smallFile())),
            ": byte 20: expected floating-point weights of 32 bits, found no "
            "weights");
  const std::string weighted =
      bytesOf(withRandomWeights<std::int64_t>(buildCsr(generateGrid(2, 2))));
  EXPECT_EQ((graphProblemOf<std::uint32_t, std::int32_t>("a.hgraph", weighted)),
            ": byte 20: expected integer weights of 32 bits, found integer "
            "weights of 64 bits");
}

TEST(NativeFormat, CompressedFilesAreNamedAsSuch) {
  const std::string gzip = "\x1f\x8b\x08";
  for (const std::string &bytes : {gzip, gzip + std::string(4096, 'x')})
    EXPECT_EQ(problem(bytes), ": byte 0: expected the header of a .hgraph "
                              "file, found gzip data; decompress it");
}

TEST(NativeFormat, ForeignFilesAreNamedAsSuch) {
  EXPECT_EQ(problem(""), ": byte 0: expected the header of a .hgraph file, "
                         "found the end of the file");
  EXPECT_EQ(problem(std::string(300, '7')),
            ": byte 0: expected the header of a .hgraph file, found another "
            "file");
  std::string bytes = smallFile();
  std::swap(bytes[8], bytes[11]);
  std::swap(bytes[9], bytes[10]);
  EXPECT_EQ(problem(bytes), ": byte 8: expected the byte order of this "
                            "machine, found the opposite");
  bytes = smallFile();
  ++bytes[12];
  EXPECT_EQ(problem(bytes), ": byte 12: expected version 1, found 2");
}

TEST(NativeFormat, AFileCutShortAnywhereIsAnError) {
  const std::string whole = smallFile();
  for (std::size_t size = 0; size < whole.size(); size += 41) {
    const std::string text = problem(whole.substr(0, size));
    EXPECT_TRUE(text.ends_with("found the end of the file")) << size << text;
  }
}

TEST(NativeFormat, BehindTheLastArrayThereIsNothing) {
  const std::string whole = smallFile();
  EXPECT_EQ(problem(whole + '\0'),
            ": byte " + std::to_string(whole.size()) +
                ": expected the end of the file, found more");
}

TEST(NativeFormat, IsTheSameWhetherMappedOrCopied) {
  const auto grid = withRandomWeights<float>(buildCsr(generateGrid(40, 70)));
  for (const bool map : {false, true})
    EXPECT_EQ((graphOf<std::uint32_t, float>("a.hgraph", bytesOf(grid),
                                             {.map = map})),
              FlatGraph(grid));
}

TEST(NativeFormat, AFlippedBitIsNoticedUnlessBetweenArrays) {
  const std::string whole = smallFile();
  const FlatGraph expected = graphOf("a.hgraph", whole);
  // Ten offsets and twelve targets, in both directions, each at a page.
  const auto isGap = [](std::size_t byte) {
    const std::size_t ends[] = {200, 80, 48, 80, 48};
    return byte % 4096 >= ends[byte / 4096];
  };
  for (std::size_t byte = 0; byte < whole.size(); ++byte) {
    if (isGap(byte) && byte % 512 != 0 && byte % 4096 != 200)
      continue;
    std::string broken = whole;
    broken[byte] = static_cast<char>(broken[byte] ^ (1 << byte % 8));
    EXPECT_EQ(problem(broken) == "accepted", isGap(byte)) << byte;
    if (isGap(byte))
      EXPECT_EQ(graphOf("a.hgraph", broken), expected) << byte;
  }
}

TEST(NativeFormat, ArraysWithAWrongChecksumAreNamed) {
  std::string bytes = smallFile();
  ++bytes[4096 + 8];
  const std::string text = problem(bytes);
  EXPECT_TRUE(text.starts_with(": byte 4096: expected 80 bytes with checksum "))
      << text;
  // Without being verified it is taken as it is.
  EXPECT_EQ(graphProblemOf("a.hgraph", bytes, {.verify = false}), "accepted");
}

TEST(NativeFormat, ALastOffsetThatIsWrongIsTakenAsItIsUnlessVerified) {
  const std::string whole = smallFile();
  // The tenth of ten offsets, in both directions.
  for (const std::size_t last : {4096 + 9 * 8, 3 * 4096 + 9 * 8}) {
    std::string bytes = whole;
    ++bytes[last];
    EXPECT_NE(problem(bytes), "accepted") << last;
    for (const bool map : {false, true})
      EXPECT_EQ(
          graphProblemOf("a.hgraph", bytes, {.verify = false, .map = map}),
          "accepted")
          << last;
  }
}

TEST(NativeFormat, WhatIsWrittenToAMappedGraphDoesNotReachTheFile) {
  const std::string whole = smallFile();
  InputFile file("a.hgraph", whole);
  auto [out, in] = readGraph(file.path).takeRows();
  out.targets[0] = 77;
  EXPECT_EQ(readText(file.path), whole);
  EXPECT_EQ(out.targets[0], 77u);
}

} // namespace
