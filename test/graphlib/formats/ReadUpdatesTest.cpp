//===- ReadUpdatesTest.cpp - Streams of updates, good and bad -------------===//

#include "heddle/graph/ReadUpdates.h"

#include "../support/InputFile.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

using namespace heddle::graph;
using namespace heddle::test;

namespace {

template <typename Weight = Unweighted> auto readText(std::string_view text) {
  const InputFile file("stream.txt", text);
  return readUpdates<std::uint32_t, Weight>(file.path);
}

template <typename Weight = Unweighted>
std::string problemOfText(std::string_view text,
                          const ReadOptions &options = {}) {
  const InputFile file("stream.txt", text);
  return problemWith(file.path, [&] {
    readUpdates<std::uint32_t, Weight>(file.path, options);
  });
}

TEST(ReadUpdatesTest, AddsDeletesAndModifiesInOrder) {
  const auto stream = readText<float>("# calls\n"
                                      "-5 + 1 2 0.5\n"
                                      "\n"
                                      "7\t=\t1,2,1.5\r\n"
                                      "7 - 1 2");
  ASSERT_EQ(stream.updates.size(), 3u);
  EXPECT_EQ(stream.times, (std::vector<std::int64_t>{-5, 7, 7}));
  EXPECT_EQ(stream.updates[0].mode, UpdateMode::Add);
  EXPECT_EQ(stream.updates[0].edge, (Edge<std::uint32_t, float>{1, 2, 0.5f}));
  EXPECT_EQ(stream.updates[1].mode, UpdateMode::Modify);
  EXPECT_EQ(stream.updates[1].edge.weight, 1.5f);
  EXPECT_EQ(stream.updates[2].mode, UpdateMode::Delete);
  EXPECT_EQ(stream.updates[2].edge.from, 1u);
  EXPECT_EQ(stream.updates[2].edge.to, 2u);
}

TEST(ReadUpdatesTest, TemporalNetworksAddEdges) {
  const auto stream = readText("9 8 1082040961\n3 4 1082155839\n");
  ASSERT_EQ(stream.updates.size(), 2u);
  EXPECT_EQ(stream.updates[1].mode, UpdateMode::Add);
  EXPECT_EQ(stream.updates[1].edge.from, 3u);
  EXPECT_EQ(stream.updates[1].edge.to, 4u);
  EXPECT_EQ(stream.times[1], 1082155839);
}

TEST(ReadUpdatesTest, WeightsThatNobodyWantsAreIgnored) {
  EXPECT_EQ(readText("1 + 2 3 0.5\n").updates.size(), 1u);
  EXPECT_EQ(readText<std::int32_t>("1 - 2 3 4\n").updates.size(), 1u);
}

TEST(ReadUpdatesTest, AnEmptyStreamHasNoUpdates) {
  EXPECT_TRUE(readText("").updates.empty());
  EXPECT_TRUE(readText("# nothing\n\n").updates.empty());
}

TEST(ReadUpdatesTest, AMistakeNamesItsLine) {
  EXPECT_EQ(problemOfText("1 + 2 3\nx + 2 3\n"),
            ":2: expected a time, as an integer of 64 bits, found 'x'");
  EXPECT_EQ(problemOfText("7 + 2 3\n6 + 2 3\n"),
            ":2: expected a time of at least 7, found '6'");
  EXPECT_EQ(problemOfText("1 + 2\n"),
            ":1: expected a vertex below 4294967295, found the end of the "
            "line");
  EXPECT_EQ(problemOfText("1 +\n"),
            ":1: expected a vertex below 4294967295, found the end of the "
            "line");
  EXPECT_EQ(problemOfText("1 + # 3\n"),
            ":1: expected a vertex below 4294967295, found '#'");
  EXPECT_EQ(problemOfText("1 + 2 5\n", {.vertexCount = 5}),
            ":1: expected a vertex below 5, found '5'");
  EXPECT_EQ(problemOfText("1 = 2 3 4\n"),
            ":1: expected '+' or '-', as edges have no weights, found '='");
  EXPECT_EQ(problemOfText<std::int32_t>("1 + 2 3\n"),
            ":1: expected an integer weight from -2147483648 to 2147483647, "
            "found the end of the line");
  EXPECT_EQ(problemOfText<std::int32_t>("1 2 3\n"),
            ":1: expected '+', '-' or '=', found '2'");
  EXPECT_EQ(problemOfText<float>("1 = 2 3 nan\n"),
            ":1: expected a weight that a floating-point number of 32 bits can "
            "hold, found 'nan'");
  EXPECT_EQ(problemOfText("1 2\n"),
            ":1: expected a time, as an integer of 64 bits, found the end of "
            "the line");
  EXPECT_EQ(problemOfText("1 2 3 4\n"), ":1: expected nothing more, found '4'");
  EXPECT_EQ(problemOfText("1 * 2 3\n"),
            ":1: expected a vertex below 4294967295, found '*'");
  EXPECT_EQ(problemOfText("99999999999999999999 + 2 3\n"),
            ":1: expected a time, as an integer of 64 bits, found "
            "'99999999999999999999'");
}

TEST(ReadUpdatesTest, TimesMayBeAnyNumberOf64Bits) {
  const auto stream = readText("-9223372036854775808 + 0 1\n"
                               "9223372036854775807 + 1 2\n");
  EXPECT_EQ(stream.times.front(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(stream.times.back(), std::numeric_limits<std::int64_t>::max());
}

} // namespace
